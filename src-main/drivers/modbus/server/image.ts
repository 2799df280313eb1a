/**
 * What our own server serves: a register image for each unit, in the four areas of the standard (V1.1b3, 4.4). Points are views on
 * it: points that share addresses change together, and an address without a point does not exist.
 */

import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { putU16, u16 } from '../../../protocol-kit/bytes.ts';
import type { PointConfig, PointReading, PointsEdit } from '../../spi/index.ts';
import { scaledReading } from '../client/answers.ts';
import { type BatchItem, type ModbusBatch, planBatches } from '../client/planner.ts';
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

interface PlacedPoint {
  readonly item: BatchItem;
  readonly start: number;
  readonly end: number;
}

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

  constructor(functionCode: ReadFunction) {
    this.width = functionCode <= 2 ? 1 : 2;
  }

  get points(): readonly PlacedPoint[] {
    return this.#points;
  }

  /** Serves these points from now on. Takes over the octets of `before` for every address that is still there; new ones are 0. */
  place(points: PlacedPoint[], before: ImageArea | undefined): void {
    const old = before ? before.#segments : null;
    this.#points = points.sort((a, b) => a.start - b.start);
    const scales = this.#points.filter(({ item }) => item.scale !== null);
    this.#scaled = scales;
    this.#segments = segmentsOf(scales.length === 0 ? this.#points : withScales(this.#points, scales), this.width);
    this.#longest = this.#points.reduce((most, { start, end }) => Math.max(most, end - start), 1);
    if (old) for (const segment of this.#segments) copyOctets(old, this.width, segment);
  }

  /** Octets of the addresses, as a view of the image; null when one of them does not exist. */
  view(start: number, quantity: number): Uint8Array | null {
    const segment = this.#holding(start, quantity);
    if (!segment) return null;
    const at = (start - segment.start) * this.width;
    return segment.octets.subarray(at, at + quantity * this.width);
  }

  /** Sets the octets of these addresses; false when one of them does not exist. */
  set(start: number, quantity: number, intent: WriteIntent): boolean {
    const segment = this.#holding(start, quantity);
    if (segment) apply(segment.octets, (start - segment.start) * this.width, intent);
    return segment !== null;
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

interface Place {
  readonly unitId: number;
  readonly functionCode: ReadFunction;
  readonly area: ImageArea;
  readonly item: BatchItem;
  readonly start: number;
}

export class RegisterImage {
  #units = new Map<number, Map<ReadFunction, ImageArea>>();
  #places = new Map<number, Place>();
  #failures = new Map<number, AppError>();

  /** Serves these points from now on; addresses that stay keep their octets. `addressBase` as in the channel settings. */
  update(points: readonly PointConfig[], addressBase: number): void {
    const { batches, excluded } = planBatches(points, { mode: 'single', maxGap: 0, addressBase });
    const groups = groupByArea(batches);
    const before = this.#units;
    this.#units = new Map();
    this.#places = new Map();
    this.#failures = new Map(excluded.map((failure) => [failure.pointId, failure.error]));
    for (const [slaveId, unit] of groups) {
      const areas = new Map<ReadFunction, ImageArea>();
      for (const [functionCode, placed] of unit) {
        const area = new ImageArea(functionCode);
        area.place(placed, before.get(slaveId)?.get(functionCode));
        areas.set(functionCode, area);
        this.#note(slaveId, functionCode, area, placed);
      }
      this.#units.set(slaveId, areas);
    }
  }

  /** As `update`, for a few points of a large table: only the areas they lie in are made anew. */
  edit({ before, after }: PointsEdit, addressBase: number): void {
    const leaving = new Set(before.map(({ id }) => id));
    const touched = new Map<ImageArea, Place>();
    for (const id of leaving) {
      const place = this.#places.get(id);
      if (place) touched.set(place.area, place);
      this.#places.delete(id);
      this.#failures.delete(id);
    }
    const { batches, excluded } = planBatches(after, { mode: 'single', maxGap: 0, addressBase });
    for (const failure of excluded) this.#failures.set(failure.pointId, failure.error);
    const coming = groupByArea(batches);
    for (const [unitId, areas] of coming) {
      for (const [functionCode, placed] of areas) {
        const area = this.#areaOf(unitId, functionCode);
        touched.delete(area);
        area.place([...area.points.filter(({ item }) => !leaving.has(item.pointId)), ...placed], area);
        this.#note(unitId, functionCode, area, placed);
      }
    }
    for (const [area, place] of touched) {
      area.place(
        area.points.filter(({ item }) => !leaving.has(item.pointId)),
        area,
      );
      if (area.points.length === 0) this.#drop(place);
    }
  }

  #areaOf(unitId: number, functionCode: ReadFunction): ImageArea {
    const areas = this.#units.get(unitId) ?? new Map<ReadFunction, ImageArea>();
    this.#units.set(unitId, areas);
    const area = areas.get(functionCode) ?? new ImageArea(functionCode);
    areas.set(functionCode, area);
    return area;
  }

  #drop({ unitId, functionCode }: Place): void {
    const areas = this.#units.get(unitId);
    areas?.delete(functionCode);
    if (areas?.size === 0) this.#units.delete(unitId);
  }

  #note(unitId: number, functionCode: ReadFunction, area: ImageArea, placed: readonly PlacedPoint[]): void {
    for (const { item, start } of placed) this.#places.set(item.pointId, { unitId, functionCode, area, item, start });
  }

  /** The areas of all units, for what is sent to all of them. */
  units(): Iterable<readonly [unitId: number, areas: ReadonlyMap<ReadFunction, ImageArea>]> {
    return this.#units;
  }

  /** Puts back what points served before; octets that do not fill their point, because it was edited meanwhile, are left out. */
  restore(octetsOf: (pointId: number) => Uint8Array | null): void {
    for (const [pointId, { area, item, start }] of this.#places) {
      const octets = octetsOf(pointId);
      const view = octets && area.view(start, item.length);
      if (octets && view?.length === octets.length) view.set(octets);
    }
  }

  /** The areas of a unit; undefined when no point has this unit id. */
  unit(unitId: number): ReadonlyMap<ReadFunction, ImageArea> | undefined {
    return this.#units.get(unitId);
  }

  /** The point as it is served now. Undefined for a point that is not in the table. */
  read(pointId: number): PointReading | undefined {
    const place = this.#places.get(pointId);
    if (place) return place.area.read(place.item, place.start);
    const error = this.#failures.get(pointId);
    return error && { kind: 'failure', pointId, error };
  }

  /**
   * Sets what a point serves, by what to write with the power of ten that its scale register holds; returns the readings of all points that share its addresses. Throws the reason when the point cannot be
   * served, e.g. CONFIG_RANGE for its address.
   */
  write(point: PointConfig, intentOf: (exponent: number) => WriteIntent): PointReading[] {
    const place = this.#places.get(point.id);
    const isSet = place?.area.set(place.start, place.item.length, intentOf(place.area.exponentOf(place.item)));
    if (!place || !isSet) throw this.#failures.get(point.id) ?? new AppError('INTERNAL', say('modbus.not_served', { point: point.code }));
    return place.area.readingsIn(place.start, place.item.length);
  }
}

