import { say } from '#shared/messages/index.ts';
import type { BesideKind } from '../beside-db.ts';

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

/** The file of recorded values. */
export const HISTORY: BesideKind = {
  // "LCHI"
  applicationId: 0x4c434849,
  version: 1,
  tables: TABLES,
  synchronous: 'NORMAL',
  room: 'history',
  newer: (path) => say('history.newer', { path }),
  full: (path, code) => say('history.disk_full', { path, code }),
  failed: (path, what) => say('history.file', { path, what }),
};
