import { app } from 'electron';
import type { Clock } from '../platform/clock.ts';

/** The core bounds its own end: 20 s to put values back, 10 s for the channels, and some more. This is for the case that it does not keep to it. */
const LIMIT_MS = 60_000;

/** The end of the program, in order. */
export interface ProgramEnd {
  /** True once the end is certain: nobody is asked any more. */
  readonly isDecided: boolean;
  /** The system ends the program now: no question may hold that up. */
  decide(): void;
  /** Ends the program, without a question. */
  end(): void;
  /** Ends it with exit code 1; `tell` runs when nothing of the service runs any more, so it may block. */
  fail(tell: () => void): void;
}

/**
 * Holds back the end of the program until `close` is done: tasks, channels, store, threads. Every way out comes through here: the last
 * window, the menu, the system shutting down, a signal, a stop by the API, a fault. `endThreads` is for an end that took too long.
 */
export function setupOrderedShutdown(
  clock: Clock,
  { close, endThreads }: { readonly close: () => Promise<void>; readonly endThreads: () => Promise<void> },
): ProgramEnd {
  let isDecided = false;
  let isUnderWay = false;
  let failure: (() => void) | null = null;
  app.on('window-all-closed', () => app.quit());
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (isUnderWay) return;
    isUnderWay = true;
    isDecided = true;
    const cancelLimit = clock.after(LIMIT_MS, () => void endThreads().finally(() => app.exit(1)));
    void close()
      .then(() => 0)
      .catch(() => 1)
      .then((code) => {
        cancelLimit();
        failure?.();
        app.exit(failure ? 1 : code);
      });
  });
  const end = () => {
    isDecided = true;
    app.quit();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, end);
  return {
    get isDecided() {
      return isDecided;
    },
    decide() {
      isDecided = true;
    },
    end,
    fail(tell) {
      failure ??= tell;
      end();
    },
  };
}
