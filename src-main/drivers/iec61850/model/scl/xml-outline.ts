/**
 * One quick pass over a whole file of XML: whether its elements are well formed, and where some of them lie. So a station of many megabytes is
 * looked at without taking it apart; only what is asked for is parsed.
 */

/** An element that was looked for. */
export interface Span {
  readonly start: number;
  /** Behind the start tag, where the content begins; `end` where the element has no content. */
  readonly contentStart: number;
  readonly contentEnd: number;
  readonly end: number;
}

/** What is wrong, and where. */
export class XmlFault extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** Places in the tree that are looked for, as a tree themselves. */
class Wanted {
  readonly below = new Map<string, Wanted>();
  isTarget = false;

  constructor(paths: readonly string[] = []) {
    for (const path of paths) {
      let place: Wanted = this;
      for (const name of path.split('.')) {
        const next = place.below.get(name) ?? new Wanted();
        place.below.set(name, next);
        place = next;
      }
      place.isTarget = true;
    }
  }
}

interface OpenElement {
  readonly name: string;
  readonly start: number;
  readonly contentStart: number;
  /** Null away from everything that is looked for. */
  readonly wanted: Wanted | null;
}

const [TAB, LINE_FEED, RETURN, SPACE] = [9, 10, 13, 32];
const [SLASH, EQUALS, LESS, GREATER, QUOTE, APOSTROPHE, BANG, QUESTION] = [0x2f, 0x3d, 0x3c, 0x3e, 0x22, 0x27, 0x21, 0x3f];

/** Deepest nesting; SCL needs about fifteen. */
const DEEPEST = 60;
/** Attributes of one element; SCL has at most about fifteen. */
const MOST_ATTRIBUTES = 1000;

/**
 * The elements at these paths (`SCL.IED`, names without prefix), in order of their starts. Throws {@link XmlFault} where the file is not well
 * formed, declares a document type, or is nested too deep. Texts and references to entities are not looked at.
 */
export function outline(text: string, paths: readonly string[]): Span[] {
  return new Scanner(text, new Wanted(paths)).run();
}

class Scanner {
  readonly #text: string;
  readonly #root: Wanted;
  readonly #open: OpenElement[] = [];
  readonly #spans: Span[] = [];
  #at = 0;
  #hasRoot = false;

  constructor(text: string, root: Wanted) {
    this.#text = text;
    this.#root = root;
  }

