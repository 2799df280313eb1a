import type { EventEntry } from '#shared/contract/events.ts';
import type { FrameType, QualityFlag } from '#shared/domain/enums.ts';

/** One entry of the sequence of events, as it is kept in memory. Times are UTC milliseconds. */
export interface EventRecord {
  readonly seq: number;
  readonly channelId: number;
  readonly kind: EventEntry['kind'];
  readonly pointId: number | null;
  readonly frameType: FrameType | null;
  readonly code: string;
  readonly value: number | null;
  readonly flags: readonly QualityFlag[];
  /** Time tag of the device; null where it gave none. */
  readonly deviceTime: number | null;
  readonly receivedAt: number;
  readonly text: string;
}

type MutableRecord = { -readonly [Field in keyof EventRecord]: EventRecord[Field] };

/**
 * The last events of all channels: a pulse or a change with its time tag stays here when the value has changed again.
 * Bounded by entries; the oldest give way. `seq` starts at 1.
 */
export class EventLog {
  readonly #capacity: number;
  readonly #ring: MutableRecord[] = [];
  #nextSeq = 1;

  /** `maxEntries`: 1 or more. */
  constructor(maxEntries: number) {
    this.#capacity = Math.max(1, Math.floor(maxEntries));
  }

  /** Newest entry, 0 before the first. */
  get lastSeq(): number {
    return this.#nextSeq - 1;
  }

  /** Entries that gave way to newer ones. */
  get dropped(): number {
    return this.#nextSeq - 1 - this.#ring.length;
  }

  /** Enters an event and answers its sequence number. */
  add(entry: Omit<EventRecord, 'seq'>): number {
    const seq = this.#nextSeq;
    this.#nextSeq = seq + 1;
    const place = (seq - 1) % this.#capacity;
    const slot = this.#ring[place];
    // a full log writes over its oldest entry: a new object for each change of a busy station costs more than all the rest
    if (slot) overwrite(slot, seq, entry);
    else this.#ring[place] = { ...entry, seq };
    return seq;
  }

  /** At most `limit` entries, of one channel or of all, oldest first: those behind `afterSeq`, or without it the newest. */
  list(query: { readonly channelId?: number | undefined; readonly afterSeq?: number | undefined; readonly limit: number }): EventRecord[] {
    const first = this.#nextSeq - this.#ring.length;
    const items: EventRecord[] = [];
    const take = (seq: number) => {
      const entry = this.#ring[(seq - 1) % this.#capacity];
      if (entry && (query.channelId === undefined || entry.channelId === query.channelId)) items.push({ ...entry });
    };
    if (query.afterSeq !== undefined) {
      for (let seq = Math.max(first, query.afterSeq + 1); seq < this.#nextSeq && items.length < query.limit; seq++) take(seq);
      return items;
    }
    for (let seq = this.#nextSeq - 1; seq >= first && items.length < query.limit; seq--) take(seq);
    return items.reverse();
  }
}

function overwrite(slot: MutableRecord, seq: number, entry: Omit<EventRecord, 'seq'>): void {
  slot.seq = seq;
  slot.channelId = entry.channelId;
  slot.kind = entry.kind;
  slot.pointId = entry.pointId;
  slot.frameType = entry.frameType;
  slot.code = entry.code;
  slot.value = entry.value;
  slot.flags = entry.flags;
  slot.deviceTime = entry.deviceTime;
  slot.receivedAt = entry.receivedAt;
  slot.text = entry.text;
}
