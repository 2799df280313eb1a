import { accessSync, closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { errorCode, storeError, toStoreError } from './store-error.ts';

/** "LPCK": marks a SQLite file as a project of ours (database file format, offset 68). */
export const APPLICATION_ID = 0x4c50_434b;

/** Octets of a project file that say what it is. */
export const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';

/**
 * Looks at a file before SQLite touches it, so that a file that is refused stays as it is. `shown` is the name that messages have for it.
 * Throws `CONFIG_NOT_FOUND` when there is none, `STATE_STORE` for a folder, missing permission, an empty or truncated file, a file
 * that is no SQLite database, a database of another program, and a project of a later version than `newest`.
 */
export function checkFile(path: string, newest: number, shown = path): void {
  requireFile(path);
  const { header, size } = readHeader(path);
  refuseNewer(shown, judgeHeader(shown, header, size), newest);
  refuseTruncated(path, shown, header, size);
}

/** The version of the project with this beginning. Throws `STATE_STORE` for a file that is none. */
export function judgeHeader(path: string, header: Buffer, size: number): number {
  if (size === 0) throw storeError(path, say('store.empty'));
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw storeError(path, say('store.no_project'));
  }
  if (header.readUInt32BE(68) !== APPLICATION_ID) throw storeError(path, say('store.other_database'));
  return header.readUInt32BE(60);
}

/** Throws `STATE_STORE` with both versions for a project of a later program. */
export function refuseNewer(path: string, version: number, newest: number): void {
  if (version <= newest) return;
  throw storeError(path, say('store.newer', { version, newest }));
}

function requireFile(path: string): void {
  let stats: ReturnType<typeof statSync>;
  try {
    stats = statSync(path);
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT' || errorCode(thrown) === 'ENOTDIR') throw notFound(path);
    throw permissionError(path, thrown);
  }
  refuseOdd(path, stats);
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (thrown) {
    throw permissionError(path, thrown);
  }
}

/** The refusal of a name that no file has. */
export function notFound(path: string): AppError {
  return new AppError('CONFIG_NOT_FOUND', say('store.no_file', { path }));
}

/** Throws `STATE_STORE` for what has a name and is no file. */
export function refuseOdd(path: string, stats: Pick<Stats, 'isDirectory' | 'isFile'>): void {
  if (stats.isDirectory()) throw storeError(path, say('store.folder'));
  if (!stats.isFile()) throw storeError(path, say('store.not_regular'));
}

/** The refusal of a file that may not be read or written. */
export function permissionError(path: string, thrown: unknown): AppError {
  const code = errorCode(thrown);
  if (code !== 'EACCES' && code !== 'EPERM') return toStoreError(path, thrown);
  return storeError(path, say('store.with_code', { what: say('store.no_permission'), code }), thrown);
}

function readHeader(path: string): { header: Buffer; size: number } {
  const handle = openSync(path, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    const length = readSync(handle, header, 0, HEADER_BYTES, 0);
    return { header: header.subarray(0, length), size: fstatSync(handle).size };
  } finally {
    closeSync(handle);
  }
}

/**
 * The header says how many pages there are (offset 28), where its counters agree (offsets 24 and 92). A write-ahead log may
 * still hold the rest, so with one SQLite itself has to judge.
 */
function refuseTruncated(path: string, shown: string, header: Buffer, size: number): void {
  const stored = header.readUInt16BE(16);
  const pageSize = stored === 1 ? 65_536 : stored;
  const expected = header.readUInt32BE(28) * pageSize;
  const isCountValid = header.readUInt32BE(24) === header.readUInt32BE(92);
  if (!isCountValid || size >= expected || walSize(path) > 0) return;
  throw storeError(shown, say('store.truncated', { size, expected }));
}

/** Octets of the write-ahead log beside a project file; 0 without one. */
export function walSize(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