  run(): Span[] {
    const text = this.#text;
    for (let next = text.indexOf('<'); next >= 0; next = text.indexOf('<', this.#at)) {
      if (this.#open.length === 0) this.#requireSpace(this.#at, next);
      this.#at = next;
      const code = text.charCodeAt(next + 1);
      if (code === SLASH) this.#endTag();
      else if (code === BANG) this.#declaration();
      else if (code === QUESTION) this.#skip('?>', 'a processing instruction');
      else this.#startTag();
    }
    const [first] = this.#open;
    if (first) throw new XmlFault(this.#open.at(-1)?.start ?? 0, `element ${this.#open.at(-1)?.name} is not closed`);
    this.#requireSpace(this.#at, text.length);
    if (!this.#hasRoot) throw new XmlFault(0, 'the file has no element');
    return this.#spans.sort((one, other) => one.start - other.start);
  }

  #requireSpace(from: number, to: number): void {
    const outside = this.#text.slice(from, to).replace('\uFEFF', '');
    if (outside.trim() !== '') throw new XmlFault(from, 'there is text outside the root element');
  }

  #skip(end: string, what: string): void {
    const found = this.#text.indexOf(end, this.#at);
    if (found < 0) throw new XmlFault(this.#at, `${what} is not closed`);
    this.#at = found + end.length;
  }

  #declaration(): void {
    const text = this.#text;
    if (text.startsWith('<!--', this.#at)) this.#skip('-->', 'a comment');
    else if (text.startsWith('<![CDATA[', this.#at) && this.#open.length > 0) this.#skip(']]>', 'a CDATA section');
    else throw new XmlFault(this.#at, 'a document type declaration is refused, because it could define entities; SCL has none');
  }

  #endTag(): void {
    const element = this.#open.pop();
    const nameStart = this.#at + 2;
    let at = this.#nameEnd(nameStart);
    const isRight = element !== undefined && at - nameStart === element.name.length && this.#text.startsWith(element.name, nameStart);
    if (!isRight) {
      const expected = element ? `; ${element.name} is open` : '';
      throw new XmlFault(this.#at, `the end tag ${this.#text.slice(nameStart, at).slice(0, 40)} closes nothing${expected}`);
    }
    at = this.#spaceEnd(at);
    if (this.#text.charCodeAt(at) !== GREATER) throw new XmlFault(this.#at, `the end tag of ${element.name} is not closed`);
    if (element.wanted?.isTarget) {
      this.#spans.push({ start: element.start, contentStart: element.contentStart, contentEnd: this.#at, end: at + 1 });
    }
    this.#at = at + 1;
  }

  #startTag(): void {
    const start = this.#at;
    const nameEnd = this.#nameEnd(start + 1);
    const name = this.#text.slice(start + 1, nameEnd);
    if (name === '') throw new XmlFault(start, 'a < begins no tag; in a text it is written &lt;');
    if (this.#open.length === 0 && this.#hasRoot) throw new XmlFault(start, 'the file has more than one root element');
    this.#hasRoot = true;
    const end = this.#attributesEnd(start, name, nameEnd);
    const isEmpty = this.#text.charCodeAt(end) === SLASH;
    const contentStart = end + (isEmpty ? 2 : 1);
    const wanted = this.#wantedAt(name);
    this.#at = contentStart;
    if (isEmpty) {
      if (wanted?.isTarget) this.#spans.push({ start, contentStart, contentEnd: contentStart, end: contentStart });
      return;
    }
    if (this.#open.length >= DEEPEST) throw new XmlFault(start, `elements are nested more than ${DEEPEST} deep`);
    this.#open.push({ name, start, contentStart, wanted });
  }

  #wantedAt(name: string): Wanted | null {
    const parent = this.#open.length === 0 ? this.#root : (this.#open.at(-1)?.wanted ?? null);
    return parent?.below.get(name.slice(name.indexOf(':') + 1)) ?? null;
  }

  /** Where the attributes of a start tag end: at `>`, or at the `/` of `/>`. */
  #attributesEnd(start: number, name: string, from: number): number {
    const text = this.#text;
    const names: string[] = [];
    let at = from;
    for (;;) {
      const next = this.#spaceEnd(at);
      const code = text.charCodeAt(next);
      if (code === GREATER) return next;
      if (code === SLASH && text.charCodeAt(next + 1) === GREATER) return next;
      const nameEnd = this.#nameEnd(next);
      const attribute = text.slice(next, nameEnd);
      if (Number.isNaN(code)) throw new XmlFault(start, `the start tag of ${name.slice(0, 40)} is not closed`);
      if (next === at || attribute === '')
        throw new XmlFault(next, `the start tag of ${name.slice(0, 40)} has something that is no attribute`);
      if (names.includes(attribute)) throw new XmlFault(next, `attribute ${attribute.slice(0, 40)} of ${name.slice(0, 40)} is there twice`);
      if (names.push(attribute) > MOST_ATTRIBUTES)
        throw new XmlFault(start, `${name.slice(0, 40)} has more than ${MOST_ATTRIBUTES} attributes`);
      at = this.#valueEnd(attribute, nameEnd);
    }
  }

  /** Behind the quoted value of an attribute whose name ends at `nameEnd`. */
  #valueEnd(attribute: string, nameEnd: number): number {
    const text = this.#text;
    const equals = this.#spaceEnd(nameEnd);
    const begin = text.charCodeAt(equals) === EQUALS ? this.#spaceEnd(equals + 1) : -1;
    const quote = begin < 0 ? Number.NaN : text.charCodeAt(begin);
    if (quote !== QUOTE && quote !== APOSTROPHE) throw new XmlFault(nameEnd, `attribute ${attribute.slice(0, 40)} has no value in quotes`);
    for (let at = begin + 1; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) return at + 1;
      if (code === LESS) break;
    }
    throw new XmlFault(begin, `the value of attribute ${attribute.slice(0, 40)} is not closed`);
  }

  #nameEnd(from: number): number {
    const text = this.#text;
    let at = from;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code <= SPACE || code === SLASH || code === GREATER || code === EQUALS || code === LESS || code === QUOTE || code === APOSTROPHE)
        break;
    }
    return at;
  }

  #spaceEnd(from: number): number {
    const text = this.#text;
    let at = from;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code !== SPACE && code !== LINE_FEED && code !== RETURN && code !== TAB) return at;
      at++;
    }
  }
}
