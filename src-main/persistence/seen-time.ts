import type Database from 'better-sqlite3';
import type { Stretch } from '../platform/sample-fold.ts';

/** Where nothing else is worth a write, the time is noted so often, in milliseconds. */
const NOTED_EVERY_MS = 60_000;
/** Stretches that are remembered; the oldest fall out. */
const MOST_STRETCHES = 300;
/** A gap counts as this part of an age at most, and as no more than a day. */
const PART_OF_AGE = 24;
const DAY_MS = 86_400_000;

/**
 * How old something in a file beside the project is. The clock of a computer may be wrong for a day, and the file must not lose everything by it. So the time is noted, and a gap between
 * the stretches in which it was counts as a small part of the age that is asked for, whether the program did not run in it or the clock was set forward. Kept in `meta`.
 */
export class SeenTime {
  readonly #rest: number;
  readonly #newest: (until: number) => number | null;
  readonly #write: Database.Statement<[string, string]>;
  /** In the order of time, with gaps between them; a clock that was set back may have made the last ones. */
  #stretches: readonly Stretch[];
  #seen: number | null = null;
  #backAt: number;

  /** `rest`: what is no longer is no gap, in milliseconds. `newest`: the newest time of the content up to one, for files that were written by a version that noted none; null: there is none. Times are UTC milliseconds. */
  constructor(db: Database.Database, rest: number, newest: (until: number) => number | null) {
    this.#rest = rest;
    this.#newest = newest;
    this.#write = db.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)');
    const read = db.prepare<[string], string>('SELECT value FROM meta WHERE name = ?').pluck();
    this.#stretches = stretchesOf(read.get('noted'));
    const lastAt = Number(read.get('noted_at') ?? Number.NaN);
    if (Number.isFinite(lastAt)) this.#seen = lastAt;
    this.#backAt = Number(read.get('back_at') ?? Number.NEGATIVE_INFINITY);
  }

  /** It is `now`. To be called within a transaction, and before anything is called old. */
  note(now: number): void {
    const before = this.#seen;
    if (before !== null && now >= before && now - before < NOTED_EVERY_MS) return;
    const first = this.#stretches.length === 0 ? this.#newest(now) : null;
    const known = first === null ? this.#stretches : [{ from: first, to: first }];
    if (before !== null && before - now > DAY_MS) this.#backAt = now;
    this.#stretches = merged([...known, { from: now, to: now }], this.#rest).slice(-MOST_STRETCHES);
    this.#seen = now;
    this.#write.run('noted', JSON.stringify(this.#stretches.map(({ from, to }) => [from, to])));
    this.#write.run('noted_at', String(now));
    if (Number.isFinite(this.#backAt)) this.#write.run('back_at', String(this.#backAt));
  }

  /** What is from before is older than `ageMs`. */
  keepFrom(now: number, ageMs: number): number {
    const counted = Math.min(ageMs / PART_OF_AGE, DAY_MS);
    let keepFrom = now - ageMs;
    for (const { from, to } of this.#gaps(now)) {
      if (to <= keepFrom) break;
      keepFrom -= Math.max(0, to - from - counted);
    }
    return keepFrom;
  }

  /** A gap that ended within the last day and is longer than `ageMs`: by it alone everything from before would be older. */
  newGap(now: number, ageMs: number): Stretch | null {
    return this.#gaps(now).find(({ from, to }) => now - to < DAY_MS && to - from > ageMs) ?? null;
  }

  /** True where the clock was set back by more than a day within the last one. */
  wasSetBack(now: number): boolean {
    return Math.abs(now - this.#backAt) < DAY_MS;
  }

  /** Before this time, the newest first. */
  #gaps(now: number): Stretch[] {
    const past = this.#stretches.filter(({ from }) => from <= now);
    const gaps = past.map(({ to }, at) => ({ from: to, to: past[at + 1]?.from ?? now }));
    return gaps.filter(({ from, to }) => to - from > this.#rest).toReversed();
  }
}

/** In the order of time, with those as one that lie no further apart than `rest`. */
function merged(stretches: readonly Stretch[], rest: number): Stretch[] {
  const all: Stretch[] = [];
  for (const { from, to } of stretches.toSorted((one, other) => one.from - other.from)) {
    const last = all.at(-1);
    if (last && from - last.to <= rest) all[all.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    else all.push({ from, to });
  }
  return all;
}

/** What cannot be read says nothing: the age of everything is that of the clock then. */
function stretchesOf(stored: string | undefined): readonly Stretch[] {
  try {
    const all: unknown = JSON.parse(stored ?? '[]');
    if (!Array.isArray(all)) return [];
    const found = all.flatMap((each) => (Array.isArray(each) && each.length === 2 ? [{ from: Number(each[0]), to: Number(each[1]) }] : []));
    return merged(
      found.filter(({ from, to }) => to >= from),
      0,
    ).slice(-MOST_STRETCHES);
  } catch {
    return [];
  }
}
