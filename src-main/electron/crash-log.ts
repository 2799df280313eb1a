import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Then the file begins anew; the one before is kept. */
const LARGEST = 256 * 1024;

/**
 * Writes a fault down at once, without the log, which may be what is broken: a line with time and place, then the stack. `at` is UTC in
 * milliseconds. Never throws: what cannot be written is lost.
 */
export function noteCrash(file: string, at: number, place: string, fault: unknown): void {
  const text = fault instanceof Error ? (fault.stack ?? fault.message) : JSON.stringify(fault);
  try {
    mkdirSync(dirname(file), { recursive: true });
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LARGEST) renameSync(file, `${file}.old`);
    appendFileSync(file, `${new Date(at).toISOString()} ${place}\n${text}\n\n`, { mode: 0o600 });
  } catch {
    // A full disk or a folder that is gone: the fault itself is told on the screen.
  }
}
