import { existsSync, renameSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { errorCode, toStoreError } from './store-error.ts';

/** A file of another project, or a damaged one, that was moved aside. */
export interface MovedAside {
  readonly file: string;
  readonly reason: 'damaged' | 'other_project';
}

/** A kind of database that lies beside a project. */
export interface BesideKind {
  /** What tells its files from other databases. */
  readonly applicationId: number;
  readonly version: number;
  /** The statements that make its tables; a table `meta` with name and value is among them. */
  readonly tables: string;
  /** NORMAL: a power cut may take what came last. FULL: what a transaction wrote stays. */
  readonly synchronous: 'NORMAL' | 'FULL';
  /** What the ids of its messages begin with. */
  readonly room: string;
  /** A later version of the program wrote the file. */
  newer(path: string): Message;
  /** The drive is full, in the code of the system. */
  full(path: string, code: string): Message;
  /** Anything else is wrong with the file. */
  failed(path: string, what: Message): Message;
}

/** Turns what was thrown at a file into `STATE_STORE` or `STATE_STORE_FULL` that names it. */
export function besideError(kind: BesideKind, path: string, thrown: unknown): AppError {
  if (thrown instanceof AppError && thrown.said.code.startsWith(`${kind.room}.`)) return thrown;
  const error = toStoreError(path, thrown);
  if (error.code === 'STATE_STORE_FULL') return new AppError(error.code, kind.full(path, errorCode(thrown)), { cause: thrown });
  const what = error.said.params.what as Message | undefined;
  return new AppError('STATE_STORE', kind.failed(path, what ?? error.said), { cause: thrown });
}

/** The file and its log, in octets. */
export function besideOctets(path: string): number {
  const size = (name: string) => statSync(name, { throwIfNoEntry: false })?.size ?? 0;
  return size(path) + size(`${path}-wal`);
}

/**
 * Opens the file, or makes it. One that is damaged, or belongs to another project, is moved aside, and a new one is made. Throws `STATE_STORE` and
 * `STATE_STORE_FULL`.
 */
export function openBeside(
  kind: BesideKind,
  path: string,
  project: string,
): { readonly db: Database.Database; readonly aside: MovedAside | null } {
  try {
    const found = look(kind, path, project);
    if ('db' in found) return { db: found.db, aside: null };
    const aside = moveAside(path, found.reason);
    const made = look(kind, path, project);
    if ('db' in made) return { db: made.db, aside };
    throw new AppError('INTERNAL', say('store.replaced_beside', { path }));
  } catch (thrown) {
    throw besideError(kind, path, thrown);
  }
}

/** True for what SQLite throws at a damaged file, and at one that is no database. */
export function isDamage(thrown: unknown): boolean {
  const cause = thrown instanceof AppError ? thrown.cause : thrown;
  return /^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(cause));
}

/** Moves the file out of the way under a name that is free. Throws what the file system throws. */
export function moveAside(path: string, reason: MovedAside['reason']): MovedAside {
  for (let number = 1; ; number++) {
    const file = `${path}.aside-${number}`;
    if (existsSync(file)) continue;
    renameSync(path, file);
    // the log belongs to it, and would be taken for that of the next file
    for (const ending of ['-wal', '-shm']) if (existsSync(path + ending)) renameSync(path + ending, file + ending);
    return { file, reason };
  }
}

/** The open file, or why it is none of this project. */
function look(
  kind: BesideKind,
  path: string,
  project: string,
): { readonly db: Database.Database } | { readonly reason: MovedAside['reason'] } {
  try {
    const db = begin(kind, path, project);
    return db ? { db } : { reason: 'other_project' };
  } catch (thrown) {
    if (isDamage(thrown)) return { reason: 'damaged' };
    throw thrown;
  }
}

/** Null for a file of another project. */
function begin(kind: BesideKind, path: string, project: string): Database.Database | null {
  const db = new Database(path, { timeout: 2000 });
  try {
    const isNew = db.prepare('SELECT count(*) FROM sqlite_master').pluck().get() === 0;
    if (isNew) db.pragma('auto_vacuum = INCREMENTAL');
    db.pragma('journal_mode = WAL');
    db.pragma(`synchronous = ${kind.synchronous}`);
    if (isNew) create(kind, db, project);
    const version = db.pragma('user_version', { simple: true }) as number;
    const isOurs = db.pragma('application_id', { simple: true }) === kind.applicationId;
    if (isOurs && version > kind.version) throw new AppError('STATE_STORE', kind.newer(path));
    const owner = isOurs ? db.prepare("SELECT value FROM meta WHERE name = 'project'").pluck().get() : null;
    if (owner === project) return db;
  } catch (thrown) {
    db.close();
    throw thrown;
  }
  db.close();
  return null;
}

function create({ tables, applicationId, version }: BesideKind, db: Database.Database, project: string): void {
  db.transaction(() => {
    db.exec(tables);
    db.prepare("INSERT INTO meta (name, value) VALUES ('project', ?)").run(project);
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${version}`);
  })();
}
