import { MOST_CAPTURE_COLUMNS, MOST_SERIES_VALUES } from '#shared/contract/simulation.ts';
import { invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { CapturedPlace, CapturedRead, CapturedValue } from '../../drivers/spi/index.ts';
import type { SeriesNumbers } from '../../persistence/repositories.ts';
import { delayColumn, qualityColumn, qualityNumber } from '../../runtime/simulation/series.ts';

const NS = 1_000_000_000;
/** Values that came at one time and cannot stand in one row stand so far from each other. */
const STEP_NS = 1_000n;
/** Rows that are worked off between two questions whether the lines should have their turn. */
const ROWS_A_LOOK = 32;
/** A device may tell a change first without and then with its time. */
const TWIN_NS = 1_000_000_000n;

export interface CapturedSeries {
  readonly numbers: SeriesNumbers;
  readonly places: readonly CapturedPlace[];
  /** Answers and messages with values. */
  readonly reads: number;
}

interface Column {
  readonly place: CapturedPlace;
  readonly at: number;
  /** What it had last, and in which row. */
  last: Cell | null;
  hasQuality: boolean;
  hasDelay: boolean;
}

/** What a column has in each row; NaN: nothing. */
interface Numbers {
  readonly values: Float64Array;
  readonly qualities: Float64Array | null;
  readonly delays: Float64Array | null;
}

interface Cell {
  readonly value: number;
  readonly quality: number;
  readonly rowNs: bigint;
  /** By which its device was ahead of us; null: the value has no time of its own. */
  lagMs: number | null;
  clockSets: number;
}

interface Row {
  readonly timeNs: bigint;
  readonly cells: Map<number, Cell>;
  /** The last one that was put into it, and the number of its read. */
  last: CapturedPlace;
  read: number;
}

/**
 * Values of a conversation as rows over time: a row for each moment that brought something new. Read row by row, and in a row by the order of places, they come in the order in
 * which the device told them; what was told at once in another order gets rows of its own.
 */
export class CapturedRows {
  readonly #columns = new Map<string, Column>();
  readonly #rows: Row[] = [];
  #reads = 0;
  /** Columns of quality and of delay that are needed beside the values. */
  #beside = 0;

  get reads(): number {
    return this.#reads;
  }

  add(read: CapturedRead, timeNs: bigint | null): void {
    this.#reads += 1;
    // without a time of its own it belongs to what was said before
    for (const value of read) this.#put(value, timeNs ?? this.#rows.at(-1)?.timeNs ?? 0n);
  }

  /** The whole of it, a column after the other, with a `breathe` between. Throws `CONFIG_INVALID` where there is nothing. To be asked when all was added. */
  async series(breathe: () => Promise<void>): Promise<CapturedSeries> {
    const first = this.#rows[0]?.timeNs;
    if (first === undefined) throw invalidField('file', say('capture.no_reads'));
    const leads = await this.#leads(breathe);
    const times = this.#empty();
    const ordered = [...this.#columns.values()].sort((a, b) => compare(a.place, b.place));
    const filled: Numbers[] = [];
    for (const { at, hasQuality, hasDelay } of ordered) {
      filled[at] = { values: this.#empty(), qualities: hasQuality ? this.#empty() : null, delays: hasDelay ? this.#empty() : null };
      await breathe();
    }
    for (const [row, { timeNs, cells }] of this.#rows.entries()) {
      times[row] = Number(timeNs - first) / NS;
      for (const [at, { value, quality, lagMs, clockSets }] of cells) {
        const { values, qualities, delays } = filled[at] as Numbers;
        values[row] = value;
        if (qualities) qualities[row] = quality;
        if (delays && lagMs !== null) delays[row] = (lagMs - (leads.get(clockSets) ?? 0)) / 1000;
      }
      if (row % ROWS_A_LOOK === 0) await breathe();
    }
    const columns = ordered.flatMap(({ place: { column }, at }): [string, Float64Array][] => {
      const { values, qualities, delays } = filled[at] as Numbers;
      return [
        [column, values],
        ...(qualities ? [[qualityColumn(column), qualities] as [string, Float64Array]] : []),
        ...(delays?.some((delay) => delay > 0) ? [[delayColumn(column), delays] as [string, Float64Array]] : []),
      ];
    });
    return { numbers: { times, columns: new Map(columns) }, places: ordered.map(({ place }) => place), reads: this.#reads };
  }

  /** A number a row, none of which is there. */
  #empty(): Float64Array {
    return new Float64Array(this.#rows.length).fill(Number.NaN);
  }

  #put({ place, value, flags, deviceMs, clockSets = 0 }: CapturedValue, timeNs: bigint): void {
    const column = this.#columnOf(place);
    const quality = qualityNumber(flags);
    const { last } = column;
    if (last && Object.is(last.value, value) && last.quality === quality) {
      if (deviceMs !== undefined && last.lagMs === null && timeNs - last.rowNs < TWIN_NS) {
        last.lagMs = lagOf(last.rowNs, deviceMs);
        last.clockSets = clockSets;
        this.#needDelay(column);
        this.#requireFitting();
      }
      return;
    }
    const row = this.#rowAt(timeNs, place);
    const lagMs = deviceMs === undefined ? null : lagOf(timeNs, deviceMs);
    const cell: Cell = { value, quality, rowNs: row.timeNs, lagMs, clockSets };
    if (quality !== 0) this.#needQuality(column);
    if (lagMs !== null) this.#needDelay(column);
    column.last = cell;
    row.cells.set(column.at, cell);
    this.#requireFitting();
  }

  #needQuality(column: Column): void {
    if (!column.hasQuality) this.#beside += 1;
    column.hasQuality = true;
  }

  #needDelay(column: Column): void {
    if (!column.hasDelay) this.#beside += 1;
    column.hasDelay = true;
  }

  /** Throws `CONFIG_INVALID` for more than a project can hold. */
  #requireFitting(): void {
    const count = this.#rows.length * (this.#columns.size + this.#beside);
    if (count > MOST_SERIES_VALUES) throw invalidField('file', say('simulation.series_large', { count, most: MOST_SERIES_VALUES }));
  }

  #rowAt(timeNs: bigint, place: CapturedPlace): Row {
    const before = this.#rows.at(-1);
    // times of two directions may cross
    const isLater = !before || timeNs > before.timeNs;
    // bits of one object that two messages told are two changes of it
    const isApart = before && before.read !== this.#reads && isSameAddress(before.last, place);
    if (!isLater && !isApart && compare(before.last, place) < 0) {
      before.last = place;
      before.read = this.#reads;
      return before;
    }
    const row: Row = { timeNs: isLater ? timeNs : before.timeNs + STEP_NS, cells: new Map(), last: place, read: this.#reads };
    this.#rows.push(row);
    return row;
  }

  /**
   * How far the clock of the recorder is ahead of that of the device, in milliseconds, the way of the fastest message included; another number behind each setting
   * of the clock. What remains is how long a value waited before it was told.
   */
  async #leads(breathe: () => Promise<void>): Promise<ReadonlyMap<number, number>> {
    const leads = new Map<number, number>();
    for (const [row, { cells }] of this.#rows.entries()) {
      if (row % ROWS_A_LOOK === 0) await breathe();
      for (const { lagMs, clockSets } of cells.values()) {
        if (lagMs !== null) leads.set(clockSets, Math.min(lagMs, leads.get(clockSets) ?? Number.POSITIVE_INFINITY));
      }
    }
    return leads;
  }

  #columnOf(place: CapturedPlace): Column {
    const known = this.#columns.get(place.column);
    if (known) return known;
    const at = this.#columns.size;
    if (at >= MOST_CAPTURE_COLUMNS) throw invalidField('file', say('capture.many_places', { most: MOST_CAPTURE_COLUMNS }));
    const made: Column = { place, at, last: null, hasQuality: false, hasDelay: false };
    this.#columns.set(place.column, made);
    return made;
  }
}

/** In milliseconds, to the microsecond. */
function lagOf(timeNs: bigint, deviceMs: number): number {
  return Number(timeNs / STEP_NS - BigInt(deviceMs) * 1_000n) / 1_000;
}

function isSameAddress({ point: a }: CapturedPlace, { point: b }: CapturedPlace): boolean {
  return a.slave_id === b.slave_id && a.address === b.address;
}

function compare(first: CapturedPlace, second: CapturedPlace): number {
  const [a, b] = [first.point, second.point];
  const byAddress =
    a.slave_id - b.slave_id || (a.func_code ?? 0) - (b.func_code ?? 0) || a.address - b.address || (a.bit ?? 0) - (b.bit ?? 0);
  return byAddress || first.column.localeCompare(second.column, 'en', { numeric: true });
}
