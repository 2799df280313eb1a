import { say } from '#shared/messages/index.ts';
import type { BesideKind } from '../beside-db.ts';

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

/** The file of waiting records. */
export const BUFFER: BesideKind = {
  // "LCBU"
  applicationId: 0x4c434255,
  version: 1,
  tables: TABLES,
  // a sequence that was sent must never be given again: not behind a power cut either
  synchronous: 'FULL',
  room: 'buffer',
  newer: (path) => say('buffer.newer', { path }),
  full: (path, code) => say('buffer.disk_full', { path, code }),
  failed: (path, what) => say('buffer.file', { path, what }),
};
