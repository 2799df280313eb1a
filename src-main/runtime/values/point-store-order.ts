import { FOLD, type PointTexts, type TextSpan } from './point-store-texts.ts';

/** What `bracket` found: how many positions lie before the lower bound, and how many between the bounds. */
export interface Bracket {
  below: number;
  count: number;
}

/**
 * An order of the positions 0 to n - 1, total because equal keys are ordered by position (which is the order of ids).
 */
export interface PositionOrder {
  readonly length: number;
  compare(a: number, b: number): number;
  /**
   * Collects into `out` those of the listed positions (null: of all) that stand from `low` to `high`, both included; -1 is no bound.
   */
  bracket(among: Uint32Array | null, low: number, high: number, out: Uint32Array): Bracket;
}

const SAMPLE = 512;
/** Up to this many positions all are sorted. */
const FEW = 1_024;
/** Multiplier of a sequence that spreads evenly over 32 bits (2^32 / golden ratio). */
const SPREAD = 0x9e37_79b1;

/**
 * The positions that stand at places `start` to `end` (end excluded) of the order, without sorting the rest: a sample gives
 * bounds that nearly always enclose the window, one pass collects what lies between them, and only that is sorted, or narrowed again
 * where it is much. `among` limits the order to some positions, listed upwards.
 */
export function orderedWindow(order: PositionOrder, start: number, end: number, among: Uint32Array | null = null): Uint32Array {
  const n = among?.length ?? order.length;
  const last = Math.min(end, n);
  if (start >= last) return new Uint32Array(0);
  const sample = n <= FEW ? new Uint32Array(0) : sortedBy(order, spreadPositions(n, among));
  const out = new Uint32Array(n);
  for (let width = 3; ; width *= 4) {
    const low = sample[Math.floor((start / n) * SAMPLE - margin(start / n, width))] ?? -1;
    const high = sample[Math.ceil((last / n) * SAMPLE + margin(last / n, width))] ?? -1;
    const { below, count } = order.bracket(among, low, high, out);
    if (below > start || below + count < last) continue;
    const found = out.subarray(0, count);
    if (count > FEW && count < n / 2) return orderedWindow(order, start - below, last - below, found);
    return sortedBy(order, found).slice(start - below, last - below);
  }
}

function spreadPositions(n: number, among: Uint32Array | null): Uint32Array {
  return Uint32Array.from({ length: SAMPLE }, (_, i) => {
    const place = Math.floor(((Math.imul(i + 1, SPREAD) >>> 0) / 2 ** 32) * n);
    return among ? (among[place] ?? 0) : place;
  });
}

function sortedBy(order: PositionOrder, positions: Uint32Array): Uint32Array {
  return positions.sort((a, b) => order.compare(a, b));
}

/** `width` standard deviations of the rank of quantile `q` in the sample, and a little. */
function margin(q: number, width: number): number {
  return width * (Math.sqrt(SAMPLE * q * (1 - q)) + 1);
}

/**
 * The same window at the beginning of an order of numbers, from a key that lately lay a little behind the window: values change slowly
 * from one look at a table to the next. Null when the key tells too little now; the window is then found by sampling.
 */
export function windowUpTo(order: NumberOrder, key: number, start: number, end: number): Uint32Array | null {
  const last = Math.min(end, order.length);
  const out = new Uint32Array(FEW);
  const count = order.collectUpTo(key, out);
  return count < last || count > FEW ? null : sortedBy(order, out.subarray(0, count)).slice(start, last);
}

/** A column of numbers, or some rows of it. */
export interface NumberKeys {
  /** No NaN among them. */
  readonly column: Float64Array | Uint32Array | Uint8Array;
  /** Row of each position; null where they are the same. */
  readonly rows: Uint32Array | null;
  readonly length: number;
}

/** Order of numbers; equal ones by position in either direction. */
export class NumberOrder implements PositionOrder {
  readonly #column: Float64Array | Uint32Array | Uint8Array;
  readonly #rows: Uint32Array | null;
  readonly #direction: 1 | -1;
  readonly length: number;

  constructor(keys: NumberKeys, direction: 1 | -1) {
    this.#column = keys.column;
    this.#rows = keys.rows;
    this.length = keys.length;
    this.#direction = direction;
  }

