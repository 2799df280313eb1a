import { AppError, invalidInput } from '#shared/domain/errors.ts';

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

/** An open list or object of the body. */
interface Level {
  readonly isList: boolean;
  commas: number;
}

/**
 * Counts what a JSON text holds while it arrives, octet by octet, without building anything: a body that is small on the wire can be gigabytes
 * in memory. Whether the text is JSON at all is the parser's business. Chunks may be cut anywhere.
 */
export class JsonGuard {
  readonly #bounds: JsonBounds;
  readonly #levels: Level[] = [];
  #values = 1;
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
      const octet = chunk[index] ?? 0;
      if (this.#isInText) this.#inText(octet);
      else if (octet === QUOTE) this.#beginText();
      else if (octet === COMMA) this.#comma();
      else if (octet === OPEN_LIST || octet === OPEN_OBJECT) this.#open(octet === OPEN_LIST);
      else if (octet === CLOSE_LIST || octet === CLOSE_OBJECT) this.#levels.pop();
    }
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

  #open(isList: boolean): void {
    this.#levels.push({ isList, commas: 0 });
    if (this.#levels.length > this.#bounds.depth) throw tooLarge(`lists and objects within each other, ${this.#bounds.depth} at most`);
    this.#count();
  }

  #comma(): void {
    this.#count();
    const level = this.#levels.at(-1);
    if (!level) return;
    level.commas += 1;
    if (level.commas < (level.isList ? this.#bounds.entries : this.#bounds.fields)) return;
    if (!level.isList) throw tooLarge(`fields in an object, ${this.#bounds.fields} at most`);
    const path = this.#levels.length === 2 ? this.#name : '';
    const message = `must have at most ${this.#bounds.entries} entries; the rest was not read`;
    throw invalidInput([{ path, message: path === '' ? `a list ${message}` : message }]);
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > this.#bounds.values) throw tooLarge(`values, ${this.#bounds.values} at most`);
  }
}

function tooLarge(what: string): AppError {
  return new AppError('CONFIG_TOO_LARGE', `The body has too many ${what}; the rest was not read. Send it in parts.`);
}
