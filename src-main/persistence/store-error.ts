import Database from 'better-sqlite3';
import { AppError } from '#shared/domain/errors.ts';

/** What to say of SQLite's result codes; the first that begins the code is taken. */
const CAUSES: readonly (readonly [string, string])[] = [
  ['SQLITE_READONLY', 'it is write-protected; give write permission to the file and its folder'],
  ['SQLITE_PERM', 'permission is missing; give read and write permission to the file and its folder'],
  ['SQLITE_CANTOPEN', 'it cannot be opened; check that the folder exists and can be written to'],
  ['SQLITE_BUSY', 'another program uses it; close it there'],
  ['SQLITE_NOTADB', 'it is not a project file, or damaged at its beginning; open a backup'],
  ['SQLITE_CORRUPT', 'it is damaged; open a backup'],
  ['ENAMETOOLONG', 'its name is longer than the drive takes; choose a shorter one'],
  ['SQLITE_IOERR', 'the drive reported an error; check that it is still connected'],
];

/** A `STATE_STORE` error that says what is wrong with the project file and what would help. */
export function storeError(path: string, what: string, cause?: unknown): AppError {
  return new AppError('STATE_STORE', `Project file ${path}: ${what}.`, cause === undefined ? {} : { cause });
}

/** Turns what SQLite or the file system threw into `STATE_STORE` or `STATE_STORE_FULL`; an AppError stays as it is. */
export function toStoreError(path: string, thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const code = errorCode(thrown);
  if (isFull(code)) {
    const message = `Project file ${path}: the disk is full (${code}), so nothing was changed; free some space, it goes on by itself then.`;
    return new AppError('STATE_STORE_FULL', message, { cause: thrown });
  }
  const words = CAUSES.find(([begin]) => code.startsWith(begin))?.[1] ?? (thrown instanceof Error ? thrown.message : String(thrown));
  return storeError(path, code ? `${words} (${code})` : words, thrown);
}

/** True for the codes of a disk, or of a share of it, that has no space left. */
export function isFull(code: string): boolean {
  return code.startsWith('SQLITE_FULL') || code === 'ENOSPC' || code === 'EDQUOT';
}

/** Runs a store operation; what it throws comes out as AppError. */
export function guarded<Result>(path: string, operation: () => Result): Result {
  try {
    return operation();
  } catch (thrown) {
    throw toStoreError(path, thrown);
  }
}

/** True when the statement broke a UNIQUE constraint. */
export function isUniqueViolation(thrown: unknown): boolean {
  return thrown instanceof Database.SqliteError && thrown.code === 'SQLITE_CONSTRAINT_UNIQUE';
}

/** True when the statement named a channel that does not exist. */
export function isForeignKeyViolation(thrown: unknown): boolean {
  return thrown instanceof Database.SqliteError && thrown.code === 'SQLITE_CONSTRAINT_FOREIGNKEY';
}

/** `code` of a SQLite or file system error, empty for others. */
export function errorCode(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
}
