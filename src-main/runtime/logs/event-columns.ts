import type { Message } from '#shared/messages/message.ts';
import type { ReadingDetail } from '../../drivers/spi/index.ts';
import { BLOCK_OCTETS, flagBits, flagsOfBits, littleEndian } from '../../drivers/spi/reading-block.ts';
import { DetailPool } from '../values/reading-detail.ts';
import type { EventBody, EventHead, EventRecord } from './event-record.ts';

/** Places at the beginning; they double up to the bound. */
const FIRST_PLACES = 256;
/** A number that is not there. */
const NONE = Number.NaN;
/** Bits of the flags of an entry that became no value, and of one whose value is invalid; the flags themselves are below them. */
export const NO_VALUE_BIT = 0x4000_0000;
export const INVALID_BIT = 0x2000_0000;
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
  /** Texts by place; most changes have none. */
  readonly #texts = new Map<number, string>();
  /** Messages by place; changes, which are most, have none. */
  readonly #said = new Map<number, Message>();
  readonly #details = new DetailPool();
  #detail: Uint32Array;
  /** Texts of invalid device times by place; few entries have one. */
  readonly #timeTexts = new Map<number, string>();
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
    const bits = flagBits(flags) | (isNoValue ? NO_VALUE_BIT : 0) | (isInvalid ? INVALID_BIT : 0);
    this.writeNumbers(place, head, value ?? NONE, deviceTime ?? NONE, receivedAt, bits, this.packDetail(detail ?? undefined));
    this.#writeRaw(place, raw);
    if (text !== '') this.#texts.set(place, text);
    if (said) this.#said.set(place, said);
    if (detail?.sourceTimeText !== undefined) this.#timeTexts.set(place, detail.sourceTimeText);
  }

  /** A detail as `writeNumbers` takes it. */
  packDetail(detail: ReadingDetail | undefined): number {
    return detail === undefined ? 0 : this.#details.pack(detail);
  }

  /** The same for an entry without texts; NaN where there is no value and no time. */
  writeNumbers(place: number, head: EventHead, value: number, deviceTime: number, receivedAt: number, flags: number, detail: number): void {
    if (place >= this.#value.length) this.#grow();
    if (this.#heads[place] !== head) this.#heads[place] = head;
    this.#value[place] = value;
    this.#deviceTime[place] = deviceTime;
    this.#receivedAt[place] = receivedAt;
    this.#flags[place] = flags;
    this.#detail[place] = detail;
    this.#rawLength[place] = 0;
    if (this.#longRaw.size > 0) this.#longRaw.delete(place);
    if (this.#texts.size > 0) this.#texts.delete(place);
    if (this.#timeTexts.size > 0) this.#timeTexts.delete(place);
    if (this.#said.size > 0) this.#said.delete(place);
  }

  /** Octets of the entry that was written last into a place, as the columns of a block have them. */
  writeOctets(place: number, low: number, high: number, length: number): void {
    this.#rawLow[place] = low;
    this.#rawHigh[place] = high;
    this.#rawLength[place] = length;
  }

  #writeRaw(place: number, raw: Uint8Array): void {
    if (raw.length <= BLOCK_OCTETS) {
      this.writeOctets(place, littleEndian(raw, 0, raw.length), littleEndian(raw, 4, raw.length - 4), raw.length);
      return;
    }
    this.#rawLength[place] = RAW_ELSEWHERE;
    this.#longRaw.set(place, Uint8Array.from(raw));
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

  channelId(place: number): number {
    return this.#heads[place]?.channelId ?? 0;
  }

  /** The entry of a place that was written, with the number it has in the log. */
  read(place: number, seq: number): EventRecord {
    const { channelId, kind, pointId, frameType, code } = this.#heads[place] ?? NO_HEAD;
    const bits = this.#flags[place] ?? 0;
    return {
      ...{ seq, channelId, kind, pointId, frameType, code },
      value: numberOrNull(this.#value[place]),
      flags: flagsOfBits(bits & ~MARKS),
      isNoValue: (bits & NO_VALUE_BIT) !== 0,
      isInvalid: (bits & INVALID_BIT) !== 0,
      deviceTime: numberOrNull(this.#deviceTime[place]),
      receivedAt: this.#receivedAt[place] ?? 0,
      text: this.#texts.get(place) ?? '',
      said: this.#said.get(place) ?? null,
      detail: this.#details.unpack(this.#detail[place] ?? 0, this.#timeTexts.get(place)),
    };
  }

  #grow(): void {
    const places = Math.min(this.#capacity, this.#value.length * 2);
    const larger = (column: Float64Array) => {
      const grown = new Float64Array(places);
      grown.set(column);
      return grown;
    };
    this.#value = larger(this.#value);
    this.#deviceTime = larger(this.#deviceTime);
    this.#receivedAt = larger(this.#receivedAt);
    const largerWords = (column: Uint32Array) => {
      const grown = new Uint32Array(places);
      grown.set(column);
      return grown;
    };
    this.#flags = largerWords(this.#flags);
    this.#detail = largerWords(this.#detail);
    this.#rawLow = largerWords(this.#rawLow);
    this.#rawHigh = largerWords(this.#rawHigh);
    const lengths = new Uint8Array(places);
    lengths.set(this.#rawLength);
    this.#rawLength = lengths;
  }
}

const NO_HEAD: EventHead = { channelId: 0, kind: 'system', pointId: null, frameType: null, code: '' };

function numberOrNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
