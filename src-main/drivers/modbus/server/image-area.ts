/** One area of what our own server serves: a run of registers or bits for each stretch of addresses that the points of a table lie on. */

import { runSteps, type Steps } from '../../../platform/steps.ts';
import { putU16, u16 } from '../../../protocol-kit/bytes.ts';
import type { PointReading } from '../../spi/index.ts';
import { scaledReading } from '../client/answers.ts';
import type { BatchItem } from '../client/planner.ts';
import type { ReadFunction } from '../point-rules.ts';
import { exponentOf } from '../registers/kind-decoder.ts';
import type { WriteIntent } from '../values.ts';

/** A run of addresses that exist, without a gap. */
interface Segment {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** One octet (0 or 1) an address for coils and discrete inputs, two for registers. */
  readonly octets: Uint8Array;
}

/** A point on its addresses; `end` is exclusive. */
export interface PlacedPoint {
  readonly item: BatchItem;
  readonly start: number;
  readonly end: number;
}

/** Addresses; `end` is exclusive. */
type Stretch = Pick<PlacedPoint, 'start' | 'end'>;

/** Points, or segments, that are looked at before other work may get its turn. */
const ITEMS_A_STEP = 500;

/** One area of one unit: coils (1), discrete inputs (2), holding registers (3) or input registers (4), named by the function that reads it. */
export class ImageArea {
  /** Octets an address has: 1 in areas of bits, 2 in areas of registers. */
  readonly width: 1 | 2;
  #points: readonly PlacedPoint[] = [];
  #segments: readonly Segment[] = [];
  /** Most addresses that one of the points covers. */
  #longest = 1;
  /** Points whose scale is another register. */
  #scaled: readonly PlacedPoint[] = [];
  /** The same area of a table that is made aside: what is set here is set there as well. A table that is given up is held by nobody. */
  #next: WeakRef<ImageArea> | null = null;

  constructor(functionCode: ReadFunction) {
    this.width = functionCode <= 2 ? 1 : 2;
  }

  get points(): readonly PlacedPoint[] {
    return this.#points;
  }

