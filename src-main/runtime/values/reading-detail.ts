import type { ReadingCause, ReadingDetail } from '../../drivers/spi/index.ts';

/**
 * Packed detail of a reading, 0 for none. Bits: 0 to 11 number of the cause, 12 and 13 negative, 14 to 19 sequence + 1, 20 and 21 adjusted, 22
 * and 23 carry, 24 to 29 time accuracy + 1, 30 a text of the time is kept apart. 0 in a group: not told.
 */
const CAUSE_MASK = 0xfff;
const NEGATIVE = 12;
const SEQUENCE = 14;
const ADJUSTED = 20;
const CARRY = 22;
const ACCURACY = 24;
const TIME_TEXT = 1 << 30;
/** Sequence numbers and accuracies have five bits in their protocols. */
const HIGHEST = 31;

/** True when the text of an invalid time belongs to the packed detail. */
export function hasTimeText(packed: number): boolean {
  return (packed & TIME_TEXT) !== 0;
}

/** Details of readings as numbers of 32 bits. Causes are kept once; 4095 different ones at most, further ones are not kept. */
export class DetailPool {
  readonly #causes: ReadingCause[] = [];
  readonly #numbers = new Map<string, number>();
  #last: ReadingDetail | null = null;
  #lastPacked = 0;

  /** The detail as a number; `sourceTimeText` is kept by the caller. A number out of its range is left out. */
  pack(detail: ReadingDetail): number {
    if (detail === this.#last) return this.#lastPacked;
    const packed =
      this.#causeNumber(detail.cause) |
      (packedFlag(detail.negative) << NEGATIVE) |
      (packedNumber(detail.sequence) << SEQUENCE) |
      (packedFlag(detail.adjusted) << ADJUSTED) |
      (packedFlag(detail.carry) << CARRY) |
      (packedNumber(detail.timeAccuracy) << ACCURACY) |
      (detail.sourceTimeText === undefined ? 0 : TIME_TEXT);
    this.#last = detail;
    this.#lastPacked = packed;
    return packed;
  }

  /** The detail again, without the fields that were not told; null for 0. */
  unpack(packed: number, timeText: string | undefined): ReadingDetail | null {
    if (packed === 0) return null;
    const cause = this.#causes[(packed & CAUSE_MASK) - 1];
    const negative = flagOf(packed >>> NEGATIVE);
    const sequence = numberOf(packed >>> SEQUENCE);
    const adjusted = flagOf(packed >>> ADJUSTED);
    const carry = flagOf(packed >>> CARRY);
    const timeAccuracy = numberOf(packed >>> ACCURACY);
    return {
      ...(cause && { cause }),
      ...(negative !== undefined && { negative }),
      ...(sequence !== undefined && { sequence }),
      ...(adjusted !== undefined && { adjusted }),
      ...(carry !== undefined && { carry }),
      ...(hasTimeText(packed) && timeText !== undefined && { sourceTimeText: timeText }),
      ...(timeAccuracy !== undefined && { timeAccuracy }),
    };
  }

  #causeNumber(cause: ReadingCause | undefined): number {
    if (cause === undefined) return 0;
    const key = `${cause.code} ${cause.name}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    if (this.#causes.length === CAUSE_MASK) return 0;
    this.#causes.push({ code: cause.code, name: cause.name });
    this.#numbers.set(key, this.#causes.length);
    return this.#causes.length;
  }
}

function packedFlag(flag: boolean | undefined): number {
  if (flag === undefined) return 0;
  return flag ? 2 : 1;
}

function flagOf(bits: number): boolean | undefined {
  return (bits & 3) === 0 ? undefined : (bits & 3) === 2;
}

function packedNumber(number: number | undefined): number {
  return number === undefined || !Number.isInteger(number) || number < 0 || number > HIGHEST ? 0 : number + 1;
}

function numberOf(bits: number): number | undefined {
  return (bits & 0x3f) === 0 ? undefined : (bits & 0x3f) - 1;
}
