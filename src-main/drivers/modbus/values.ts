import { DECODE_CODES, type DecodeCode, describeDecode, findDecode } from '#shared/domain/decode.ts';
import { FrameType, type QualityFlag } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { scaledText, unscaled, unscaledInteger } from '../../protocol-kit/scaling.ts';
import type { NormalPoint, PointConfig, PointValue } from '../spi/index.ts';
import type { OctetDecoder } from '../spi/octet-readings.ts';
import type { OctetReading } from '../spi/readings.ts';
import { integerWidth, readFunction } from './point-rules.ts';
import { INTEGER_RANGES, octetPlaces, readerOf, writeNumber } from './values-octets.ts';

/**
 * What a write puts on the wire. `octets` are big-endian registers in wire order. For `bit`, `bit` (0 lowest, 0 to 15) and
 * `registerOffset` name the bit of the register as it travels: `registerOffset` registers after the point's address. They differ from
 * the point's own `bit` where the decode code swaps octets or covers several registers.
 */
export type WriteIntent =
  | { readonly kind: 'coil'; readonly on: boolean }
  | { readonly kind: 'register'; readonly octets: Uint8Array }
  | { readonly kind: 'registers'; readonly octets: Uint8Array }
  | { readonly kind: 'bit'; readonly registerOffset: number; readonly bit: number; readonly on: boolean };

const NO_FLAGS: readonly QualityFlag[] = [];

/**
 * Makes values out of answer data. For registers `octets` is the data of the answer and `at` the octet index of the point's first
 * register; for coils and discrete inputs `octets` holds one octet (0 or 1) a coil and `at` is the index of the point's coil. The caller has
 * checked the length. `raw` of a value is a view on `octets`, not a copy.
 */
export class PointDecoder implements OctetDecoder {
  readonly size: number;
  readonly read: (octets: Uint8Array, at: number) => number | bigint;
  readonly #pointId: number;

  constructor(pointId: number, size: number, read: (octets: Uint8Array, at: number) => number | bigint) {
    this.#pointId = pointId;
    this.size = size;
    this.read = read;
  }

  value(octets: Uint8Array, at: number): PointValue {
    return {
      kind: 'value',
      pointId: this.#pointId,
      value: this.read(octets, at),
      valueText: '',
      raw: octets.subarray(at, at + this.size),
      quality: 'good',
      flags: NO_FLAGS,
      sourceTime: null,
    };
  }
}

/**
 * Prepares the decoding of one point once, so that each value costs no look-up. `bit` picks one bit of the decoded integer for YX and YK.
 * @throws AppError `CONFIG_INVALID` for an unknown decode code.
 */
export function compileDecoder(point: PointConfig): PointDecoder {
  const pointId = point.id;
  const decode = readFunction(point) <= 2 ? null : decodeOf(point);
  const size = decode ? decode.registers * 2 : 1;
  return new PointDecoder(pointId, size, decode ? registerReader(point, decode) : readCoil);
}

/** What registers may mean: a number by each type and octet order that is as long as they are. Empty for a coil, and for a bit of a register. */
export function readingsOf(point: PointConfig, octets: Uint8Array): readonly OctetReading[] {
  if (readFunction(point) <= 2 || picksBit(point)) return [];
  const own = findDecode(point.decode);
  const fitting = [...(own ? [own] : []), ...DECODE_CODES].filter((decode) => decode.registers * 2 === octets.length);
  const isFirst = (decode: DecodeCode, index: number) =>
    fitting.findIndex(({ type, order }) => type === decode.type && order === decode.order) === index;
  return fitting.filter(isFirst).map((decode) => ({ decode: decode.code, value: readerOf(decode)(octets, 0) }));
}

/** Whole numbers that the place of a point can hold: 0 and 1 of a coil or a bit, else those of its type; null for a float. */
export function rawRange(point: NormalPoint): { readonly least: number; readonly most: number } | null {
  if (readFunction(point) <= 2 || picksBit(point)) return { least: 0, most: 1 };
  const decode = findDecode(point.decode);
  const range = decode ? INTEGER_RANGES[decode.type] : null;
  return range && { least: Number(range.min), most: Number(range.max) };
}

/**
 * What to write so that the point has the engineering value. Serves YK and YT on a client channel and every frame type on our own server.
 * Integers are rounded half away from zero, never truncated; a coil or bit takes 0 and 1 and nothing between. One register is `register` unless the point asks for function 16; more
 * are `registers`. A one-octet decode code writes 0 as the high octet.
 * @throws AppError `CONFIG_RANGE` when the raw value does not fit, naming the engineering range that does; `CONFIG_INVALID` for an unknown
 * decode code. Nothing has been sent then.
 */
