import { existsSync, lstatSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { APPLICATION_ID, checkFile, refuseNewer } from './file-check.ts';
import { requireOwnStructure } from './file-structure.ts';
import { discard, moveIntoPlace, unfinishedName } from './into-place.ts';
import { requireFolder } from './new-place.ts';
import { ProjectLock } from './project-lock.ts';
import type { StepLimits } from './repositories.ts';
import { errorCode, storeError, toStoreError } from './store-error.ts';

/** How a project file is opened. */
export interface OpenOptions {
  /** Makes a new project when there is no file. */
  readonly create: boolean;
  /** Program and version for the lock, e.g. `Loopcheck 0.1.0`. */
  readonly holder: string;
  /** UTC milliseconds, for the time in the lock. */
  readonly wallMs: () => number;
  /** The file was just found sound and of the present version, so that is not looked at again. */
  readonly isExamined?: boolean;
  /** Looks at a copy of the project as `isSoundCopy` does, which for a large one takes a tenth of a second: another thread may do it. */
  readonly isSound?: CopyCheck;
  /** What the journal of the points keeps at most; left out: `STEP_LIMITS`. */
  readonly stepLimits?: StepLimits;
}

/** True for a file whose pages are all there and right. */
export type CopyCheck = (copy: string) => boolean | Promise<boolean>;

/** An open, locked, checked and migrated database. */
export interface OpenFile {
  readonly db: Database.Database;
  readonly version: number;
  readonly lock: ProjectLock;
}

/** How long another process that is just closing is waited for. */
const BUSY_TIMEOUT_MS = 200;

/**
 * Opens a project file with all steps of `migrations` taken. Throws `CONFIG_NOT_FOUND` without file and `create`, and
 * `STATE_STORE` for everything else that is in the way; a refused file is left as it was.
 */
export function openFile(path: string, options: OpenOptions, migrations: readonly string[]): OpenFile {
  if (options.create && !existsSync(path)) createFile(path, migrations);
  checkFile(path, migrations.length);
  const lock = new ProjectLock(path);
  const isInspected = options.isExamined === true || inspect(path, lock, migrations);
  const db = connect(path, { readonly: false });
  let isEntered = false;
  try {
    takeLock(db, lock);
    if (!isInspected) requireSound(path, db, migrations);
    lock.refuseOtherHost();
    lock.enter(options.holder, options.wallMs());
    isEntered = true;
    // Left by the inspection where there was a write-ahead log; an exclusive connection keeps that index in its memory.
    rmSync(`${path}-shm`, { force: true });
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    const before = versionOf(db);
    if (before < migrations.length) {
      backUp(path, db, migrations.length);
      migrate(db, before, migrations);
    }
    return { db, version: migrations.length, lock };
  } catch (thrown) {
    if (isEntered) lock.leave();
    db.close();
    throw toStoreError(path, thrown);
  }
}

function connect(path: string, mode: { readonly readonly: boolean }): Database.Database {
  try {
    return new Database(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS, ...mode });
  } catch (thrown) {
    throw toStoreError(path, thrown);
  }
}

/**
 * Checks version and structure on a connection that cannot write: it does not even take over a write-ahead log. False where there is no room for
 * the index of that log (full disk): an exclusive connection needs none, so the check is left to it.
 */
function inspect(path: string, lock: ProjectLock, migrations: readonly string[]): boolean {
  const db = connect(path, { readonly: true });
  try {
    requireSound(path, db, migrations);
    return true;
  } catch (thrown) {
    if (errorCode(thrown).startsWith('SQLITE_IOERR_SHM')) return false;
    throw isBusy(thrown) ? lock.inUse(thrown) : toStoreError(path, thrown);
  } finally {
    db.close();
  }
}

/**
 * Copies an open database to `copy` and lets `isSound` look at it before it gets the name `target`: the original may be truncated. Throws
 * `STATE_STORE`.
 */
export async function soundCopy(db: Database.Database, copy: string, target: string, isSound: CopyCheck): Promise<void> {
  try {
    await db.backup(copy);
    if (await isSound(copy)) return;
  } catch (thrown) {
    if (!isDamage(thrown)) throw thrown;
    throw damagedCopy(target, thrown);
  }
  throw damagedCopy(target);
}

/** Looks at all pages of a copy. */
export function isSoundCopy(copy: string): boolean {
  try {
    const copied = new Database(copy, { fileMustExist: true });
    try {
      return copied.pragma('quick_check(1)', { simple: true }) === 'ok';
    } finally {
      copied.close();
    }
  } catch (thrown) {
    if (isDamage(thrown)) return false;
    throw thrown;
  }
}

function isDamage(thrown: unknown): boolean {
  const code = errorCode(thrown);
  return DAMAGE.some((begin) => code.startsWith(begin));
}

/** What SQLite says of a file whose pages are missing or wrong. */
const DAMAGE = ['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_IOERR_SHORT_READ'];

function damagedCopy(target: string, cause?: unknown): AppError {
  return storeError(target, say('store.copy_damaged'), cause);
}

function requireSound(path: string, db: Database.Database, migrations: readonly string[]): void {
  const version = versionOf(db);
  refuseNewer(path, version, migrations.length);
  const found = db.pragma('quick_check(1)', { simple: true });
  if (found !== 'ok') throw storeError(path, say('store.damaged_because', { found: String(found).replaceAll('\n', ' ') }));
  requireOwnStructure(path, db, version, migrations);
}

function versionOf(db: Database.Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

function isBusy(thrown: unknown): boolean {
  return errorCode(thrown).startsWith('SQLITE_BUSY');
}

/** Takes SQLite's lock and keeps it until the connection closes. */
function takeLock(db: Database.Database, lock: ProjectLock): void {
  db.pragma('locking_mode = EXCLUSIVE');
  try {
    db.exec('BEGIN EXCLUSIVE; COMMIT');
  } catch (thrown) {
    throw isBusy(thrown) ? lock.inUse(thrown) : thrown;
  }
}

/** A new project appears under its name only when it is whole, so a kill leaves no half one behind. */
function createFile(path: string, migrations: readonly string[]): void {
  requireFolder(path);
  const unfinished = unfinishedName(path);
  try {
    discard(unfinished);
    // a name that the drive does not take is told as such: to SQLite it is a file that cannot be opened
    lstatSync(unfinished, { throwIfNoEntry: false });
    const db = new Database(unfinished);
    try {
      db.pragma('synchronous = FULL');
      db.pragma(`application_id = ${APPLICATION_ID}`);
      migrate(db, 0, migrations);
    } finally {
      db.close();
    }
    if (!existsSync(path)) moveIntoPlace(unfinished, path);
  } catch (thrown) {
    discard(unfinished);
    throw toStoreError(path, thrown);
  }
}

/** All missing steps in one transaction: after a kill either all were taken or none. */
function migrate(db: Database.Database, from: number, migrations: readonly string[]): void {
  const take = db.transaction(() => {
    for (const step of migrations.slice(from)) db.exec(step);
    db.pragma(`user_version = ${migrations.length}`);
  });
  take.immediate();
}

/** Copy of a project before its first change by a later program; an earlier copy is kept. */
function backUp(path: string, db: Database.Database, version: number): void {
  let target = `${path}.before-v${version}.bak`;
  for (let copy = 2; existsSync(target); copy++) target = `${path}.before-v${version}-${copy}.bak`;
  const unfinished = unfinishedName(target);
  discard(unfinished);
  db.prepare('VACUUM INTO ?').run(unfinished);
  moveIntoPlace(unfinished, target);
}
