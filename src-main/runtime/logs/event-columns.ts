import { BLOCK_INVALID, BLOCK_OCTETS, flagBits, flagsOfBits, littleEndian } from '../../drivers/spi/reading-block.ts';
import { type NumberColumns, numberColumns } from '../../platform/number-columns.ts';
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

const LAYOUT = {
  value: Float64Array,
  deviceTime: Float64Array,
  receivedAt: Float64Array,
  /** As `flagBits` makes them. */
  flags: Uint32Array,
  /** Number in the pool of details; 0: none. */
  detail: Uint32Array,
  /** As the columns of a block of readings. */
  rawLow: Uint32Array,
  rawHigh: Uint32Array,
  rawLength: Uint8Array,
} as const;
const NAMES = Object.keys(LAYOUT) as (keyof typeof LAYOUT)[];

/**
 * Entries of the event log by place, in columns: writing over an old entry makes no object, so that a station with many changes costs no
 * more than the numbers it sends.
 */
export class EventColumns {
  readonly #capacity: number;
  readonly #heads: EventHead[] = [];
  #columns: NumberColumns<typeof LAYOUT>;
  /** What entries have beside numbers, by place; changes, which are most, have nothing. */
  readonly #words = new Map<number, Words>();
  readonly #details: DetailPool;
  readonly #longRaw = new Map<number, Uint8Array>();

  /** `capacity`: places at most, 1 or more. */
  constructor(capacity: number, details = new DetailPool()) {
    this.#capacity = capacity;
    this.#details = details;
    this.#columns = numberColumns(LAYOUT, Math.min(capacity, FIRST_PLACES));
  }

  /** Writes an entry; places are filled in order before any is written again. */
  write(place: number, head: EventHead, body: EventBody): void {
    const { value, deviceTime, receivedAt, flags, text, said, detail, isNoValue, isInvalid, raw = NO_OCTETS } = body;
    this.#makeRoom(place, 1);
    const columns = this.#columns;
    this.#heads[place] = head;
    columns.value[place] = value ?? NONE;
    columns.deviceTime[place] = deviceTime ?? NONE;
    columns.receivedAt[place] = receivedAt;
    columns.flags[place] = flagBits(flags) | (isNoValue ? NO_VALUE_BIT : 0) | (isInvalid ? INVALID_BIT : 0);
    columns.detail[place] = detail === null ? 0 : this.#details.pack(detail);
    this.#writeRaw(place, raw);
    const timeText = detail?.sourceTimeText;
    if (text !== '' || said || timeText !== undefined) this.#words.set(place, { text, said, timeText });
  }

  /** As `write`, for the entries `from` to `to` of a run. Column by column, since copies of whole columns cost hardly anything. */
  writeNumbers(place: number, { heads, values, block, receivedAt, isNoValue }: NumberRun, from: number, to: number): void {
    const count = to - from;
    const mark = isNoValue ? NO_VALUE_BIT : 0;
    this.#makeRoom(place, count);
    const columns = this.#columns;
    for (let index = 0; index < count; index++) {
      const isInvalid = ((block.form[from + index] as number) & BLOCK_INVALID) !== 0;
      this.#heads[place + index] = heads[from + index] ?? NO_HEAD;
      columns.flags[place + index] = (block.flags[from + index] as number) | mark | (isInvalid ? INVALID_BIT : 0);
    }
    columns.value.set(values.subarray(from, to), place);
    columns.deviceTime.set(block.sourceTime.subarray(from, to), place);
    columns.receivedAt.fill(receivedAt, place, place + count);
    columns.detail.fill(block.detail === undefined ? 0 : this.#details.pack(block.detail), place, place + count);
    columns.rawLow.set(block.rawLow.subarray(from, to), place);
    columns.rawHigh.set(block.rawHigh.subarray(from, to), place);
    columns.rawLength.set(block.rawLength.subarray(from, to), place);
  }

  /** Room for entries in these places; what stood there goes. */
  #makeRoom(place: number, count: number): void {
    while (place + count > this.#columns.value.length) this.#grow();
    for (const beside of [this.#words, this.#longRaw]) {
      if (beside.size > 0) for (let index = 0; index < count; index++) beside.delete(place + index);
    }
  }

  #writeRaw(place: number, raw: Uint8Array): void {
    if (raw.length > BLOCK_OCTETS) {
      this.#columns.rawLength[place] = RAW_ELSEWHERE;
      this.#longRaw.set(place, Uint8Array.from(raw));
      return;
    }
    this.#columns.rawLow[place] = littleEndian(raw, 0, raw.length);
    this.#columns.rawHigh[place] = littleEndian(raw, 4, raw.length - 4);
    this.#columns.rawLength[place] = raw.length;
  }

  /** Octets of the entry of a place. */
  raw(place: number): Uint8Array {
    const length = this.#columns.rawLength[place] ?? 0;
    if (length === RAW_ELSEWHERE) return this.#longRaw.get(place) ?? NO_OCTETS;
    const words = [this.#columns.rawLow[place] ?? 0, this.#columns.rawHigh[place] ?? 0];
    return Uint8Array.from({ length }, (_, octet) => (words[octet >> 2] ?? 0) >>> (8 * (octet & 3)));
  }

  /** The same for another bound: `count` entries, the first of them in place `from`, in the first places. Column by column: there may be 200,000 of them. */
  resized(capacity: number, from: number, count: number): EventColumns {
    const to = new EventColumns(capacity, this.#details);
    to.#columns = numberColumns(LAYOUT, Math.max(count, to.#columns.value.length));
    const places = this.#columns.value.length;
    const upToEnd = Math.min(count, places - from);
    for (const [start, end, at] of [
      [from, from + upToEnd, 0],
      [0, count - upToEnd, upToEnd],
    ] as const) {
      for (const name of NAMES) to.#columns[name].set(this.#columns[name].subarray(start, end), at);
      for (let place = start; place < end; place++) to.#heads.push(this.#heads[place] ?? NO_HEAD);
    }
    const placeOf = (place: number) => (place - from + places) % places;
    for (const [place, words] of this.#words) if (placeOf(place) < count) to.#words.set(placeOf(place), words);
    for (const [place, raw] of this.#longRaw) if (placeOf(place) < count) to.#longRaw.set(placeOf(place), raw);
    return to;
  }

  channelId(place: number): number | null {
    return (this.#heads[place] ?? NO_HEAD).channelId;
  }

  /** The entry of a place that was written, with the number it has in the log. */
  read(place: number, seq: number): EventRecord {
    const { channelId, kind, pointId, frameType, code } = this.#heads[place] ?? NO_HEAD;
    const bits = this.#columns.flags[place] ?? 0;
    const { text, said, timeText } = this.#words.get(place) ?? NO_WORDS;
    return {
      ...{ seq, channelId, kind, pointId, frameType, code },
      value: numberOrNull(this.#columns.value[place]),
      flags: flagsOfBits(bits & ~MARKS),
      isNoValue: (bits & NO_VALUE_BIT) !== 0,
      isInvalid: (bits & INVALID_BIT) !== 0,
      deviceTime: numberOrNull(this.#columns.deviceTime[place]),
      receivedAt: this.#columns.receivedAt[place] ?? 0,
      text,
      said,
      detail: this.#details.unpack(this.#columns.detail[place] ?? 0, timeText),
    };
  }

  #grow(): void {
    const before = this.#columns;
    this.#columns = numberColumns(LAYOUT, Math.min(this.#capacity, before.value.length * 2));
    for (const name of NAMES) this.#columns[name].set(before[name]);
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
