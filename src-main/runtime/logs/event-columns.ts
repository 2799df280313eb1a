import type { QualityFlag } from '#shared/domain/enums.ts';
import type { Message } from '#shared/messages/message.ts';
import type { ReadingDetail } from '../../drivers/spi/index.ts';
import { DetailPool, hasTimeText } from '../values/reading-detail.ts';
import type { EventRecord } from './event-record.ts';

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
  #channelId: Float64Array;
  #pointId: Float64Array;
  #frameType: Float64Array;
  #value: Float64Array;
  #deviceTime: Float64Array;
  #receivedAt: Float64Array;
  readonly #kind: EventRecord['kind'][] = [];
  readonly #code: string[] = [];
  readonly #flags: (readonly QualityFlag[])[] = [];
  readonly #text: string[] = [];
  /** Messages by place; changes, which are most, have none. */
  readonly #said = new Map<number, Message>();
  readonly #details = new DetailPool();
  #detail: Uint32Array;
  /** Texts of invalid device times by place; few entries have one. */
  readonly #timeTexts = new Map<number, string>();

  /** `capacity`: places at most, 1 or more. */
  constructor(capacity: number) {
    this.#capacity = capacity;
    const places = Math.min(capacity, FIRST_PLACES);
    this.#channelId = new Float64Array(places);
    this.#pointId = new Float64Array(places);
    this.#frameType = new Float64Array(places);
    this.#value = new Float64Array(places);
    this.#deviceTime = new Float64Array(places);
    this.#receivedAt = new Float64Array(places);
    this.#detail = new Uint32Array(places);
  }

  /** Writes an entry; places are filled in order before any is written again. */
  write(place: number, entry: Omit<EventRecord, 'seq'>): void {
    if (place >= this.#value.length) this.#grow();
    this.#channelId[place] = entry.channelId;
    this.#pointId[place] = entry.pointId ?? NONE;
    this.#frameType[place] = entry.frameType ?? NONE;
    this.#value[place] = entry.value ?? NONE;
    this.#deviceTime[place] = entry.deviceTime ?? NONE;
    this.#receivedAt[place] = entry.receivedAt;
    this.#kind[place] = entry.kind;
    this.#code[place] = entry.code;
    this.#flags[place] = entry.flags;
    this.#text[place] = entry.text;
    if (entry.said) this.#said.set(place, entry.said);
    else if (this.#said.size > 0) this.#said.delete(place);
    this.#writeDetail(place, entry.detail);
  }

  channelId(place: number): number {
    return this.#channelId[place] ?? 0;
  }

  /** The entry of a place that was written, with the number it has in the log. */
  read(place: number, seq: number): EventRecord {
    return {
      seq,
      channelId: this.channelId(place),
      kind: this.#kind[place] ?? 'system',
      pointId: numberOrNull(this.#pointId[place]),
      frameType: numberOrNull(this.#frameType[place]) as EventRecord['frameType'],
      code: this.#code[place] ?? '',
      value: numberOrNull(this.#value[place]),
      flags: this.#flags[place] ?? [],
      deviceTime: numberOrNull(this.#deviceTime[place]),
      receivedAt: this.#receivedAt[place] ?? 0,
      text: this.#text[place] ?? '',
      said: this.#said.get(place) ?? null,
      detail: this.#details.unpack(this.#detail[place] ?? 0, this.#timeTexts.get(place)),
    };
  }

  #writeDetail(place: number, detail: ReadingDetail | null): void {
    if (hasTimeText(this.#detail[place] ?? 0)) this.#timeTexts.delete(place);
    this.#detail[place] = detail === null ? 0 : this.#details.pack(detail);
    if (detail?.sourceTimeText !== undefined) this.#timeTexts.set(place, detail.sourceTimeText);
  }

  #grow(): void {
    const places = Math.min(this.#capacity, this.#value.length * 2);
    const larger = (column: Float64Array) => {
      const grown = new Float64Array(places);
      grown.set(column);
      return grown;
    };
    this.#channelId = larger(this.#channelId);
    this.#pointId = larger(this.#pointId);
    this.#frameType = larger(this.#frameType);
    this.#value = larger(this.#value);
    this.#deviceTime = larger(this.#deviceTime);
    this.#receivedAt = larger(this.#receivedAt);
    const detail = new Uint32Array(places);
    detail.set(this.#detail);
    this.#detail = detail;
  }
}

function numberOrNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