/** Points of one-point batches by unit and area. */
function groupByArea(batches: readonly ModbusBatch[]): Map<number, Map<ReadFunction, PlacedPoint[]>> {
  const groups = new Map<number, Map<ReadFunction, PlacedPoint[]>>();
  for (const { slaveId, functionCode, start, items } of batches) {
    const unit = groups.get(slaveId) ?? new Map<ReadFunction, PlacedPoint[]>();
    groups.set(slaveId, unit);
    // a request may begin with the scale register of its point
    const placed = items.map((item) => ({ item, start: start + item.offset, end: start + item.offset + item.length }));
    const area = unit.get(functionCode);
    if (area) area.push(...placed);
    else unit.set(functionCode, placed);
  }
  return groups;
}

function apply(octets: Uint8Array, from: number, intent: WriteIntent): void {
  switch (intent.kind) {
    case 'coil':
      octets[from] = intent.on ? 1 : 0;
      return;
    case 'register':
    case 'registers':
      octets.set(intent.octets, from);
      return;
    case 'bits': {
      const at = from + 2 * intent.registerOffset;
      putU16(octets, at, (u16(octets, at) & ~intent.mask) | intent.bits);
      return;
    }
  }
}

/** Copies the octets that the segments have for the addresses of `target`. */
function copyOctets(segments: readonly Segment[], width: 1 | 2, target: Segment): void {
  for (let at = firstBehind(segments, target.start); ; at++) {
    const source = segments[at];
    if (!source || source.start >= target.end) return;
    const from = Math.max(source.start, target.start);
    const to = Math.min(source.end, target.end);
    const octets = source.octets.subarray((from - source.start) * width, (to - source.start) * width);
    target.octets.set(octets, (from - target.start) * width);
  }
}

/** Points and the registers with the scale of some of them, ascending: both are addresses that there are. */
function withScales(points: readonly PlacedPoint[], scaled: readonly PlacedPoint[]): Pick<PlacedPoint, 'start' | 'end'>[] {
  const scales = new Set(scaled.flatMap(({ item }) => item.scale ?? []));
  return [...points, ...[...scales].map((scale) => ({ start: scale, end: scale + 1 }))].sort((a, b) => a.start - b.start);
}

function segmentsOf(points: readonly Pick<PlacedPoint, 'start' | 'end'>[], width: 1 | 2): Segment[] {
  const segments: Segment[] = [];
  const close = (start: number, end: number) => segments.push({ start, end, octets: new Uint8Array((end - start) * width) });
  let start = -1;
  let end = -1;
  for (const point of points) {
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
