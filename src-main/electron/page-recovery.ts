import { type BrowserWindow, dialog } from 'electron';
import type { Clock } from '../platform/clock.ts';
import { noteCrash } from './crash-log.ts';
import type { ProgramEnd } from './shutdown.ts';
import type { Texts } from './texts.ts';

/** A page that died is loaded again so often within this time; then a person is asked. */
const MOST_RELOADS = 3;
const WITHIN_MS = 60_000;

export interface RecoveryOptions {
  readonly clock: Clock;
  readonly texts: Texts;
  readonly crashFile: string;
  readonly end: ProgramEnd;
}

/**
 * Loads a page again whose process died. When that does not help it says so, and that the service goes on. Answers what says the same of a
 * page that could not be loaded.
 */
export function setupPageRecovery(window: BrowserWindow, { clock, texts, crashFile, end }: RecoveryOptions): (error: unknown) => void {
  let reloads: number[] = [];
  let isAsking = false;

  async function ask(message: string): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    const { response } = await dialog.showMessageBox(window, {
      type: 'error',
      title: 'Loopcheck',
      message,
      detail: texts.pageGoneDetail,
      buttons: [texts.loadAgain, texts.quit],
      defaultId: 0,
      cancelId: 0,
    });
    isAsking = false;
    if (response === 1) end.end();
    else if (!window.isDestroyed()) {
      reloads = [];
      window.webContents.reload();
    }
  }

  window.webContents.on('render-process-gone', (_event, details) => {
    if (details.reason === 'clean-exit') return;
    noteCrash(crashFile, clock.wallMs(), 'page', details);
    const now = clock.monotonicMs();
    reloads = reloads.filter((at) => now - at < WITHIN_MS);
    if (reloads.length >= MOST_RELOADS) {
      void ask(texts.pageGone);
      return;
    }
    reloads.push(now);
    window.webContents.reload();
  });
  return (error) => {
    noteCrash(crashFile, clock.wallMs(), 'loading of the page', error);
    void ask(texts.pageFailed);
  };
}
