/** All that octets in the place of a point may mean: each number of the decode table, and each kind that they fit. */
import { DECODE_CODES, type DecodeCode, findDecode } from '#shared/domain/decode.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { familyOf, KIND_NAMES, kindOf, octetPlaces, REGISTER_KINDS, type RegisterKind, registersOf } from '#shared/domain/registers.ts';
import type { PointConfig } from '../../spi/index.ts';
import type { OctetReading } from '../../spi/readings.ts';
import { readFunction } from '../point-rules.ts';
import type { RegisterSettings } from '../settings.ts';
import { DIGIT_KINDS } from './digits.ts';
import { bitsOf, KindDecoder, shortest, wordsOf } from './kind-decoder.ts';
import { MOMENT_KINDS, momentText } from './moments.ts';
import { registerReader } from './numbers.ts';
import { TEXT_ENCODINGS } from './words.ts';

/** Settings of the `protocol` object that say what the octets mean; the others stay. */
const MEANING = ['kind', 'registers', 'encoding'] as const;
/** Any number is a time of some year: those of these years are taken for one. */
const FIRST_LIKELY_MS = Date.UTC(2015, 0, 1);
const LAST_LIKELY_MS = Date.UTC(2040, 0, 1);
/** The orders that kinds are looked for in; octets that may be anything, in the usual two alone. */
const ORDERS = ['0x40', '0x43', '0xD4', '0xD0'] as const;
const USUAL_ORDERS = ['0x40', '0x43'] as const;
const VAGUE: readonly RegisterKind[] = ['mod10k', 'unix_seconds', 'unix_milliseconds', 'seconds_since_2000'];

/** What registers may mean, the present reading first. Empty for a coil, and for bits of a register. */
export function readingsOf(point: PointConfig, octets: Uint8Array): readonly OctetReading[] {
  const isSignal = point.frame_type === FrameType.yx || point.frame_type === FrameType.yk;
  const { width } = point.protocol as RegisterSettings;
  if (readFunction(point) <= 2 || (point.bit !== null && isSignal) || width !== undefined) return [];
  const registers = octets.length / 2;
  if (!Number.isInteger(registers) || registers < 1) return [];
  const readings = [...present(point, octets), ...numbers(point, octets, registers), ...kinds(point, octets, registers)];
  const keyOf = ({ decode, protocol = point.protocol }: OctetReading) => {
    const { type, order } = findDecode(decode) ?? {};
    return JSON.stringify([type, order, ...MEANING.map((name) => protocol[name] ?? null)]);
  };
  const keys = readings.map(keyOf);
  return readings.filter((_, at) => keys.indexOf(keys[at] ?? '') === at).map((reading) => withoutSame(reading, point));
}

/** Settings that are those of the point are not told. */
function withoutSame({ protocol, ...reading }: OctetReading, point: PointConfig): OctetReading {
  return JSON.stringify(protocol) === JSON.stringify(point.protocol) ? reading : { ...reading, ...(protocol && { protocol }) };
}

/** The settings of a point with other ones of meaning. */
function withMeaning(point: PointConfig, meaning: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const others = Object.entries(point.protocol).filter(([name]) => !MEANING.some((each) => each === name));
  return { ...Object.fromEntries(others), ...meaning };
}

function present(point: PointConfig, octets: Uint8Array): OctetReading[] {
  const decode = findDecode(point.decode);
  if (!decode || 2 * registersOf(point) !== octets.length) return [];
  if (kindOf(point) === null) {
    return [{ decode: decode.code, protocol: point.protocol, value: registerReader(decode, registersOf(point))(octets, 0) }];
  }
  const { absent: _, scale_address: __, ...protocol } = point.protocol;
  const { value, valueText } = new KindDecoder({ ...point, protocol }, decode, null).value(octets, 0);
  return [{ decode: decode.code, protocol: point.protocol, value, ...(valueText === '' ? {} : { text: valueText }) }];
}

