/** Where the points of a plan lie on the wire. */

import { AppError, toAppError } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import type { Steps } from '../../../platform/steps.ts';
import type { PointConfig, PointFailure } from '../../spi/index.ts';
import type { OctetDecoder } from '../../spi/octet-readings.ts';
import { HIGHEST_ADDRESS, type ReadFunction, readFunction, registerCount } from '../point-rules.ts';
import type { RegisterSettings } from '../settings.ts';
import { compileDecoder } from '../values.ts';
import type { LearnedArea, LearnedAreas } from './learned-area.ts';

/** A point with its place on the wire. `end` is exclusive. */
export interface Placed {
  readonly point: PointConfig;
  readonly slaveId: number;
  readonly functionCode: ReadFunction;
  readonly start: number;
  readonly end: number;
  /** Of a point with a scale register: for values whose scale comes by itself. */
  readonly decoder: OctetDecoder;
  /** Address of the scale register of the point; null: it has none. */
  readonly scale: number | null;
}

/** What is read of one unit by one function: its points by address, then length, then given order. */
export interface ReadArea {
  readonly slaveId: number;
  readonly functionCode: ReadFunction;
  readonly points: readonly Placed[];
  /** Addresses that no request may have points on both sides of; ascending. */
  readonly cuts: readonly number[];
}

/** Points that are placed in one step. */
const POINTS_A_STEP = 500;

/** Places each point, in the given order; `excluded` are those that Modbus cannot ask. */
export function* placeSteps(points: readonly PointConfig[], addressBase: number): Steps<{ placed: Placed[]; excluded: PointFailure[] }> {
  const [placed, excluded]: [Placed[], PointFailure[]] = [[], []];
  for (let from = 0; from < points.length; from += POINTS_A_STEP) {
    if (from > 0) yield;
    const to = Math.min(from + POINTS_A_STEP, points.length);
    for (let at = from; at < to; at++) placeOne(points[at] as PointConfig, addressBase, placed, excluded);
  }
  return { placed, excluded };
}

function placeOne(point: PointConfig, addressBase: number, placed: Placed[], excluded: PointFailure[]): void {
  const place = placeOf(point, addressBase);
  if (place instanceof AppError) excluded.push({ kind: 'failure', pointId: point.id, error: place });
  else placed.push(place);
}

/** The areas that are read, by unit and function. Points that cover a learnt hole go into `excluded` instead. */
export function* areaSteps(placed: readonly Placed[], learned: LearnedAreas | null, excluded: PointFailure[]): Steps<ReadArea[]> {
  return (yield* groupSteps(placed)).flatMap((group): ReadArea[] => {
    const [first] = group;
    if (!first) return [];
    const { slaveId, functionCode } = first;
    const facts = learned?.area(slaveId, functionCode);
    const points = facts && facts.holes.length > 0 ? leaveOutHoles(group, facts, excluded) : group;
    return [{ slaveId, functionCode, points, cuts: facts ? cutsOf(facts) : [] }];
  });
}

function placeOf(point: PointConfig, addressBase: number): Placed | AppError {
  const start = point.address - addressBase;
  const functionCode = readFunction(point);
  const length = registerCount(point, functionCode);
  const end = start + length;
  if (start < 0 || end > HIGHEST_ADDRESS + 1) {
    const last = addressBase + HIGHEST_ADDRESS + 1 - length;
    return new AppError('CONFIG_RANGE', say('modbus.address_base', { address: point.address, base: addressBase, last }));
  }
  const { scale_address } = point.protocol as RegisterSettings;
  const scale = scale_address === undefined ? null : scale_address - addressBase;
  if (scale !== null && (scale < 0 || scale > HIGHEST_ADDRESS)) {
    const params = { address: scale_address ?? 0, base: addressBase, last: addressBase + HIGHEST_ADDRESS };
    return new AppError('CONFIG_RANGE', say('modbus.address_base', params));
  }
  try {
    return { point, slaveId: point.slave_id, functionCode, start, end, decoder: compileDecoder(point), scale };
  } catch (error) {
    return toAppError(error);
  }
}

/** A power of two above the longest point, so that a key of 100,000 points is still an exact number. */
const LENGTHS = 128;

/** Keys that are made, or points that are grouped, in one step. */
const KEYS_A_STEP = 8_192;

/** Groups by unit and function, each ascending by address, length and given order. Sorted by one number each, which is what makes it fast. */
function* groupSteps(placed: readonly Placed[]): Steps<Placed[][]> {
  // A power of two, so that taking a key apart again is exact.
  const width = 2 ** Math.ceil(Math.log2(placed.length + 1));
  const keys = new Float64Array(placed.length);
  for (let from = 0; from < placed.length; from += KEYS_A_STEP) {
    yield;
    makeKeys(placed, width, keys.subarray(from, from + KEYS_A_STEP), from);
  }
  yield;
  keys.sort();
  const groups: Placed[][] = [];
  for (let from = 0; from < placed.length; from += KEYS_A_STEP) {
    yield;
    groupSorted(placed, width, keys.subarray(from, from + KEYS_A_STEP), groups);
  }
  return groups;
}

/** Keys of the points from `from` on. */
function makeKeys(placed: readonly Placed[], width: number, keys: Float64Array, from: number): void {
  for (let at = 0; at < keys.length; at++) {
    const item = placed[from + at];
    if (!item) return;
    const place = (item.slaveId * 5 + item.functionCode) * (HIGHEST_ADDRESS + 1) + item.start;
    keys[at] = (place * LENGTHS + item.end - item.start - 1) * width + from + at;
  }
}

/** Adds the points of these keys to the last group, or to new ones behind it. */
function groupSorted(placed: readonly Placed[], width: number, keys: Float64Array, groups: Placed[][]): void {
  let current = groups.at(-1);
  for (const key of keys) {
    const item = placed[key - Math.floor(key / width) * width];
    if (!item) continue;
    const first = current?.[0];
    if (current && first && first.slaveId === item.slaveId && first.functionCode === item.functionCode) current.push(item);
    else {
      current = [item];
      groups.push(current);
    }
  }
}

function leaveOutHoles(group: readonly Placed[], learned: LearnedArea, excluded: PointFailure[]): Placed[] {
  const lengths = new Map<number, number>();
  for (const hole of learned.holes) lengths.set(hole.start, Math.min(lengths.get(hole.start) ?? hole.length, hole.length));
  return group.filter((item) => {
    for (let address = item.start; address < item.end; address += 1) {
      const length = lengths.get(address);
      if (length === undefined || address + length > item.end) continue;
      const message = say('modbus.hole', { address });
      const error = new AppError('DEVICE_EXCEPTION', message, { data: { kind: 'exception', detail: english(message) } });
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
