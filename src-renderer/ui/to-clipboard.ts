import { notifyDone, notifyProblem } from './notify.ts';

/** Puts a text on the clipboard, and tells so in the words given; `failed` where the page may not. */
export async function toClipboard(text: string, done: string, failed: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notifyDone(done);
  } catch {
    notifyProblem(failed);
  }
}
