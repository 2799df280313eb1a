import type { PointConfig } from '../../drivers/spi/index.ts';
import { CodeIndex } from './point-store-pools.ts';
import { PointRows } from './point-store-rows.ts';
import type { TableChange } from './point-table.ts';
import { isReadAlike } from './reading-settings.ts';

/** Rows that are made, or looked at, before other work gets its turn. */
const ROWS_A_TURN = 500;

/** A table that is made beside the one in use, without what was read. */
export interface StagedRows {
  readonly rows: PointRows;
  readonly codes: CodeIndex;
  /** Row of the table in use whose readings each row takes over; -1 for one that begins anew. */
  readonly sources: Int32Array;
  /** Rows of the table in use whose points are read otherwise now. */
  readonly otherwise: readonly number[];
  /** Rows with settings of their own: changed, added or back. */
  readonly changed: readonly number[];
}

/** Makes the table that comes out of a change of another one, which must not be changed meanwhile. */
export async function stageRows(present: PointRows, change: TableChange, breathe: () => Promise<void>): Promise<StagedRows> {
  const removed = new Set<number>();
  for await (const ids of bits(change.removed, breathe)) for (const id of ids) removed.add(id);
  const changed = new Map<number, PointConfig>();
  for await (const points of bits(change.changed, breathe)) for (const point of points) changed.set(point.id, point);
  const restored = (change.restored ?? []).toSorted((a, b) => a.id - b.id);
  await breathe();
  const staged = new Staging(present);
  await staged.reserve(present.size + change.added.length + restored.length, removed.size, breathe);
  let back = 0;
  // Rows that leave cost a look as well.
  for (let row = 0; row < present.size; row++) {
    if (row % ROWS_A_TURN === ROWS_A_TURN - 1) await staged.index(breathe);
    const id = present.columns.id[row] ?? 0;
    for (let point = restored[back]; point && point.id < id; point = restored[back]) {
      staged.add(point);
      back += 1;
      if (back % ROWS_A_TURN === 0) await staged.index(breathe);
    }
    if (!removed.has(id)) staged.take(row, changed.get(id));
  }
  for await (const points of bits(restored.slice(back), breathe)) {
    for (const point of points) staged.add(point);
    await staged.index(breathe);
  }
  for await (const points of bits(change.added, breathe)) {
    for (const point of points) staged.add(point);
    await staged.index(breathe);
  }
  await staged.index(breathe);
  return staged.end();
}

/** The rows in the course of their making. */
class Staging {
  readonly #present: PointRows;
  readonly #rows: PointRows;
  readonly #codes = new CodeIndex();
  #sources = new Int32Array(0);
  readonly #otherwise: number[] = [];
  readonly #changed: number[] = [];
  #indexed = 0;

  constructor(present: PointRows) {
    this.#present = present;
    this.#rows = new PointRows(present.textRevision + 1);
  }

  /** Makes room for `most` rows of which `removed` leave, one kind of it a turn: while the engine marks what is in use, each large buffer costs it a step. */
  async reserve(most: number, removed: number, breathe: () => Promise<void>): Promise<void> {
    this.#rows.reserve(Math.max(0, most - removed));
    await breathe();
    this.#codes.reserve(Math.max(0, most - removed));
    await breathe();
    this.#sources = new Int32Array(most).fill(-1);
    await breathe();
  }

  /** Takes a row of the table in use over, with these settings if they are changed. */
  take(row: number, changed: PointConfig | undefined): void {
    const before = this.#present.config(row);
    if (changed === undefined || isReadAlike(before, changed)) this.#sources[this.#rows.size] = row;
    else this.#otherwise.push(row);
    if (changed !== undefined) this.#changed.push(this.#rows.size);
    this.#rows.push(changed ?? before, 0);
  }

  add(point: PointConfig): void {
    this.#changed.push(this.#rows.size);
    this.#rows.push(point, 0);
  }

  /** Indexes the codes of the rows that came since, and lets others have their turn. */
  async index(breathe: () => Promise<void>): Promise<void> {
    const { texts, columns, size } = this.#rows;
    if (size > this.#indexed) this.#codes.extend(texts, columns.text.subarray(0, size), this.#indexed);
    this.#indexed = size;
    await breathe();
  }

  end(): StagedRows {
    this.#rows.trim();
    return {
      rows: this.#rows,
      codes: this.#codes,
      sources: this.#sources.subarray(0, this.#rows.size),
      otherwise: this.#otherwise,
      changed: this.#changed,
    };
  }
}

/** A list bit by bit, `breathe` between the bits. */
async function* bits<Item>(list: readonly Item[], breathe: () => Promise<void>): AsyncGenerator<readonly Item[]> {
  for (let from = 0; from < list.length; from += ROWS_A_TURN) {
    yield list.slice(from, from + ROWS_A_TURN);
    await breathe();
  }
}
