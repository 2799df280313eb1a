import { type DecodeCode, describeDecode, findDecode } from '#shared/domain/decode.ts';
import { FrameType, type QualityFlag } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { describeRegisters, isWords, kindOf, octetPlaces, registersOf } from '#shared/domain/registers.ts';
import { say } from '#shared/messages/index.ts';
import { scaledText, unscaled, unscaledInteger } from '../../protocol-kit/scaling.ts';
import type { NormalPoint, PointConfig, PointValue } from '../spi/index.ts';
import type { OctetDecoder } from '../spi/octet-readings.ts';
import { readFunction } from './point-rules.ts';
import { DIGIT_KINDS, type IntegerRange } from './registers/digits.ts';
import { KindDecoder, needsKind } from './registers/kind-decoder.ts';
import { MOMENT_KINDS, momentText } from './registers/moments.ts';
import { bitsOfType, integerRange, registerReader, writeNumber } from './registers/numbers.ts';
import type { RegisterSettings } from './settings.ts';

/**
 * What a write puts on the wire. `octets` are registers in wire order. For `bits`, `mask` and `bits` (within the mask) are those of the register as it
 * travels, `registerOffset` registers after the point's address. They differ from the point's own `bit` where the decode code swaps octets or covers several
 * registers.
 */
export type WriteIntent =
  | { readonly kind: 'coil'; readonly on: boolean }
  | { readonly kind: 'register'; readonly octets: Uint8Array }
  | { readonly kind: 'registers'; readonly octets: Uint8Array }
  | { readonly kind: 'bits'; readonly registerOffset: number; readonly mask: number; readonly bits: number };

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
      raw: at === 0 && octets.length === this.size ? octets : octets.subarray(at, at + this.size),
      quality: 'good',
      flags: NO_FLAGS,
      sourceTime: null,
    };
  }
}

/**
 * Prepares the decoding of one point once, so that each value costs no look-up. `bit` picks one bit of the decoded integer for YX and YK. `scaleAt`: where
 * the scale register of the point stands in the same answer, in octets from the point's first one; null where it does not.
 * @throws AppError `CONFIG_INVALID` for an unknown decode code.
 */
export function compileDecoder(point: PointConfig, scaleAt: number | null = null): PointDecoder | KindDecoder {
  const pointId = point.id;
  if (readFunction(point) <= 2) return new PointDecoder(pointId, 1, readCoil);
  const decode = decodeOf(point);
  if (needsKind(point)) return new KindDecoder(point, decode, scaleAt);
  return new PointDecoder(pointId, 2 * registersOf(point), pointReader(point, decode));
}

/**
 * Whole numbers that the place of a point can hold: 0 and 1 of a coil or a bit, else those of its field of bits, kind or type. Null for floats, words and
 * moments, and with a scale register, whose power of ten no table knows.
 */
export function rawRange(point: NormalPoint): { readonly least: number; readonly most: number } | null {
  const { width, scale_address } = point.protocol as RegisterSettings;
  if (readFunction(point) <= 2) return { least: 0, most: 1 };
  if (width !== undefined) return { least: 0, most: 2 ** width - 1 };
  if (picksBit(point)) return { least: 0, most: 1 };
  const range = scale_address === undefined ? wholeNumbers(point) : null;
  return range && { least: Number(range.min), most: Number(range.max) };
}

function wholeNumbers(point: NormalPoint): IntegerRange | null {
  const registers = registersOf(point);
  const kind = kindOf(point);
  if (kind === 'bcd' || kind === 'sign_magnitude' || kind === 'mod10k') return DIGIT_KINDS[kind].range(registers);
  const decode = findDecode(point.decode);
  return kind === null && decode ? integerRange(decode, registers) : null;
}

