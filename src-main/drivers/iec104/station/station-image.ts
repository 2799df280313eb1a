/** What our controlled station serves: the objects of its point table with their values. Points are views on objects. */

import { FrameType, type QualityFlag } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { PointConfig, PointsEdit, PointValue } from '../../spi/index.ts';
import { typeSpec } from '../codec/types.ts';
import { commandValue } from '../command-values.ts';
import { CommonAddresses } from '../common-addresses.ts';
import { isControl, isSameObject, pointFacts } from '../point-rules.ts';
import { isCounterType, plainType } from '../point-types.ts';
import { Quality, qualityOctet } from '../quality.ts';
import { type ControlObject, controlReading, objectReading, rawValue, type ServedObject } from './station-values.ts';

const SEQUENCE_MODULO = 32;

function keyOf(commonAddress: number, address: number): number {
  return commonAddress * 0x100_0000 + address;
}

export class StationImage {
  #objects = new Map<number, ServedObject>();
  #controls = new Map<number, ControlObject>();
  #byPoint = new Map<number, ServedObject | ControlObject>();
  #byCode = new Map<string, PointConfig>();
  #ordered: readonly ServedObject[] = [];
  #addresses = new CommonAddresses();

  constructor(points: readonly PointConfig[]) {
    this.update(points);
  }

  /** Common addresses, ascending. */
  get stations(): readonly number[] {
    return this.#addresses.all;
  }

  /** All monitored objects by common address, type and object address. */
  get objects(): readonly ServedObject[] {
    return this.#ordered;
  }

