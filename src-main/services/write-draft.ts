import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';

/**
 * Writes a file that does not exist yet, piece by piece as the disk takes them, for its owner alone. Nothing of it stays where that fails or `signal` ends it. Throws
 * `STATE_STORE_FULL` for a full disk, the reason of `signal`, and what the pieces throw.
 */
export async function writeDraft(path: string, pieces: AsyncIterable<string | Uint8Array>, signal?: AbortSignal): Promise<void> {
  try {
    // as octets: pieces of a stream of objects would be counted, not measured
    const source = Readable.from(pieces, { objectMode: false });
    await pipeline(source, createWriteStream(path, { flags: 'wx', mode: 0o600 }), signal ? { signal } : {});
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
    if (code !== 'EEXIST') await removeDraft(path);
    signal?.throwIfAborted();
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw thrown;
    throw new AppError('STATE_STORE_FULL', say('store.disk_full', { path, code }), { cause: thrown });
  }
}

/** Removes a draft that nobody took, if it can be. */
export function removeDraft(path: string): Promise<void> {
  return rm(path).catch(() => {});
}