/**
 * What to write so that the point has the engineering value. Serves YK and YT on a client channel and every frame type on our own server.
 * Integers are rounded half away from zero, never truncated; a coil or bit takes 0 and 1 and nothing between. One register is `register` unless the point asks for function 16; more
 * are `registers`. A one-octet decode code writes 0 as the high octet.
 * `exponent` is the power of ten in the scale register of the point, where it has one.
 * @throws AppError `CONFIG_RANGE` when the raw value does not fit, naming the engineering range that does; `CONFIG_INVALID` for an unknown
 * decode code, and for words. Nothing has been sent then.
 */
export function encodeWrite(point: PointConfig, value: number, exponent = 0): WriteIntent {
  const raw = rawOf(point, value, exponent);
  const inverts = point.reverse && point.frame_type === FrameType.yx;
  if (readFunction(point) <= 2) return { kind: 'coil', on: binaryOf(point, value, raw) !== inverts };
  const decode = decodeOf(point);
  const { width } = point.protocol as RegisterSettings;
  if (width !== undefined) return fieldIntent(point, decode, width, { value, exponent });
  if (picksBit(point)) {
    const on = binaryOf(point, value, raw) !== inverts;
    return bitsIntent(point, decode, 1, on ? 1n : 0n);
  }
  const inverted = inverts ? (binaryOf(point, value, raw) ? 0n : 1n) : null;
  const octets = encodeRaw(point, decode, { value, exponent, whole: inverted, raw: inverted === null ? raw : Number(inverted) });
  return { kind: octets.length === 2 && point.func_code !== 16 ? 'register' : 'registers', octets };
}

function readCoil(octets: Uint8Array, at: number): number {
  return (octets[at] ?? 0) & 1;
}

