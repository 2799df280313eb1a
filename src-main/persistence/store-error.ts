import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';

/** What to say of SQLite's result codes; the first that begins the code is taken. */
const CAUSES: readonly (readonly [begin: string, said: Message])[] = [
  ['SQLITE_READONLY', say('store.write_protected')],
  ['SQLITE_PERM', say('store.no_permission')],
  ['SQLITE_CANTOPEN', say('store.not_opened')],
  ['SQLITE_BUSY', say('store.used')],
  ['SQLITE_NOTADB', say('store.no_database')],
  ['SQLITE_CORRUPT', say('store.damaged')],
  ['ENAMETOOLONG', say('store.name_long')],
  ['EROFS', say('store.read_only_drive')],
  ['EXDEV', say('store.other_drive')],
  ['EACCES', say('store.no_permission')],
  ['EPERM', say('store.no_permission')],
  ['EBUSY', say('store.used')],
  ['SQLITE_IOERR', say('store.drive_error')],
  // what is packed in it
  ['Z_', say('store.damaged')],
  ['ERR_BUFFER_TOO_LARGE', say('store.damaged')],
];

/** A `STATE_STORE` error that says what is wrong with the project file and what would help. */
export function storeError(path: string, what: Message, cause?: unknown): AppError {
  return new AppError('STATE_STORE', say('store.file', { path, what }), cause === undefined ? {} : { cause });
}

/** Turns what SQLite or the file system threw into `STATE_STORE` or `STATE_STORE_FULL`; an AppError stays as it is. */
export function toStoreError(path: string, thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const code = errorCode(thrown);
  if (isFull(code)) return new AppError('STATE_STORE_FULL', say('store.disk_full', { path, code }), { cause: thrown });
  const isJsonDamaged = thrown instanceof SyntaxError;
  const what = isJsonDamaged ? say('store.damaged') : (CAUSES.find(([begin]) => code.startsWith(begin))?.[1] ?? toAppError(thrown).said);
  return storeError(path, code ? say('store.with_code', { what, code }) : what, thrown);
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
  return errorCode(thrown) === 'SQLITE_CONSTRAINT_UNIQUE';
}

/** True when the statement named a channel that does not exist. */
export function isForeignKeyViolation(thrown: unknown): boolean {
  return errorCode(thrown) === 'SQLITE_CONSTRAINT_FOREIGNKEY';
}

/** `code` of a SQLite or file system error, empty for others. */
export function errorCode(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
}

/** The object or list that a cell holds as JSON; another content is damage. To be called within `guarded`, which says of what file. */
export function storedObject<Value extends object>(json: string): Value {
  const value: unknown = JSON.parse(json);
  if (typeof value !== 'object' || value === null) throw new SyntaxError(`${json.slice(0, 20)} is no object`);
  return value as Value;
}
