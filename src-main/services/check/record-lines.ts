import { createHash } from 'node:crypto';
import type { CheckPartHead, CheckRecordFile } from '#shared/contract/check.ts';
import type { RecordFacts, RecordItem } from '#shared/domain/check-record.ts';
import type { StoredCheckEntry } from '../../persistence/check-repositories.ts';
import { canonical } from './chain.ts';

/** Lines that the sections of a record begin and end with. */
export const ITEMS = '"items":[';
export const FILES = '"files":[';
export const PARTS = '"parts":[';
export const SECTION_END = '],';

/** What the lines of a record are made from. */
export interface RecordSource {
  readonly facts: RecordFacts;
  readonly items: readonly RecordItem[];
  readonly parts: readonly { readonly head: CheckPartHead; readonly digest: string; readonly end: string }[];
  /** Those of attachments and the logo, each once; a record without any has no such section. */
  readonly files: Iterable<CheckRecordFile>;
  /** Texts of the entries of a part with their digests, in order. */
  entries(part: string): Iterable<Pick<StoredCheckEntry, 'body' | 'digest'>>;
}

/** The record as lines of JSON, the last of which is the digest of all octets before it. */
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
  yield* withCommas(items.map(canonical));
  yield `${SECTION_END}\n`;
  let hasFiles = false;
  for (const line of withCommas(fileTexts(files))) {
    if (!hasFiles) yield `${FILES}\n`;
    hasFiles = true;
    yield line;
  }
  if (hasFiles) yield `${SECTION_END}\n`;
  yield `${PARTS}\n`;
  for (const [at, { head, digest, end }] of parts.entries()) {
    yield `{"head":${canonical(head)},"digest":"${digest}","entries":[\n`;
    yield* withCommas(entryTexts(entries(head.id)));
    yield `],"end":"${end}"}${at < parts.length - 1 ? ',' : ''}\n`;
  }
  yield `${SECTION_END}\n"heads":${JSON.stringify(parts.map(({ end }) => end))},\n`;
}

function* fileTexts(files: Iterable<CheckRecordFile>): Generator<string> {
  for (const file of files) yield canonical(file);
}

function* entryTexts(entries: Iterable<Pick<StoredCheckEntry, 'body' | 'digest'>>): Generator<string> {
  for (const { body, digest } of entries) yield entryText(body, digest);
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
