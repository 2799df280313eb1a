/** What a block has to send: entries in order, bounded in octets, with the place of the next one (IEC 61850-7-2, 17.2.3.2). */
import type { MmsResult } from '../../mms/types.ts';

/** A member of the data set in an entry. */
export interface EntryMember {
  /** Place in the data set, from 0. */
  readonly place: number;
  readonly value: MmsResult;
  /** Bits of the reason for inclusion, `1 << bit`. */
  readonly reasons: number;
}

export interface ReportEntry {
  /** In the order of the data set. */
  readonly members: readonly EntryMember[];
  /** When the entry was made, UTC milliseconds. */
  readonly timeMs: number;
  /** Eight octets. */
  readonly entryId: Uint8Array;
  /** Octets that its values take. */
  readonly octets: number;
}

/** What an entry takes beside its values, so that many small ones are bounded as well. */
const ENTRY_OCTETS = 100;

/** Entries of a block; those that were sent stay until newer ones need their place, where the block is buffered. */
export class EntryBuffer {
  readonly #limitOctets: number;
  readonly #keepsSent: boolean;
  #entries: ReportEntry[] = [];
  #octets = 0;
  /** Place of the next entry to send. */
  #next = 0;
  #lost = 0;

  /** `limitOctets`: of all entries; the newest is kept whatever it takes. */
  constructor(limitOctets: number, keepsSent: boolean) {
    this.#limitOctets = limitOctets;
    this.#keepsSent = keepsSent;
  }

  /** From the oldest on. */
  get entries(): readonly ReportEntry[] {
    return this.#entries;
  }

  /** The newest entry; null where there is none. */
  get newest(): ReportEntry | null {
    return this.#entries.at(-1) ?? null;
  }

  /** The entry that is to be sent next. */
  get next(): ReportEntry | null {
    return this.#entries[this.#next] ?? null;
  }

  add(entry: ReportEntry): void {
    this.#entries.push(entry);
    this.#octets += entry.octets + ENTRY_OCTETS;
    while (this.#octets > this.#limitOctets && this.#entries.length > 1) {
      if (this.#next === 0) this.#lost += 1;
      this.#dropOldest();
    }
  }

  /** The next entry has been sent. */
  sent(): void {
    this.#next += 1;
    if (!this.#keepsSent) this.#dropOldest();
  }

  /** Entries that were dropped before they were sent, since this was asked last. */
  takeLost(): number {
    const lost = this.#lost;
    this.#lost = 0;
    return lost;
  }

  /** Sends from the oldest entry on. */
  rewind(): void {
    this.#next = 0;
    this.#lost = 0;
  }

  /** Sends what comes behind this entry; false where it is not there. */
  continueAfter(entryId: Uint8Array): boolean {
    const place = this.#entries.findIndex((entry) => entry.entryId.every((octet, at) => octet === entryId[at]));
    if (place < 0) return false;
    this.#next = place + 1;
    this.#lost = 0;
    return true;
  }

  purge(): void {
    this.#entries = [];
    this.#octets = 0;
    this.rewind();
  }

  #dropOldest(): void {
    const dropped = this.#entries.shift();
    if (!dropped) return;
    this.#octets -= dropped.octets + ENTRY_OCTETS;
    this.#next = Math.max(0, this.#next - 1);
  }
}
