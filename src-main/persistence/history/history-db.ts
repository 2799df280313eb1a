import { existsSync, renameSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { HistoryAside } from '../history-repositories.ts';
import { errorCode } from '../store-error.ts';
import { historyError } from './history-error.ts';

/** What tells the file of a history from other databases: "LCHI". */
const APPLICATION_ID = 0x4c434849;
const VERSION = 1;

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

/** The file and its log, in octets. */
export function historyOctets(path: string): number {
  const size = (name: string) => statSync(name, { throwIfNoEntry: false })?.size ?? 0;
  return size(path) + size(`${path}-wal`);
}

/**
 * Opens the file, or makes it. One that is damaged, or belongs to another project, is moved aside, and a new one is made. Throws `STATE_STORE` and
 * `STATE_STORE_FULL`.
 */
export function openHistory(path: string, project: string): { readonly db: Database.Database; readonly aside: HistoryAside | null } {
  try {
    const found = look(path, project);
    if ('db' in found) return { db: found.db, aside: null };
    const aside = moveAside(path, found.reason);
    const made = look(path, project);
    if ('db' in made) return { db: made.db, aside };
    throw new AppError('INTERNAL', say('history.replaced', { path }));
  } catch (thrown) {
    throw historyError(path, thrown);
  }
}

/** The open file, or why it is none of this project. */
function look(path: string, project: string): { readonly db: Database.Database } | { readonly reason: HistoryAside['reason'] } {
  try {
    const db = begin(path, project);
    return db ? { db } : { reason: 'other_project' };
  } catch (thrown) {
    if (isDamage(thrown)) return { reason: 'damaged' };
    throw thrown;
  }
}

/** True for what SQLite throws at a damaged file, and at one that is no database. */
export function isDamage(thrown: unknown): boolean {
  const cause = thrown instanceof AppError ? thrown.cause : thrown;
  return /^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(cause));
}

/** Moves the file out of the way under a name that is free. Throws what the file system throws. */
export function moveAside(path: string, reason: HistoryAside['reason']): HistoryAside {
  for (let number = 1; ; number++) {
    const file = `${path}.aside-${number}`;
    if (existsSync(file)) continue;
    renameSync(path, file);
    // the log belongs to it, and would be taken for that of the next file
    for (const ending of ['-wal', '-shm']) if (existsSync(path + ending)) renameSync(path + ending, file + ending);
    return { file, reason };
  }
}

/** Null for a file of another project. */
function begin(path: string, project: string): Database.Database | null {
  const db = new Database(path, { timeout: 2000 });
  try {
    const isNew = db.prepare('SELECT count(*) FROM sqlite_master').pluck().get() === 0;
    if (isNew) db.pragma('auto_vacuum = INCREMENTAL');
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    if (isNew) create(db, project);
    const version = db.pragma('user_version', { simple: true }) as number;
    const isOurs = db.pragma('application_id', { simple: true }) === APPLICATION_ID;
    if (isOurs && version > VERSION) throw new AppError('STATE_STORE', say('history.newer', { path }));
    const owner = isOurs ? db.prepare("SELECT value FROM meta WHERE name = 'project'").pluck().get() : null;
    if (owner === project) return db;
  } catch (thrown) {
    db.close();
    throw thrown;
  }
  db.close();
  return null;
}

function create(db: Database.Database, project: string): void {
  db.transaction(() => {
    db.exec(TABLES);
    db.prepare("INSERT INTO meta (name, value) VALUES ('project', ?)").run(project);
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${VERSION}`);
  })();
}
