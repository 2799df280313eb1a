import type Database from 'better-sqlite3';
import { Fold, gapsIn, joined, type Stretch } from '../../platform/sample-fold.ts';
import { besideError, besideOctets } from '../beside-db.ts';
import { BesideFile } from '../beside-file.ts';
import type {
  HistoryAppend,
  HistoryBatch,
  HistoryLimit,
  HistoryNews,
  HistoryQuery,
  HistorySpan,
  HistoryStatus,
  HistoryStore,
  HistoryTimes,
  LiveSamples,
  PointHistory,
} from '../history-repositories.ts';
import { SeenTime } from '../seen-time.ts';
import { decodeBlock, decodeLoose, encodeBlock, encodeLoose, MOST_IN_BLOCK } from './block-codec.ts';
import { HISTORY } from './history-db.ts';
import { HistoryTables } from './history-tables.ts';
import { Samples } from './samples.ts';

/** Samples that lie loose before they are packed; 17 octets each in memory. */
const MOST_LOOSE = 1_000_000;
/** Time after which they are packed all the same, and the longest stretch of one block, in milliseconds. */
const LONGEST_MS = 3_600_000;
/** Values that are further ahead of the clock were recorded by a wrong one, in milliseconds. */
const MOST_AHEAD_MS = 24 * 3_600_000;
/** A stretch in which the time was not noted and that is no longer counts in full, in milliseconds. */
const REST_MS = 3_600_000;
/** Blocks that are read before other work gets its turn. */
const BLOCKS_A_TURN = 32;

/** Stretches from the first sample of their channels on: what was recorded before lies in another file. One without a sample is none. */
function sampled(spans: readonly HistorySpan[], batches: readonly HistoryBatch[]): HistorySpan[] {
  return spans.flatMap(({ channel, from, to }) => {
    let first = Number.POSITIVE_INFINITY;
    for (const batch of batches) if (batch.channel === channel) for (const at of batch.at) if (at >= from && at < first) first = at;
    return first <= to ? [{ channel, from: first, to }] : [];
  });
}

type Asked = { readonly channel: number; readonly point: number; readonly live?: LiveSamples | undefined };

const NOT_LIVE: LiveSamples = { at: [], value: [], quality: [], spans: [] };

/** Samples of points that are not packed yet. */
type Loose = Map<number, { readonly channel: number; readonly samples: Samples }>;

interface Open {
  readonly db: Database.Database;
  readonly tables: HistoryTables;
  readonly seen: SeenTime;
}

/**
 * The file of recorded values. Samples are written loose as they come, and kept in memory as well, until there are enough of each point to pack them
 * in blocks. `breathe` lets other work have its turn in the course of a long one.
 */
export class HistoryEngine implements HistoryStore {
  readonly path: string;
  readonly #file: BesideFile<Open>;
  readonly #breathe: () => Promise<void>;
  #loose: Loose = new Map();
  #looseCount = 0;
  #packedAt = 0;

  constructor(path: string, project: string, breathe: () => Promise<void>) {
    this.path = path;
    this.#file = new BesideFile(HISTORY, path, project, (db) => this.#begun(db));
    this.#breathe = breathe;
  }

  exists(): boolean {
    return this.#file.exists();
  }

