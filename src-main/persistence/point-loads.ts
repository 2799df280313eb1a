import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { NormalPoint, PointConfig } from '../drivers/spi/index.ts';
import { addedTexts, inParts, type PackedPoint, unpacker } from './packed-points.ts';
import type { PendingPart } from './point-overlay.ts';
import type { RemovedRows } from './removed-rows.ts';
import type { PointLoad, PointsChange } from './repositories.ts';
import type { Cell } from './row-sum.ts';
import { guarded, isForeignKeyViolation, storedObject } from './store-error.ts';
import type { StoreFile } from './store-file.ts';

/** Rows of one part that lie in the table already and are read for its checksum: as many milliseconds. */
const PRESENT_A_PART = 250;

interface Part {
  readonly removed: readonly number[];
  readonly changed: readonly PointConfig[];
  /** Rows of added and restored points, the id first. */
  readonly rows: readonly (readonly Cell[])[];
}

/** A part as it lies in the file: numbers of removed points, changed ones as they are, or added ones as a step of the journal has them. */
interface PartText {
  readonly removed?: readonly number[];
  readonly changed?: readonly PointConfig[];
  readonly fields?: readonly string[];
  /** Points where there are no `fields`: as earlier programs left them behind when they were killed, which left `rows` as well. */
  readonly added?: readonly PackedPoint[] | readonly PointConfig[];
  readonly rows?: readonly (readonly Cell[])[];
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
  /** True for what can be a row of the table. */
  isRow(cells: readonly unknown[]): boolean;
  /** Does a part of a change to the table, within a transaction. */
  apply(channelId: number, part: Part): void;
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
      text: db
        .prepare<[number, number], string | Uint8Array>(
          `SELECT ${asItLies(db, 'change')} FROM point_load_parts WHERE load_id = ? AND part = ?`,
        )
        .pluck(),
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
      const { added, addedParts } = await this.#write(loadId, channelId, change, firstId, breathe);
      return {
        added,
        addedTexts: () => this.#texts(loadId, addedParts),
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
      const { removed, changed, rows } = this.#partOf(channelId, change);
      return { removed, changed, added: guarded(this.#file.path, () => rows.map((row) => this.#table.pointOf(row))) };
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
    const part = this.#partOf(channelId, stored.change);
    this.#file.changeLoosely(() => {
      this.#table.apply(channelId, part);
      drop.run(stored.load_id, stored.part);
    });
    return true;
  }

  /** What a part says. Throws as damage of the file where it is none. */
  #partOf(channelId: number, text: string): Part {
    return guarded(this.#file.path, () => {
      const { fields, removed = [], changed = [], rows = [], added = [] } = storedObject<PartText>(text);
      const lists: readonly unknown[] = [removed, changed, rows, added, fields ?? []];
      const isPart =
        lists.every(Array.isArray) &&
        [...rows, ...(fields ? added : [])].every(Array.isArray) &&
        [...changed, ...added].every((point) => typeof point === 'object' && point !== null);
      if (!isPart) throw new SyntaxError('no part of a load');
      const points = fields ? (added as readonly PackedPoint[]).map(unpacker(channelId, fields)) : (added as readonly PointConfig[]);
      const part = { removed, changed, rows: [...rows, ...points.map((point) => this.#table.rowOf(point))] };
      const isOfRows = [...part.rows, ...changed.map((point) => this.#table.rowOf(point))].every((row) => this.#table.isRow(row));
      if (!isOfRows || !removed.every(Number.isSafeInteger)) throw new SyntaxError('no part of a load');
      return part;
    });
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
  ): Promise<WrittenLoad> {
    let part = 0;
    const write = async (text: string) => {
      this.#file.changeLoosely(() => this.#statements.write.run(loadId, part, text));
      part += 1;
      await breathe();
    };
    // codes that become free first
    for (const ids of inParts(removed, PRESENT_A_PART)) await write(JSON.stringify({ removed: ids } satisfies PartText));
    for (const points of inParts(changed, PRESENT_A_PART)) await write(JSON.stringify({ changed: points } satisfies PartText));
    const firstAdded = part;
    for (const points of inParts(restored)) for (const text of addedTexts(points)) await write(text);
    const placed: PointConfig[] = [];
    for (const points of inParts<NormalPoint>(added)) {
      const own = points.map((point, index) => ({ ...point, channel_id: channelId, id: firstId + placed.length + index }));
      placed.push(...own);
      for (const text of addedTexts(own)) await write(text);
    }
    return { added: placed, addedParts: { from: firstAdded, to: part } };
  }

  *#texts(loadId: number, { from, to }: WrittenLoad['addedParts']): Generator<string | Uint8Array> {
    for (let part = from; part < to; part++) {
      const text = this.#file.read(() => this.#statements.text.get(loadId, part));
      if (!text) throw new Error(`Part ${part} of load ${loadId} is gone before the load was confirmed.`);
      yield text;
    }
  }
}

/** What was written of a load: the added points, and the parts that hold them and those that come back, the last excluded. */
interface WrittenLoad {
  readonly added: readonly PointConfig[];
  readonly addedParts: { readonly from: number; readonly to: number };
}

/** The octets of a text without a way over the engine; a file in another encoding than UTF-8 needs that way. */
function asItLies(db: StoreFile['db'], column: string): string {
  return db.pragma('encoding', { simple: true }) === 'UTF-8' ? `CAST(${column} AS BLOB)` : column;
}

function ofChannel<Result>(channelId: number, operation: () => Result): Result {
  try {
    return operation();
  } catch (thrown) {
    throw isForeignKeyViolation(thrown) ? new AppError('CONFIG_NOT_FOUND', say('store.no_channel', { id: channelId })) : thrown;
  }
}
