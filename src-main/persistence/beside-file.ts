import { existsSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { type BesideKind, besideError, isDamage, type MovedAside, moveAside, openBeside } from './beside-db.ts';

interface Opened {
  readonly db: Database.Database;
}

/** What becomes known by any call. */
interface News {
  readonly aside: MovedAside | null;
  /** True where another one was there before; left out where not. */
  readonly isAnew?: true;
}

/** The file of one project, opened at its first use. One that somebody removed is made anew, one that turns out to be damaged is moved aside. */
export class BesideFile<Open extends Opened> {
  readonly path: string;
  readonly #kind: BesideKind;
  readonly #project: string;
  readonly #begin: (db: Database.Database) => Open;
  #open: Open | null = null;
  #aside: MovedAside | null = null;
  #isAnew = false;

  /** `begin`: what is worked with, of a file that was opened; the file is closed when it throws. */
  constructor(kind: BesideKind, path: string, project: string, begin: (db: Database.Database) => Open) {
    this.path = path;
    this.#kind = kind;
    this.#project = project;
    this.#begin = begin;
  }

  /** Null while it is not open. */
  get open(): Open | null {
    return this.#open;
  }

  exists(): boolean {
    return existsSync(this.path);
  }

  /** True where there is nothing to be read. */
  get isNone(): boolean {
    return this.#open === null && !this.exists();
  }

  /** True for one that another gave way to, from then on until it is told. */
  get isAnew(): boolean {
    return this.#isAnew || this.#aside !== null;
  }

  /** Opens it where it is not open. Throws `STATE_STORE` and `STATE_STORE_FULL`. */
  reach(): Open {
    try {
      if (this.#open && !this.exists()) {
        this.leave();
        this.#isAnew = true;
      }
      this.#open ??= this.#opened();
      return this.#open;
    } catch (thrown) {
      throw this.failed(thrown);
    }
  }

  /** Works with it, and tells what became known. Throws `STATE_STORE` and `STATE_STORE_FULL`. */
  work<Result>(work: (open: Open) => Result): Result & News {
    const open = this.reach();
    try {
      return { ...work(open), ...this.news() };
    } catch (thrown) {
      throw this.failed(thrown);
    }
  }

  /** What was not told yet. */
  news(): News {
    const { isAnew } = this;
    const aside = this.#aside;
    this.#aside = null;
    this.#isAnew = false;
    return { aside, ...(isAnew && { isAnew }) };
  }

  /** What to throw. A damaged file is moved aside at once, so that the next call begins a new one. */
  failed(thrown: unknown): Error {
    if (isDamage(thrown) && this.#open) {
      this.leave();
      try {
        this.#aside = moveAside(this.path, 'damaged');
      } catch {
        // the next call meets it again
      }
    }
    return besideError(this.#kind, this.path, thrown);
  }

  /** Closes it. */
  leave(): void {
    this.#open?.db.close();
    this.#open = null;
  }

  #opened(): Open {
    const { db, aside } = openBeside(this.#kind, this.path, this.#project);
    this.#aside = aside ?? this.#aside;
    try {
      return this.#begin(db);
    } catch (thrown) {
      db.close();
      throw thrown;
    }
  }
}
