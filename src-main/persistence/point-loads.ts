import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { NormalPoint, PointConfig } from '../drivers/spi/index.ts';
import type { PendingPart } from './point-overlay.ts';
import type { RemovedRows } from './removed-rows.ts';
import type { PointLoad, PointsChange } from './repositories.ts';
import type { Cell } from './row-sum.ts';
import { isForeignKeyViolation } from './store-error.ts';
import type { StoreFile } from './store-file.ts';

/** New rows of one part: some milliseconds to write, and to carry over. */
const ROWS_A_PART = 1000;
/** Rows of one part that lie in the table already and are read for its checksum: as many milliseconds. */
const PRESENT_A_PART = 250;

interface Part {
  readonly removed?: readonly number[];
  readonly changed?: readonly PointConfig[];
  /** Rows of added and restored points, the id first. */
  readonly rows?: readonly (readonly Cell[])[];
}

/** A part as earlier programs left it behind when they were killed. */
interface OlderPart extends Part {
  readonly added?: readonly PointConfig[];
}

interface StoredPart {
  readonly load_id: number;
  readonly part: number;
  readonly change: string;
}

/** What the table does for the loads. */
export interface LoadedTable {
  /** The row of a point, the id first. */
  rowOf(point: PointConfig): Cell[];
  /** The point of such a row. */
  pointOf(row: readonly Cell[]): PointConfig;
  /** Does a part of a change to the table, within a transaction. */
  apply(channelId: number, part: Required<Part>): void;
}

/**
 * Changes of many points. Written to the table at once they would hold the file, and the thread, for a second: the entry of a command's audit
 * would wait as long. So they are written part by part beside it, confirmed by one short change, and carried over part by part behind that.
 */
export class PointLoads {
  readonly #file: StoreFile;
  readonly #table: LoadedTable;
  readonly #removedRows: RemovedRows;
  readonly #statements;
  /** Carrying over under way, by channel. */
  readonly #running = new Map<number, Promise<void>>();
  /** Channels that may have confirmed loads. */
  readonly #channels = new Set<number>();

