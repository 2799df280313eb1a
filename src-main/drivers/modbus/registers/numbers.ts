/** Plain numbers in registers: the decode table, and its integers and floats in other lengths. */
import { DECODE_CODES, type DecodeCode, type DecodeType } from '#shared/domain/decode.ts';
import { familyOf, octetPlaces } from '#shared/domain/registers.ts';
import type { IntegerRange } from './digits.ts';

export type Reader = (octets: Uint8Array, at: number) => number | bigint;

const scratch = new DataView(new ArrayBuffer(8));

/** Lowest and highest integer of a decode code in so many registers; null for floats. */
export function integerRange(decode: DecodeCode, registers: number = decode.registers): IntegerRange | null {
  const family = familyOf(decode);
  if (family === 'float') return null;
  const bits = BigInt(bitsOfType(decode, registers));
  return family === 'uint' ? { min: 0n, max: (1n << bits) - 1n } : { min: -(1n << (bits - 1n)), max: (1n << (bits - 1n)) - 1n };
}

/** Bits of the number that a decode code makes of so many registers. */
export function bitsOfType({ type }: DecodeCode, registers: number): number {
  return type.endsWith('8') ? 8 : registers * 16;
}

/** Reads the raw value of a decode code at an octet index. A bigint only for 64-bit integers that a number cannot hold exactly. */
export function readerOf(decode: DecodeCode): Reader {
  return readers.get(decode) ?? makeReader(decode.type, octetPlaces(decode));
}

/** The same for so many registers in the order of the code. */
export function registerReader(decode: DecodeCode, registers: number): Reader {
  if (registers === decode.registers) return readerOf(decode);
  const places = octetPlaces(decode, registers);
  const family = familyOf(decode);
  return registers === 3 ? threeRegisters(places, family === 'int') : makeReader(`${family}${registers * 16}` as DecodeType, places);
}

function makeReader(type: DecodeType, places: readonly number[]): Reader {
  const [a = 0, b = 0, c = 0, d = 0] = places;
  switch (type) {
    case 'uint8':
      return (octets, at) => octets[at + a] ?? 0;
    case 'int8':
      return (octets, at) => ((octets[at + a] ?? 0) << 24) >> 24;
    case 'uint16':
      return (octets, at) => ((octets[at + a] ?? 0) << 8) | (octets[at + b] ?? 0);
    case 'int16':
      return (octets, at) => (((octets[at + a] ?? 0) << 24) >> 16) | (octets[at + b] ?? 0);
    case 'uint32':
      return word(a, b, c, d);
    case 'int32': {
      const read = word(a, b, c, d);
      return (octets, at) => read(octets, at) | 0;
    }
    case 'float32': {
      const read = word(a, b, c, d);
      return (octets, at) => {
        scratch.setUint32(0, read(octets, at));
        return scratch.getFloat32(0);
      };
    }
    default:
      return wideReader(type, places);
  }
}

/** Puts a number on the wire that {@link registerReader} reads back. Integers must lie in {@link integerRange}; a float32 is rounded to the nearest. */
export function writeNumber(decode: DecodeCode, raw: number | bigint, registers: number = decode.registers): Uint8Array {
  const places = octetPlaces(decode, registers);
  const octets = new Uint8Array(registers * 2);
  const family = familyOf(decode);
  if (family === 'float' && registers === 2) scratch.setFloat32(4, Number(raw));
  else if (family === 'float') scratch.setFloat64(0, Number(raw));
  else scratch.setBigUint64(0, BigInt.asUintN(64, BigInt(raw)));
  places.forEach((place, index) => {
    octets[place] = scratch.getUint8(8 - places.length + index);
  });
  return octets;
}

/** Four octets as an unsigned 32-bit number, high octet first. */
function word(a: number, b: number, c: number, d: number): (octets: Uint8Array, at: number) => number {
  return (octets, at) =>
    (((octets[at + a] ?? 0) << 24) | ((octets[at + b] ?? 0) << 16) | ((octets[at + c] ?? 0) << 8) | (octets[at + d] ?? 0)) >>> 0;
}

/** An integer of 48 bits, which every number holds. */
function threeRegisters([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]: readonly number[], isSigned: boolean): Reader {
  const low = word(c, d, e, f);
  return (octets, at) => {
    const high = ((octets[at + a] ?? 0) << 8) | (octets[at + b] ?? 0);
    return (isSigned ? (high << 16) >> 16 : high) * 0x1_0000_0000 + low(octets, at);
  };
}

function wideReader(type: DecodeType, places: readonly number[]): Reader {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = places;
  const readHigh = word(a, b, c, d);
  const readLow = word(e, f, g, h);
  if (type === 'float64') {
    return (octets, at) => {
      scratch.setUint32(0, readHigh(octets, at));
      scratch.setUint32(4, readLow(octets, at));
      return scratch.getFloat64(0);
    };
  }
  const isSigned = type === 'int64';
  return (octets, at) => {
    const high = isSigned ? readHigh(octets, at) | 0 : readHigh(octets, at);
    const low = readLow(octets, at);
    const value = high * 0x1_0000_0000 + low;
    return Number.isSafeInteger(value) ? value : (BigInt(high) << 32n) | BigInt(low);
  };
}

/** One reader a code, shared by all points. */
const readers = new Map(DECODE_CODES.map((decode) => [decode, makeReader(decode.type, octetPlaces(decode))]));