function pointReader(point: PointConfig, decode: DecodeCode): (octets: Uint8Array, at: number) => number | bigint {
  const registers = registersOf(point);
  if (!picksBit(point)) return registerReader(decode, registers);
  const { octet, shift } = bitPlace(point, decode, point.bit ?? 0);
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

/** Where a bit of the integer of a point travels: octet behind the address, and bit of that octet. */
function bitPlace(point: PointConfig, decode: DecodeCode, bit: number): { octet: number; shift: number } {
  const registers = registersOf(point);
  if (decode.type.startsWith('float') || bit >= bitsOfType(decode, registers)) {
    throw new AppError('CONFIG_INVALID', say('modbus.no_bit', { point: point.code, decode: describeDecode(decode.code), bit }));
  }
  const places = octetPlaces(decode, registers);
  return { octet: places[places.length - 1 - (bit >> 3)] ?? 0, shift: bit % 8 };
}

/** The bits of a point within one register. Throws CONFIG_INVALID where they lie in several, which no request changes at once. */
function bitsIntent(point: PointConfig, decode: DecodeCode, width: number, value: bigint): WriteIntent {
  const first = point.bit ?? 0;
  let [registerOffset, mask, bits] = [-1, 0, 0];
  for (let at = 0; at < width; at++) {
    const { octet, shift } = bitPlace(point, decode, first + at);
    const register = octet >> 1;
    if (registerOffset >= 0 && register !== registerOffset) {
      throw new AppError('CONFIG_INVALID', say('modbus.bits_apart', { point: point.code, first, last: first + width - 1 }));
    }
    registerOffset = register;
    const place = 1 << ((octet % 2 === 1 ? 0 : 8) + shift);
    mask |= place;
    if (((value >> BigInt(at)) & 1n) === 1n) bits |= place;
  }
  return { kind: 'bits', registerOffset, mask, bits };
}

interface Written {
  readonly value: number;
  readonly exponent: number;
}

/** A field of several bits takes what they can count to. */
function fieldIntent(point: PointConfig, decode: DecodeCode, width: number, written: Written): WriteIntent {
  const range = { min: 0n, max: (1n << BigInt(width)) - 1n };
  return bitsIntent(point, decode, width, wholeWithin(point, range, written));
}

function rawOf(point: PointConfig, value: number, exponent: number): number {
  if (point.mul_coe === 0) {
    throw new AppError('CONFIG_RANGE', say('modbus.no_raw', { point: point.code }));
  }
  const raw = unscaled(point, value, exponent);
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

/** `whole`: the integer to be written, where it is not that of the value. */
function encodeRaw(
  point: PointConfig,
  decode: DecodeCode,
  { whole, raw, ...written }: Written & { readonly whole: bigint | null; readonly raw: number },
): Uint8Array {
  const registers = registersOf(point);
  const kind = kindOf(point);
  if (isWords(kind)) throw new AppError('CONFIG_INVALID', say('modbus.words_written', { point: point.code }));
  if (kind === 'bcd' || kind === 'sign_magnitude' || kind === 'mod10k') {
    const { encode, range } = DIGIT_KINDS[kind];
    const integer = whole ?? wholeWithin(point, range(registers), written);
    return placed(decode, registers, encode(integer, registers));
  }
  if (kind !== null) return encodeMoment(point, decode, registers, written.value);
  const range = integerRange(decode, registers);
  if (range !== null) return writeNumber(decode, whole ?? wholeWithin(point, range, written), registers);
  if (registers === 4 || Number.isFinite(Math.fround(raw))) return writeNumber(decode, raw, registers);
  const limit = Math.abs(FLOAT32_MAX * point.mul_coe);
  throw outOfRange(point, written.value, String(point.add_coe - limit), String(point.add_coe + limit));
}

const FLOAT32_MAX = 3.4028234663852886e38;

/** The raw integer of a value. Throws CONFIG_RANGE where it is outside the range. */
function wholeWithin(point: PointConfig, range: IntegerRange, { value, exponent }: Written): bigint {
  const whole = unscaledInteger(point, value, 0, exponent);
  if (whole >= range.min && whole <= range.max) return whole;
  const ends = [scaledText(point, range.min, exponent), scaledText(point, range.max, exponent)] as const;
  throw point.mul_coe > 0 ? outOfRange(point, value, ends[0], ends[1]) : outOfRange(point, value, ends[1], ends[0]);
}

/** Bits of the value, the highest first, as octets in the order of the decode code. */
function placed(decode: DecodeCode, registers: number, bits: bigint): Uint8Array {
  const octets = new Uint8Array(2 * registers);
  octetPlaces(decode, registers).forEach((place, index, { length }) => {
    octets[place] = Number((bits >> BigInt(8 * (length - 1 - index))) & 0xffn);
  });
  return octets;
}

/** A value in seconds since 1970 on the clock of the device. */
function encodeMoment(point: PointConfig, decode: DecodeCode, registers: number, value: number): Uint8Array {
  const kind = MOMENT_KINDS[kindOf(point) as keyof typeof MOMENT_KINDS];
  const ms = kind.hasMilliseconds ? Math.round(value * 1000) : Math.round(value) * 1000;
  const { min, max } = kind.range(2 * registers);
  if (ms < min || ms > max) {
    const [first, last] = [momentText(min, kind), momentText(max, kind)];
    const params = { point: point.code, value, low: min / 1000, high: Math.floor(max / 1000), first, last };
    throw new AppError('CONFIG_RANGE', say('modbus.moment_range', params));
  }
  const ordered = kind.encode(ms, 2 * registers);
  const octets = new Uint8Array(2 * registers);
  octetPlaces(decode, registers).forEach((place, index) => {
    octets[place] = ordered[index] ?? 0;
  });
  return octets;
}

function outOfRange(point: PointConfig, value: number, low: string, high: string): AppError {
  return new AppError('CONFIG_RANGE', say('modbus.value_range', { point: point.code, value, decode: describeRegisters(point), low, high }));
}

/** Refuses a value that no write could carry, as far as that is known without a connection: what a scale register holds is not. Throws as `encodeWrite`. */
export function checkWrite(point: PointConfig, value: number): void {
  const { scale_address } = point.protocol as RegisterSettings;
  if (scale_address === undefined) encodeWrite(point, value);
  else rawOf(point, value, 0);
}
