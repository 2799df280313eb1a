/** Entries of a log as the project keeps them: the newest, within a bound, each as it is sent. */
import { z } from 'zod';
import { BerReader } from '../../../../protocol-kit/ber/reader.ts';
import { BerWriter } from '../../../../protocol-kit/ber/writer.ts';
import { decodeEntry, encodeEntry } from '../../mms/journals.ts';
import type { JournalEntry } from '../../mms/pdu.ts';
import { utcMs } from '../../model/time.ts';
import { entryNumber } from '../reports/lasting-entries.ts';
import { REASON_TAG } from './journal.ts';

/** Entries of one log, the oldest first: UTC milliseconds and the octets (base64). */
export const KeptLog = z.object({
  /** `LD/LN$name`. */
  log: z.string(),
  entries: z.array(z.tuple([z.number(), z.string()])),
});
export type KeptLog = z.output<typeof KeptLog>;

/** An entry with its time, UTC milliseconds. */
export interface TimedEntry {
  readonly timeMs: number;
  readonly entry: JournalEntry;
}

const written = new WeakMap<JournalEntry, string>();
/** Digits of the time, quotes, brackets and commas of an entry as it is stored. */
const AROUND_CHARACTERS = 24;
const ENTRY_ID_OCTETS = 8;

/** The newest entries that take at most `mostCharacters` together as they are stored. */
export function keptLogEntries(entries: readonly TimedEntry[], mostCharacters: number): KeptLog['entries'] {
  const kept: KeptLog['entries'] = [];
  let room = mostCharacters;
  for (let at = entries.length - 1; at >= 0; at--) {
    const { timeMs, entry } = entries[at] as TimedEntry;
    const text = textOf(entry);
    room -= text.length + AROUND_CHARACTERS;
    if (room < 0) break;
    kept.push([timeMs, text]);
  }
  return kept.reverse();
}

function textOf(entry: JournalEntry): string {
  const known = written.get(entry);
  if (known !== undefined) return known;
  const text = Buffer.from(encodeEntry(new BerWriter(), entry).finish()).toString('base64');
  written.set(entry, text);
  return text;
}

/** Entries that were kept. One is left out that cannot be read, is out of the order of identifiers, or has a value that `fits` no variable of the device. */
export function restoredLogEntries(kept: KeptLog['entries'], fits: (variable: JournalEntry['variables'][number]) => boolean): TimedEntry[] {
  const found: TimedEntry[] = [];
  let last = 0;
  for (const [timeMs, text] of kept) {
    const entry = entryFrom(text);
    if (!entry || entryNumber(entry.id) <= last || utcMs({ kind: 'binary-time', octets: entry.time }) !== Math.floor(timeMs)) continue;
    if (!entry.variables.every((variable) => variable.tag === REASON_TAG || fits(variable))) continue;
    found.push({ timeMs, entry });
    last = entryNumber(entry.id);
  }
  return found;
}

function entryFrom(text: string): JournalEntry | null {
  try {
    const entry = decodeEntry(new BerReader(new Uint8Array(Buffer.from(text, 'base64'))));
    return entry.id.length === ENTRY_ID_OCTETS && entry.time.length > 0 ? entry : null;
  } catch {
    return null;
  }
}
