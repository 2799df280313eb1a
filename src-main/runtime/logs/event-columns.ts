import { BLOCK_INVALID, BLOCK_OCTETS, flagBits, flagsOfBits, littleEndian } from '../../drivers/spi/reading-block.ts';
import { DetailPool } from '../values/reading-detail.ts';
import type { EventBody, EventHead, EventRecord, NumberRun } from './event-record.ts';

/** Places at the beginning; they double up to the bound. */
const FIRST_PLACES = 256;
/** A number that is not there. */
const NONE = Number.NaN;
/** Bits of the flags of an entry that became no value, and of one whose value is invalid; the flags themselves are below them. */
const NO_VALUE_BIT = 0x4000_0000;
const INVALID_BIT = 0x2000_0000;
const MARKS = NO_VALUE_BIT | INVALID_BIT;
/** `rawLength` of octets that are kept apart: more than fit. */
const RAW_ELSEWHERE = 0xff;
const NO_OCTETS = new Uint8Array(0);

/**
 * Entries of the event log by place, in columns: writing over an old entry makes no object, so that a station with many changes costs no
 * more than the numbers it sends.
 */
export class EventColumns {
  readonly #capacity: number;
  readonly #heads: EventHead[] = [];
  #value: Float64Array;
  #deviceTime: Float64Array;
  #receivedAt: Float64Array;
  /** As `flagBits` makes them. */
  #flags: Uint32Array;
  /** What entries have beside numbers, by place; changes, which are most, have nothing. */
  readonly #words = new Map<number, Words>();
  readonly #details = new DetailPool();
  #detail: Uint32Array;
  /** As the columns of a block of readings. */
  #rawLow: Uint32Array;
  #rawHigh: Uint32Array;
  #rawLength: Uint8Array;
  readonly #longRaw = new Map<number, Uint8Array>();

  /** `capacity`: places at most, 1 or more. */
  constructor(capacity: number) {
    this.#capacity = capacity;
    const places = Math.min(capacity, FIRST_PLACES);
    this.#value = new Float64Array(places);
    this.#deviceTime = new Float64Array(places);
    this.#receivedAt = new Float64Array(places);
    this.#flags = new Uint32Array(places);
    this.#detail = new Uint32Array(places);
    this.#rawLow = new Uint32Array(places);
    this.#rawHigh = new Uint32Array(places);
    this.#rawLength = new Uint8Array(places);
  }

  /** Writes an entry; places are filled in order before any is written again. */
  write(place: number, head: EventHead, body: EventBody): void {
    const { value, deviceTime, receivedAt, flags, text, said, detail, isNoValue, isInvalid, raw = NO_OCTETS } = body;
    this.#makeRoom(place, 1);
    this.#heads[place] = head;
    this.#value[place] = value ?? NONE;
    this.#deviceTime[place] = deviceTime ?? NONE;
    this.#receivedAt[place] = receivedAt;
    this.#flags[place] = flagBits(flags) | (isNoValue ? NO_VALUE_BIT : 0) | (isInvalid ? INVALID_BIT : 0);
    this.#detail[place] = detail === null ? 0 : this.#details.pack(detail);
    this.#writeRaw(place, raw);
    const timeText = detail?.sourceTimeText;
    if (text !== '' || said || timeText !== undefined) this.#words.set(place, { text, said, timeText });
  }

  /** As `write`, for the entries `from` to `to` of a run. Column by column, since copies of whole columns cost hardly anything. */
  writeNumbers(place: number, { heads, values, block, receivedAt, isNoValue }: NumberRun, from: number, to: number): void {
    const count = to - from;
    const mark = isNoValue ? NO_VALUE_BIT : 0;
    this.#makeRoom(place, count);
    for (let index = 0; index < count; index++) {
      const isInvalid = ((block.form[from + index] as number) & BLOCK_INVALID) !== 0;
      this.#heads[place + index] = heads[from + index] ?? NO_HEAD;
      this.#flags[place + index] = (block.flags[from + index] as number) | mark | (isInvalid ? INVALID_BIT : 0);
    }
    this.#value.set(values.subarray(from, to), place);
    this.#deviceTime.set(block.sourceTime.subarray(from, to), place);
    this.#receivedAt.fill(receivedAt, place, place + count);
    this.#detail.fill(block.detail === undefined ? 0 : this.#details.pack(block.detail), place, place + count);
    this.#rawLow.set(block.rawLow.subarray(from, to), place);
    this.#rawHigh.set(block.rawHigh.subarray(from, to), place);
    this.#rawLength.set(block.rawLength.subarray(from, to), place);
  }

