/** What our controlled station serves: the objects of its point table with their values. Points are views on objects. */
import { FrameType, type QualityFlag } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import type { PointConfig, PointValue } from '../spi.ts';
import type { InfoObject } from './codec/objects.ts';
import type { TimeTag } from './codec/time-tags.ts';
import { typeSpec, typeText } from './codec/types.ts';
import { commandValue } from './command-values.ts';
import { isControl, pointFacts } from './point-rules.ts';
import { bitCount, isCounterType, plainType } from './point-types.ts';
import { Quality, qualityFlags, qualityOctet } from './quality.ts';

/** DPI of the two-bit states off 0, on 1, intermediate 2, bad 3. */
const DPI_OF_STATE: readonly number[] = [1, 2, 0, 3];
const STATE_OF_DPI: readonly number[] = [2, 0, 1, 3];
const SEQUENCE_MODULO = 32;

/** An object in monitor direction. */
export interface ServedObject {
  readonly commonAddress: number;
  readonly address: number;
  /** Type without time tag where it has such a variant. */
  readonly typeId: number;
  readonly isStatus: boolean;
  readonly isCounter: boolean;
  /** Interrogation group; 0: none. */
  readonly group: number;
  readonly points: readonly PointConfig[];
  /** As the element holds it. */
  raw: number;
  quality: number;
  /** UTC milliseconds of the last change. */
  timeMs: number;
  /** A change of less than this, as the element holds it, is not sent. */
  deadBand: number;
  /** Value and quality that were last sent as a change. */
  sentRaw: number;
  sentQuality: number;
  /** Counters: the frozen reading and its number; null before the first freeze. */
  frozen: number | null;
  sequence: number;
  /** Switched by P_AC_NA_1: sent with cause 1 at each cyclic transmission. */
  isCyclic: boolean;
}

/** An object in control direction: its point, and the value it was last given. */
export interface ControlObject {
  readonly point: PointConfig;
  readonly typeId: number;
  value: number;
}

export type ChangeSource = 'local' | 'remote';

function keyOf(commonAddress: number, address: number): number {
  return commonAddress * 0x100_0000 + address;
}

export class StationImage {
  #objects = new Map<number, ServedObject>();
  #controls = new Map<number, ControlObject>();
  #byPoint = new Map<number, ServedObject | ControlObject>();
  #byCode = new Map<string, PointConfig>();
  #ordered: readonly ServedObject[] = [];
  #stations: readonly number[] = [];

  constructor(points: readonly PointConfig[]) {
    this.update(points);
  }

  /** Common addresses, ascending. */
  get stations(): readonly number[] {
    return this.#stations;
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
    const stations = new Set<number>();
    for (const point of points) {
      stations.add(point.slaveId);
      this.#byCode.set(point.code, point);
      if (isControl(point)) this.#placeControl(point, controls);
      else this.#placeObject(point, objects);
    }
    this.#stations = [...stations].sort((a, b) => a - b);
    this.#ordered = [...this.#objects.values()].sort(
      (a, b) => a.commonAddress - b.commonAddress || a.typeId - b.typeId || a.address - b.address,
    );
  }

  hasStation(commonAddress: number): boolean {
    return this.#stations.includes(commonAddress);
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
    if (!object) throw new AppError('CONFIG_NOT_FOUND', `Point ${point.code} is not served by this channel.`);
    object.raw = rawValue(point, object, value);
    object.quality = qualityOctet(flags) & (object.isStatus ? ~Quality.overflow : 0xff);
    object.timeMs = timeMs;
    return object;
  }

  /** Sets the value of a YK or YT, as if a client had; answers it as a reading. Throws `CONFIG_RANGE`. */
  setControl(point: PointConfig, value: number): PointValue {
    commandValue(point, value);
    const control = this.#byPoint.get(point.id);
    if (!control || 'raw' in control) throw new AppError('CONFIG_NOT_FOUND', `Point ${point.code} is not served by this channel.`);
    control.value = value;
    return controlReading(control);
  }

  #placeControl(point: PointConfig, before: ReadonlyMap<number, ControlObject>): void {
    const key = keyOf(point.slaveId, point.address);
    const { typeId } = pointFacts(point);
    const known = before.get(key);
    const control: ControlObject = { point, typeId: plainType(typeId), value: known?.point.id === point.id ? known.value : 0 };
    if (!this.#controls.has(key)) this.#controls.set(key, control);
    this.#byPoint.set(point.id, control);
  }

  #placeObject(point: PointConfig, before: ReadonlyMap<number, ServedObject>): void {
    const key = keyOf(point.slaveId, point.address);
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

