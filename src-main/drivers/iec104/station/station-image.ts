/** What our controlled station serves: the objects of its point table with their values. Points are views on objects. */

import { FrameType, type QualityFlag } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { runSteps, type Steps } from '../../../platform/steps.ts';
import type { PointConfig, PointsEdit, PointValue } from '../../spi/index.ts';
import { typeSpec } from '../codec/types.ts';
import { commandValue } from '../command-values.ts';
import { CommonAddresses } from '../common-addresses.ts';
import { isControl, isSameObject, pointFacts } from '../point-rules.ts';
import { isCounterType, plainType } from '../point-types.ts';
import { Quality, qualityOctet } from '../quality.ts';
import { type ControlObject, controlReading, type ObjectState, objectReading, rawValue, type ServedObject } from './station-values.ts';

const SEQUENCE_MODULO = 32;

function keyOf(commonAddress: number, address: number): number {
  return commonAddress * 0x100_0000 + address;
}

/** Points that are placed, or objects that are put in order, before other work may get its turn. */
const POINTS_A_STEP = 64;
const OBJECTS_A_STEP = 2_000;

/** All that a table is served as. */
class ServedObjects {
  readonly objects = new Map<number, ServedObject>();
  readonly controls = new Map<number, ControlObject>();
  readonly byPoint = new Map<number, ServedObject | ControlObject>();
  readonly byCode = new Map<string, PointConfig>();
  readonly addresses = new CommonAddresses();
  ordered: readonly ServedObject[] = [];
}

export class StationImage {
  #served = new ServedObjects();

  /** Common addresses, ascending. */
  get stations(): readonly number[] {
    return this.#served.addresses.all;
  }

  /** All monitored objects by common address, type and object address. */
  get objects(): readonly ServedObject[] {
    return this.#served.ordered;
  }

  /** Takes over a changed table. An object that stays what it was keeps its value. */
  update(points: readonly PointConfig[]): void {
    runSteps(this.made(points))();
  }

  /** The objects of a table, made aside; answers the step that serves them. One that stays what it is has its state of then. */
  *made(points: readonly PointConfig[]): Steps<() => void> {
    const before = this.#served;
    const next = new ServedObjects();
    const controls: (readonly [ControlObject, PointConfig])[] = [];
    for (const [at, point] of points.entries()) {
      if (at % POINTS_A_STEP === 0) yield;
      next.byCode.set(point.code, point);
      if (isControl(point)) controls.push([placeControl(next, point, before.controls), point]);
      else placeObject(next, point, before.objects);
    }
    yield;
    next.addresses.edit([], points);
    next.ordered = yield* inOrderSteps(next.objects);
    yield;
    return () => {
      for (const [control, point] of controls) control.point = point;
      this.#served = next;
    };
  }

  /** As `update`, for a few points of a large table: only their objects are made anew. */
  edit({ before, after }: PointsEdit): void {
    const { objects: served, addresses, byPoint, byCode } = this.#served;
    addresses.edit(before, after);
    const leaving = new Set(before.map(({ id }) => id));
    const objects = new Map<number, PointConfig[]>();
    const controls = new Map<number, PointConfig[]>();
    const touch = (point: PointConfig) => {
      const key = keyOf(point.slave_id, point.address);
      if (isControl(point)) controls.set(key, []);
      else objects.set(key, served.get(key)?.points.filter(({ id }) => !leaving.has(id)) ?? []);
    };
    for (const point of [...before, ...after]) touch(point);
    for (const { id, code } of before) {
      byPoint.delete(id);
      if (byCode.get(code)?.id === id) byCode.delete(code);
    }
    if (controls.size > 0) for (const point of this.#controlPoints()) controls.get(keyOf(point.slave_id, point.address))?.push(point);
    for (const point of after) {
      byCode.set(point.code, point);
      (isControl(point) ? controls : objects).get(keyOf(point.slave_id, point.address))?.push(point);
    }
    this.#placeAnew(objects, controls);
  }

  #placeAnew(objects: ReadonlyMap<number, PointConfig[]>, controls: ReadonlyMap<number, PointConfig[]>): void {
    const served = this.#served;
    const leaving: ServedObject[] = [];
    const coming: ServedObject[] = [];
    for (const [key, points] of objects) {
      const before = served.objects.get(key);
      if (before) leaving.push(before);
      served.objects.delete(key);
      for (const point of points.sort(byId)) placeObject(served, point, new Map(before ? [[key, before]] : []));
      const object = served.objects.get(key);
      if (object) coming.push(object);
    }
    for (const [key, points] of controls) {
      const before = served.controls.get(key);
      served.controls.delete(key);
      for (const point of points.sort(byId)) {
        const control = placeControl(served, point, new Map(before ? [[key, before]] : []));
        control.point = point;
      }
    }
    // whoever goes through the list at this moment keeps the old one
    served.ordered = exchanged(served.ordered, leaving, coming);
  }

