import { EventColumns } from './event-columns.ts';
import type { EventBody, EventHead, EventRecord, NumberRun } from './event-record.ts';

export type { EventBody, EventHead, EventRecord };

/** Which entries are asked for. */
interface EventQuery {
  readonly channelId?: number | undefined;
  /** With a channel: the entries of the service itself as well. */
  readonly withSystem?: boolean;
  readonly afterSeq?: number | undefined;
  readonly limit: number;
}

function isOf({ channelId, withSystem = false }: EventQuery, of: number | null): boolean {
  return channelId === undefined || of === channelId || (withSystem && of === null);
}

/**
 * The last events of all channels and of the service itself: a pulse or a change with its time tag stays here when the value has changed again.
 * Bounded by entries; the oldest give way. `seq` starts at 1.
 */
export class EventLog {
  #capacity: number;
  #columns: EventColumns;
  #nextSeq = 1;
  /** Entry in the first place: the first of all, or of those that were left when the bound changed last. */
  #firstSeq = 1;

  /** `maxEntries`: 1 or more. */
  constructor(maxEntries: number) {
    this.#capacity = Math.max(1, Math.floor(maxEntries));
    this.#columns = new EventColumns(this.#capacity);
  }

  /** Newest entry, 0 before the first. */
  get lastSeq(): number {
    return this.#nextSeq - 1;
  }

  /** Entries that gave way to newer ones. */
  get dropped(): number {
    return Math.max(this.#firstSeq - 1, this.lastSeq - this.#capacity);
  }

  /** Changes the bound, 1 or more; the newest entries stay, with their numbers. */
  resize(maxEntries: number): void {
    const capacity = Math.max(1, Math.floor(maxEntries));
    if (capacity === this.#capacity) return;
    const first = Math.max(this.dropped + 1, this.#nextSeq - capacity);
    this.#columns = this.#columns.resized(capacity, this.#placeOf(first), this.#nextSeq - first);
    this.#capacity = capacity;
    this.#firstSeq = first;
  }

  #placeOf(seq: number): number {
    return (seq - this.#firstSeq) % this.#capacity;
  }

  /** Enters an event and answers its sequence number. */
  add(head: EventHead, body: EventBody): number {
    const seq = this.#nextSeq;
    this.#nextSeq = seq + 1;
    this.#columns.write(this.#placeOf(seq), head, body);
    return seq;
  }

  /** Enters the entries `from` to `to` of a run. */
  addNumbers(run: NumberRun, from: number, to: number): void {
    for (let start = from; start < to; ) {
      const place = this.#placeOf(this.#nextSeq);
      const end = Math.min(to, start + this.#capacity - place);
      this.#columns.writeNumbers(place, run, start, end);
      this.#nextSeq += end - start;
      start = end;
    }
  }

  /** Octets that the value of an entry came from; empty where none are known, and for one that gave way. */
  rawHex(seq: number): string {
    if (seq <= this.dropped || seq > this.lastSeq) return '';
    return Buffer.from(this.#columns.raw(this.#placeOf(seq)))
      .toString('hex')
      .toUpperCase();
  }

  /** At most `limit` entries, of one channel or of all, oldest first: those behind `afterSeq`, or without it the newest. */
  list(query: EventQuery): EventRecord[] {
    const first = this.dropped + 1;
    const items: EventRecord[] = [];
    const take = (seq: number) => {
      const place = this.#placeOf(seq);
      if (!isOf(query, this.#columns.channelId(place))) return;
      items.push(this.#columns.read(place, seq));
    };
    if (query.afterSeq !== undefined) {
      for (let seq = Math.max(first, query.afterSeq + 1); seq < this.#nextSeq && items.length < query.limit; seq++) take(seq);
      return items;
    }
    for (let seq = this.#nextSeq - 1; seq >= first && items.length < query.limit; seq--) take(seq);
    return items.reverse();
  }
}
