import { runSteps, type Steps } from '../../../platform/steps.ts';
import type { PointConfig, PointFailure, ReadBatch } from '../../spi/index.ts';
import type { OctetItem } from '../../spi/octet-readings.ts';
import type { ReadFunction } from '../point-rules.ts';
import { compileDecoder } from '../values.ts';
import type { LearnedAreas } from './learned-area.ts';
import { areaSteps, type Placed, placeSteps, type ReadArea } from './planner-places.ts';
import { cheapestRequests, FEWEST_REQUESTS, type RequestCost, type Requests, type Stretch } from './planner-requests.ts';
import { inOrder, isWithin, reachesOf } from './planner-scales.ts';

/** A point in a request: `offset` addresses after its start, `length` addresses long. */
export interface BatchItem extends OctetItem {
  readonly pointId: number;
  readonly point: PointConfig;
  readonly length: number;
  /** Address of the scale register of the point; null: it has none. Where the request has it as well, the decoder reads it. */
  readonly scale: number | null;
}

/** One read request (functions 1 to 4). Items ascend by address; with those of their scale registers that it has they span exactly `start` to `start + quantity`. */
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
 * on the same registers agree), and a point and its scale register do where they may, unless such a chain is longer than the limit; learnt holes are not touched and learnt boundaries not crossed.
 * Under these rules no plan costs less: by default none has fewer requests, and on a serial line none takes less line time.
 */
export function* planSteps(points: readonly PointConfig[], options: BatchPlanOptions): Steps<BatchPlan> {
  const { placed, excluded } = yield* placeSteps(points, options.addressBase);
  if (options.mode === 'single') return { batches: placed.map((each) => alone(each, options)), excluded };
  const batches: ModbusBatch[] = [];
  for (const area of yield* areaSteps(placed, options.learned ?? null, excluded)) {
    yield;
    for (const batch of batchesOf(area, options)) batches.push(batch);
  }
  return { batches, excluded };
}

/** The requests of one area with their points. */
function batchesOf(area: ReadArea, options: AreaOptions): ModbusBatch[] {
  const { slaveId, functionCode } = area;
  const { stretches, requestOf } = requestsOf(area, options);
  const lists = stretches.map(() => ({ items: [] as BatchItem[], pointIds: [] as number[] }));
  let index = 0;
  for (const placed of area.points) {
    const at = requestOf[index++] ?? 0;
    const list = lists[at];
    list?.items.push(itemOf(placed, stretches[at] ?? placed));
    list?.pointIds.push(placed.point.id);
  }
  return stretches.map(({ start, end }, at): ModbusBatch => {
    const { items, pointIds } = lists[at] ?? { items: [], pointIds: [] };
    return { slaveId, functionCode, start, quantity: end - start, items, pointIds };
  });
}

/** The same at once. */
export function planBatches(points: readonly PointConfig[], options: BatchPlanOptions): BatchPlan {
  return runSteps(planSteps(points, options));
}

/** The requests of one area. */
export function requestsOf(area: ReadArea, options: AreaOptions): Requests {
  const { cost = FEWEST_REQUESTS, maxGap } = options;
  const isBits = area.functionCode <= 2;
  const limit = limitOf(area, options);
  const { perOctet } = cost;
  const rules = { cuts: area.cuts, maxGap, limit, isBits, perRequest: cost.perRequest(area.slaveId), perOctet };
  const reaches = reachesOf(area, { maxGap, limit });
  return reaches ? inOrder(reaches, (ascending) => cheapestRequests(ascending, rules)) : cheapestRequests(area.points, rules);
}

/** Most addresses of one request. */
export function limitOf(
  { functionCode }: Pick<ReadArea, 'functionCode'>,
  { limits = STANDARD_LIMITS }: Pick<AreaOptions, 'limits'>,
): number {
  return functionCode <= 2 ? limits.bits : limits.registers;
}

/** A point in the request that reads the stretch. */
function itemOf({ point, start, end, decoder, scale }: Omit<Placed, 'slaveId' | 'functionCode'>, request: Stretch): BatchItem {
  const isScaled = scale !== null && isWithin(scale, request);
  return {
    pointId: point.id,
    point,
    offset: start - request.start,
    length: end - start,
    decoder: isScaled ? compileDecoder(point, 2 * (scale - start)) : decoder,
    scale,
  };
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

/** The request of one point, with its scale register where that is no further away than a gap may be. */
function alone(placed: Placed, options: AreaOptions): ModbusBatch {
  const { point, slaveId, functionCode } = placed;
  const request = reachAlone(placed, options);
  const items = [itemOf(placed, request)];
  return { slaveId, functionCode, start: request.start, quantity: request.end - request.start, items, pointIds: [point.id] };
}

/** The addresses of the request of one point. */
export function reachAlone(placed: Placed, options: AreaOptions): Stretch {
  const area = { ...placed, points: [placed], cuts: [] };
  return reachesOf(area, { maxGap: options.maxGap, limit: limitOf(placed, options) })?.[0] ?? placed;
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
  const start = batch.start + (items[0]?.offset ?? 0);
  const end = items.reduce((last, item) => Math.max(last, batch.start + item.offset + item.length), 0);
  const moved = items.map((item) => movedItem(item, batch.start + item.offset, { start, end }));
  return { ...batch, start, quantity: end - start, items: moved, pointIds: moved.map((item) => item.pointId) };
}

function movedItem(item: BatchItem, start: number, request: Stretch): BatchItem {
  if (item.scale === null) return { ...item, offset: start - request.start };
  return itemOf({ ...item, start, end: start + item.length, decoder: compileDecoder(item.point) }, request);
}

/** The request without the scale registers that lie beside its points; null where there are none. */
export function withoutScales(batch: ModbusBatch): ModbusBatch | null {
  const bare = rebase(batch, batch.items);
  return bare.quantity < batch.quantity ? bare : null;
}