function servedObject(point: PointConfig, before: ServedObject | undefined): ServedObject {
  const facts = pointFacts(point);
  const typeId = plainType(facts.typeId);
  const isStatus = point.frameType === FrameType.yx;
  const kept = before?.typeId === typeId ? before : undefined;
  // a two-bit state that was never set is off
  const raw = kept?.raw ?? (typeSpec(typeId)?.element.kind === 'double' ? 1 : 0);
  return {
    commonAddress: point.slaveId,
    address: point.address,
    typeId,
    isStatus,
    isCounter: isCounterType(typeId),
    group: facts.group,
    points: [point],
    raw,
    quality: kept?.quality ?? 0,
    timeMs: kept?.timeMs ?? 0,
    deadBand: isStatus ? 0 : facts.deadBand / Math.abs(point.mulCoe),
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

/** A value of a monitored point in its element. */
function rawValue(point: PointConfig, object: ServedObject, value: number): number {
  const kind = typeSpec(object.typeId)?.element.kind;
  if (point.frameType === FrameType.yx) return rawState(point, object, value);
  const raw = (value - point.addCoe) / point.mulCoe;
  switch (kind) {
    case 'normalized':
      return within(raw, -1, 1, object, value);
    case 'scaled':
      return within(Math.round(raw), -32_768, 32_767, object, value);
    case 'step':
      return within(Math.round(raw), -64, 63, object, value);
    case 'counter':
      return within(Math.round(raw), -0x8000_0000, 0x7fff_ffff, object, value);
    case 'bits':
      return within(Math.round(raw), 0, 0xffff_ffff, object, value);
    default:
      return within(Math.fround(raw), -3.4028234663852886e38, 3.4028234663852886e38, object, value);
  }
}

function rawState(point: PointConfig, object: ServedObject, value: number): number {
  const kind = typeSpec(object.typeId)?.element.kind;
  const isTwoBit = kind === 'double' || kind === 'protectionEvent';
  if (!Number.isInteger(value) || value < 0 || value > (isTwoBit ? 3 : 1)) {
    const right = isTwoBit ? '0 (off), 1 (on), 2 (intermediate) or 3 (bad)' : '0 or 1';
    throw new AppError('CONFIG_RANGE', `${typeText(object.typeId)} takes ${right}, not ${value}.`);
  }
  const state = point.reverse && value <= 1 ? 1 - value : value;
  if (isTwoBit) return DPI_OF_STATE[state] ?? 0;
  if (point.bit === null || bitCount(object.typeId) === 0) return state;
  const mask = 2 ** point.bit;
  const old = Math.floor(object.raw / mask) % 2;
  return object.raw + (state - old) * mask;
}

function within(raw: number, least: number, most: number, object: ServedObject, value: number): number {
  if (raw >= least && raw <= most) return raw;
  throw new AppError('CONFIG_RANGE', `${value} is the raw value ${raw}; ${typeText(object.typeId)} carries ${least} to ${most}.`);
}

function objectReading(object: ServedObject, point: PointConfig): PointValue {
  const kind = typeSpec(object.typeId)?.element.kind;
  let value = kind === 'double' || kind === 'protectionEvent' ? (STATE_OF_DPI[object.raw] ?? 3) : object.raw;
  if (point.bit !== null && bitCount(object.typeId) > 0) value = Math.floor(value / 2 ** point.bit) % 2;
  if (point.frameType === FrameType.yc) value = value * point.mulCoe + point.addCoe;
  else if (point.reverse && value <= 1) value = 1 - value;
  return {
    kind: 'value',
    pointId: point.id,
    value,
    valueText: '',
    raw: elementOctets(object),
    quality: (object.quality & Quality.invalid) === 0 ? 'good' : 'invalid',
    flags: qualityFlags(object.quality),
    sourceTime: object.timeMs === 0 ? null : object.timeMs,
  };
}

function controlReading({ point, value }: ControlObject): PointValue {
  const raw = new Uint8Array(0);
  return { kind: 'value', pointId: point.id, value, valueText: '', raw, quality: 'good', flags: [], sourceTime: null };
}

function elementOctets(object: ServedObject): Uint8Array {
  const type = typeSpec(object.typeId);
  if (!type) return new Uint8Array(0);
  const octets = new Uint8Array(type.element.length);
  type.element.encode(infoObject(object, object.typeId, object.raw, object.quality, null), octets, 0);
  return octets;
}

/** An object as the codec sends it, with this value. */
export function infoObject(
  object: Pick<ServedObject, 'address' | 'sequence'>,
  typeId: number,
  raw: number,
  quality: number,
  time: TimeTag | null,
): InfoObject {
  const { address } = object;
  const kind = typeSpec(typeId)?.element.kind;
  switch (kind) {
    case 'step':
      return { kind, address, value: raw, quality, isTransient: false, time };
    case 'counter': {
      const isInvalid = (quality & Quality.invalid) !== 0;
      return { kind, address, value: raw, sequence: object.sequence, hasCarry: false, isAdjusted: false, isInvalid, time };
    }
    case 'packed':
      return { kind, address, value: raw, changes: 0, quality, time };
    case 'protectionEvent':
    case 'protectionStart':
    case 'protectionOutput':
      return { kind, address, value: raw, quality, elapsedMs: 0, time };
    case 'single':
    case 'double':
    case 'normalized':
    case 'scaled':
    case 'float':
    case 'bits':
      return { kind, address, value: raw, quality, time };
    default:
      throw new AppError('INTERNAL', `${typeText(typeId)} is no monitored type.`);
  }
}
