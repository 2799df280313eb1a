import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { CheckEntry, CheckFile, CheckPartHead } from '#shared/contract/check.ts';
import { CHECK_RECORD_FORMAT, CHECK_RECORD_VERSION } from '#shared/domain/check.ts';
import { say } from '#shared/messages/index.ts';
import { Turns } from '../../platform/turns.ts';
import { canonical, entryDigest, headDigest } from './chain.ts';
import { RecordFault } from './record-fault.ts';
import { entryText, FILE_BEGIN, FILES, ITEMS, PARTS, type RecordFacts, type RecordItem, SECTION_END } from './record-lines.ts';
import { RecordLinks } from './record-links.ts';

/** What stands in a record, in its order. */
export type RecordPiece =
  | { readonly is: 'facts'; readonly facts: RecordFacts }
  | { readonly is: 'item'; readonly item: RecordItem }
  | { readonly is: 'file'; readonly file: CheckFile; readonly octets: Uint8Array }
  | { readonly is: 'part'; readonly head: CheckPartHead; readonly digest: string }
  | { readonly is: 'entry'; readonly part: string; readonly entry: CheckEntry; readonly body: string; readonly digest: string }
  | { readonly is: 'part_end'; readonly part: string; readonly digest: string }
  | { readonly is: 'end'; readonly heads: readonly string[]; readonly sha256: string };

const LINE_FEED = 0x0a;
/** No line of a record is as long: the longest has a file of 5 MiB. */
const LONGEST_LINE = 16 * 1024 * 1024;
const LINES_A_LOOK = 20;
/** Octets of a long line between two looks at the clock: a multiple of four, so that its base64 can be taken in pieces. */
const OCTETS_A_LOOK = 256 * 1024;

const PART_END = /^\],"end":"([0-9a-f]{64})"\}(,?)$/;
const HEADS = /^"heads":(\[.*\]),$/;
const DIGEST = /^"digest":"sha256:([0-9a-f]{64})"\}$/;

/** The lines of a file as octets, cut at line feeds alone: nothing else is taken for the end of one. The last has no line feed behind it. */
async function* octetLines(path: string): AsyncGenerator<{ readonly octets: Buffer; readonly isEnded: boolean }> {
  let rest: Buffer[] = [];
  let kept = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      yield { octets: Buffer.concat([...rest, chunk.subarray(from, at)]), isEnded: true };
      [rest, kept, from] = [[], 0, at + 1];
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
    kept += chunk.length - from;
    if (kept > LONGEST_LINE) break;
  }
  if (kept > 0) yield { octets: Buffer.concat(rest), isEnded: false };
}

/** Reads a record and proves it on the way. Throws `RecordFault` at the first place that is not as it was written. */
export async function* readRecord(path: string): AsyncGenerator<RecordPiece> {
  const reader = new RecordReader();
  const turns = new Turns();
  let line = 0;
  for await (const { octets, isEnded } of octetLines(path)) {
    line += 1;
    if (line % LINES_A_LOOK === 0) await turns.breathe();
    if (octets.length > LONGEST_LINE) throw new RecordFault(say('check.line_long', { line }));
    if (reader.isAtFile(octets)) yield await reader.takeFile(octets, isEnded, turns);
    else yield* reader.take(octets, isEnded);
  }
  reader.requireEnd();
}

type Room = 'start' | 'items' | 'item' | 'files' | 'file' | 'parts' | 'part' | 'entry' | 'heads' | 'digest' | 'behind';

/** Takes a record line by line. */
class RecordReader {
  readonly #hash: Hash = createHash('sha256');
  #room: Room = 'start';
  #line = 0;
  #session = '';
  #part = '';
  #seq = 0;
  #digest = '';
  readonly #ends: string[] = [];
  readonly #links = new RecordLinks();

  *take(octets: Buffer, isEnded: boolean): Generator<RecordPiece> {
    this.#line += 1;
    const line = this.#line;
    const room = this.#room;
    if (room === 'behind') throw new RecordFault(say('check.behind_end', { line }));
    const text = octets.toString('utf8');
    if (room === 'digest') {
      if (!isEnded) throw this.#broken();
      yield this.#end(text);
      return;
    }
    this.#hash.update(octets).update('\n');
    if (!isEnded) throw new RecordFault(say('check.record_ends', { line }));
    if (room === 'start') yield this.#start(text);
    else if (room === 'items') this.#expect(text, ITEMS, 'item');
    else if (room === 'item') yield* this.#item(text);
    else if (room === 'files') this.#expect(text, text === FILES ? FILES : PARTS, text === FILES ? 'file' : 'part');
    else if (room === 'file') this.#expect(text, SECTION_END, 'parts');
    else if (room === 'parts') this.#expect(text, PARTS, 'part');
    else if (room === 'part') yield* this.#head(text);
    else if (room === 'entry') yield* this.#entry(text);
    else this.#heads(text);
  }

  /** Whether this line is one of a file, for `takeFile`: it is too long to be gone over at once. */
  isAtFile(octets: Buffer): boolean {
    return this.#room === 'file' && octets.toString('latin1', 0, FILE_BEGIN.length) === FILE_BEGIN;
  }

