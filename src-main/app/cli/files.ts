import { existsSync } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { EXIT } from './exit-codes.ts';
import { CliFault, misuse } from './fault.ts';
import { reasonOf } from './find-service.ts';
import type { Speech } from './words.ts';

/** A file as the API takes it. Throws a `CliFault` where it cannot be read. */
export async function readGiven(file: string, { own, fill }: Speech): Promise<File> {
  try {
    return new File([await readFile(file)], basename(file));
  } catch (thrown) {
    throw misuse(fill(own.fileUnreadable, { file, reason: reasonOf(thrown) }));
  }
}

/** Refuses to write over a file that is there, unless `isReplaced`. */
export function requireFree(file: string, isReplaced: boolean, { own, fill }: Speech): void {
  if (!isReplaced && existsSync(file)) throw misuse(fill(own.fileThere, { file }));
}

/** Writes a file; what cannot be written as a whole is not left. */
export async function writeGiven(file: string, octets: Uint8Array, isReplaced: boolean, { own, fill }: Speech): Promise<void> {
  let isOurs = false;
  try {
    const handle = await open(file, isReplaced ? 'w' : 'wx');
    isOurs = true;
    await handle.writeFile(octets).finally(() => handle.close());
  } catch (thrown) {
    if (isOurs && !isReplaced) await rm(file, { force: true }).catch(() => {});
    throw new CliFault(EXIT.fault, fill(own.fileUnwritable, { file, reason: reasonOf(thrown) }));
  }
}