export function encodeWrite(point: PointConfig, value: number): WriteIntent {
  const raw = rawOf(point, value);
  const inverts = point.reverse && point.frame_type === FrameType.yx;
  if (readFunction(point) <= 2) return { kind: 'coil', on: binaryOf(point, value, raw) !== inverts };
  const decode = decodeOf(point);
  if (picksBit(point)) {
    return { kind: 'bit', ...bitPlace(point, decode), on: binaryOf(point, value, raw) !== inverts };
  }
  const inverted = inverts ? (binaryOf(point, value, raw) ? 0n : 1n) : null;
  const octets = encodeRaw(point, decode, value, inverted ?? unscaledInteger(point, value), inverted === null ? raw : Number(inverted));
  return { kind: octets.length === 2 && point.func_code !== 16 ? 'register' : 'registers', octets };
}

function readCoil(octets: Uint8Array, at: number): number {
  return (octets[at] ?? 0) & 1;
}

function registerReader(point: PointConfig, decode: DecodeCode): (octets: Uint8Array, at: number) => number | bigint {
  if (!picksBit(point)) return readerOf(decode);
  const place = bitPlace(point, decode);
  const octet = place.registerOffset * 2 + (place.bit < 8 ? 1 : 0);
  const shift = place.bit % 8;
  return (octets, at) => ((octets[at + octet] ?? 0) >> shift) & 1;
}

function decodeOf(point: PointConfig): DecodeCode {
  const decode = findDecode(point.decode);
  if (!decode) throw new AppError('CONFIG_INVALID', say('modbus.no_decode', { point: point.code, decode: point.decode }));
  return decode;
}

function picksBit(point: Pick<PointConfig, 'bit' | 'frame_type'>): boolean {
  return point.bit !== null && (point.frame_type === FrameType.yx || point.frame_type === FrameType.yk);
}

/** Where the point's bit of the decoded integer travels: register after the address, and bit of that register. */
function bitPlace(point: PointConfig, decode: DecodeCode): { registerOffset: number; bit: number } {
  const width = integerWidth(decode);
  const bit = point.bit ?? 0;
  if (decode.type.startsWith('float') || bit >= width) {
    throw new AppError('CONFIG_INVALID', say('modbus.no_bit', { point: point.code, decode: describeDecode(decode.code), bit }));
  }
  const places = octetPlaces(decode);
  const octet = places[places.length - 1 - (bit >> 3)] ?? 0;
  return { registerOffset: octet >> 1, bit: (octet % 2 === 1 ? 0 : 8) + (bit % 8) };
}

function rawOf(point: PointConfig, value: number): number {
  if (point.mul_coe === 0) {
    throw new AppError('CONFIG_RANGE', say('modbus.no_raw', { point: point.code }));
  }
  const raw = unscaled(point, value);
  if (!Number.isFinite(raw)) throw new AppError('CONFIG_RANGE', say('modbus.not_finite', { point: point.code, value }));
  return raw;
}

function binaryOf(point: PointConfig, value: number, raw: number): boolean {
  const rounded = Math.round(raw);
  // What a person wrote is 0 or 1; only the noise of a coefficient may stand beside it.
  if ((rounded === 0 || rounded === 1) && Math.abs(raw - rounded) < 1e-6) return rounded === 1;
  const [off, on] = [scaledText(point, 0n), scaledText(point, 1n)];
  throw new AppError('CONFIG_RANGE', say('modbus.not_binary', { point: point.code, value, off, on }));
}

function encodeRaw(point: PointConfig, decode: DecodeCode, value: number, whole: bigint, raw: number): Uint8Array {
  const range = INTEGER_RANGES[decode.type];
  if (range === null) {
    const fits = decode.type === 'float64' || Number.isFinite(Math.fround(raw));
    if (fits) return writeNumber(decode, raw);
    const limit = Math.abs(FLOAT32_MAX * point.mul_coe);
    throw outOfRange(point, decode, value, String(point.add_coe - limit), String(point.add_coe + limit));
  }
  if (whole >= range.min && whole <= range.max) return writeNumber(decode, whole);
  const ends = [scaledText(point, range.min), scaledText(point, range.max)] as const;
  throw point.mul_coe > 0 ? outOfRange(point, decode, value, ends[0], ends[1]) : outOfRange(point, decode, value, ends[1], ends[0]);
}

const FLOAT32_MAX = 3.4028234663852886e38;

function outOfRange(point: PointConfig, decode: DecodeCode, value: number, low: string, high: string): AppError {
  return new AppError(
    'CONFIG_RANGE',
    say('modbus.value_range', { point: point.code, value, decode: describeDecode(decode.code), low, high }),
  );
}
