/** Values of registers that are more than the number of a decode code: kinds, fields of several bits, values that are not there, scales. */

import type { DecodeCode } from '#shared/domain/decode.ts';
import type { QualityFlag } from '#shared/domain/enums.ts';
import { isWords, kindOf, octetPlaces, type RegisterKind, registersOf } from '#shared/domain/registers.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { hexText, u16 } from '../../../protocol-kit/bytes.ts';
import type { PointConfig, PointValue } from '../../spi/index.ts';
import type { OctetDecoder } from '../../spi/octet-readings.ts';
import type { RegisterSettings } from '../settings.ts';
import { DIGIT_KINDS } from './digits.ts';
import { MOMENT_KINDS, momentText } from './moments.ts';
import { registerReader } from './numbers.ts';
import { ipOf, macOf, textOf } from './words.ts';

/** What the octets of a point say, without its octets. */
type Said = Pick<PointValue, 'value' | 'valueText' | 'quality' | 'flags' | 'form' | 'exponent' | 'remark'>;

const NO_FLAGS: readonly QualityFlag[] = [];
const INVALID_FLAGS: readonly QualityFlag[] = ['IV'];
/** Powers of ten that a scale register may hold (SunSpec Information Model, sunssf). */
const MOST_EXPONENT = 10;

const number = (value: number | bigint): Said => ({ value, valueText: '', quality: 'good', flags: NO_FLAGS });
const words = (valueText: string): Said => ({ value: null, valueText, quality: 'good', flags: NO_FLAGS });
const none = (remark: Message, valueText = ''): Said => ({ value: null, valueText, quality: 'invalid', flags: NO_FLAGS, remark });

/** The power of ten in a scale register; null where it holds none (0x8000: not implemented). */
export function exponentOf(octets: Uint8Array, at: number): number | null {
  const exponent = (u16(octets, at) << 16) >> 16;
  return exponent >= -MOST_EXPONENT && exponent <= MOST_EXPONENT ? exponent : null;
}

/** What a value that is not there reads as. */
export const NOT_IMPLEMENTED = 'not implemented';

/** Decodes points that `needsKind` is true of. */
export class KindDecoder implements OctetDecoder {
  readonly size: number;
  readonly #point: PointConfig;
  readonly #settings: RegisterSettings;
  readonly #places: readonly number[];
  readonly #absent: Uint8Array | null;
  readonly #decode: (octets: Uint8Array, arrived: Uint8Array) => Said;
  readonly #scaleAt: number | null;

  /** `scaleAt`: where the scale register stands in the answer, in octets from the first one of the point; null where it has none, or comes by itself. */
  constructor(point: PointConfig, decode: DecodeCode, scaleAt: number | null) {
    const registers = registersOf(point);
    this.#point = point;
    this.#settings = point.protocol;
    this.#places = octetPlaces(decode, registers);
    this.size = 2 * registers;
    this.#scaleAt = scaleAt;
    this.#decode = decoderOf(point, decode, registers);
    this.#absent = absentOf(this.#settings, this.#places.length);
  }

  readonly read = (): null => null;

  value(octets: Uint8Array, at: number): PointValue {
    const scaleAt = this.#scaleAt;
    return this.#settings.scale_address === undefined || scaleAt === null
      ? this.#reading(octets, at, null)
      : this.valueScaled(octets, at, octets.subarray(at + scaleAt, at + scaleAt + 2));
  }

  /** As `value`, with what its scale register held. */
  valueScaled(octets: Uint8Array, at: number, scale: Uint8Array): PointValue {
    return this.#reading(octets, at, scale);
  }