  /** The number at a position, turned round for a descending order, so that keys always rise. */
  key(at: number): number {
    return this.#direction * (this.#column[this.#rows ? (this.#rows[at] as number) : at] as number);
  }

  compare(a: number, b: number): number {
    const x = this.key(a);
    const y = this.key(b);
    return x < y ? -1 : x > y ? 1 : a - b;
  }

  bracket(among: Uint32Array | null, low: number, high: number, out: Uint32Array): Bracket {
    const lowKey = low < 0 ? Number.NEGATIVE_INFINITY : this.key(low);
    const highKey = high < 0 ? Number.POSITIVE_INFINITY : this.key(high);
    const highAt = high < 0 ? this.length : high;
    const column = this.#column;
    const rows = this.#rows;
    const direction = this.#direction;
    const total = among?.length ?? this.length;
    let below = 0;
    let count = 0;
    for (let i = 0; i < total; i++) {
      const at = among ? (among[i] as number) : i;
      const key = direction * (column[rows ? (rows[at] as number) : at] as number);
      if (key > highKey || (key === highKey && at > highAt)) continue;
      if (key < lowKey || (key === lowKey && at < low)) below += 1;
      else out[count++] = at;
    }
    return { below, count };
  }

  /** Collects the positions up to a key, as many as `out` holds, and answers how many there are; one more than it holds is enough. */
  collectUpTo(limit: number, out: Uint32Array): number {
    const column = this.#column;
    const rows = this.#rows;
    const direction = this.#direction;
    const { length } = this;
    let count = 0;
    for (let at = 0; at < length; at++) {
      if (direction * (column[rows ? (rows[at] as number) : at] as number) > limit) continue;
      if (count > out.length) break;
      out[count++] = at;
    }
    return count;
  }
}

/** Order of codes or names by code point, letter case ignored; equal ones by position in either direction. */
export class TextOrder implements PositionOrder {
  readonly #texts: PointTexts;
  readonly #places: Uint32Array;
  readonly #part: 'code' | 'name';
  readonly #direction: 1 | -1;
  readonly #a: TextSpan = { start: 0, end: 0 };
  readonly #b: TextSpan = { start: 0, end: 0 };

  /** `places`: where the texts of each position lie. */
  constructor(texts: PointTexts, places: Uint32Array, part: 'code' | 'name', direction: 1 | -1) {
    this.#texts = texts;
    this.#places = places;
    this.#part = part;
    this.#direction = direction;
  }

  get length(): number {
    return this.#places.length;
  }

  compare(a: number, b: number): number {
    this.#texts.lowerSpan(this.#places[b] ?? 0, this.#part, this.#b);
    return this.#compareWith(a, this.#b) || a - b;
  }

  bracket(among: Uint32Array | null, low: number, high: number, out: Uint32Array): Bracket {
    const lowSpan = { start: 0, end: 0 };
    const highSpan = { start: 0, end: 0 };
    if (low >= 0) this.#texts.lowerSpan(this.#places[low] ?? 0, this.#part, lowSpan);
    if (high >= 0) this.#texts.lowerSpan(this.#places[high] ?? 0, this.#part, highSpan);
    const total = among?.length ?? this.#places.length;
    let below = 0;
    let count = 0;
    for (let i = 0; i < total; i++) {
      const at = among ? (among[i] as number) : i;
      if (high >= 0 && (this.#compareWith(at, highSpan) || at - high) > 0) continue;
      if (low >= 0 && (this.#compareWith(at, lowSpan) || at - low) < 0) below += 1;
      else out[count++] = at;
    }
    return { below, count };
  }

  #compareWith(position: number, other: TextSpan): number {
    const { octets } = this.#texts;
    const mine = this.#a;
    this.#texts.lowerSpan(this.#places[position] as number, this.#part, mine);
    const length = Math.min(mine.end - mine.start, other.end - other.start);
    for (let i = 0; i < length; i++) {
      const difference = (FOLD[octets[mine.start + i] as number] as number) - (FOLD[octets[other.start + i] as number] as number);
      if (difference !== 0) return difference * this.#direction;
    }
    return (mine.end - mine.start - (other.end - other.start)) * this.#direction;
  }
}
