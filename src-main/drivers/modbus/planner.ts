import { AppError, toAppError } from '#shared/domain/errors.ts';
import type { PointConfig, PointFailure, ReadBatch } from '../spi.ts';
import type { LearnedAddresses, LearnedArea } from './holes.ts';
import { HIGHEST_ADDRESS, type ReadFunction, readFunction, registerCount } from './point-rules.ts';
import { compileDecoder, type PointDecoder } from './values.ts';

/** A point in a request: `offset` addresses after its start, `length` addresses long. */
export interface BatchItem {
  readonly pointId: number;
  readonly point: PointConfig;
  readonly offset: number;
  readonly length: number;
  /** Prepared once for the life of the plan. */
  readonly decode: PointDecoder;
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
  readonly learned?: Pick<LearnedAddresses, 'area'> | null;
}

/** A point with its place on the wire. `end` is exclusive. */
interface Placed {
  readonly point: PointConfig;
  readonly slaveId: number;
  readonly functionCode: ReadFunction;
  readonly start: number;
  readonly end: number;
  readonly decode: PointDecoder;
}

/** Points that go into one request together because they share addresses: `from` to `to` (exclusive) of their group. */
interface Cluster {
  readonly start: number;
  end: number;
  readonly from: number;
  to: number;
}

const STANDARD_LIMITS = { registers: 125, bits: 2000 };

/**
 * Plans the requests that read the points. Pure and deterministic.
 *
 * Each point is in exactly one request or in `excluded`; no request is over its limit; no address is asked that has no point of this
 * plan, except runs of at most `maxGap` between two points; points that share addresses share their request (so that views
 * on the same registers agree) unless such a chain is longer than the limit; learnt holes are not touched and learnt boundaries not crossed.
 * Under these rules the number of requests is the least possible: on TCP a request costs the same whatever its length. A serial line
 * adds the line time of octets read across gaps to that cost.
 */
