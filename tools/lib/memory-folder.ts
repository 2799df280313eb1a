import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Room that a whole run takes at most, several times over. */
const LEAST_FREE_OCTETS = 2 * 1024 ** 3;

/**
 * Lets all folders that tests make for themselves lie in memory where there is room, so that no test waits for a disk: projects are written
 * through to it with every change. They go with this process. `TMPDIR` that is set is left as it is.
 */
export function keepTestFilesInMemory(): void {
  if (process.env.TMPDIR !== undefined || process.platform !== 'linux') return;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < LEAST_FREE_OCTETS) return;
    const folder = mkdtempSync(join(MEMORY, 'loopcheck-'));
    process.env.TMPDIR = folder;
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  } catch {
    // no such memory, or not for us: the usual place does
  }
}
