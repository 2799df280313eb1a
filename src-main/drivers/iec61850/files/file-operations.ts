/** Files of a device (ISO 9506-2, file services; IEC 61850-8-1, clause 23): listed and read, never changed. */

import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { MmsClient } from '../association/mms-client.ts';
import type { FileAttributes, FileEntry } from '../mms/pdu.ts';
import { COMTRADE_HEADER_OCTETS, readComtrade } from './comtrade.ts';
import { recordsOf } from './records.ts';

/** Entries that one operation lists; the list goes on behind the last one. */
const MOST_ENTRIES = 1000;
/** Pages of a directory in one operation. */
const MOST_PAGES = 50;

export interface FileOptions {
  readonly client: Pick<MmsClient, 'request'>;
  readonly timeoutMs: number;
}

/** Entries of a directory; `more` when there are others behind the last. */
export async function listFiles(
  { client, timeoutMs }: FileOptions,
  { directory, after }: { readonly directory: string; readonly after: string },
  signal: AbortSignal,
) {
  const entries: FileEntry[] = [];
  let continueAfter: readonly string[] | null = after === '' ? null : [after];
  let more = true;
  for (let page = 0; more && page < MOST_PAGES && entries.length < MOST_ENTRIES; page++) {
    const request = { service: 'file-directory', name: directory === '' ? null : [directory], continueAfter } as const;
    const answer: { readonly entries: readonly FileEntry[]; readonly moreFollows: boolean } = await client.request(request, {
      timeoutMs,
      signal,
    });
    entries.push(...answer.entries);
    const last: FileEntry | undefined = answer.entries.at(-1);
    more = answer.moreFollows && last !== undefined && last.name.join('/') !== continueAfter?.join('/');
    if (last) continueAfter = last.name;
  }
  const files = entries
    .slice(0, MOST_ENTRIES)
    .map(({ name, size, modified }) => ({ name: name.join('/'), size, modified: fileTime(modified) }));
  const records = recordsOf(files);
  const detail = say('iec61850.files', { count: files.length, records: records.length });
  return { detail, result: { records, files, more: more || entries.length > MOST_ENTRIES } };
}

/** The octets of a file from a position on, at most as many as asked. */
export async function readFile(
  options: FileOptions,
  { name, position, max_octets }: { readonly name: string; readonly position: number; readonly max_octets: number },
  signal: AbortSignal,
) {
  const { attributes, octets, isEnd } = await fetchOctets(options, { name, position, most: max_octets }, signal);
  const result = {
    name,
    size: attributes.size,
    modified: fileTime(attributes.modified),
    position,
    octets: octets.length,
    is_whole: position === 0 && isEnd,
    base64: base64(octets),
  };
  return { detail: say('iec61850.octets_of', { count: octets.length, size: attributes.size }), result };
}

/** What the header of a disturbance record says: of a configuration (CFG) or a file that holds all (CFF). */
export async function recordHeader(options: FileOptions, { name }: { readonly name: string }, signal: AbortSignal) {
  const { octets } = await fetchOctets(options, { name, position: 0, most: COMTRADE_HEADER_OCTETS }, signal);
  const header = readComtrade(name, octets);
  const { station, device, revision, analog, digital } = header;
  return { detail: say('comtrade.read', { station, device, revision, analog, digital }), result: { ...header } };
}

/** Reads a part of a file; it is closed again whatever happens. */
async function fetchOctets(
  { client, timeoutMs }: FileOptions,
  { name, position, most }: { readonly name: string; readonly position: number; readonly most: number },
  signal: AbortSignal,
): Promise<{ readonly attributes: FileAttributes; readonly octets: Uint8Array; readonly isEnd: boolean }> {
  const limits = { timeoutMs, signal };
  const { handle, attributes } = await client.request({ service: 'file-open', name: [name], position }, limits);
  const parts: Uint8Array[] = [];
  let [length, more] = [0, true];
  try {
    while (more && length < most) {
      const part: { readonly octets: Uint8Array; readonly moreFollows: boolean } = await client.request(
        { service: 'file-read', handle },
        limits,
      );
      if (part.octets.length === 0 && part.moreFollows) throw new AppError('PROTOCOL_MISMATCH', say('iec61850.file_stuck', { name }));
      parts.push(Uint8Array.from(part.octets));
      length += part.octets.length;
      more = part.moreFollows;
    }
  } finally {
    // an answer is of no interest: the association gives the handle back as well
    await client.request({ service: 'file-close', handle }, limits).catch(() => undefined);
  }
  // a device that begins with the first octet whatever is asked for would put a file together wrongly
  if (position > 0 && position + length > attributes.size) {
    throw new AppError('PROTOCOL_MISMATCH', say('iec61850.file_position', { name, position, size: attributes.size }));
  }
  return { attributes, octets: join(parts, Math.min(length, most)), isEnd: !more && length <= most };
}

function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part.subarray(0, length - at), at);
    at += Math.min(part.length, length - at);
  }
  return whole;
}

function base64(octets: Uint8Array): string {
  let binary = '';
  for (const octet of octets) binary += String.fromCharCode(octet);
  return btoa(binary);
}

/** GeneralizedTime `20240301123456.789Z` in ISO 8601; null where the device gives none. */
function fileTime(generalized: string): string | null {
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:[.,](\d{1,3})\d*)?Z?$/.exec(generalized);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction = ''] = match;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0')}Z`;
}
