/** Objects of our controlled station: their values as points, as elements and as ASDU objects. */

import { FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { unscaled, unscaledWhole } from '../../../protocol-kit/scaling.ts';
import type { PointConfig, PointValue } from '../../spi/index.ts';
import type { InfoObject } from '../codec/objects.ts';
import type { TimeTag } from '../codec/time-tags.ts';
import { typeSpec, typeText } from '../codec/types.ts';
import { bitCount } from '../point-types.ts';
import { Quality, qualityFlags } from '../quality.ts';

/** DPI of the two-bit states off 0, on 1, intermediate 2, bad 3. */
const DPI_OF_STATE: readonly number[] = [1, 2, 0, 3];
const STATE_OF_DPI: readonly number[] = [2, 0, 1, 3];

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
  /** A change of less than this, as the element holds it, is not sent; what the table says. */
  readonly deadBand: number;
  /** Outlasts changes of the table in which the object stays what it is: whoever still goes through the table of before sees the values of now. */
  readonly state: ObjectState;
}

/** What becomes of an object while it is served. */
export interface ObjectState {
  /** As the element holds it. */
  raw: number;
  quality: number;
  /** UTC milliseconds of the last change. */
  timeMs: number;
  /** The dead band as a client has set it (P_ME, threshold), which holds instead; null where none has. */
  threshold: number | null;
  /** Set by a client and not in operation yet. */
  loadedThreshold: number | null;
  /** False before its first value was set. */
  isAcquired: boolean;
  /** Value and quality that were last sent as a change. */
  sentRaw: number;
  sentQuality: number;
  /** Counters: the frozen reading and its number; null before the first freeze. */
  frozen: number | null;
  sequence: number;
  /** Switched by P_AC_NA_1: sent with cause 1 at each cyclic transmission. */
  isCyclic: boolean;
}

/** An object in control direction: its point as the table has it now, and the value it was last given. */
export interface ControlObject {
  point: PointConfig;
  readonly typeId: number;
  value: number;
}

/** A value of a monitored point in its element. */
export function rawValue(point: PointConfig, object: ServedObject, value: number): number {
  const kind = typeSpec(object.typeId)?.element.kind;
  if (point.frame_type === FrameType.yx) return rawState(point, object, value);
  const raw = unscaled(point, value);
  const whole = () => unscaledWhole(point, value);
  switch (kind) {
    case 'normalized':
      return within(raw, -1, 1, object, value);
    case 'scaled':
      return within(whole(), -32_768, 32_767, object, value);
    case 'step':
      return within(whole(), -64, 63, object, value);
    case 'counter':
      return within(whole(), -0x8000_0000, 0x7fff_ffff, object, value);
    case 'bits':
      return within(whole(), 0, 0xffff_ffff, object, value);
    default:
      return within(Math.fround(raw), -3.4028234663852886e38, 3.4028234663852886e38, object, value);
  }
}

function rawState(point: PointConfig, object: ServedObject, value: number): number {
  const kind = typeSpec(object.typeId)?.element.kind;
  const isTwoBit = kind === 'double' || kind === 'protectionEvent';
  if (!Number.isInteger(value) || value < 0 || value > (isTwoBit ? 3 : 1)) {
    const facts = { type: typeText(object.typeId), value };
    throw new AppError('CONFIG_RANGE', isTwoBit ? say('iec104.double_point_takes', facts) : say('iec104.point_takes', facts));
  }
  const state = point.reverse && value <= 1 ? 1 - value : value;
  if (isTwoBit) return DPI_OF_STATE[state] ?? 0;
  if (point.bit === null || bitCount(object.typeId) === 0) return state;
  const mask = 2 ** point.bit;
  const { raw } = object.state;
  const old = Math.floor(raw / mask) % 2;
  return raw + (state - old) * mask;
}

function within(raw: number, least: number, most: number, object: ServedObject, value: number): number {
  if (raw >= least && raw <= most) return raw;
  throw new AppError('CONFIG_RANGE', say('iec104.value_is_raw', { value, raw, type: typeText(object.typeId), least, most }));
}

export function objectReading(object: ServedObject, point: PointConfig): PointValue {
  const kind = typeSpec(object.typeId)?.element.kind;
  const { raw, quality, timeMs } = object.state;
  let value = kind === 'double' || kind === 'protectionEvent' ? (STATE_OF_DPI[raw] ?? 3) : raw;
  if (point.bit !== null && bitCount(object.typeId) > 0) value = Math.floor(value / 2 ** point.bit) % 2;
  return {
    kind: 'value',
    pointId: point.id,
    value,
    form: point.frame_type === FrameType.yc ? undefined : 'state',
    valueText: '',
    raw: elementOctets(object),
    quality: (quality & Quality.invalid) === 0 ? 'good' : 'invalid',
    flags: qualityFlags(quality),
    sourceTime: timeMs === 0 ? null : timeMs,
  };
}

export function controlReading({ point, value }: ControlObject): PointValue {
  const raw = new Uint8Array(0);
  return { kind: 'value', pointId: point.id, value, form: 'written', valueText: '', raw, quality: 'good', flags: [], sourceTime: null };
}

function elementOctets(object: ServedObject): Uint8Array {
  const type = typeSpec(object.typeId);
  if (!type) return new Uint8Array(0);
  const octets = new Uint8Array(type.element.length);
  type.element.encode(presentObject(object, object.state.raw), octets, 0);
  return octets;
}

/** An object as the codec sends it without time, with this value and its quality of now. */
export function presentObject({ address, typeId, state }: ServedObject, raw: number): InfoObject {
  return infoObject({ address, sequence: state.sequence }, typeId, raw, state.quality, null);
}

/** An object as the codec sends it, with this value. */
export function infoObject(
  object: { readonly address: number; readonly sequence: number },
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
      throw new AppError('INTERNAL', say('iec104.no_monitored', { type: typeText(typeId) }));
  }
}
