import type { Steps } from '../../../platform/steps.ts';
import type { PointConfig } from '../../spi/index.ts';
import { OctetReadings } from '../../spi/octet-readings.ts';
import type { ReadRange } from '../client/answers.ts';
import { unpackBits } from '../client/answers.ts';
import { type Placed, placeSteps } from '../client/planner-places.ts';
import type { ReadFunction } from '../codec/request.ts';
import { compileDecoder } from '../values.ts';

/** Points of one unit by the function that reads them, ascending by their first address. */
type UnitPoints = ReadonlyMap<ReadFunction, readonly Placed[]>;

const NO_POINTS: readonly Placed[] = [];
/** Steps of placing at once, 500 points each: some milliseconds. */
const STEPS_AT_ONCE = 8;
/** Registers of the longest point. */
const LONGEST = 128;

/** Which points of the table an answer covers. What is needed of a unit is made when the unit is first heard, a large table over several frames. */
export class CoveredPoints {
  readonly #addressBase: number;
  #byUnit = new Map<number, PointConfig[]>();
  #placed = new Map<number, UnitPoints>();
  readonly #placing = new Map<number, Steps<UnitPoints>>();

  constructor(addressBase: number) {
    this.#addressBase = addressBase;
  }

  set(points: readonly PointConfig[]): void {
    this.#placed = new Map();
    this.#placing.clear();
    this.#byUnit = new Map();
    for (const point of points) {
      const unit = this.#byUnit.get(point.slave_id);
      if (unit) unit.push(point);
      else this.#byUnit.set(point.slave_id, [point]);
    }
  }

  /** True when it is known which points of a unit lie where; else works on it for a moment. The master reads again what is heard meanwhile. */
  isReady(unitId: number): boolean {
    const points = this.#byUnit.get(unitId);
    // units without a point are not kept: a noisy line names many
    if (!points || this.#placed.has(unitId)) return true;
    const steps = this.#placing.get(unitId) ?? placeUnit(points, this.#addressBase);
    for (let step = 0; step < STEPS_AT_ONCE; step++) {
      const { done, value } = steps.next();
      if (!done) continue;
      this.#placing.delete(unitId);
      this.#placed.set(unitId, value);
      return true;
    }
    this.#placing.set(unitId, steps);
    return false;
  }

  /** True where a point of the table has this address. Of a unit that `isReady`. */
  has(unitId: number, area: ReadFunction, address: number): boolean {
    const placed = this.#of(unitId, area);
    for (let at = before(placed, address - LONGEST); at < placed.length; at++) {
      const { start, end } = placed[at] as Placed;
      if (start > address) return false;
      if (address < end) return true;
    }
    return false;
  }

  /** The points that lie whole in what was asked. Of a unit that `isReady`. */
  pointIds({ slaveId, functionCode, start, quantity }: ReadRange): number[] {
    const placed = this.#of(slaveId, functionCode);
    const ids: number[] = [];
    for (let at = before(placed, start); at < placed.length; at++) {
      const point = placed[at] as Placed;
      if (point.start >= start + quantity) break;
      if (point.end <= start + quantity) ids.push(point.point.id);
    }
    return ids;
  }

  /** Readings of the points that an answer covers whole, with the scale register of those that have one. Of a unit that `isReady`. */
  readings({ slaveId, functionCode, start, quantity }: ReadRange, data: Uint8Array): OctetReadings {
    const placed = this.#of(slaveId, functionCode);
    const end = start + quantity;
    const [ids, items]: [number[], { offset: number; decoder: Placed['decoder'] }[]] = [[], []];
    for (let at = before(placed, start); at < placed.length; at++) {
      const point = placed[at] as Placed;
      if (point.start >= end) break;
      if (point.end > end) continue;
      const { scale } = point;
      // the scale of a value is that of the same answer, or not known
      if (scale !== null && (scale < start || scale >= end)) continue;
      ids.push(point.point.id);
      const decoder = scale === null ? point.decoder : compileDecoder(point.point, 2 * (scale - point.start));
      items.push({ offset: point.start - start, decoder });
    }
    const isBits = functionCode <= 2;
    return new OctetReadings(ids, items, isBits ? unpackBits(data, quantity) : data.slice(), isBits ? 1 : 2);
  }

  #of(unitId: number, area: ReadFunction): readonly Placed[] {
    return this.#placed.get(unitId)?.get(area) ?? NO_POINTS;
  }
}

function* placeUnit(points: readonly PointConfig[], addressBase: number): Steps<UnitPoints> {
  const areas = new Map<ReadFunction, Placed[]>();
  const { placed } = yield* placeSteps(points, addressBase);
  for (const place of placed) {
    const area = areas.get(place.functionCode);
    if (area) area.push(place);
    else areas.set(place.functionCode, [place]);
  }
  for (const area of areas.values()) area.sort((a, b) => a.start - b.start);
  return areas;
}

/** Index of the first one that begins at `address` or behind it. */
function before(placed: readonly Placed[], address: number): number {
  let [low, high] = [0, placed.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((placed[middle] as Placed).start < address) low = middle + 1;
    else high = middle;
  }
  return low;
}
