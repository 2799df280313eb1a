import type Database from 'better-sqlite3';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { FileWatch } from './file-watch.ts';
import type { StoreTrouble } from './repositories.ts';
import { guarded } from './store-error.ts';

/** Octets a full disk has to have again before it counts as such no longer. */
const PROBE = 'space_probe';
const PROBE_OCTETS = 64 * 1024;

/**
 * The open file under the repositories: every change is one transaction, confirmed only when the file is still the one its name stands for.
 * Remembers that the disk was full until a change succeeds again.
 */
export class StoreFile {
  readonly path: string;
  readonly db: Database.Database;
  readonly #watch: FileWatch;
  #full: AppError | null = null;
  readonly #untidied: AppError[] = [];
  #isRescued = false;

  constructor(path: string, db: Database.Database) {
    this.path = path;
    this.db = db;
    this.#watch = new FileWatch(path);
  }

  /** Runs a read. Throws `STATE_STORE`. */
  read<Result>(operation: () => Result): Result {
    return guarded(this.path, operation);
  }

  /** Runs a change in one transaction, all or none. Throws `STATE_STORE`, `STATE_STORE_FULL`, `STATE_STORE_LOST` and what `operation` throws. */
  change<Result>(operation: () => Result): Result {
    if (this.db.open) this.#verify();
    const done = this.#transact(operation);
    this.#verify();
    this.#watch.note();
    this.#full = null;
    return done;
  }

  /**
   * The same for a change that a kill may undo together with those behind it, as long as none of them is confirmed: it does not wait for the
   * drive. A confirmed change behind it makes it last as well.
   */
  changeLoosely<Result>(operation: () => Result): Result {
    this.db.pragma('synchronous = NORMAL');
    try {
      return this.change(operation);
    } finally {
      this.db.pragma('synchronous = FULL');
    }
  }

  /** Runs a change that can wait for another opening: one that cannot be made now is no reason not to open the file. */
  tidy(operation: () => unknown): void {
    try {
      operation();
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown;
      if (!this.#untidied.some(({ message }) => message === thrown.message)) this.#untidied.push(thrown);
    }
  }

  /** Why changes of `tidy` were not made. */
  get untidied(): readonly AppError[] {
    return this.#untidied;
  }

  /** What keeps changes from being made; null: nothing. After a full disk it tries whether there is space again. */
  trouble(): StoreTrouble | null {
    try {
      this.#verify();
      if (this.#full) this.#probe();
      return null;
    } catch (thrown) {
      const { code, said } = toAppError(thrown);
      if (code === 'STATE_STORE_LOST') return { code: 'project_lost', said };
      return { code: code === 'STATE_STORE_FULL' ? 'disk_full' : 'project_not_written', said };
    }
  }

  #verify(): void {
    const loss = this.#watch.loss();
    if (loss?.kind === 'name') this.#rescue();
    if (!loss) {
      this.#isRescued = false;
      return;
    }
    throw new AppError('STATE_STORE_LOST', say('store.lost', { what: loss.what }));
  }

  /**
   * Brings what is confirmed into the file itself, wherever it lies now, and empties the write-ahead log: that one would be taken for the log of
   * whatever file gets the old name.
   */
  #rescue(): void {
    if (this.#isRescued) return;
    this.#isRescued = true;
    try {
      this.db.pragma('wal_checkpoint(TRUNCATE)');
      this.#watch.logEmptied();
    } catch {
      // a drive that is gone: the log is gone with it, or lies beside its file
    }
  }

  #transact<Result>(operation: () => Result): Result {
    try {
      return guarded(this.path, () => this.db.transaction(operation).immediate());
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === 'STATE_STORE_FULL') this.#full = thrown;
      throw thrown;
    }
  }

  #probe(): void {
    const write = this.db.prepare<[string, string]>('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)');
    const remove = this.db.prepare<[string]>('DELETE FROM settings WHERE name = ?');
    this.change(() => write.run(PROBE, JSON.stringify('0'.repeat(PROBE_OCTETS))));
    this.change(() => remove.run(PROBE));
  }
}