  #reading(octets: Uint8Array, at: number, scale: Uint8Array | null): PointValue {
    const raw = octets.subarray(at, at + this.size);
    const ordered = Uint8Array.from(this.#places, (place) => raw[place] ?? 0);
    return { kind: 'value', pointId: this.#point.id, raw, sourceTime: null, ...this.#said(ordered, raw, scale) };
  }

  #said(ordered: Uint8Array, raw: Uint8Array, scale: Uint8Array | null): Said {
    if (this.#absent && isSame(ordered, this.#absent))
      return none(say('modbus.not_implemented', { octets: hexText(raw) }), NOT_IMPLEMENTED);
    const said = this.#decode(ordered, raw);
    if (scale === null || said.value === null) return said;
    const exponent = exponentOf(scale, 0);
    const address = this.#settings.scale_address ?? 0;
    return exponent === null ? none(say('modbus.no_scale', { address, octets: hexText(scale) })) : { ...said, exponent };
  }
}

/** True for a point whose octets are more than the number of its decode code. */
export function needsKind({ protocol }: Pick<PointConfig, 'protocol'>): boolean {
  const { kind, width, absent, scale_address } = protocol as RegisterSettings;
  return kind !== undefined || width !== undefined || absent !== undefined || scale_address !== undefined;
}

function decoderOf(point: PointConfig, decode: DecodeCode, registers: number): (octets: Uint8Array, arrived: Uint8Array) => Said {
  const { encoding = 'ascii', width } = point.protocol as RegisterSettings;
  const kind = kindOf(point);
  if (kind === null) return plainDecoder(point, decode, registers, width);
  if (isWords(kind)) return (octets) => words(wordsOf(kind, octets, encoding));
  if (kind === 'bcd' || kind === 'sign_magnitude' || kind === 'mod10k') {
    const digits = DIGIT_KINDS[kind];
    return (octets, arrived) => {
      const integer = digits.decode(bitsOf(octets), registers);
      return integer === null ? none(say('modbus.no_digits', { octets: hexText(arrived), kind })) : number(shortest(integer));
    };
  }
  return momentDecoder(kind as keyof typeof MOMENT_KINDS);
}

function plainDecoder(point: PointConfig, decode: DecodeCode, registers: number, width: number | undefined) {
  if (width !== undefined) {
    const [bit, mask] = [BigInt(point.bit ?? 0), (1n << BigInt(width)) - 1n];
    return (octets: Uint8Array): Said => number(shortest((bitsOf(octets) >> bit) & mask));
  }
  const read = registerReader(decode, registers);
  return (_octets: Uint8Array, arrived: Uint8Array): Said => number(read(arrived, 0));
}

function momentDecoder(name: keyof typeof MOMENT_KINDS) {
  const kind = MOMENT_KINDS[name];
  return (octets: Uint8Array, arrived: Uint8Array): Said => {
    const moment = kind.decode(octets);
    if (!moment) return none(say('modbus.no_moment', { octets: hexText(arrived) }));
    const said: Said = { ...number(moment.ms / 1000), form: 'state', valueText: momentText(moment.ms, kind) };
    return moment.isInvalid ? { ...said, quality: 'invalid', flags: INVALID_FLAGS, remark: say('modbus.moment_invalid') } : said;
  };
}

/** What octets in the order of the value say in words. */
export function wordsOf(kind: RegisterKind, octets: Uint8Array, encoding: NonNullable<RegisterSettings['encoding']>): string {
  if (kind === 'text') return textOf(octets, encoding);
  if (kind === 'ip') return ipOf(octets);
  return kind === 'mac' ? macOf(octets) : hexText(octets);
}

/** Octets, high one first, as one number. */
export function bitsOf(octets: Uint8Array): bigint {
  return octets.length === 0 ? 0n : BigInt(`0x${Buffer.from(octets).toString('hex')}`);
}

/** The integer as a number where a number holds it exactly. */
export function shortest(integer: bigint): number | bigint {
  const value = Number(integer);
  return Number.isSafeInteger(value) ? value : integer;
}

/** Octets, high one first, of a value that is not there; null where the point has none. */
function absentOf({ absent, kind }: RegisterSettings, size: number): Uint8Array | null {
  if (absent === undefined) return null;
  const digits = absent.slice('0x'.length);
  // of words one octet stands for all: 0x00 for a text of nothing but NUL
  const whole = kind !== undefined && isWords(kind) && digits.length === 2 ? digits.repeat(size) : digits.padStart(2 * size, '0');
  return whole.length === 2 * size ? Uint8Array.from(Buffer.from(whole, 'hex')) : null;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((octet, at) => octet === b[at]);
}
