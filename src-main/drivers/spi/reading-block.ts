/** Many plain values at once, in columns: for protocols whose devices send more than an object for each of them is worth. */
import { QUALITY_FLAGS, type QualityFlag } from '#shared/domain/enums.ts';
import type { OctetReadings } from './octet-readings.ts';
import type { PointReading, PointValue, ReadingDetail } from './readings.ts';

/** Readings of points in the order of their arrival. */
export type Readings = readonly PointReading[] | ReadingBlock | OctetReadings;

/** Values that a block holds. */
export const BLOCK_CAPACITY = 512;

/** Most octets of a value in a block. */
export const BLOCK_OCTETS = 8;

/** Bits of `form`. */
export const BLOCK_STATE = 1;
export const BLOCK_INVALID = 2;

/** The bits of quality flags, bit i for the flag i of QUALITY_FLAGS. */
export function flagBits(flags: readonly QualityFlag[]): number {
  let bits = 0;
  for (const flag of flags) bits |= 1 << QUALITY_FLAGS.indexOf(flag);
  return bits;
}

/** Lists of flags by their bits; few of them ever occur. */
const lists = new Map<number, readonly QualityFlag[]>([[0, Object.freeze([])]]);

/** The flags of bits that `flagBits` made; shared and frozen. */
export function flagsOfBits(bits: number): readonly QualityFlag[] {
  let list = lists.get(bits);
  if (!list) {
    list = Object.freeze(QUALITY_FLAGS.filter((_, bit) => (bits & (1 << bit)) !== 0));
    lists.set(bits, list);
  }
  return list;
}

/** Up to four octets as a word, the first one lowest: `rawLow` and `rawHigh` of a block. A size below 1 gives 0. */
export function littleEndian(octets: Uint8Array, at: number, size: number): number {
  if (size >= 4)
    return (
      (octets[at] as number) | ((octets[at + 1] as number) << 8) | ((octets[at + 2] as number) << 16) | ((octets[at + 3] as number) << 24)
    );
  let word = 0;
  for (let octet = 0; octet < size; octet++) word |= (octets[at + octet] as number) << (8 * octet);
  return word;
}

/**
 * Up to 512 values without words of their own, each of at most eight octets, all with the same detail. Its driver fills it, hands it to the sink and
 * fills it anew: whoever is given one has to be done with it when the call returns. Walked over, it gives readings like any other.
 */
export class ReadingBlock implements Iterable<PointReading> {
  /** Values in use, from the beginning of each column. */
  length = 0;
  /** What the protocol told beside each of the values. */
  detail: ReadingDetail | undefined;
  readonly pointId = new Float64Array(BLOCK_CAPACITY);
  /** As `PointValue.value`. */
  readonly value = new Float64Array(BLOCK_CAPACITY);
  /** BLOCK_STATE for states, BLOCK_INVALID for values that the device marked so. */
  readonly form = new Uint8Array(BLOCK_CAPACITY);
  /** As `flagBits` makes them. */
  readonly flags = new Uint32Array(BLOCK_CAPACITY);
  /** UTC milliseconds; NaN: none. */
  readonly sourceTime = new Float64Array(BLOCK_CAPACITY);
  /** First four octets of the value as it arrived, the first one lowest, and those behind them. */
  readonly rawLow = new Uint32Array(BLOCK_CAPACITY);
  readonly rawHigh = new Uint32Array(BLOCK_CAPACITY);
  readonly rawLength = new Uint8Array(BLOCK_CAPACITY);

  *[Symbol.iterator](): Generator<PointValue> {
    for (let at = 0; at < this.length; at++) yield this.reading(at);
  }

  /** The reading of a place, 0 to `length` - 1. */
  reading(at: number): PointValue {
    const form = this.form[at] ?? 0;
    const sourceTime = this.sourceTime[at] ?? Number.NaN;
    return {
      kind: 'value',
      pointId: this.pointId[at] ?? 0,
      value: this.value[at] ?? 0,
      form: (form & BLOCK_STATE) === 0 ? undefined : 'state',
      valueText: '',
      raw: this.#raw(at),
      quality: (form & BLOCK_INVALID) === 0 ? 'good' : 'invalid',
      flags: flagsOfBits(this.flags[at] ?? 0),
      sourceTime: Number.isNaN(sourceTime) ? null : sourceTime,
      detail: this.detail,
    };
  }

  #raw(at: number): Uint8Array {
    const words = [this.rawLow[at] ?? 0, this.rawHigh[at] ?? 0];
    return Uint8Array.from({ length: this.rawLength[at] ?? 0 }, (_, octet) => (words[octet >> 2] ?? 0) >>> (8 * (octet & 3)));
  }
}