  /** Points of all controls. */
  *#controlPoints(): Iterable<PointConfig> {
    for (const found of this.#served.byPoint.values()) if (!('points' in found)) yield found.point;
  }

  hasStation(commonAddress: number): boolean {
    return this.#served.addresses.all.includes(commonAddress);
  }

  object(commonAddress: number, address: number): ServedObject | undefined {
    return this.#served.objects.get(keyOf(commonAddress, address));
  }

  control(commonAddress: number, address: number): ControlObject | undefined {
    return this.#served.controls.get(keyOf(commonAddress, address));
  }

  pointByCode(code: string): PointConfig | undefined {
    return this.#served.byCode.get(code);
  }

  /** True while the table has this point, and it is the same object under the same scaling. */
  serves(point: PointConfig): boolean {
    const found = this.#served.byPoint.get(point.id);
    const now = found && ('points' in found ? found.points.find(({ id }) => id === point.id) : found.point);
    return now !== undefined && isSameObject(point, now);
  }

  objectOf(point: Pick<PointConfig, 'id'>): ServedObject | undefined {
    const found = this.#served.byPoint.get(point.id);
    return found && 'points' in found ? found : undefined;
  }

  /** The value of a point as we serve it; undefined for a point of another table. */
  read(pointId: number): PointValue | undefined {
    const found = this.#served.byPoint.get(pointId);
    if (!found) return undefined;
    if (!('points' in found)) return controlReading(found);
    const point = found.points.find((item) => item.id === pointId);
    return point && objectReading(found, point);
  }

  /** Sets the value of a monitored point; answers its object. Throws `CONFIG_RANGE` for a value the type cannot carry. */
  set(point: PointConfig, value: number, flags: readonly QualityFlag[], timeMs: number): ServedObject {
    const object = this.objectOf(point);
    if (!object) throw new AppError('CONFIG_NOT_FOUND', say('iec104.not_served', { point: point.code }));
    const { state } = object;
    state.raw = rawValue(point, object, value);
    state.quality = qualityOctet(flags) & (hasOverflow(object.typeId) ? 0xff : ~Quality.overflow);
    state.timeMs = timeMs;
    return object;
  }

  /** Sets the value of a YK or YT, as if a client had; answers it as a reading. Throws `CONFIG_RANGE`. */
  setControl(point: PointConfig, value: number): PointValue {
    commandValue(point, value);
    const control = this.#served.byPoint.get(point.id);
    if (!control || 'points' in control) throw new AppError('CONFIG_NOT_FOUND', say('iec104.not_served', { point: point.code }));
    control.value = value;
    return controlReading(control);
  }
}

/** The control of a point; where it stays what it was the same one as before, so that it stays selected or under way. It may have its point of before. */
function placeControl({ controls, byPoint }: ServedObjects, point: PointConfig, before: ReadonlyMap<number, ControlObject>): ControlObject {
  const key = keyOf(point.slave_id, point.address);
  const typeId = plainType(pointFacts(point).typeId);
  const known = before.get(key);
  const control: ControlObject = known?.point.id === point.id && known.typeId === typeId ? known : { point, typeId, value: 0 };
  if (!controls.has(key)) controls.set(key, control);
  byPoint.set(point.id, control);
  return control;
}

function placeObject({ objects, byPoint }: ServedObjects, point: PointConfig, before: ReadonlyMap<number, ServedObject>): void {
  const key = keyOf(point.slave_id, point.address);
  const placed = objects.get(key);
  if (placed) {
    const joined: ServedObject = { ...placed, points: [...placed.points, point] };
    objects.set(key, joined);
    for (const item of joined.points) byPoint.set(item.id, joined);
    return;
  }
  const object = servedObject(point, before.get(key));
  objects.set(key, object);
  byPoint.set(point.id, object);
}