  /** Room for entries in these places; what stood there goes. */
  #makeRoom(place: number, count: number): void {
    while (place + count > this.#value.length) this.#grow();
    for (const beside of [this.#words, this.#longRaw]) {
      if (beside.size > 0) for (let index = 0; index < count; index++) beside.delete(place + index);
    }
  }

  #writeRaw(place: number, raw: Uint8Array): void {
    if (raw.length > BLOCK_OCTETS) {
      this.#rawLength[place] = RAW_ELSEWHERE;
      this.#longRaw.set(place, Uint8Array.from(raw));
      return;
    }
    this.#rawLow[place] = littleEndian(raw, 0, raw.length);
    this.#rawHigh[place] = littleEndian(raw, 4, raw.length - 4);
    this.#rawLength[place] = raw.length;
  }

  /** Octets of the entry of a place. */
  raw(place: number): Uint8Array {
    const length = this.#rawLength[place] ?? 0;
    if (length === RAW_ELSEWHERE) return this.#longRaw.get(place) ?? NO_OCTETS;
    const words = [this.#rawLow[place] ?? 0, this.#rawHigh[place] ?? 0];
    return Uint8Array.from({ length }, (_, octet) => (words[octet >> 2] ?? 0) >>> (8 * (octet & 3)));
  }

  /** Writes what stands in a place of others. */
  copy(place: number, others: EventColumns, from: number): void {
    this.write(place, others.#heads[from] ?? NO_HEAD, { ...others.read(from, 0), raw: others.raw(from) });
  }

  channelId(place: number): number | null {
    return (this.#heads[place] ?? NO_HEAD).channelId;
  }

  /** The entry of a place that was written, with the number it has in the log. */
  read(place: number, seq: number): EventRecord {
    const { channelId, kind, pointId, frameType, code } = this.#heads[place] ?? NO_HEAD;
    const bits = this.#flags[place] ?? 0;
    const { text, said, timeText } = this.#words.get(place) ?? NO_WORDS;
    return {
      ...{ seq, channelId, kind, pointId, frameType, code },
      value: numberOrNull(this.#value[place]),
      flags: flagsOfBits(bits & ~MARKS),
      isNoValue: (bits & NO_VALUE_BIT) !== 0,
      isInvalid: (bits & INVALID_BIT) !== 0,
      deviceTime: numberOrNull(this.#deviceTime[place]),
      receivedAt: this.#receivedAt[place] ?? 0,
      text,
      said,
      detail: this.#details.unpack(this.#detail[place] ?? 0, timeText),
    };
  }

  #grow(): void {
    const places = Math.min(this.#capacity, this.#value.length * 2);
    const larger = <T extends Float64Array | Uint32Array | Uint8Array>(column: T, grown: T): T => {
      grown.set(column);
      return grown;
    };
    this.#value = larger(this.#value, new Float64Array(places));
    this.#deviceTime = larger(this.#deviceTime, new Float64Array(places));
    this.#receivedAt = larger(this.#receivedAt, new Float64Array(places));
    this.#flags = larger(this.#flags, new Uint32Array(places));
    this.#detail = larger(this.#detail, new Uint32Array(places));
    this.#rawLow = larger(this.#rawLow, new Uint32Array(places));
    this.#rawHigh = larger(this.#rawHigh, new Uint32Array(places));
    this.#rawLength = larger(this.#rawLength, new Uint8Array(places));
  }
}

interface Words extends Pick<EventBody, 'text' | 'said'> {
  /** The device's time as it wrote it, where it is no valid one. */
  readonly timeText: string | undefined;
}

const NO_WORDS: Words = { text: '', said: null, timeText: undefined };
const NO_HEAD: EventHead = { channelId: null, kind: 'system', pointId: null, frameType: null, code: '' };

function numberOrNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
