import { flagBits, flagsOfBits } from '../../drivers/spi/reading-block.ts';
import { DetailPool } from '../values/reading-detail.ts';
import type { EventBody, EventHead, EventRecord, NumberRun } from './event-record.ts';

/** Places at the beginning; they double up to the bound. */
const FIRST_PLACES = 256;
/** A number that is not there. */
const NONE = Number.NaN;

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

  /** `capacity`: places at most, 1 or more. */
  constructor(capacity: number) {
    this.#capacity = capacity;
    const places = Math.min(capacity, FIRST_PLACES);
    this.#value = new Float64Array(places);
    this.#deviceTime = new Float64Array(places);
    this.#receivedAt = new Float64Array(places);
    this.#flags = new Uint32Array(places);
    this.#detail = new Uint32Array(places);
  }

  /** Writes an entry; places are filled in order before any is written again. */
  write(place: number, head: EventHead, body: EventBody): void {
    const { value, deviceTime, receivedAt, flags, text, said, detail } = body;
    this.#makeRoom(place, 1);
    this.#heads[place] = head;
    this.#value[place] = value ?? NONE;
    this.#deviceTime[place] = deviceTime ?? NONE;
    this.#receivedAt[place] = receivedAt;
    this.#flags[place] = flagBits(flags);
    this.#detail[place] = detail === null ? 0 : this.#details.pack(detail);
    const timeText = detail?.sourceTimeText;
    if (text !== '' || said || timeText !== undefined) this.#words.set(place, { text, said, timeText });
  }

  /** As `write`, for the entries `from` to `to` of a run. Column by column, since copies of whole columns cost hardly anything. */
  writeNumbers(place: number, { heads, values, block, receivedAt }: NumberRun, from: number, to: number): void {
    const count = to - from;
    this.#makeRoom(place, count);
    for (let index = 0; index < count; index++) this.#heads[place + index] = heads[from + index] ?? NO_HEAD;
    this.#value.set(values.subarray(from, to), place);
    this.#deviceTime.set(block.sourceTime.subarray(from, to), place);
    this.#receivedAt.fill(receivedAt, place, place + count);
    this.#flags.set(block.flags.subarray(from, to), place);
    this.#detail.fill(block.detail === undefined ? 0 : this.#details.pack(block.detail), place, place + count);
  }

  /** Room for entries in these places; what stood there goes. */
  #makeRoom(place: number, count: number): void {
    while (place + count > this.#value.length) this.#grow();
    if (this.#words.size > 0) for (let index = 0; index < count; index++) this.#words.delete(place + index);
  }

  /** Writes what stands in a place of others. */
  copy(place: number, others: EventColumns, from: number): void {
    this.write(place, others.#heads[from] ?? NO_HEAD, others.read(from, 0));
  }

  channelId(place: number): number {
    return this.#heads[place]?.channelId ?? 0;
  }

  /** The entry of a place that was written, with the number it has in the log. */
  read(place: number, seq: number): EventRecord {
    const { channelId, kind, pointId, frameType, code } = this.#heads[place] ?? NO_HEAD;
    const { text, said, timeText } = this.#words.get(place) ?? NO_WORDS;
    return {
      ...{ seq, channelId, kind, pointId, frameType, code },
      value: numberOrNull(this.#value[place]),
      flags: flagsOfBits(this.#flags[place] ?? 0),
      deviceTime: numberOrNull(this.#deviceTime[place]),
      receivedAt: this.#receivedAt[place] ?? 0,
      text,
      said,
      detail: this.#details.unpack(this.#detail[place] ?? 0, timeText),
    };
  }

  #grow(): void {
    const places = Math.min(this.#capacity, this.#value.length * 2);
    const larger = <T extends Float64Array | Uint32Array>(column: T, grown: T): T => {
      grown.set(column);
      return grown;
    };
    this.#value = larger(this.#value, new Float64Array(places));
    this.#deviceTime = larger(this.#deviceTime, new Float64Array(places));
    this.#receivedAt = larger(this.#receivedAt, new Float64Array(places));
    this.#flags = larger(this.#flags, new Uint32Array(places));
    this.#detail = larger(this.#detail, new Uint32Array(places));
  }
}

interface Words extends Pick<EventBody, 'text' | 'said'> {
  /** The device's time as it wrote it, where it is no valid one. */
  readonly timeText: string | undefined;
}

const NO_WORDS: Words = { text: '', said: null, timeText: undefined };
const NO_HEAD: EventHead = { channelId: 0, kind: 'system', pointId: null, frameType: null, code: '' };

function numberOrNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
