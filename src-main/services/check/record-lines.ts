import { createHash } from 'node:crypto';
import type { CheckFile, CheckPartHead } from '#shared/contract/check.ts';
import type { RecordFacts, RecordItem } from '#shared/domain/check-record.ts';
import type { StoredCheckEntry } from '../../persistence/check-repositories.ts';
import { canonical } from './chain.ts';

/** Lines that the sections of a record begin and end with. */
export const ITEMS = '"items":[';
export const FILES = '"files":[';
export const PARTS = '"parts":[';
export const SECTION_END = '],';
/** Names of the sections, which stand behind the facts. */
export const SECTIONS = ['digest', 'files', 'heads', 'items', 'parts'];
/** What the line of a file begins with: its names are in order as everywhere. */
export const FILE_BEGIN = '{"base64":"';

/** Octets of a file that are written at once, a multiple of three: 256 KiB of base64. */
const OCTETS_A_PIECE = 192 * 1024;

/** A file of a record as it is kept. */
export interface RecordFileContent {
  readonly file: CheckFile;
  readonly octets: Uint8Array;
}

/** What the lines of a record are made from. */
export interface RecordSource {
  readonly facts: RecordFacts;
  readonly items: Iterable<RecordItem>;
  readonly parts: readonly { readonly head: CheckPartHead; readonly digest: string; readonly end: string }[];
  /** Those of attachments and the logo, each once; a record without any has no such section. */
  readonly files: Iterable<RecordFileContent>;
  /** Texts of the entries of a part with their digests, in order. */
  entries(part: string): Iterable<Pick<StoredCheckEntry, 'body' | 'digest'>>;
}

/** The record as lines of JSON, long ones in pieces, the last of which is the digest of all octets before it. */
export function* recordLines(source: RecordSource): Generator<string> {
  const hash = createHash('sha256');
  for (const line of bodyLines(source)) {
    hash.update(line, 'utf8');
    yield line;
  }
  yield `"digest":"sha256:${hash.digest('hex')}"}\n`;
}

function* bodyLines({ facts, items, files, parts, entries }: RecordSource): Generator<string> {
  yield `${canonical(facts).slice(0, -1)},\n`;
  yield `${ITEMS}\n`;
  yield* withCommas(texts(items));
  yield `${SECTION_END}\n`;
  yield* fileLines(files);
  yield `${PARTS}\n`;
  for (const [at, { head, digest, end }] of parts.entries()) {
    yield `${headLine(canonical(head), digest)}\n`;
    yield* withCommas(entryTexts(entries(head.id)));
    yield `],"end":"${end}"}${at < parts.length - 1 ? ',' : ''}\n`;
  }
  yield `${SECTION_END}\n"heads":${JSON.stringify(parts.map(({ end }) => end))},\n`;
}

function* texts(values: Iterable<unknown>): Generator<string> {
  for (const value of values) yield canonical(value);
}

function* fileLines(files: Iterable<RecordFileContent>): Generator<string> {
  let isFirst = true;
  for (const { file, octets } of files) {
    yield `${isFirst ? `${FILES}\n` : ',\n'}${FILE_BEGIN}`;
    isFirst = false;
    const bytes = Buffer.from(octets.buffer, octets.byteOffset, octets.length);
    for (let at = 0; at < bytes.length; at += OCTETS_A_PIECE) yield bytes.subarray(at, at + OCTETS_A_PIECE).toString('base64');
    yield `",${canonical(file).slice(1)}`;
  }
  if (!isFirst) yield `\n${SECTION_END}\n`;
}

function* entryTexts(entries: Iterable<Pick<StoredCheckEntry, 'body' | 'digest'>>): Generator<string> {
  for (const { body, digest } of entries) yield entryText(body, digest);
}

/** The line that a part begins with; `head` is the canonical text of its head. */
export function headLine(head: string, digest: string): string {
  return `{"head":${head},"digest":"${digest}","entries":[`;
}

/** The line of an entry, without the comma behind it. */
export function entryText(body: string, digest: string): string {
  return `{"digest":"${digest}","entry":${body}}`;
}

function* withCommas(texts: Iterable<string>): Generator<string> {
  let last: string | null = null;
  for (const text of texts) {
    if (last !== null) yield `${last},\n`;
    last = text;
  }
  if (last !== null) yield `${last}\n`;
}
