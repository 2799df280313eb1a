import { createHash, type Hash } from 'node:crypto';
import type { CheckEntry, CheckFile, CheckPartHead } from '#shared/contract/check.ts';
import { CHECK_RECORD_FORMAT, CHECK_RECORD_VERSION } from '#shared/domain/check.ts';
import type { RecordFacts, RecordItem } from '#shared/domain/check-record.ts';
import { say } from '#shared/messages/index.ts';
import { Turns } from '../../platform/turns.ts';
import { canonical, digestOf, entryDigest } from './chain.ts';
import { ListedLines } from './listed-lines.ts';
import { LONGEST_LINE, octetLines } from './octet-lines.ts';
import { RecordFault } from './record-fault.ts';
import { entryText, FILE_BEGIN, FILES, headLine, ITEMS, PARTS, SECTION_END, SECTIONS } from './record-lines.ts';
import { RecordLinks } from './record-links.ts';
import { PAGE_BEGIN, PageReader } from './record-page.ts';

/** What stands in a record, in its order. */
export type RecordPiece =
  | { readonly is: 'facts'; readonly facts: RecordFacts }
  | { readonly is: 'item'; readonly item: RecordItem }
  | { readonly is: 'file'; readonly file: CheckFile; readonly octets: Uint8Array }
  | { readonly is: 'part'; readonly head: CheckPartHead; readonly digest: string }
  | { readonly is: 'entry'; readonly part: string; readonly entry: CheckEntry; readonly body: string; readonly digest: string }
  | { readonly is: 'part_end'; readonly part: string; readonly digest: string }
  | { readonly is: 'end'; readonly heads: readonly string[]; readonly sha256: string }
  /** Of a record as HTML, behind its end: a line of what is said of its frames, which is in no chain. */
  | { readonly is: 'explained'; readonly text: string; readonly line: number }
  /** SHA-256 of all that is around its data, hexadecimal. */
  | { readonly is: 'page'; readonly frame: string; readonly line: number };

const PAGE_BEGIN_OCTETS = Buffer.from(PAGE_BEGIN, 'utf8');
const LINES_A_LOOK = 20;
/** Octets of a long line between two looks at the clock: a multiple of four, so that its base64 can be taken in pieces. */
const OCTETS_A_LOOK = 256 * 1024;

const PART_END = /^\],"end":"([0-9a-f]{64})"\}(,?)$/;
const HEADS = /^"heads":(\[.*\]),$/;
const DIGEST = /^"digest":"sha256:([0-9a-f]{64})"\}$/;

/**
 * Reads a record, JSON or HTML, and proves it on the way. Throws `RecordFault` at the first place that is not as it was written; lines of an HTML count from its own
 * beginning.
 */
export async function* readRecord(path: string): AsyncGenerator<RecordPiece> {
  const reader = new RecordReader();
  const turns = new Turns();
  let page: PageReader | null = null;
  let isPageEnded = false;
  let line = 0;
  for await (const { octets, isEnded } of octetLines(path)) {
    line += 1;
    if (line % LINES_A_LOOK === 0) await turns.breathe();
    if (octets.length > LONGEST_LINE) throw new RecordFault(say('check.line_long', { line }));
    if (line === 1 && octets.equals(PAGE_BEGIN_OCTETS)) page = new PageReader();
    const found = page?.take(octets, isEnded) ?? { is: 'record' as const, octets };
    if (found.is === 'broken') throw new RecordFault(say('check.line_broken', { line }));
    if (found.is === 'explained') yield { ...found, line };
    if (found.is === 'record' && reader.isAtFile(found.octets)) yield await reader.takeFile(found.octets, { isEnded, line }, turns);
    else if (found.is === 'record') yield* reader.take(found.octets, isEnded, line);
    if (found.is !== 'end') continue;
    reader.requireEnd();
    if (!found.isWhole) throw new RecordFault(say('check.page_changed'));
    isPageEnded = true;
    yield { is: 'page', frame: found.frame, line };
  }
  if (page && !isPageEnded) throw new RecordFault(say('check.record_ends', { line }));
  reader.requireEnd();
}

type Room = 'start' | 'items' | 'item' | 'files' | 'file' | 'parts' | 'part' | 'entry' | 'heads' | 'digest' | 'behind';

