import { DECODE_CODES, type DecodeCode, type DecodeType } from '../../../src-shared/domain/decode.ts';
import type { PointFields } from '../channel.ts';

/** A number no other type would show in the same octets. */
const SAMPLES: Readonly<Record<DecodeType, number>> = {
  uint8: 200,
  int8: -5,
  uint16: 51_966,
  int16: -12_345,
  uint32: 3_735_928_559,
  int32: -559_038_737,
  float32: 1234.5,
  uint64: 9_007_199_254_740_991,
  int64: -9_007_199_254_740_991,
  float64: -1234.567_89,
};

/**
 * The registers of a number under a decode code, worked out from the letters of decisions.md alone and by other means than the product: the
 * letter at place k of the order names the arriving octet that is octet k of the big-endian number.
 */
export function registersOf(decode: DecodeCode, value: number): number[] {
  const size = decode.order === '' ? 1 : decode.order.length;
  const number = Buffer.alloc(size);
  if (decode.type === 'float32') number.writeFloatBE(value);
  else if (decode.type === 'float64') number.writeDoubleBE(value);
  else {
    let rest = BigInt.asUintN(size * 8, BigInt(value));
    for (let at = size - 1; at >= 0; at -= 1) {
      number[at] = Number(rest % 256n);
      rest /= 256n;
    }
  }
  const arriving = Buffer.alloc(decode.registers * 2);
  if (decode.order === '') arriving[1] = number[0] ?? 0;
  for (const [place, letter] of [...decode.order].entries()) arriving['ABCDEFGH'.indexOf(letter)] = number[place] ?? 0;
  return Array.from({ length: decode.registers }, (_, index) => arriving.readUInt16BE(index * 2));
}

export interface CodePoint {
  readonly decode: DecodeCode;
  readonly code: string;
  readonly address: number;
  readonly value: number;
  readonly registers: readonly number[];
}

/** One point for each decode code, one behind the other from `start` on. */
export function codePoints(prefix: string, start: number): CodePoint[] {
  let next = start;
  return DECODE_CODES.map((decode) => {
    const address = next;
    next += decode.registers;
    const value = SAMPLES[decode.type];
    return { decode, code: `${prefix}_${decode.code}`, address, value, registers: registersOf(decode, value) };
  });
}

/** The fields of `add_points` for a point of a code. */
export function asPoint(point: CodePoint, frameType: number, funcCode: number): PointFields {
  return { code: point.code, frame_type: frameType, address: point.address, func_code: funcCode, decode: point.decode.code };
}
