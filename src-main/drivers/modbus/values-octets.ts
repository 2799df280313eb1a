import { DECODE_CODES, type DecodeCode, type DecodeType } from '#shared/domain/decode.ts';

type Reader = (octets: Uint8Array, at: number) => number | bigint;

/** Lowest and highest raw integer of each type; null for floats. */
export const INTEGER_RANGES: Readonly<Record<DecodeType, { readonly min: bigint; readonly max: bigint } | null>> = {
  uint8: { min: 0n, max: 0xffn },
  int8: { min: -0x80n, max: 0x7fn },
  uint16: { min: 0n, max: 0xffffn },
  int16: { min: -0x8000n, max: 0x7fffn },
  uint32: { min: 0n, max: 0xffff_ffffn },
  int32: { min: -0x8000_0000n, max: 0x7fff_ffffn },
  uint64: { min: 0n, max: 0xffff_ffff_ffff_ffffn },
  int64: { min: -0x8000_0000_0000_0000n, max: 0x7fff_ffff_ffff_ffffn },
  float32: null,
  float64: null,
};

const scratch = new DataView(new ArrayBuffer(8));

/**
 * Where each octet of the big-endian number stands among the octets as they arrive, high octet first: `CDAB` gives [2, 3, 0, 1].
 * The one-octet types give [1], the low octet of their register.
 */
export function octetPlaces(decode: DecodeCode): readonly number[] {
  return decode.order === '' ? [1] : [...decode.order].map((letter) => letter.charCodeAt(0) - 65);
}

/** Reads the raw value of a decode code at an octet index. A bigint only for 64-bit integers that a number cannot hold exactly. */
export function readerOf(decode: DecodeCode): Reader {
  return readers.get(decode) ?? makeReader(decode);
}

function makeReader(decode: DecodeCode): Reader {
  const places = octetPlaces(decode);
  const [a = 0, b = 0, c = 0, d = 0] = places;
  switch (decode.type) {
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
      return wideReader(decode.type, places);
  }
}

/** Puts a number on the wire that {@link readerOf} reads back. Integers must lie in {@link INTEGER_RANGES}; a float32 is rounded to the nearest. */
export function writeNumber(decode: DecodeCode, raw: number | bigint): Uint8Array {
  const places = octetPlaces(decode);
  const octets = new Uint8Array(decode.registers * 2);
  if (decode.type === 'float32') scratch.setFloat32(4, Number(raw));
  else if (decode.type === 'float64') scratch.setFloat64(0, Number(raw));
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
const readers = new Map(DECODE_CODES.map((decode) => [decode, makeReader(decode)]));
