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
  /** Collects into `out` the positions from `low` to `high`, both included; -1 is no bound. */
  bracket(low: number, high: number, out: Uint32Array): Bracket;
}

const SAMPLE = 512;
/** Below this many positions all are sorted. */
const FEW = 1_024;
/** Multiplier of a sequence that spreads evenly over 32 bits (2^32 / golden ratio). */
const SPREAD = 0x9e37_79b1;

/**
 * The positions that stand at places `start` to `end` (end excluded) of the order, without sorting the rest: a sample gives
 * bounds that nearly always enclose the window, one pass collects what lies between them, and only that is sorted.
 */
export function orderedWindow(order: PositionOrder, start: number, end: number): Uint32Array {
  const n = order.length;
  const last = Math.min(end, n);
  if (start >= last) return new Uint32Array(0);
  const compare = (a: number, b: number) => order.compare(a, b);
  const out = new Uint32Array(n);
  const sample = n <= FEW ? [] : Array.from({ length: SAMPLE }, (_, i) => Math.floor(((Math.imul(i + 1, SPREAD) >>> 0) / 2 ** 32) * n));
  sample.sort(compare);
  for (let width = 3; ; width *= 4) {
    const low = sample[Math.floor((start / n) * SAMPLE - margin(start / n, width))] ?? -1;
    const high = sample[Math.ceil((last / n) * SAMPLE + margin(last / n, width))] ?? -1;
    const { below, count } = order.bracket(low, high, out);
    if (below > start || below + count < last) continue;
    return out
      .subarray(0, count)
      .sort(compare)
      .slice(start - below, last - below);
  }
}

/** `width` standard deviations of the rank of quantile `q` in the sample, and a little. */
function margin(q: number, width: number): number {
  return width * (Math.sqrt(SAMPLE * q * (1 - q)) + 1);
}

/** Ascending order of numbers. */
export class NumberOrder implements PositionOrder {
  readonly #keys: Float64Array;

  /** `keys`: one for each position; no NaN. */
  constructor(keys: Float64Array) {
    this.#keys = keys;
  }

  get length(): number {
    return this.#keys.length;
  }

  compare(a: number, b: number): number {
    const x = this.#keys[a] as number;
    const y = this.#keys[b] as number;
    return x < y ? -1 : x > y ? 1 : a - b;
  }

  bracket(low: number, high: number, out: Uint32Array): Bracket {
    const keys = this.#keys;
    const lowKey = low < 0 ? Number.NEGATIVE_INFINITY : (keys[low] as number);
    const highKey = high < 0 ? Number.POSITIVE_INFINITY : (keys[high] as number);
    const highAt = high < 0 ? keys.length : high;
    let below = 0;
    let count = 0;
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at] as number;
      if (key > highKey || (key === highKey && at > highAt)) continue;
      if (key < lowKey || (key === lowKey && at < low)) below += 1;
      else out[count++] = at;
    }
    return { below, count };
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

  bracket(low: number, high: number, out: Uint32Array): Bracket {
    const lowSpan = { start: 0, end: 0 };
    const highSpan = { start: 0, end: 0 };
    if (low >= 0) this.#texts.lowerSpan(this.#places[low] ?? 0, this.#part, lowSpan);
    if (high >= 0) this.#texts.lowerSpan(this.#places[high] ?? 0, this.#part, highSpan);
    let below = 0;
    let count = 0;
    for (let at = 0; at < this.#places.length; at++) {
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
