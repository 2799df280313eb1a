/** The entries of one log (IEC 61850-7-2, 17.4), bounded in octets, and what a client asks of them (ISO 9506-2, ReadJournal). */
import { BerWriter } from '../../../../protocol-kit/ber/writer.ts';
import { encodeEntry } from '../../mms/journals.ts';
import type { JournalEntry, JournalVariable, MmsRequest } from '../../mms/pdu.ts';
import { binaryTimeOctets } from '../../mms/times.ts';
import { utcMs } from '../../model/time.ts';
import { sameOctets } from '../../reports/segments.ts';

type Query = Pick<Extract<MmsRequest, { service: 'read-journal' }>, 'start' | 'stop' | 'variables' | 'after'>;
type Limit = Extract<MmsRequest, { service: 'initialize-journal' }>['limit'];

/** An entry as it is kept. */
interface LogEntry {
  /** UTC milliseconds. */
  readonly timeMs: number;
  readonly entry: JournalEntry;
  /** As it is sent. */
  readonly octets: number;
}

/** Entries for an answer. */
export interface JournalPage {
  readonly entries: readonly JournalEntry[];
  readonly moreFollows: boolean;
}

/** Tag of the reason for inclusion, which follows the value that it belongs to. */
export const REASON_TAG = 'ReasonCode';
/** What an entry takes in memory beside its values. */
const ENTRY_OCTETS = 100;
/** Tags, lengths and invokeID around the entries of an answer. */
const FRAME_OCTETS = 32;

export class Journal {
  readonly #limitOctets: number;
  #entries: LogEntry[] = [];
  #octets = 0;

  /** `limitOctets`: of all entries; the newest is kept whatever it takes. */
  constructor(limitOctets: number) {
    this.#limitOctets = limitOctets;
  }

  get oldest(): Pick<LogEntry, 'timeMs' | 'entry'> | null {
    return this.#entries[0] ?? null;
  }

  get newest(): Pick<LogEntry, 'timeMs' | 'entry'> | null {
    return this.#entries.at(-1) ?? null;
  }

  /** The oldest first. */
  get entries(): readonly Pick<LogEntry, 'timeMs' | 'entry'>[] {
    return this.#entries;
  }

  add(id: Uint8Array, timeMs: number, variables: readonly JournalVariable[]): void {
    this.#add({ id, time: binaryTimeOctets(timeMs), variables, annotation: null }, timeMs);
  }

  /** Takes entries back, the oldest first, into a log that has none. */
  restore(entries: readonly Pick<LogEntry, 'timeMs' | 'entry'>[]): void {
    if (this.#entries.length > 0) return;
    for (const { timeMs, entry } of entries) this.#add(entry, timeMs);
  }

  #add(entry: JournalEntry, timeMs: number): void {
    const octets = encodeEntry(new BerWriter(), entry).length;
    this.#entries.push({ timeMs, entry, octets });
    this.#octets += octets + ENTRY_OCTETS;
    while (this.#octets > this.#limitOctets && this.#entries.length > 1)
      this.#octets -= (this.#entries.shift()?.octets ?? 0) + ENTRY_OCTETS;
  }

  /** Entries that are asked for, as many as an answer of `maxOctets` holds; null for a question that means nothing here, `large` where not even one fits. */
  read(query: Query, maxOctets: number): JournalPage | 'large' | null {
    const found = this.#selected(query);
    if (!found) return null;
    let room = maxOctets - FRAME_OCTETS;
    const entries: JournalEntry[] = [];
    for (const { entry, octets } of found) {
      room -= octets;
      if (room < 0) break;
      entries.push(onlyOf(entry, query.variables));
    }
    return entries.length === 0 && found.length > 0 ? 'large' : { entries, moreFollows: entries.length < found.length };
  }

  /** Deletes the entries up to a limit, or all; answers how many, null for a limit that means nothing here. */
  delete(limit: Limit): number | null {
    const before = this.#entries.length;
    const end = limit && msOf(limit.time);
    if (limit && end === null) return null;
    const last = limit?.entry ? this.#placeOf(limit.entry) : -1;
    if (limit?.entry && last < 0) return null;
    const isKept = ({ timeMs }: LogEntry, place: number) => limit !== null && end !== null && (limit.entry ? place > last : timeMs > end);
    this.#entries = this.#entries.filter(isKept);
    this.#octets = this.#entries.reduce((sum, { octets }) => sum + octets + ENTRY_OCTETS, 0);
    return before - this.#entries.length;
  }

  #selected({ start, stop, after }: Query): readonly LogEntry[] | null {
    const isBackwards = stop?.kind === 'count' && stop.count < 0;
    const begun = after ? this.#behind(after) : isBackwards ? this.#upTo(start) : this.#from(start);
    if (!begun || !stop) return begun;
    if (stop.kind === 'count') return counted(begun, stop.count);
    const end = msOf(stop.time);
    return end === null ? null : begun.filter(({ timeMs }) => timeMs <= end);
  }

  #from(start: Query['start']): readonly LogEntry[] | null {
    if (start === null) return this.#entries;
    if (start.kind === 'entry') {
      const place = this.#placeOf(start.entry);
      return place < 0 ? null : this.#entries.slice(place);
    }
    const begin = msOf(start.time);
    return begin === null ? null : this.#entries.filter(({ timeMs }) => timeMs >= begin);
  }

  #upTo(start: Query['start']): readonly LogEntry[] | null {
    if (start === null) return this.#entries;
    if (start.kind === 'entry') {
      const place = this.#placeOf(start.entry);
      return place < 0 ? null : this.#entries.slice(0, place + 1);
    }
    const end = msOf(start.time);
    return end === null ? null : this.#entries.filter(({ timeMs }) => timeMs <= end);
  }

  /** An entry that is there no longer is one that newer ones have displaced: its time tells where to go on. */
  #behind({ time, entry }: NonNullable<Query['after']>): readonly LogEntry[] | null {
    const place = this.#placeOf(entry);
    if (place >= 0) return this.#entries.slice(place + 1);
    const begin = msOf(time);
    return begin === null ? null : this.#entries.filter(({ timeMs }) => timeMs >= begin);
  }

  #placeOf(id: Uint8Array): number {
    return this.#entries.findIndex(({ entry }) => sameOctets(entry.id, id));
  }
}

/** The first entries; with a negative count the last. */
function counted(entries: readonly LogEntry[], count: number): readonly LogEntry[] {
  return count < 0 ? entries.slice(count) : entries.slice(0, count);
}

/** UTC milliseconds; null for a time without its day. All zero is the first moment there is. */
function msOf(octets: Uint8Array): number | null {
  return octets.length === 6 ? (utcMs({ kind: 'binary-time', octets }) ?? 0) : null;
}

/** An entry with these variables alone, each with its reason. */
function onlyOf(entry: JournalEntry, wanted: readonly string[] | null): JournalEntry {
  if (!wanted) return entry;
  let isWanted = false;
  const variables = entry.variables.filter(({ tag }) => {
    if (tag !== REASON_TAG) isWanted = wanted.includes(tag);
    return isWanted;
  });
  return { ...entry, variables };
}