  constructor(file: StoreFile, table: LoadedTable, removedRows: RemovedRows) {
    const { db } = file;
    this.#file = file;
    this.#table = table;
    this.#removedRows = removedRows;
    this.#statements = {
      begin: db.prepare<[number]>('INSERT INTO point_loads (channel_id, is_confirmed) VALUES (?, 0)'),
      write: db.prepare<[number, number, string]>('INSERT INTO point_load_parts (load_id, part, change) VALUES (?, ?, ?)'),
      confirm: db.prepare<[number]>('UPDATE point_loads SET is_confirmed = 1 WHERE id = ?'),
      discard: db.prepare<[number]>('UPDATE point_loads SET is_confirmed = -1 WHERE id = ?'),
      discardOpen: db.prepare<[]>('UPDATE point_loads SET is_confirmed = -1 WHERE is_confirmed = 0'),
      states: db.prepare<[], number>('SELECT DISTINCT is_confirmed FROM point_loads').pluck(),
      channels: db.prepare<[], number>('SELECT DISTINCT channel_id FROM point_loads WHERE is_confirmed = 1').pluck(),
      next: db.prepare<[number], StoredPart>(
        `SELECT load_id, part, change FROM point_load_parts JOIN point_loads ON id = load_id
         WHERE channel_id = ? AND is_confirmed = 1 ORDER BY load_id, part LIMIT 1`,
      ),
      all: db.prepare<[number], StoredPart>(
        `SELECT load_id, part, change FROM point_load_parts JOIN point_loads ON id = load_id
         WHERE channel_id = ? AND is_confirmed = 1 ORDER BY load_id, part`,
      ),
      drop: db.prepare<[number, number]>('DELETE FROM point_load_parts WHERE load_id = ? AND part = ?'),
      dropEmpty: db.prepare<[number]>(
        'DELETE FROM point_loads WHERE channel_id = ? AND is_confirmed = 1 AND id NOT IN (SELECT load_id FROM point_load_parts)',
      ),
      seq: db.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'points'").pluck(),
      setSeq: db.prepare<[number]>("UPDATE sqlite_sequence SET seq = ? WHERE name = 'points'"),
      firstSeq: db.prepare<[number]>("INSERT INTO sqlite_sequence (name, seq) VALUES ('points', ?)"),
    };
  }

  /** After the file was opened: forgets what was not confirmed; what was is carried over before somebody reads or changes its channel. */
  recover(): void {
    const { states, discardOpen, channels } = this.#statements;
    if (this.#file.read(() => states.all()).includes(0)) this.#file.tidy(() => this.#file.change(() => discardOpen.run()));
    for (const channelId of this.#file.read(() => channels.all())) this.#channels.add(channelId);
    void this.#removedRows.sweep();
  }

  /** Writes a change beside the table. Ids of added points are taken for good, also when it is never confirmed. */
  async prepare(
    channelId: number,
    change: PointsChange,
    breathe: () => Promise<void>,
    breatheBehind: () => Promise<void> = breathe,
  ): Promise<PointLoad> {
    const { begin, confirm } = this.#statements;
    const { loadId, firstId } = this.#file.change(() => {
      const firstId = this.#takeIds(change.added.length);
      return { loadId: Number(ofChannel(channelId, () => begin.run(channelId)).lastInsertRowid), firstId };
    });
    try {
      const added = await this.#write(loadId, channelId, change, firstId, breathe);
      return {
        added,
        confirm: () => {
          this.#file.change(() => confirm.run(loadId));
          this.#channels.add(channelId);
          // What a full disk keeps here is carried over later.
          void this.settle(channelId, breatheBehind).catch(() => {});
        },
        discard: () => this.#discard(loadId, breatheBehind),
      };
    } catch (thrown) {
      this.#discard(loadId, breatheBehind);
      throw thrown;
    }
  }

  /** Carries over what is confirmed for a channel, `breathe` between the parts. */
  settle(channelId: number, breathe: () => Promise<void>): Promise<void> {
    const running = this.#running.get(channelId);
    if (running) return running;
    if (!this.#channels.has(channelId)) return Promise.resolve();
    const carrying = (async () => {
      // never within the change that confirmed it
      await breathe();
      while (this.#file.db.open && this.#step(channelId)) await breathe();
    })().finally(() => this.#running.delete(channelId));
    this.#running.set(channelId, carrying);
    return carrying;
  }

  /** The same without a pause: for whoever cannot wait. */
  finish(channelId: number): void {
    if (this.#channels.has(channelId)) while (this.#step(channelId));
  }

  /** What is confirmed for a channel and cannot be carried over now, in its order; as a rule nothing. */
  pending(channelId: number): PendingPart[] {
    this.#file.tidy(() => this.finish(channelId));
    if (!this.#channels.has(channelId)) return [];
    const stored = this.#file.read(() => this.#statements.all.all(channelId));
    return stored.map(({ change }) => {
      const { removed = [], changed = [], rows = [], added = [] } = JSON.parse(change) as OlderPart;
      return { removed, changed, added: [...rows.map((row) => this.#table.pointOf(row)), ...added] };
    });
  }

  #discard(loadId: number, breathe: () => Promise<void>): void {
    this.#file.change(() => this.#statements.discard.run(loadId));
    void this.#removedRows.sweep(breathe);
  }

  /** Carries over one part; false when there is none. */
  #step(channelId: number): boolean {
    const { next, drop, dropEmpty } = this.#statements;
    const stored = this.#file.read(() => next.get(channelId));
    if (!stored) {
      this.#file.changeLoosely(() => dropEmpty.run(channelId));
      this.#channels.delete(channelId);
      return false;
    }
    const { removed = [], changed = [], rows = [], added = [] } = JSON.parse(stored.change) as OlderPart;
    this.#file.changeLoosely(() => {
      this.#table.apply(channelId, { removed, changed, rows: rows.concat(added.map((point) => this.#table.rowOf(point))) });
      drop.run(stored.load_id, stored.part);
    });
    return true;
  }

  /** The last id that a point was given; 0: none was. */
  get lastId(): number {
    return this.#file.read(() => this.#statements.seq.get()) ?? 0;
  }

  /** The first of so many ids that no point had or will have. */
  #takeIds(count: number): number {
    const { seq, setSeq, firstSeq } = this.#statements;
    const last = seq.get();
    if (last === undefined) firstSeq.run(count);
    else setSeq.run(last + count);
    return (last ?? 0) + 1;
  }

  async #write(
    loadId: number,
    channelId: number,
    { removed, changed, added, restored = [] }: PointsChange,
    firstId: number,
    breathe: () => Promise<void>,
  ): Promise<PointConfig[]> {
    let part = 0;
    const write = async (change: Part) => {
      const text = JSON.stringify(change);
      this.#file.changeLoosely(() => this.#statements.write.run(loadId, part, text));
      part += 1;
      await breathe();
    };
    // codes that become free first
    for (const ids of chunks(removed, PRESENT_A_PART)) await write({ removed: ids });
    for (const points of chunks(changed, PRESENT_A_PART)) await write({ changed: points });
    for (const points of chunks(restored, ROWS_A_PART)) await write({ rows: points.map((point) => this.#table.rowOf(point)) });
    const placed: PointConfig[] = [];
    for (const points of chunks<NormalPoint>(added, ROWS_A_PART)) {
      const own = points.map((point, index) => ({ ...point, channel_id: channelId, id: firstId + placed.length + index }));
      placed.push(...own);
      await write({ rows: own.map((point) => this.#table.rowOf(point)) });
    }
    return placed;
  }
}

function ofChannel<Result>(channelId: number, operation: () => Result): Result {
  try {
    return operation();
  } catch (thrown) {
    throw isForeignKeyViolation(thrown) ? new AppError('CONFIG_NOT_FOUND', say('store.no_channel', { id: channelId })) : thrown;
  }
}

function* chunks<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
