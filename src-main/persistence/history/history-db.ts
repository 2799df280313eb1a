import type Database from 'better-sqlite3';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { type BesideKind, type MovedAside, openBeside } from '../beside-db.ts';
import { historyError } from './history-error.ts';

/** Samples lie loose in the order they came, until they are packed in blocks of one point. */
const TABLES = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE blocks (
  id       INTEGER PRIMARY KEY,
  channel  INTEGER NOT NULL,
  point    INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at  INTEGER NOT NULL,
  count    INTEGER NOT NULL,
  data     BLOB    NOT NULL
) STRICT;
CREATE INDEX blocks_of_point ON blocks (point, first_at);
CREATE INDEX blocks_by_age ON blocks (channel, last_at);
CREATE TABLE loose (id INTEGER PRIMARY KEY, channel INTEGER NOT NULL, count INTEGER NOT NULL, data BLOB NOT NULL) STRICT;
CREATE TABLE spans (channel INTEGER NOT NULL, from_at INTEGER NOT NULL, to_at INTEGER NOT NULL, PRIMARY KEY (channel, from_at)) STRICT, WITHOUT ROWID;
CREATE TABLE totals (channel INTEGER PRIMARY KEY, samples INTEGER NOT NULL, octets INTEGER NOT NULL, cut_at INTEGER NOT NULL) STRICT;
`;

const KIND: BesideKind = {
  // "LCHI"
  applicationId: 0x4c434849,
  version: 1,
  tables: TABLES,
  synchronous: 'NORMAL',
  newer: (path) => new AppError('STATE_STORE', say('history.newer', { path })),
  failed: historyError,
};

/**
 * Opens the file, or makes it. One that is damaged, or belongs to another project, is moved aside, and a new one is made. Throws `STATE_STORE` and
 * `STATE_STORE_FULL`.
 */
export function openHistory(path: string, project: string): { readonly db: Database.Database; readonly aside: MovedAside | null } {
  return openBeside(KIND, path, project);
}