/** Takes a record line by line. Each line has to be as it is written: what two readers could read otherwise, as a name that stands there twice, is no record. */
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
  /** Items, files or parts. */
  readonly #section = new ListedLines();
  readonly #entries = new ListedLines();

  /** `line`: number of it in its file. */
  *take(octets: Buffer, isEnded: boolean, line: number): Generator<RecordPiece> {
    this.#line = line;
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
    else if (room === 'file') this.#expect(text, this.#section.end() ? SECTION_END : null, 'parts');
    else if (room === 'parts') this.#expect(text, PARTS, 'part');
    else if (room === 'part') yield* this.#head(text);
    else if (room === 'entry') yield* this.#entry(text);
    else this.#heads(text);
  }

  /** Whether this line is one of a file, for `takeFile`: it is too long to be gone over at once. */
  isAtFile(octets: Buffer): boolean {
    return this.#room === 'file' && octets.toString('latin1', 0, FILE_BEGIN.length) === FILE_BEGIN;
  }

  async takeFile(octets: Buffer, { isEnded, line }: { isEnded: boolean; line: number }, turns: Turns): Promise<RecordPiece> {
    this.#line = line;
    if (!isEnded) throw new RecordFault(say('check.record_ends', { line }));
    const end = octets.indexOf('"', FILE_BEGIN.length);
    const text = `{${octets.toString('utf8', end + 2)}`;
    const file = this.#listed<CheckFile>(text, this.#section);
    if ('base64' in file) throw this.#broken();
    const content = createHash('sha256');
    const pieces: Buffer[] = [];
    for (let at = 0; at <= octets.length; at += OCTETS_A_LOOK) {
      await turns.breathe();
      this.#hash.update(octets.subarray(at, at + OCTETS_A_LOOK));
      const from = FILE_BEGIN.length + at;
      const base64 = octets.toString('latin1', Math.min(from, end), Math.min(from + OCTETS_A_LOOK, end));
      const piece = Buffer.from(base64, 'base64');
      if (piece.toString('base64') !== base64) throw this.#broken();
      content.update(piece);
      pieces.push(piece);
    }
    this.#hash.update('\n');
    const whole = Buffer.concat(pieces);
    if (whole.length !== file.size || content.digest('hex') !== file.sha256) {
      throw new RecordFault(say('check.file_content', { line, name: String(file.name) }));
    }
    if (!this.#links.file(file)) throw this.#broken();
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
    if (`${this.#canonical(facts).slice(0, -1)},` !== text) throw this.#broken();
    if (SECTIONS.some((name) => Object.hasOwn(facts, name))) throw this.#broken();
    this.#session = facts.session.uuid;
    this.#links.facts(facts);
    this.#room = 'items';
    return { is: 'facts', facts };
  }

  *#item(text: string): Generator<RecordPiece> {
    if (text === SECTION_END) {
      if (!this.#section.end()) throw this.#broken();
      this.#room = 'files';
      return;
    }
    const item = this.#listed<RecordItem>(text, this.#section);
    if (!this.#links.item(item)) throw this.#broken();
    yield { is: 'item', item };
  }

  *#head(text: string): Generator<RecordPiece> {
    if (text === SECTION_END) {
      if (!this.#section.end()) throw this.#broken();
      this.#links.partsEnd();
      this.#room = 'heads';
      return;
    }
    const { head, digest } = this.#parse<{ head: CheckPartHead; digest: string }>(`${text}]}`);
    const line = this.#line;
    if (typeof head?.id !== 'string') throw this.#broken();
    if (head.session !== this.#session) throw new RecordFault(say('check.other_session', { line, part: head.id }));
    const written = this.#canonical(head);
    if (digestOf(written) !== digest) throw new RecordFault(say('check.head_changed', { line, part: head.id }));
    // what else stood in this line would be in no chain
    if (!Array.isArray(head.parents) || text !== headLine(written, digest)) throw this.#broken();
    if (!this.#links.head(head, digest)) throw new RecordFault(say('check.part_twice', { line, part: head.id }));
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
      if (!this.#entries.end() || !this.#section.take(end[2] === ',')) throw this.#broken();
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
    const body = this.#canonical(entry);
    this.#digest = entryDigest(this.#digest, body);
    if (digest !== this.#digest || text.replace(/,$/, '') !== entryText(body, digest)) {
      const code = this.#links.codeOf(String(entry.item));
      throw new RecordFault(say('check.entry_changed', { line, seq, part, code, at: String(entry.at) }));
    }
    if (!this.#entries.take(text.endsWith(','))) throw this.#broken();
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

  #expect(text: string, wanted: string | null, next: Room): void {
    if (text !== wanted) throw this.#broken();
    if (wanted === PARTS) this.#links.filesEnd();
    this.#room = next;
  }

  /** An object of a list as it is written. */
  #listed<Value extends object>(text: string, lines: ListedLines): Value {
    const value = this.#json<Value>(text);
    const written = this.#canonical(value);
    const isRight = lines.take(text.endsWith(',')) && (text === written || text === `${written},`);
    if (!isRight) throw this.#broken();
    return value;
  }

  /** A number that JSON has not, and braces without end, are in no record. */
  #canonical(value: unknown): string {
    try {
      return canonical(value);
    } catch {
      throw this.#broken();
    }
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