  async takeFile(octets: Buffer, isEnded: boolean, turns: Turns): Promise<RecordPiece> {
    this.#line += 1;
    const line = this.#line;
    if (!isEnded) throw new RecordFault(say('check.record_ends', { line }));
    const end = octets.indexOf('"', FILE_BEGIN.length);
    const file = this.#json<CheckFile>(`{${octets.toString('utf8', end + 2)}`);
    const content = createHash('sha256');
    const pieces: Buffer[] = [];
    for (let at = 0; at <= octets.length; at += OCTETS_A_LOOK) {
      await turns.breathe();
      this.#hash.update(octets.subarray(at, at + OCTETS_A_LOOK));
      const from = FILE_BEGIN.length + at;
      const piece = Buffer.from(octets.toString('latin1', Math.min(from, end), Math.min(from + OCTETS_A_LOOK, end)), 'base64');
      content.update(piece);
      pieces.push(piece);
    }
    this.#hash.update('\n');
    const whole = Buffer.concat(pieces);
    if (whole.length !== file.size || content.digest('hex') !== file.sha256) {
      throw new RecordFault(say('check.file_content', { line, name: String(file.name) }));
    }
    this.#links.file(file);
    return { is: 'file', file, octets: whole };
  }

  requireEnd(): void {
    if (this.#line === 0) throw new RecordFault(say('check.no_record'));
    if (this.#room !== 'behind') throw new RecordFault(say('check.record_ends', { line: this.#line }));
  }

  #start(text: string): RecordPiece {
    let facts: RecordFacts | null = null;
    try {
      facts = JSON.parse(`${text.slice(0, -1)}}`) as RecordFacts;
    } catch {
      // told below
    }
    if (facts?.format !== CHECK_RECORD_FORMAT || typeof facts.version !== 'number' || typeof facts.session?.uuid !== 'string') {
      throw new RecordFault(say('check.no_record'));
    }
    const { version } = facts;
    if (version > CHECK_RECORD_VERSION) throw new RecordFault(say('check.newer_record', { version, known: CHECK_RECORD_VERSION }));
    if (`${canonical(facts).slice(0, -1)},` !== text) throw this.#broken();
    this.#session = facts.session.uuid;
    this.#links.facts(facts);
    this.#room = 'items';
    return { is: 'facts', facts };
  }

  *#item(text: string): Generator<RecordPiece> {
    if (text === SECTION_END) {
      this.#room = 'files';
      return;
    }
    const item = this.#json<RecordItem>(text);
    this.#links.item(item);
    yield { is: 'item', item };
  }

  *#head(text: string): Generator<RecordPiece> {
    if (text === SECTION_END) {
      this.#links.partsEnd();
      this.#room = 'heads';
      return;
    }
    const { head, digest } = this.#parse<{ head: CheckPartHead; digest: string }>(`${text}]}`);
    const line = this.#line;
    if (typeof head?.id !== 'string') throw this.#broken();
    if (head.session !== this.#session) throw new RecordFault(say('check.other_session', { line, part: head.id }));
    if (headDigest(head) !== digest) throw new RecordFault(say('check.head_changed', { line, part: head.id }));
    if (!Array.isArray(head.parents)) throw this.#broken();
    this.#links.head(head, digest);
    this.#part = head.id;
    this.#seq = 0;
    this.#digest = digest;
    this.#room = 'entry';
    yield { is: 'part', head, digest };
  }

  *#entry(text: string): Generator<RecordPiece> {
    const line = this.#line;
    const part = this.#part;
    const end = PART_END.exec(text);
    if (end) {
      if (end[1] !== this.#digest) throw new RecordFault(say('check.part_end', { line, part }));
      this.#ends.push(this.#digest);
      this.#room = 'part';
      yield { is: 'part_end', part, digest: this.#digest };
      return;
    }
    const { digest, entry } = this.#json<{ digest: string; entry: CheckEntry }>(text);
    this.#seq += 1;
    const seq = this.#seq;
    if (typeof entry !== 'object' || entry === null) throw this.#broken();
    if (entry.seq !== seq) throw new RecordFault(say('check.entry_order', { line, seq, part }));
    const body = canonical(entry);
    this.#digest = entryDigest(this.#digest, body);
    if (digest !== this.#digest || text.replace(/,$/, '') !== entryText(body, digest)) {
      const code = this.#links.codeOf(String(entry.item));
      throw new RecordFault(say('check.entry_changed', { line, seq, part, code, at: String(entry.at) }));
    }
    this.#links.entry(entry, digest, { line, part });
    yield { is: 'entry', part, entry, body, digest };
  }

  #heads(text: string): void {
    const [, heads] = HEADS.exec(text) ?? [];
    if (heads === undefined) throw this.#broken();
    if (heads !== JSON.stringify(this.#ends)) throw new RecordFault(say('check.heads_changed', { line: this.#line }));
    this.#room = 'digest';
  }

  #end(text: string): RecordPiece {
    const [, digest] = DIGEST.exec(text) ?? [];
    if (digest === undefined) throw this.#broken();
    if (digest !== this.#hash.digest('hex')) throw new RecordFault(say('check.file_changed'));
    this.#room = 'behind';
    return { is: 'end', heads: this.#ends, sha256: digest };
  }

  #expect(text: string, wanted: string, next: Room): void {
    if (text !== wanted) throw this.#broken();
    if (wanted === PARTS) this.#links.filesEnd();
    this.#room = next;
  }

  /** An object on a line of its own, with or without a comma behind it. */
  #json<Value extends object>(text: string): Value {
    return this.#parse(text.endsWith(',') ? text.slice(0, -1) : text);
  }

  #parse<Value extends object>(text: string): Value {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw this.#broken();
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw this.#broken();
    return value as Value;
  }

  #broken(): RecordFault {
    return new RecordFault(say('check.line_broken', { line: this.#line }));
  }
}
