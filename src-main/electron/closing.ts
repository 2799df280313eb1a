import { type BrowserWindow, dialog } from 'electron';
import type { Busy } from './busy.ts';
import type { ProgramEnd } from './shutdown.ts';
import type { Texts } from './texts.ts';

export interface ClosingOptions {
  readonly texts: Texts;
  readonly end: ProgramEnd;
  /** What would end with the program. */
  busy(): Promise<Busy>;
  /** Hides the window, and leaves a way back to it. */
  keepRunning(): void;
}

/** Asks once before a window is closed under which tasks run or devices are served: end, keep running, or neither. */
export function setupClosing(window: BrowserWindow, { texts, end, busy, keepRunning }: ClosingOptions): void {
  let isAsking = false;

  async function decide(): Promise<void> {
    const { tasks, devices, results } = await busy().catch(() => ({ tasks: 0, devices: 0, results: 0 }));
    if (tasks + devices + results === 0) {
      end.end();
      return;
    }
    const { response } = await dialog.showMessageBox(window, {
      type: 'question',
      title: 'Loopcheck',
      message: texts.closeAsked,
      detail: [
        texts.closeDetail.replace('{tasks}', String(tasks)).replace('{devices}', String(devices)),
        ...(results > 0 ? [texts.closeResults.replace('{results}', String(results))] : []),
      ].join('\n'),
      buttons: [texts.endAll, texts.keepRunning, texts.cancel],
      defaultId: 2,
      cancelId: 2,
    });
    if (response === 0) end.end();
    else if (response === 1 && !end.isDecided) keepRunning();
  }

  window.on('close', (event) => {
    if (end.isDecided) return;
    event.preventDefault();
    if (isAsking) return;
    isAsking = true;
    void decide().finally(() => {
      isAsking = false;
    });
  });
  // The system ends the session: Windows gives no time for a question.
  window.on('session-end', () => end.decide());
}
