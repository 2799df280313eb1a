import type Database from 'better-sqlite3';
import type { Stretch } from '../../platform/sample-fold.ts';
import type { ChannelHistory, HistoryLimit, HistorySpan } from '../history-repositories.ts';

/** What a row costs beside its samples, in octets. */
const ROW_OCTETS = 64;
/** Blocks that are removed in one transaction. */
const REMOVED_AT_ONCE = 1000;

export interface BlockRow {
  readonly id: number;
  readonly first_at: number;
  readonly data: Buffer;
}

export interface NewBlock {
  readonly channel: number;
  readonly point: number;
  readonly first: number;
  readonly last: number;
  readonly count: number;
  readonly data: Buffer;
}

/** What else is to be done for blocks that were removed, up to this time. */
type Gone = (channel: number, until: number) => void;
type Sums = { readonly samples: number | null; readonly octets: number | null; readonly until: number | null };

/** The tables of the history file. */
export class HistoryTables {
  readonly #db: Database.Database;
  readonly #addBlock;
  readonly #addTotal;
  readonly #addSpan;
  readonly #addLoose;
  readonly #blocks;

  constructor(db: Database.Database) {
    this.#db = db;
    this.#addBlock = db.prepare<[number, number, number, number, number, Buffer]>(
      'INSERT INTO blocks (channel, point, first_at, last_at, count, data) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#addTotal = db.prepare<[number, number, number, number]>(
      'INSERT INTO totals (channel, samples, octets, cut_at) VALUES (?, ?, ?, ?) ON CONFLICT (channel) DO UPDATE SET ' +
        'samples = max(0, samples + excluded.samples), octets = max(0, octets + excluded.octets), cut_at = max(cut_at, excluded.cut_at)',
    );
    this.#addSpan = db.prepare<[number, number, number]>(
      'INSERT INTO spans (channel, from_at, to_at) VALUES (?, ?, ?) ON CONFLICT (channel, from_at) DO UPDATE SET to_at = max(to_at, excluded.to_at)',
    );
    this.#addLoose = db.prepare<[number, number, Buffer]>('INSERT INTO loose (channel, count, data) VALUES (?, ?, ?)');
    this.#blocks = db.prepare<[number, number, number, number, number, number, number], BlockRow>(
      'SELECT id, first_at, data FROM blocks WHERE point = ? AND first_at >= ? AND (first_at > ? OR id > ?) AND first_at < ? AND id <= ? ORDER BY first_at, id LIMIT ?',
    );
  }

  addBlock({ channel, point, first, last, count, data }: NewBlock): void {
    this.#addBlock.run(channel, point, first, last, count, data);
    this.#addTotal.run(channel, count, data.length + ROW_OCTETS, 0);
  }

  addSpan({ channel, from, to }: HistorySpan): void {
    this.#addSpan.run(channel, from, to);
  }

  addLoose(channel: number, count: number, data: Buffer): void {
    this.#addLoose.run(channel, count, data);
  }

  /** Ids of what lies loose, oldest first. */
  looseIds(): number[] {
    return this.#db.prepare<[], number>('SELECT id FROM loose ORDER BY id').pluck().all();
  }

  loose(id: number): { readonly channel: number; readonly data: Buffer } | undefined {
    return this.#db.prepare<[number], { channel: number; data: Buffer }>('SELECT channel, data FROM loose WHERE id = ?').get(id);
  }

  removeLoose(): void {
    this.#db.prepare('DELETE FROM loose').run();
  }

  get lastBlock(): number {
    return this.#db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM blocks').pluck().get() ?? 0;
  }

  /** Begin of the last block that begins before `at`; null: there is none. */
  lastBefore(point: number, at: number): number | null {
    const statement = this.#db
      .prepare<[number, number], number>('SELECT max(first_at) FROM blocks WHERE point = ? AND first_at < ?')
      .pluck();
    return statement.get(point, at) ?? null;
  }

  /** Blocks of a point that begin at `from` or later, behind `after`, and before `to`. */
  blocks(
    point: number,
    from: number,
    after: { readonly at: number; readonly id: number },
    to: number,
    lastId: number,
    limit: number,
  ): BlockRow[] {
    return this.#blocks.all(point, Math.max(from, after.at), after.at, after.id, to, lastId, limit);
  }

  /** Stretches in which a channel was recorded and that reach into the range, without what was removed. */
  spans(channel: number, { from, to }: Stretch): Stretch[] {
    const cut = this.#db.prepare<[number], number>('SELECT cut_at FROM totals WHERE channel = ?').pluck().get(channel) ?? 0;
    const rows = this.#db
      .prepare<[number, number, number], Stretch>(
        'SELECT from_at AS "from", to_at AS "to" FROM spans WHERE channel = ? AND to_at >= ? AND from_at < ? ORDER BY from_at',
      )
      .all(channel, from, to);
    return rows.filter((span) => span.to > cut).map((span) => ({ from: Math.max(cut, span.from), to: span.to }));
  }

  totals(): ChannelHistory[] {
    const oldest = this.#db
      .prepare<[number], number>('SELECT min(first_at) FROM (SELECT first_at FROM blocks WHERE channel = ? ORDER BY last_at LIMIT 100)')
      .pluck();
    return this.#db
      .prepare<[], Omit<ChannelHistory, 'oldest'>>('SELECT channel, samples, octets FROM totals WHERE samples > 0 ORDER BY channel')
      .all()
      .map((total) => ({ ...total, oldest: oldest.get(total.channel) ?? null }));
  }

  /** End of the newest stretch that was recorded, up to a time; null: there is none. */
  newestEnd(until: number): number | null {
    return this.#db.prepare<[number], number | null>('SELECT max(to_at) FROM spans WHERE to_at <= ?').pluck().get(until) ?? null;
  }

  /** True where a channel has blocks that ended before this time. */
  hasBefore(channel: number, time: number): boolean {
    const statement = this.#db.prepare<[number, number], number>('SELECT 1 FROM blocks WHERE channel = ? AND last_at < ? LIMIT 1');
    return statement.pluck().get(channel, time) !== undefined;
  }

  /**
   * Removes some of the blocks of a channel that are from before `keepFrom`, or over its limit: of those the ones first that are from behind `aheadFrom`, which no right clock can have
   * recorded, and the oldest first of either. False: none is.
   */
  removeOver({ channel, maxOctets }: Pick<HistoryLimit, 'channel' | 'maxOctets'>, keepFrom: number, aheadFrom: number): boolean {
    const old = 'SELECT id FROM blocks WHERE channel = ? AND last_at < ? ORDER BY last_at LIMIT ?';
    if (this.#remove(channel, old, [channel, keepFrom, REMOVED_AT_ONCE], this.#cut)) return true;
    this.#db.prepare('DELETE FROM spans WHERE channel = ? AND to_at < ?').run(channel, keepFrom);
    const over = (this.#db.prepare<[number], number>('SELECT octets FROM totals WHERE channel = ?').pluck().get(channel) ?? 0) - maxOctets;
    if (over <= 0) return false;
    const clip: Gone = (of, until) => this.#clip(of, aheadFrom, until);
    return this.#removeOldest(channel, over, aheadFrom, clip) || this.#removeOldest(channel, over, Number.MIN_SAFE_INTEGER, this.#cut);
  }

  /** The oldest of those that end behind `from`, until so many octets are gone. */
  #removeOldest(channel: number, octets: number, from: number, gone: Gone): boolean {
    const sizes = this.#db
      .prepare<[number, number, number], number>(
        'SELECT length(data) FROM blocks WHERE channel = ? AND last_at > ? ORDER BY last_at LIMIT ?',
      )
      .pluck()
      .all(channel, from, REMOVED_AT_ONCE);
    let count = 0;
    for (let freed = 0; count < sizes.length && freed < octets; count++) freed += (sizes[count] as number) + ROW_OCTETS;
    const ids = 'SELECT id FROM blocks WHERE channel = ? AND last_at > ? ORDER BY last_at LIMIT ?';
    return this.#remove(channel, ids, [channel, from, count], gone);
  }

  /** Removes some of the blocks of a channel that is not there any more; false: all are gone. */
  removeChannel(channel: number): boolean {
    const ids = 'SELECT id FROM blocks WHERE channel = ? LIMIT ?';
    if (this.#remove(channel, ids, [channel, REMOVED_AT_ONCE], this.#cut)) return true;
    for (const table of ['spans', 'loose', 'totals']) this.#db.prepare(`DELETE FROM ${table} WHERE channel = ?`).run(channel);
    return false;
  }

  /** Channels that something is kept of. */
  channels(): number[] {
    const union = 'SELECT channel FROM totals UNION SELECT channel FROM spans UNION SELECT channel FROM loose';
    return this.#db.prepare<[], number>(union).pluck().all();
  }

  /** Nothing up to this time counts as recorded any more. */
  readonly #cut: Gone = (channel, until) => this.#addTotal.run(channel, 0, 0, until);

  /** Nothing from one time to another counts as recorded any more. */
  #clip(channel: number, from: number, to: number): void {
    const spans = this.#db
      .prepare<[number, number, number], Stretch>(
        'SELECT from_at AS "from", to_at AS "to" FROM spans WHERE channel = ? AND to_at > ? AND from_at < ?',
      )
      .all(channel, from, to);
    for (const span of spans) {
      this.#db.prepare('DELETE FROM spans WHERE channel = ? AND from_at = ?').run(channel, span.from);
      if (span.from < from) this.addSpan({ channel, from: span.from, to: from });
      if (span.to > to) this.addSpan({ channel, from: to, to: span.to });
    }
  }

  #remove(channel: number, ids: string, given: readonly number[], gone: Gone): boolean {
    return this.#db.transaction(() => {
      const sums = this.#db
        .prepare<number[], Sums>(
          `SELECT sum(count) AS samples, sum(length(data) + ${ROW_OCTETS}) AS octets, max(last_at) AS until FROM blocks WHERE id IN (${ids})`,
        )
        .get(...given);
      if (!sums || sums.until === null) return false;
      this.#db.prepare(`DELETE FROM blocks WHERE id IN (${ids})`).run(...given);
      this.#addTotal.run(channel, -(sums.samples ?? 0), -(sums.octets ?? 0), 0);
      gone(channel, sums.until + 1);
      return true;
    })();
  }
}