/** False for the elements whose quality has no OV: SIQ, DIQ and QDP. */
function hasOverflow(typeId: number): boolean {
  const kind = typeSpec(typeId)?.element.kind;
  return kind !== 'single' && kind !== 'double' && !kind?.startsWith('protection');
}

const byId = (a: PointConfig, b: PointConfig) => a.id - b.id;

function inOrder(a: ServedObject, b: ServedObject): number {
  return a.commonAddress - b.commonAddress || a.typeId - b.typeId || a.address - b.address;
}

/** Where an object stands, or would stand, in a list in order. */
function placeIn(list: readonly ServedObject[], object: ServedObject): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = list[middle];
    if (at && inOrder(at, object) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The list without those that leave it, and with those that come to it; both lists are in order. */
function exchanged(list: readonly ServedObject[], leaving: readonly ServedObject[], coming: readonly ServedObject[]): ServedObject[] {
  const pieces: (readonly ServedObject[])[] = [];
  const gaps = leaving.map((object) => placeIn(list, object)).sort((a, b) => a - b);
  let from = 0;
  let gap = 0;
  const upTo = (end: number) => {
    for (; gap < gaps.length && (gaps[gap] ?? 0) < end; gap++) {
      pieces.push(list.slice(from, gaps[gap]));
      from = (gaps[gap] ?? 0) + 1;
    }
    pieces.push(list.slice(from, end));
    from = end;
  };
  for (const object of coming.toSorted(inOrder)) {
    upTo(placeIn(list, object));
    pieces.push([object]);
  }
  upTo(list.length);
  return ([] as ServedObject[]).concat(...pieces);
}

/** Exact as a number: 16 bits of station, 8 of type, 24 of object address. */
function orderKey({ commonAddress, typeId, address }: ServedObject): number {
  return (commonAddress * 0x100 + typeId) * 0x100_0000 + address;
}

/** The objects by common address, type and object address. */
function* inOrderSteps(objects: ReadonlyMap<number, ServedObject>): Steps<readonly ServedObject[]> {
  const keys = new Float64Array(objects.size);
  let count = 0;
  for (const object of objects.values()) {
    if (count % OBJECTS_A_STEP === 0) yield;
    keys[count++] = orderKey(object);
  }
  yield;
  keys.sort();
  const ordered: ServedObject[] = [];
  for (const [at, key] of keys.entries()) {
    if (at % OBJECTS_A_STEP === 0) yield;
    const object = objects.get(keyOf(Math.floor(key / 0x1_0000_0000), key % 0x100_0000));
    if (object) ordered.push(object);
  }
  return ordered;
}

function servedObject(point: PointConfig, before: ServedObject | undefined): ServedObject {
  const facts = pointFacts(point);
  const typeId = plainType(facts.typeId);
  const isStatus = point.frame_type === FrameType.yx;
  return {
    commonAddress: point.slave_id,
    address: point.address,
    typeId,
    isStatus,
    isCounter: isCounterType(typeId),
    group: facts.group,
    points: [point],
    deadBand: isStatus ? 0 : facts.deadBand / Math.abs(point.mul_coe),
    state: before?.typeId === typeId ? before.state : newState(typeId),
  };
}

function newState(typeId: number): ObjectState {
  // a two-bit state that was never set is off
  const raw = typeSpec(typeId)?.element.kind === 'double' ? 1 : 0;
  return {
    raw,
    quality: 0,
    timeMs: 0,
    threshold: null,
    loadedThreshold: null,
    isAcquired: false,
    sentRaw: raw,
    sentQuality: 0,
    frozen: null,
    sequence: 0,
    isCyclic: false,
  };
}

/** Copies the counter into its frozen register, resets it, or both. */
export function freeze({ state }: ServedObject, action: 1 | 2 | 3): void {
  if (action !== 3) {
    state.frozen = state.raw;
    state.sequence = (state.sequence + 1) % SEQUENCE_MODULO;
  }
  if (action !== 1) state.raw = 0;
}
