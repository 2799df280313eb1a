import { AppError, invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';

/** What a body may hold, whatever the operation is. */
export interface JsonBounds {
  /** Entries of one list: the most that any operation takes. */
  readonly entries: number;
  /** Fields of one object. */
  readonly fields: number;
  /** Lists and objects within each other. */
  readonly depth: number;
  /** Values of the whole body: 100,000 points with every field, and some. */
  readonly values: number;
}

const BOUNDS: JsonBounds = { entries: 100_000, fields: 10_000, depth: 64, values: 5_000_000 };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LONGEST_NAME = 100;

/** A long list in the outermost object of a body, by the places of its octets. */
export interface LongList {
  /** Of the bracket that opens it, and of the one that closes it. */
  readonly open: number;
  readonly close: number;
  /** Of the commas between its entries. */
  readonly commas: readonly number[];
}

/** Entries from which on a list is long. */
const LONG = 1_000;

/** An open list or object of the body. */
interface Level {
  readonly isList: boolean;
  readonly open: number;
  commas: number;
  /** Where the commas are; only of a list in the outermost object. */
  readonly places: number[] | null;
}

/**
 * Counts what a JSON text holds while it arrives, octet by octet, without building anything: a body that is small on the wire can be gigabytes
 * in memory. Whether the text is JSON at all is the parser's business. Chunks may be cut anywhere.
 */
export class JsonGuard {
  readonly #bounds: JsonBounds;
  readonly #levels: Level[] = [];
  readonly #longLists: LongList[] = [];
  #values = 1;
  /** Octets before the chunk that is looked at. */
  #passed = 0;
  #isInText = false;
  #isEscaped = false;
  /** The last text of the outermost object: the name of the field whose list is counted. */
  #name = '';
  #isNaming = false;

  constructor(bounds: JsonBounds = BOUNDS) {
    this.#bounds = bounds;
  }

  /** Throws `CONFIG_INVALID` naming the field with too many entries, `CONFIG_TOO_LARGE` for another bound. */
  push(chunk: Uint8Array): void {
    for (let index = 0; index < chunk.length; index++) {
      if (this.#isInText && !this.#isEscaped && !this.#isNaming) index = passText(chunk, index);
      const octet = chunk[index] ?? 0;
      if (this.#isInText) this.#inText(octet);
      else if (octet === QUOTE) this.#beginText();
      else if (octet === COMMA) this.#comma(this.#passed + index);
      else if (octet === OPEN_LIST || octet === OPEN_OBJECT) this.#open(octet === OPEN_LIST, this.#passed + index);
      else if (octet === CLOSE_LIST || octet === CLOSE_OBJECT) this.#close(octet === CLOSE_LIST, this.#passed + index);
    }
    this.#passed += chunk.length;
  }

  /** The only list of more than 1,000 entries in the outermost object; null where there is none or another one. Right for a text that is JSON. */
  get longList(): LongList | null {
    const [list] = this.#longLists;
    return list && this.#longLists.length === 1 ? list : null;
  }

  #close(isList: boolean, at: number): void {
    const level = this.#levels.pop();
    if (isList && level?.places && level.places.length >= LONG) this.#longLists.push({ open: level.open, close: at, commas: level.places });
  }

  #beginText(): void {
    this.#isInText = true;
    this.#isNaming = this.#levels.length === 1;
    if (this.#isNaming) this.#name = '';
  }

  #inText(octet: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (octet === BACKSLASH) this.#isEscaped = true;
    else if (octet === QUOTE) this.#isInText = false;
    else if (this.#isNaming && this.#name.length < LONGEST_NAME) this.#name += String.fromCharCode(octet);
  }

  #open(isList: boolean, at: number): void {
    const isOutermost = isList && this.#levels.length === 1 && this.#levels[0]?.isList === false;
    this.#levels.push({ isList, open: at, commas: 0, places: isOutermost ? [] : null });
    if (this.#levels.length > this.#bounds.depth) throw tooLarge(say('http.many_levels', { most: this.#bounds.depth }));
    this.#count();
  }

  #comma(at: number): void {
    this.#count();
    const level = this.#levels.at(-1);
    if (!level) return;
    level.commas += 1;
    level.places?.push(at);
    if (level.commas < (level.isList ? this.#bounds.entries : this.#bounds.fields)) return;
    if (!level.isList) throw tooLarge(say('http.many_fields', { most: this.#bounds.fields }));
    const path = this.#levels.length === 2 ? this.#name : '';
    const most = this.#bounds.entries;
    throw invalidField(path, path === '' ? say('http.many_entries_of_list', { most }) : say('http.many_entries', { most }));
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > this.#bounds.values) throw tooLarge(say('http.many_values', { most: this.#bounds.values }));
  }
}

/** The next octet from `index` on that means something within a text; the length of the chunk where there is none. */
function passText(chunk: Uint8Array, index: number): number {
  let at = index;
  while (at < chunk.length && chunk[at] !== QUOTE && chunk[at] !== BACKSLASH) at += 1;
  return at;
}

function tooLarge(said: Message): AppError {
  return new AppError('CONFIG_TOO_LARGE', said);
}