  /** Serves these points from now on, in any order. Every address that is still there keeps its octets; new ones are 0. */
  place(points: readonly PlacedPoint[]): void {
    const before = this.#segments;
    runSteps(this.#placed([...points]));
    for (const segment of this.#segments) copyOctets(before, this.width, segment);
  }

  /**
   * The same aside and in steps, quickest where the points ascend by address. Takes over the octets of `before` for every address that is still there, and what is set of
   * them from then on until `before` is let go; new ones are 0.
   */
  *placeBeside(points: readonly PlacedPoint[], before: ImageArea | undefined): Steps<void> {
    yield* this.#placed([...points]);
    if (!before) return;
    before.#next = new WeakRef(this);
    for (const [at, segment] of this.#segments.entries()) {
      if (at % ITEMS_A_STEP === 0) yield;
      copyOctets(before.#segments, this.width, segment);
    }
  }

  /** What is set here is set nowhere else any more. */
  letGo(): void {
    this.#next = null;
  }

  *#placed(points: PlacedPoint[]): Steps<void> {
    points.sort(byPlace);
    const scaled: PlacedPoint[] = [];
    let longest = 1;
    for (const [at, point] of points.entries()) {
      if (at % ITEMS_A_STEP === 0) yield;
      longest = Math.max(longest, point.end - point.start);
      if (point.item.scale !== null) scaled.push(point);
    }
    this.#segments = yield* segmentsOf(scaled.length === 0 ? points : withScales(points, scaled), this.width);
    this.#points = points;
    this.#scaled = scaled;
    this.#longest = longest;
  }

  /** Octets of the addresses, as a view of the image to look at; null when one of them does not exist. */
  view(start: number, quantity: number): Uint8Array | null {
    const segment = this.#holding(start, quantity);
    if (!segment) return null;
    const at = (start - segment.start) * this.width;
    return segment.octets.subarray(at, at + quantity * this.width);
  }

  /** Changes the octets of these addresses; false when one of them does not exist. */
  change(start: number, quantity: number, change: (octets: Uint8Array) => void): boolean {
    const octets = this.view(start, quantity);
    if (!octets) return false;
    change(octets);
    const next = this.#next?.deref();
    if (next) next.#follow(this.#segments, start, start + quantity);
    return true;
  }

  /** Sets the octets of these addresses; false when one of them does not exist. */
  set(start: number, quantity: number, intent: WriteIntent): boolean {
    return this.change(start, quantity, (octets) => apply(octets, intent));
  }

  #follow(segments: readonly Segment[], start: number, end: number): void {
    for (let at = firstBehind(this.#segments, start); ; at++) {
      const segment = this.#segments[at];
      if (!segment || segment.start >= end) return;
      copyOctets(segments, this.width, segment, { start: Math.max(start, segment.start), end: Math.min(end, segment.end) });
    }
  }

  /** The segment that has all of these addresses. */
  #holding(start: number, quantity: number): Segment | null {
    const segment = this.#segments[firstBehind(this.#segments, start)];
    return segment && segment.start <= start && start + quantity <= segment.end ? segment : null;
  }

  /** The value of a point; its raw octets are a copy, because the image goes on changing. */
  read(item: BatchItem, start: number): PointReading {
    const segment = this.#holding(start, item.length);
    const at = segment ? (start - segment.start) * this.width : 0;
    // a view and a copy of it would cost as much as all the rest of a reading
    const octets = segment?.octets.slice(at, at + item.length * this.width) ?? NO_OCTETS;
    const scale = item.scale === null ? null : this.view(item.scale, 1);
    return scale ? scaledReading(item, octets, scale) : item.decoder.value(octets, 0);
  }

  /** Power of ten of a point as its scale register holds it now; 0 where it has none, or one that cannot be read. */
  exponentOf({ scale }: BatchItem): number {
    const octets = scale === null ? null : this.view(scale, 1);
    return octets ? (exponentOf(octets, 0) ?? 0) : 0;
  }

  /** Readings of all points that share an address with the range, by address; behind them those whose scale lies in it. */
  readingsIn(start: number, quantity: number): PointReading[] {
    const readings = this.#readingsAt(start, quantity);
    for (const { item, start: at } of this.#scaled) {
      const { scale } = item;
      const isThere = readings.some(({ pointId }) => pointId === item.pointId);
      if (scale !== null && scale >= start && scale < start + quantity && !isThere) readings.push(this.read(item, at));
    }
    return readings;
  }

  #readingsAt(start: number, quantity: number): PointReading[] {
    const readings: PointReading[] = [];
    for (let at = lowerBound(this.#points, start - this.#longest + 1); ; at++) {
      const point = this.#points[at];
      if (!point || point.start >= start + quantity) return readings;
      if (point.end > start) readings.push(this.read(point.item, point.start));
    }
  }
}

const NO_OCTETS = new Uint8Array(0);

function apply(octets: Uint8Array, intent: WriteIntent): void {
  switch (intent.kind) {
    case 'coil':
      octets[0] = intent.on ? 1 : 0;
      return;
    case 'register':
    case 'registers':
      octets.set(intent.octets);
      return;
    case 'bits': {
      const at = 2 * intent.registerOffset;
      putU16(octets, at, (u16(octets, at) & ~intent.mask) | intent.bits);
      return;
    }
  }
}

/** Copies the octets that the segments have for these addresses of `target`. */
function copyOctets(segments: readonly Segment[], width: 1 | 2, target: Segment, { start, end }: Stretch = target): void {
  for (let at = firstBehind(segments, start); ; at++) {
    const source = segments[at];
    if (!source || source.start >= end) return;
    const from = Math.max(source.start, start);
    const to = Math.min(source.end, end);
    const octets = source.octets.subarray((from - source.start) * width, (to - source.start) * width);
    target.octets.set(octets, (from - target.start) * width);
  }
}

/** By address, and those that begin at the same one in the order of the table. */
function byPlace(a: PlacedPoint, b: PlacedPoint): number {
  return a.start - b.start || a.item.pointId - b.item.pointId;
}

/** Points and the registers with the scale of some of them, ascending: both are addresses that there are. */
function withScales(points: readonly PlacedPoint[], scaled: readonly PlacedPoint[]): Stretch[] {
  const scales = new Set(scaled.flatMap(({ item }) => item.scale ?? []));
  return [...points, ...[...scales].map((scale) => ({ start: scale, end: scale + 1 }))].sort((a, b) => a.start - b.start);
}

function* segmentsOf(points: readonly Stretch[], width: 1 | 2): Steps<Segment[]> {
  const segments: Segment[] = [];
  const close = (start: number, end: number) => segments.push({ start, end, octets: new Uint8Array((end - start) * width) });
  let start = -1;
  let end = -1;
  for (const [at, point] of points.entries()) {
    if (at % ITEMS_A_STEP === 0) yield;
    if (point.start > end) {
      if (start >= 0) close(start, end);
      start = point.start;
    }
    end = Math.max(end, point.end);
  }
  if (start >= 0) close(start, end);
  return segments;
}

/** Index of the first entry that starts at `start` or behind it. */
function lowerBound(entries: readonly { readonly start: number }[], start: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle]?.start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the first segment that ends behind `address`. Segments do not overlap, so they ascend by their end as well. */
function firstBehind(segments: readonly Segment[], address: number): number {
  const at = lowerBound(segments, address + 1);
  const before = segments[at - 1];
  return before && before.end > address ? at - 1 : at;
}
