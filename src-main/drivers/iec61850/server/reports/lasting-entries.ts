/** Entries of a buffered block as the project keeps them: the newest, within a bound, for the data set and settings that they were made by. */
import { z } from 'zod';
import { BerReader } from '../../../../protocol-kit/ber/reader.ts';
import { BerWriter } from '../../../../protocol-kit/ber/writer.ts';
import { decodeResult, encodeResult } from '../../mms/data.ts';
import { resultSize } from '../../mms/sizes.ts';
import type { MmsResult } from '../../mms/types.ts';
import type { ReportEntry } from './entry-buffer.ts';

/** One entry: its number, UTC milliseconds, and of each member its place, its reasons and the octets of its value (base64). */
const KeptEntry = z.object({
  id: z.int().min(1),
  time: z.number(),
  values: z.array(z.tuple([z.int().min(0), z.int().min(0), z.string()])).min(1),
});

/** Entries of one block, the oldest first. */
export const KeptBlock = z.object({
  /** `LD/LN$BR$name`. */
  block: z.string(),
  /** What the entries were made by; see `entryMark`. */
  mark: z.string(),
  entries: z.array(KeptEntry),
});
export type KeptBlock = z.output<typeof KeptBlock>;

/** An entry as it is kept, and the characters that it takes in the project. */
interface Written {
  readonly entry: z.output<typeof KeptEntry>;
  readonly characters: number;
}

const written = new WeakMap<ReportEntry, Written>();

/** The newest entries that take at most `mostCharacters` together as they are stored, with what stands around them. */
export function keptEntries(entries: readonly ReportEntry[], mostCharacters: number): KeptBlock['entries'] {
  const kept: KeptBlock['entries'] = [];
  let room = mostCharacters - BRACKETS;
  for (let at = entries.length - 1; at >= 0; at--) {
    const { entry, characters } = writtenOf(entries[at] as ReportEntry);
    room -= characters + COMMA;
    if (room < 0) break;
    kept.push(entry);
  }
  return kept.reverse();
}

const BRACKETS = '[]'.length;
const COMMA = ','.length;

function writtenOf(entry: ReportEntry): Written {
  const known = written.get(entry);
  if (known) return known;
  const kept = keptEntry(entry);
  const made = { entry: kept, characters: JSON.stringify(kept).length };
  written.set(entry, made);
  return made;
}

function keptEntry({ members, timeMs, entryId }: ReportEntry): z.output<typeof KeptEntry> {
  return {
    id: entryNumber(entryId),
    time: timeMs,
    values: members.map(({ place, reasons, value }) => [
      place,
      reasons,
      Buffer.from(encodeResult(new BerWriter(), value).finish()).toString('base64'),
    ]),
  };
}

/** Entries that were kept; `fits` says whether a value may be that of a member. Those behind one that does not fit are left out, as nothing could be resumed there. */
export function restoredEntries(kept: KeptBlock['entries'], fits: (place: number, value: MmsResult) => boolean): ReportEntry[] {
  const found: ReportEntry[] = [];
  for (const { id, time, values } of kept) {
    const members = values.map(([place, reasons, text]) => ({ place, reasons, value: resultFrom(text) }));
    const whole = members.flatMap(({ value, ...rest }) => (value && fits(rest.place, value) ? [{ ...rest, value }] : []));
    if (whole.length < members.length) break;
    const octets = whole.reduce((sum, { value }) => sum + resultSize(value), 0);
    found.push({ members: whole, timeMs: time, entryId: entryIdOf(id), octets });
  }
  return found;
}

function resultFrom(text: string): MmsResult | null {
  try {
    return decodeResult(new BerReader(new Uint8Array(Buffer.from(text, 'base64'))));
  } catch {
    return null;
  }
}

/** Eight octets of the number of an entry. */
export function entryIdOf(number: number): Uint8Array {
  const octets = new Uint8Array(8);
  new DataView(octets.buffer).setBigUint64(0, BigInt(number));
  return octets;
}

export function entryNumber(entryId: Uint8Array): number {
  return Number(new DataView(entryId.buffer, entryId.byteOffset, 8).getBigUint64(0));
}

/** Short mark of texts, the same for the same ones: entries under another mark mean other things. */
export function entryMark(texts: readonly string[]): string {
  let hash = FNV_OFFSET;
  for (const text of texts) {
    for (let at = 0; at < text.length; at++) hash = ((hash ^ BigInt(text.charCodeAt(at))) * FNV_PRIME) & FNV_MASK;
    hash = ((hash ^ SEPARATOR) * FNV_PRIME) & FNV_MASK;
  }
  return hash.toString(16);
}

/** FNV-1a of 64 bits. */
const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;
const FNV_MASK = 0xffffffffffffffffn;
const SEPARATOR = 0xffffn;