export function planBatches(
  points: readonly PointConfig[],
  options: BatchPlanOptions,
): { batches: ModbusBatch[]; excluded: PointFailure[] } {
  const excluded: PointFailure[] = [];
  const placed: Placed[] = [];
  for (const point of points) {
    const place = placeOf(point, options.addressBase);
    if (place instanceof AppError) excluded.push({ kind: 'failure', pointId: point.id, error: place });
    else placed.push(place);
  }
  if (options.mode === 'single') return { batches: placed.map((item) => toBatch([item])), excluded };

  const limits = options.limits ?? STANDARD_LIMITS;
  const batches: ModbusBatch[] = [];
  for (const group of groupByArea(placed)) {
    const [first] = group;
    if (!first) continue;
    const learned = options.learned?.area(first.slaveId, first.functionCode);
    const readable = learned && learned.holes.length > 0 ? leaveOutHoles(group, learned, excluded) : group;
    const cuts = learned ? cutsOf(learned) : [];
    const limit = first.functionCode <= 2 ? limits.bits : limits.registers;
    planArea(readable, cuts, options.maxGap, limit, batches);
  }
  return { batches, excluded };
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

function placeOf(point: PointConfig, addressBase: number): Placed | AppError {
  const start = point.address - addressBase;
  const length = registerCount(point);
  const end = start + length;
  if (start < 0 || end > HIGHEST_ADDRESS + 1) {
    const last = addressBase + HIGHEST_ADDRESS + 1 - length;
    const asked = `Address ${point.address} is outside what Modbus can ask with address_base ${addressBase}`;
    return new AppError('CONFIG_RANGE', `${asked}: it must be ${addressBase} to ${last}.`);
  }
  try {
    return { point, slaveId: point.slaveId, functionCode: readFunction(point), start, end, decode: compileDecoder(point) };
  } catch (error) {
    return toAppError(error);
  }
}

/** Groups by unit and function, each ascending by address, length and given order. Sorted by one number each, which is what makes it fast. */
function groupByArea(placed: readonly Placed[]): Placed[][] {
  const width = placed.length + 1;
  const keys = new Float64Array(placed.length);
  placed.forEach((item, index) => {
    const place = (item.slaveId * 5 + item.functionCode) * (HIGHEST_ADDRESS + 1) + item.start;
    keys[index] = (place * 4 + item.end - item.start - 1) * width + index;
  });
  keys.sort();
  const groups: Placed[][] = [];
  let current: Placed[] = [];
  for (const key of keys) {
    const item = placed[key % width];
    if (!item) continue;
    const [first] = current;
    if (first && (first.slaveId !== item.slaveId || first.functionCode !== item.functionCode)) {
      groups.push(current);
      current = [];
    }
    current.push(item);
  }
  if (current.length > 0) groups.push(current);
  return groups;
}

function leaveOutHoles(group: readonly Placed[], learned: LearnedArea, excluded: PointFailure[]): Placed[] {
  const lengths = new Map<number, number>();
  for (const hole of learned.holes) lengths.set(hole.start, Math.min(lengths.get(hole.start) ?? hole.length, hole.length));
  return group.filter((item) => {
    for (let address = item.start; address < item.end; address += 1) {
      const length = lengths.get(address);
      if (length === undefined || address + length > item.end) continue;
      const message = `The device refuses address ${address} (exception 2) on this connection while its neighbours answer; it is left out.`;
      const error = new AppError('DEVICE_EXCEPTION', message, { data: { kind: 'exception', detail: message } });
      excluded.push({ kind: 'failure', pointId: item.point.id, error });
      return false;
    }
    return true;
  });
}

/**
 * Addresses that no request may have points on both sides of. A hole counts as one just behind its first address: every point that covers
 * the hole is left out, so a request with points on both sides is what would still cover it.
 */
function cutsOf(learned: LearnedArea): number[] {
  const cuts = [...learned.boundaries, ...learned.holes.map((hole) => hole.start + 1)];
  return cuts.sort((a, b) => a - b);
}

/** Plans one unit and function. `cuts` ascend, and so do the starts of `group`. */
function planArea(group: readonly Placed[], cuts: readonly number[], maxGap: number, limit: number, batches: ModbusBatch[]): void {
  let run: Cluster[] = [];
  let last: Cluster | undefined;
  let nextCut = 0;
  // An address of a point on the other side of a cut is no gap: it has a point.
  let covered = 0;
  group.forEach((item, index) => {
    const gap = item.start - covered;
    covered = Math.max(covered, item.end);
    let isCut = false;
    while ((cuts[nextCut] ?? Number.POSITIVE_INFINITY) <= item.start) {
      nextCut += 1;
      isCut = true;
    }
    if (last && !isCut && item.start < last.end) {
      last.to = index + 1;
      if (item.end > last.end) last.end = item.end;
      return;
    }
    if (last && (isCut || gap > maxGap)) {
      fillWindows(group, run, limit, batches);
      run = [];
    }
    last = { start: item.start, end: item.end, from: index, to: index + 1 };
    run.push(last);
  });
  fillWindows(group, run, limit, batches);
}

/**
 * Covers a run (clusters no further apart than the gap) with the fewest requests: each starts at the first cluster not yet asked and takes
 * all that fit. A cluster over the limit is taken point by point in the same way.
 */
function fillWindows(group: readonly Placed[], run: readonly Cluster[], limit: number, batches: ModbusBatch[]): void {
  const waiting = run.some((cluster) => cluster.end - cluster.start > limit)
    ? run.flatMap((cluster) => (cluster.end - cluster.start > limit ? apart(group, cluster) : cluster))
    : run;
  let next = 0;
  let skipped: Cluster[] = [];
  while (skipped.length > 0 || next < waiting.length) {
    const first = skipped[0] ?? waiting[next];
    // One point over a limit that is too small for it still gets its request.
    const windowEnd = Math.max((first?.start ?? 0) + limit, first?.end ?? 0);
    const taken: Placed[] = [];
    const take = (cluster: Cluster) => {
      if (cluster.end > windowEnd) return false;
      for (let at = cluster.from; at < cluster.to; at += 1) {
        const member = group[at];
        if (member) taken.push(member);
      }
      return true;
    };
    skipped = skipped.filter((cluster) => !take(cluster));
    for (; next < waiting.length; next += 1) {
      const cluster = waiting[next];
      if (!cluster || cluster.start >= windowEnd) break;
      if (!take(cluster)) skipped.push(cluster);
    }
    batches.push(toBatch(taken));
  }
}

function apart(group: readonly Placed[], cluster: Cluster): Cluster[] {
  return group
    .slice(cluster.from, cluster.to)
    .map((item, at) => ({ start: item.start, end: item.end, from: cluster.from + at, to: cluster.from + at + 1 }));
}

function toBatch(members: readonly Placed[]): ModbusBatch {
  const [first] = members;
  if (!first) throw new AppError('INTERNAL', 'A request without points was planned.');
  const { slaveId, functionCode, start } = first;
  let end = start;
  const items = members.map((member): BatchItem => {
    end = Math.max(end, member.end);
    const { point, decode } = member;
    return { pointId: point.id, point, offset: member.start - start, length: member.end - member.start, decode };
  });
  return { slaveId, functionCode, start, quantity: end - start, items, pointIds: items.map((item) => item.pointId) };
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
