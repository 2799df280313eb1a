import type Database from 'better-sqlite3';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { type BesideKind, type MovedAside, openBeside } from '../beside-db.ts';
import { errorCode, toStoreError } from '../store-error.ts';

/**
 * A chunk holds records with sequences from `first` to `last` without a gap; those up to `gone` of its publisher were taken, and do not wait. Octets and
 * waiting records of a publisher are counted along, so that nothing has to be added up.
 */
const TABLES = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE publishers (
  id      INTEGER PRIMARY KEY,
  session TEXT    NOT NULL,
  last    INTEGER NOT NULL,
  gone    INTEGER NOT NULL,
  dropped INTEGER NOT NULL,
  waiting INTEGER NOT NULL,
  octets  INTEGER NOT NULL
) STRICT;
CREATE TABLE chunks (
  id        INTEGER PRIMARY KEY,
  publisher INTEGER NOT NULL,
  first     INTEGER NOT NULL,
  last      INTEGER NOT NULL,
  found_at  INTEGER NOT NULL,
  octets    INTEGER NOT NULL,
  data      BLOB    NOT NULL
) STRICT;
CREATE UNIQUE INDEX chunks_in_order ON chunks (publisher, first);
`;

const KIND: BesideKind = {
  // "LCBU"
  applicationId: 0x4c434255,
  version: 1,
  tables: TABLES,
  // a sequence that was sent must never be given again: not behind a power cut either
  synchronous: 'FULL',
  newer: (path) => new AppError('STATE_STORE', say('buffer.newer', { path })),
  failed: bufferError,
};

/** Octets that the log of the file may keep when it is not needed. */
const MOST_LOG = 4 * 1024 * 1024;

/**
 * Opens the file, or makes it. One that is damaged, or belongs to another project, is moved aside, and a new one is made. Throws `STATE_STORE` and
 * `STATE_STORE_FULL`.
 */
export function openBuffer(path: string, project: string): { readonly db: Database.Database; readonly aside: MovedAside | null } {
  const opened = openBeside(KIND, path, project);
  opened.db.pragma(`journal_size_limit = ${MOST_LOG}`);
  return opened;
}

/** Turns what was thrown at the file into `STATE_STORE` or `STATE_STORE_FULL` that names it. */
export function bufferError(path: string, thrown: unknown): AppError {
  if (thrown instanceof AppError && thrown.said.code.startsWith('buffer.')) return thrown;
  const error = toStoreError(path, thrown);
  if (error.code === 'STATE_STORE_FULL')
    return new AppError(error.code, say('buffer.disk_full', { path, code: errorCode(thrown) }), { cause: thrown });
  const what = error.said.params.what as Message | undefined;
  return new AppError('STATE_STORE', say('buffer.file', { path, what: what ?? error.said }), { cause: thrown });
}