  /** Takes over a changed table. An object that stays what it was keeps its value. */
  update(points: readonly PointConfig[]): void {
    const [objects, controls] = [this.#objects, this.#controls];
    this.#objects = new Map();
    this.#controls = new Map();
    this.#byPoint = new Map();
    this.#byCode = new Map();
    this.#addresses = new CommonAddresses();
    this.#addresses.edit([], points);
    for (const point of points) {
      this.#byCode.set(point.code, point);
      if (isControl(point)) this.#placeControl(point, controls);
      else this.#placeObject(point, objects);
    }
    this.#ordered = [...this.#objects.values()].sort(inOrder);
  }

  /** As `update`, for a few points of a large table: only their objects are made anew. */
  edit({ before, after }: PointsEdit): void {
    this.#addresses.edit(before, after);
    const leaving = new Set(before.map(({ id }) => id));
    const objects = new Map<number, PointConfig[]>();
    const controls = new Map<number, PointConfig[]>();
    const touch = (point: PointConfig) => {
      const key = keyOf(point.slave_id, point.address);
      if (isControl(point)) controls.set(key, []);
      else
        objects.set(
          key,
          [...(this.#objects.get(key)?.points ?? [])].filter(({ id }) => !leaving.has(id)),
        );
    };
    for (const point of [...before, ...after]) touch(point);
    for (const { id, code } of before) {
      this.#byPoint.delete(id);
      if (this.#byCode.get(code)?.id === id) this.#byCode.delete(code);
    }
    if (controls.size > 0) for (const point of this.#controlPoints()) controls.get(keyOf(point.slave_id, point.address))?.push(point);
    for (const point of after) {
      this.#byCode.set(point.code, point);
      (isControl(point) ? controls : objects).get(keyOf(point.slave_id, point.address))?.push(point);
    }
    this.#placeAnew(objects, controls);
  }

  #placeAnew(objects: ReadonlyMap<number, PointConfig[]>, controls: ReadonlyMap<number, PointConfig[]>): void {
    const old = new Set<ServedObject>();
    for (const [key, points] of objects) {
      const before = this.#objects.get(key);
      if (before) old.add(before);
      this.#objects.delete(key);
      for (const point of points.sort(byId)) this.#placeObject(point, new Map(before ? [[key, before]] : []));
    }
    for (const [key, points] of controls) {
      const before = this.#controls.get(key);
      this.#controls.delete(key);
      for (const point of points.sort(byId)) this.#placeControl(point, new Map(before ? [[key, before]] : []));
    }
    // whoever goes through the list at this moment keeps the old one
    const ordered = this.#ordered.slice();
    for (const object of old) ordered.splice(placeIn(ordered, object), 1);
    for (const key of objects.keys()) {
      const object = this.#objects.get(key);
      if (object) ordered.splice(placeIn(ordered, object), 0, object);
    }
    this.#ordered = ordered;
  }

  /** Points of all controls. */
  *#controlPoints(): Iterable<PointConfig> {
    for (const found of this.#byPoint.values()) if (!('raw' in found)) yield found.point;
  }

  hasStation(commonAddress: number): boolean {
    return this.#addresses.all.includes(commonAddress);
  }

  object(commonAddress: number, address: number): ServedObject | undefined {
    return this.#objects.get(keyOf(commonAddress, address));
  }

  control(commonAddress: number, address: number): ControlObject | undefined {
    return this.#controls.get(keyOf(commonAddress, address));
  }

  pointByCode(code: string): PointConfig | undefined {
    return this.#byCode.get(code);
  }

  /** True while the table has this point, and it is the same object under the same scaling. */
  serves(point: PointConfig): boolean {
    const found = this.#byPoint.get(point.id);
    const now = found && ('raw' in found ? found.points.find(({ id }) => id === point.id) : found.point);
    return now !== undefined && isSameObject(point, now);
  }

  objectOf(point: Pick<PointConfig, 'id'>): ServedObject | undefined {
    const found = this.#byPoint.get(point.id);
    return found && 'raw' in found ? found : undefined;
  }

  /** The value of a point as we serve it; undefined for a point of another table. */
  read(pointId: number): PointValue | undefined {
    const found = this.#byPoint.get(pointId);
    if (!found) return undefined;
    if (!('raw' in found)) return controlReading(found);
    const point = found.points.find((item) => item.id === pointId);
    return point && objectReading(found, point);
  }

  /** Sets the value of a monitored point; answers its object. Throws `CONFIG_RANGE` for a value the type cannot carry. */
  set(point: PointConfig, value: number, flags: readonly QualityFlag[], timeMs: number): ServedObject {
    const object = this.objectOf(point);
    if (!object) throw new AppError('CONFIG_NOT_FOUND', say('iec104.not_served', { point: point.code }));
    object.raw = rawValue(point, object, value);
    object.quality = qualityOctet(flags) & (hasOverflow(object.typeId) ? 0xff : ~Quality.overflow);
    object.timeMs = timeMs;
    return object;
  }

  /** Sets the value of a YK or YT, as if a client had; answers it as a reading. Throws `CONFIG_RANGE`. */
  setControl(point: PointConfig, value: number): PointValue {
    commandValue(point, value);
    const control = this.#byPoint.get(point.id);
    if (!control || 'raw' in control) throw new AppError('CONFIG_NOT_FOUND', say('iec104.not_served', { point: point.code }));
    control.value = value;
    return controlReading(control);
  }

  #placeControl(point: PointConfig, before: ReadonlyMap<number, ControlObject>): void {
    const key = keyOf(point.slave_id, point.address);
    const typeId = plainType(pointFacts(point).typeId);
    const known = before.get(key);
    // the same object, so that it stays selected or under way
    const isSame = known?.point.id === point.id && known.typeId === typeId;
    const control: ControlObject = isSame ? known : { point, typeId, value: 0 };
    control.point = point;
    if (!this.#controls.has(key)) this.#controls.set(key, control);
    this.#byPoint.set(point.id, control);
  }

  #placeObject(point: PointConfig, before: ReadonlyMap<number, ServedObject>): void {
    const key = keyOf(point.slave_id, point.address);
    const placed = this.#objects.get(key);
    if (placed) {
      const joined: ServedObject = { ...placed, points: [...placed.points, point] };
      this.#objects.set(key, joined);
      for (const item of joined.points) this.#byPoint.set(item.id, joined);
      return;
    }
    const object = servedObject(point, before.get(key));
    this.#objects.set(key, object);
    this.#byPoint.set(point.id, object);
  }
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

function servedObject(point: PointConfig, before: ServedObject | undefined): ServedObject {
  const facts = pointFacts(point);
  const typeId = plainType(facts.typeId);
  const isStatus = point.frame_type === FrameType.yx;
  const kept = before?.typeId === typeId ? before : undefined;
  // a two-bit state that was never set is off
  const raw = kept?.raw ?? (typeSpec(typeId)?.element.kind === 'double' ? 1 : 0);
  return {
    commonAddress: point.slave_id,
    address: point.address,
    typeId,
    isStatus,
    isCounter: isCounterType(typeId),
    group: facts.group,
    points: [point],
    raw,
    quality: kept?.quality ?? 0,
    timeMs: kept?.timeMs ?? 0,
    deadBand: isStatus ? 0 : facts.deadBand / Math.abs(point.mul_coe),
    threshold: kept?.threshold ?? null,
    loadedThreshold: kept?.loadedThreshold ?? null,
    isAcquired: kept?.isAcquired ?? false,
    sentRaw: kept?.sentRaw ?? raw,
    sentQuality: kept?.sentQuality ?? 0,
    frozen: kept?.frozen ?? null,
    sequence: kept?.sequence ?? 0,
    isCyclic: kept?.isCyclic ?? false,
  };
}

/** Copies the counter into its frozen register, resets it, or both. */
export function freeze(object: ServedObject, action: 1 | 2 | 3): void {
  if (action !== 3) {
    object.frozen = object.raw;
    object.sequence = (object.sequence + 1) % SEQUENCE_MODULO;
  }
  if (action !== 1) object.raw = 0;
}