  async append({ batches, spans, now }: HistoryAppend): Promise<HistoryNews> {
    return this.#file.work(({ db, tables, seen }) => {
      db.transaction(() => {
        seen.note(now);
        for (const batch of batches) if (batch.at.length > 0) tables.addLoose(batch.channel, batch.at.length, encodeLoose(batch));
        for (const span of this.#file.isAnew ? sampled(spans, batches) : spans) tables.addSpan(span);
      }).immediate();
      for (const { channel, points, at, value, quality } of batches) {
        for (let index = 0; index < at.length; index++) {
          this.#keep(channel, points[index] as number, at[index] as number, value[index] as number, quality[index] as number);
        }
      }
      if (this.#packedAt === 0 || now < this.#packedAt) this.#packedAt = now;
      if (this.#looseCount < MOST_LOOSE && now - this.#packedAt < LONGEST_MS) return;
      this.#pack({ db, tables });
      this.#packedAt = now;
    });
  }

  async query(what: HistoryQuery): Promise<HistoryNews & { readonly points: readonly PointHistory[] }> {
    const points: PointHistory[] = [];
    if (this.#file.isNone) {
      for (const { channel, point } of what.points) points.push(nothing(channel, point, what));
      return { ...this.#file.news(), points };
    }
    const { tables } = this.#file.reach();
    const loose = this.#loose;
    try {
      const lastId = tables.lastBlock;
      for (const { channel, point, live } of what.points)
        points.push(await this.#ofPoint(tables, loose.get(point)?.samples, lastId, { channel, point, live }, what));
    } catch (thrown) {
      throw this.#file.failed(thrown);
    }
    return { ...this.#file.news(), points };
  }

  async status(): Promise<HistoryNews & HistoryStatus> {
    if (this.#file.isNone) return { ...this.#file.news(), channels: [], octets: 0 };
    return this.#file.work(({ tables }) => {
      const channels = new Map(tables.totals().map((total) => [total.channel, { ...total }]));
      for (const { channel, samples } of this.#loose.values()) {
        const total = channels.get(channel) ?? { channel, samples: 0, octets: 0, oldest: null };
        const first = samples.at[0] ?? null;
        total.samples += samples.length;
        if (first !== null && (total.oldest === null || first < total.oldest)) total.oldest = first;
        channels.set(channel, total);
      }
      return { channels: [...channels.values()].sort((a, b) => a.channel - b.channel), octets: besideOctets(this.path) };
    });
  }

  async tidy(limits: readonly HistoryLimit[], channels: readonly number[], now: number): Promise<HistoryNews & HistoryTimes> {
    if (this.#file.isNone) return { ...this.#file.news(), kept: null, ahead: null };
    const { db, tables, seen } = this.#file.reach();
    let kept: Stretch | null = null;
    let ahead: number | null = null;
    try {
      db.transaction(() => seen.note(now)).immediate();
      let isLess = false;
      for (const gone of tables.channels().filter((channel) => !channels.includes(channel))) {
        for (const [point, { channel, samples }] of this.#loose) {
          if (channel !== gone) continue;
          this.#loose.delete(point);
          this.#looseCount -= samples.length;
        }
        while (tables.removeChannel(gone)) await this.#breathe();
        isLess = true;
      }
      for (const limit of limits) {
        const keepFrom = seen.keepFrom(now, limit.keepMs);
        while (tables.removeOver(limit, keepFrom, now + MOST_AHEAD_MS)) {
          isLess = true;
          await this.#breathe();
        }
        if (tables.hasBefore(limit.channel, now - limit.keepMs)) kept = seen.newGap(now, limit.keepMs) ?? kept;
      }
      const newest = tables.newestEnd(Number.MAX_SAFE_INTEGER) ?? now;
      if (newest - now > MOST_AHEAD_MS && seen.wasSetBack(now)) ahead = newest;
      if (isLess) db.pragma('incremental_vacuum(2000)');
    } catch (thrown) {
      throw this.#file.failed(thrown);
    }
    return { ...this.#file.news(), kept, ahead };
  }

  async close(): Promise<void> {
    const { open } = this.#file;
    if (!open) return;
    try {
      this.#pack(open);
    } catch (thrown) {
      throw besideError(HISTORY, this.path, thrown);
    } finally {
      this.#file.leave();
    }
  }

  #begun(db: Database.Database): Open {
    const tables = new HistoryTables(db);
    this.#readLoose(tables);
    return { db, tables, seen: new SeenTime(db, REST_MS, (until) => tables.newestEnd(until)) };
  }

  /** Of a process that was killed, or could not pack. */
  #readLoose(tables: HistoryTables): void {
    this.#loose = new Map();
    this.#looseCount = 0;
    for (const id of tables.looseIds()) {
      const row = tables.loose(id);
      if (!row) continue;
      try {
        decodeLoose(row.data, (point, at, value, quality) => this.#keep(row.channel, point, at, value, quality));
      } catch {
        // what is damaged of it is left out: the check sum of zlib told
      }
    }
  }

  #keep(channel: number, point: number, at: number, value: number, quality: number): void {
    let kept = this.#loose.get(point);
    if (!kept) {
      kept = { channel, samples: new Samples() };
      this.#loose.set(point, kept);
    }
    kept.samples.push(at, value, quality);
    this.#looseCount += 1;
  }

  #pack({ db, tables }: Pick<Open, 'db' | 'tables'>): void {
    if (this.#looseCount === 0) return;
    db.transaction(() => {
      for (const [point, { channel, samples }] of this.#loose) {
        for (let from = 0; from < samples.length; ) {
          const to = endOfBlock(samples, from);
          const [first, last] = [samples.at[from] as number, samples.at[to - 1] as number];
          tables.addBlock({ channel, point, first, last, count: to - from, data: encodeBlock(samples, from, to) });
          from = to;
        }
      }
      tables.removeLoose();
    }).immediate();
    this.#loose = new Map();
    this.#looseCount = 0;
  }

  async #ofPoint(
    tables: HistoryTables,
    loose: Samples | undefined,
    lastId: number,
    { channel, point, live = NOT_LIVE }: Asked,
    { from, to, maxPoints }: HistoryQuery,
  ): Promise<PointHistory> {
    const range = { from, to };
    const spans = joined([...tables.spans(channel, range), ...live.spans]);
    const fold = new Fold(range, spans, maxPoints);
    let liveAdded = 0;
    const addLive = (before: number) => {
      for (; liveAdded < live.at.length && (live.at[liveAdded] as number) < before; liveAdded++)
        fold.add(live.at[liveAdded] as number, live.value[liveAdded] as number, live.quality[liveAdded] as number);
    };
    const add = ({ at, value, quality, length }: Samples) => {
      for (let index = 0; index < length; index++) {
        addLive(at[index] as number);
        fold.add(at[index] as number, value[index] as number, quality[index] as number);
      }
    };
    const begin = Math.min(tables.lastBefore(point, from) ?? from, from - LONGEST_MS);
    let damaged = 0;
    let after = { at: begin, id: 0 };
    for (;;) {
      const rows = tables.blocks(point, begin, after, to, lastId, BLOCKS_A_TURN);
      for (const { data } of rows) {
        try {
          add(decodeBlock(data));
        } catch {
          damaged += 1;
        }
      }
      const last = rows.at(-1);
      if (!last || rows.length < BLOCKS_A_TURN) break;
      after = { at: last.first_at, id: last.id };
      await this.#breathe();
    }
    if (loose) add(loose);
    addLive(to);
    const samples = fold.end();
    return { channel, point, before: fold.before, total: fold.total, samples, gaps: gapsIn(range, spans), damaged };
  }
}

/** Blocks are bounded in samples and time, and time only goes on in one. */
function endOfBlock({ at, length }: Samples, from: number): number {
  const first = at[from] as number;
  let to = from + 1;
  while (
    to < length &&
    to - from < MOST_IN_BLOCK &&
    (at[to] as number) >= (at[to - 1] as number) &&
    (at[to] as number) - first < LONGEST_MS
  )
    to += 1;
  return to;
}

function nothing(channel: number, point: number, { from, to }: HistoryQuery): PointHistory {
  const samples = { kind: 'raw', at: [], value: [], quality: [] } as const;
  return { channel, point, before: null, total: 0, samples, gaps: [{ from, to }], damaged: 0 };
}
