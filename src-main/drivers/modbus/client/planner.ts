import { runSteps, type Steps } from '../../../platform/steps.ts';
import type { PointConfig, PointFailure, ReadBatch } from '../../spi/index.ts';
import type { OctetItem } from '../../spi/octet-readings.ts';
import type { ReadFunction } from '../point-rules.ts';
import type { LearnedAreas } from './learned-area.ts';
import { areaSteps, type Placed, placeSteps, type ReadArea } from './planner-places.ts';
import { cheapestRequests, FEWEST_REQUESTS, type RequestCost, type Requests } from './planner-requests.ts';

/** A point in a request: `offset` addresses after its start, `length` addresses long. */
export interface BatchItem extends OctetItem {
  readonly pointId: number;
  readonly point: PointConfig;
  readonly length: number;
}

/** One read request (functions 1 to 4). Items ascend by address; together they span exactly `start` to `start + quantity`. */
export interface ModbusBatch extends ReadBatch {
  readonly slaveId: number;
  readonly functionCode: ReadFunction;
  readonly start: number;
  readonly quantity: number;
  readonly items: readonly BatchItem[];
}

export interface BatchPlanOptions {
  /** Addresses without a point that a request may read across; 0 is strictly contiguous. */
  readonly maxGap: number;
  /** Subtracted from a point's address to get the address on the wire. */
  readonly addressBase: number;
  /** `single` makes one request a point in the given order. */
  readonly mode: 'batch' | 'single';
  /** Most addresses in one request; MODBUS Application Protocol V1.1b3, 6.1 to 6.4 by default. */
  readonly limits?: { readonly registers: number; readonly bits: number };
  /** Holes and boundaries to leave out; only `batch` mode looks at them. */
  readonly learned?: LearnedAreas | null;
  /** What requests cost; as few of them as possible by default. */
  readonly cost?: RequestCost;
}

export interface BatchPlan {
  readonly batches: ModbusBatch[];
  readonly excluded: PointFailure[];
}

interface AreaOptions {
  readonly maxGap: number;
  readonly limits?: BatchPlanOptions['limits'];
  readonly cost?: RequestCost | undefined;
}

const STANDARD_LIMITS = { registers: 125, bits: 2000 };

/**
 * Plans the requests that read the points. Pure and deterministic.
 *
 * Each point is in exactly one request or in `excluded`; no request is over its limit; no address is asked that has no point of this
 * plan, except runs of at most `maxGap` between two points; points that share addresses share their request (so that views
 * on the same registers agree) unless such a chain is longer than the limit; learnt holes are not touched and learnt boundaries not crossed.
 * Under these rules no plan costs less: by default none has fewer requests, and on a serial line none takes less line time.
 */
export function* planSteps(points: readonly PointConfig[], options: BatchPlanOptions): Steps<BatchPlan> {
  const { placed, excluded } = yield* placeSteps(points, options.addressBase);
  if (options.mode === 'single') return { batches: placed.map(alone), excluded };
  const batches: ModbusBatch[] = [];
  for (const area of yield* areaSteps(placed, options.learned ?? null, excluded)) {
    yield;
    const { slaveId, functionCode } = area;
    const { stretches, requestOf } = requestsOf(area, options);
    const lists = stretches.map(({ start, end }) => {
      const [items, pointIds]: [BatchItem[], number[]] = [[], []];
      batches.push({ slaveId, functionCode, start, quantity: end - start, items, pointIds });
      return { start, items, pointIds };
    });
    for (const [index, { point, start, end, decoder }] of area.points.entries()) {
      const list = lists[requestOf[index] ?? 0];
      list?.items.push({ pointId: point.id, point, offset: start - list.start, length: end - start, decoder });
      list?.pointIds.push(point.id);
    }
  }
  return { batches, excluded };
}

/** The same at once. */
export function planBatches(points: readonly PointConfig[], options: BatchPlanOptions): BatchPlan {
  return runSteps(planSteps(points, options));
}

/** Addresses that one request may ask for. */
export function mostAddresses(functionCode: ReadFunction, limits: NonNullable<BatchPlanOptions['limits']> = STANDARD_LIMITS): number {
  return functionCode <= 2 ? limits.bits : limits.registers;
}

/** The requests of one area. */
export function requestsOf(area: ReadArea, options: AreaOptions): Requests {
  const { limits, cost = FEWEST_REQUESTS, maxGap } = options;
  const isBits = area.functionCode <= 2;
  const limit = mostAddresses(area.functionCode, limits);
  const { perOctet } = cost;
  return cheapestRequests(area.points, { cuts: area.cuts, maxGap, limit, isBits, perRequest: cost.perRequest(area.slaveId), perOctet });
}

/**
 * The two halves of a refused batch, cut at a point boundary as near the middle of its points as possible; no point is ever
 * cut. Points on exactly the same addresses stay together, so a batch whose points all are cannot be split: empty then.
 */
export function splitBatch(batch: ModbusBatch): ModbusBatch[] {
  const { items } = batch;
  const cutAt = middleCut(items, (a, b) => a.offset !== b.offset) ?? middleCut(items, (a, b) => a.length !== b.length);
  if (cutAt === undefined) return [];
  return [rebase(batch, items.slice(0, cutAt)), rebase(batch, items.slice(cutAt))];
}

/** The request of one point. */
function alone({ point, slaveId, functionCode, start, end, decoder }: Placed): ModbusBatch {
  const length = end - start;
  const items = [{ pointId: point.id, point, offset: 0, length, decoder }];
  return { slaveId, functionCode, start, quantity: length, items, pointIds: [point.id] };
}

/** Index nearest the middle where two neighbouring items differ. */
function middleCut(items: readonly BatchItem[], differ: (a: BatchItem, b: BatchItem) => boolean): number | undefined {
  const isCut = (index: number) => {
    const [before, after] = [items[index - 1], items[index]];
    return before !== undefined && after !== undefined && differ(before, after);
  };
  const middle = items.length >> 1;
  for (let distance = 0; distance <= items.length; distance += 1) {
    if (isCut(middle - distance)) return middle - distance;
    if (isCut(middle + distance)) return middle + distance;
  }
  return undefined;
}

function rebase(batch: ModbusBatch, items: readonly BatchItem[]): ModbusBatch {
  const shift = items[0]?.offset ?? 0;
  const moved = items.map((item) => ({ ...item, offset: item.offset - shift }));
  const quantity = moved.reduce((end, item) => Math.max(end, item.offset + item.length), 0);
  return { ...batch, start: batch.start + shift, quantity, items: moved, pointIds: moved.map((item) => item.pointId) };
}