function numbers(point: PointConfig, octets: Uint8Array, registers: number): OctetReading[] {
  const inTable = DECODE_CODES.filter((decode) => decode.registers === registers).map((decode) => ({
    decode: decode.code,
    protocol: withMeaning(point, {}),
    value: registerReader(decode, registers)(octets, 0),
  }));
  const others = registers === 3 || registers === 4 ? DECODE_CODES.filter((decode) => fitsOtherwise(decode, registers)) : [];
  return [
    ...inTable,
    ...others.map((decode) => ({
      decode: decode.code,
      protocol: withMeaning(point, { registers }),
      value: registerReader(decode, registers)(octets, 0),
    })),
  ];
}

/** Codes of two registers that make integers of three, and those orders of four registers that the table has no code for. */
function fitsOtherwise(decode: DecodeCode, registers: number): boolean {
  if (decode.registers !== 2) return false;
  return registers === 3 ? familyOf(decode) !== 'float' : decode.order === 'CDAB' || decode.order === 'BADC';
}

function kinds(point: PointConfig, octets: Uint8Array, registers: number): OctetReading[] {
  return KIND_NAMES.filter((kind) => mayHave(kind, registers)).flatMap((kind) =>
    kind === 'text'
      ? texts(point, octets, registers)
      : (VAGUE.includes(kind) ? USUAL_ORDERS : ORDERS).flatMap((code) => kindReading(point, octets, kind, code)),
  );
}

function mayHave(kind: RegisterKind, registers: number): boolean {
  // what fits any octets tells nothing; a sign and a magnitude are those of the signed number while it is not negative
  if (kind === 'hex' || kind === 'ip' || kind === 'mac' || kind === 'sign_magnitude') return false;
  const possible: readonly number[] | null = REGISTER_KINDS[kind];
  return possible === null || possible.includes(registers);
}

function kindReading(point: PointConfig, octets: Uint8Array, kind: RegisterKind, code: string): OctetReading[] {
  const decode = findDecode(code);
  const registers = octets.length / 2;
  // one register has no order of registers
  if (!decode || (registers === 1 && code !== '0x40' && code !== '0xD4')) return [];
  const ordered = Uint8Array.from(octetPlaces(decode, registers), (place) => octets[place] ?? 0);
  const value = meaningOf(kind, ordered, registers);
  if (value === null) return [];
  const needed = registersOf({ decode: code, protocol: { kind } }) === registers ? {} : { registers };
  return [{ decode: code, protocol: withMeaning(point, { kind, ...needed }), ...value }];
}

function meaningOf(name: RegisterKind, octets: Uint8Array, registers: number): Pick<OctetReading, 'value' | 'text'> | null {
  if (name === 'bcd' || name === 'mod10k' || name === 'sign_magnitude') {
    const integer = DIGIT_KINDS[name].decode(bitsOf(octets), registers);
    return integer === null ? null : { value: shortest(integer) };
  }
  const kind = MOMENT_KINDS[name as keyof typeof MOMENT_KINDS];
  const moment = kind.decode(octets);
  if (!moment || moment.ms < FIRST_LIKELY_MS || moment.ms > LAST_LIKELY_MS) return null;
  return { value: moment.ms / 1000, text: momentText(moment.ms, kind) };
}

/** Texts that are readable throughout, by the first character set that reads them. */
function texts(point: PointConfig, octets: Uint8Array, registers: number): OctetReading[] {
  return (['0x40', '0xD4'] as const).flatMap((code) => {
    const decode = findDecode(code);
    if (!decode) return [];
    const ordered = Uint8Array.from(octetPlaces(decode, registers), (place) => octets[place] ?? 0);
    for (const encoding of TEXT_ENCODINGS) {
      const text = wordsOf('text', ordered, encoding);
      if (text.length < LEAST_TEXT || text.includes('\ufffd')) continue;
      const meaning = { kind: 'text', registers, ...(encoding === 'ascii' ? {} : { encoding }) };
      return [{ decode: code, protocol: withMeaning(point, meaning), value: null, text }];
    }
    return [];
  });
}

/** Shorter ones are found in any number. */
const LEAST_TEXT = 2;
