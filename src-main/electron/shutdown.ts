import { app } from 'electron';
import type { Clock } from '../platform/clock.ts';

/** The core bounds its own end; this is for the case that it does not keep to it. */
const LIMIT_MS = 15_000;

/**
 * Holds back the end of the program until `close` is done: tasks, channels, store. Every way out comes through here: the last
 * window, the menu, the system shutting down, a stop by the API.
 */
export function setupOrderedShutdown(clock: Clock, close: () => Promise<void>): void {
  let isUnderWay = false;
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (isUnderWay) return;
    isUnderWay = true;
    const cancelLimit = clock.after(LIMIT_MS, () => app.exit(1));
    void close()
      .then(() => 0)
      .catch(() => 1)
      .then((code) => {
        cancelLimit();
        app.exit(code);
      });
  });
}
