import type Database from 'better-sqlite3';
import type { Stretch } from '../platform/sample-fold.ts';

/** Where nothing else is worth a write, the time is noted so often, in milliseconds. */
const NOTED_EVERY_MS = 60_000;
/** Leaps that are remembered; the oldest fall out. */
const MOST_LEAPS = 300;
/** A leap counts as this part of an age at most, and as no more than a day. */
const PART_OF_AGE = 24;
const DAY_MS = 86_400_000;

/**
 * How old something in a file beside the project is. The clock of a computer may be wrong for a day, and the file must not lose everything by it. So a leap, a stretch in which
 * nobody noted the time, counts as a small part of the age that is asked for, whether the program did not run in it or the clock was set forward. Kept in `meta`.
 */
export class SeenTime {
  readonly #rest: number;
  readonly #newest: (until: number) => number | null;
  readonly #write: Database.Statement<[string, string]>;
  #seen: number | null;
  #leaps: readonly Stretch[];
  #backAt: number;

  /** `rest`: a stretch that is no longer is no leap, in milliseconds. `newest`: the newest time of the content up to one, for files that were written by a version that noted none; null: there is none. Times are UTC milliseconds. */
  constructor(db: Database.Database, rest: number, newest: (until: number) => number | null) {
    this.#rest = rest;
    this.#newest = newest;
    this.#write = db.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)');
    const read = db.prepare<[string], string>('SELECT value FROM meta WHERE name = ?').pluck();
    const seen = Number(read.get('seen_at') ?? Number.NaN);
    this.#seen = Number.isFinite(seen) ? seen : null;
    this.#leaps = leapsOf(read.get('leaps'));
    this.#backAt = Number(read.get('back_at') ?? Number.NEGATIVE_INFINITY);
  }

  /** It is `now`. To be called within a transaction, and before anything is called old. */
  note(now: number): void {
    const before = this.#seen ?? this.#newest(now) ?? now;
    if (this.#seen !== null && now >= before && now - before < NOTED_EVERY_MS) return;
    const isLeap = (leap: Stretch) => leap.to - leap.from > this.#rest;
    // behind a clock that was set back a leap into what is the future now ended here
    const known = this.#leaps.map(({ from, to }) => ({ from, to: Math.min(to, now) }));
    const leaps = [...known, { from: before, to: now }].filter(isLeap).slice(-MOST_LEAPS);
    if (before - now > DAY_MS) this.#backAt = now;
    if (Number.isFinite(this.#backAt)) this.#write.run('back_at', String(this.#backAt));
    this.#write.run('seen_at', String(now));
    this.#write.run('leaps', JSON.stringify(leaps.map(({ from, to }) => [from, to])));
    this.#seen = now;
    this.#leaps = leaps;
  }

  /** What is from before is older than `ageMs`. */
  keepFrom(now: number, ageMs: number): number {
    const counted = Math.min(ageMs / PART_OF_AGE, DAY_MS);
    let from = now - ageMs;
    for (const leap of this.#leaps.toReversed()) {
      if (leap.to <= from) break;
      from -= Math.max(0, leap.to - leap.from - counted);
    }
    return from;
  }

  /** A leap within the last day that is longer than `ageMs`: by it alone everything from before would be older. */
  newLeap(now: number, ageMs: number): Stretch | null {
    return this.#leaps.findLast(({ from, to }) => now - to < DAY_MS && to - from > ageMs) ?? null;
  }

  /** True where the clock was set back by more than a day within the last one. */
  wasSetBack(now: number): boolean {
    return now - this.#backAt < DAY_MS;
  }
}

/** What cannot be read says nothing: the age of everything is that of the clock then. */
function leapsOf(stored: string | undefined): readonly Stretch[] {
  try {
    const all: unknown = JSON.parse(stored ?? '[]');
    if (!Array.isArray(all)) return [];
    const leaps = all.flatMap((each) => (Array.isArray(each) && each.length === 2 ? [{ from: Number(each[0]), to: Number(each[1]) }] : []));
    return leaps.filter(({ from, to }) => to > from);
  } catch {
    return [];
  }
}
