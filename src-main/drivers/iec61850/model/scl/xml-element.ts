/** Elements of XML that is known to be well formed, taken apart as far as they are opened. */
import type { Span } from './xml-outline.ts';

const [TAB, LINE_FEED, RETURN, SPACE, BANG, SLASH, EQUALS, QUESTION, GREATER] = [9, 10, 13, 32, 0x21, 0x2f, 0x3d, 0x3f, 0x3e];
const NONE: readonly XmlElement[] = [];

/** One element: its attributes, the elements in it, and its text. */
export class XmlElement {
  readonly #source: string;
  /** Without prefix. */
  readonly name: string;
  /** Offset of the element in its file. */
  readonly start: number;
  /** Where its attributes begin, behind the name. */
  readonly #attributesStart: number;
  #attributes: Map<string, string> | null = null;
  #children: XmlElement[] | null = null;
  /** Pieces of text with entities as they are written. */
  #text = '';

  constructor(source: string, name: string, start: number, attributesStart: number) {
    this.#source = source;
    this.name = name;
    this.start = start;
    this.#attributesStart = attributesStart;
  }

  /** Value of an attribute, trimmed; null where it is not written. */
  attribute(name: string): string | null {
    this.#attributes ??= attributesFrom(this.#source, this.#attributesStart);
    const value = this.#attributes.get(name);
    return value === undefined ? null : decodeEntities(value.trim());
  }

  /** Value of an attribute; empty where it is not written. */
  text(name: string): string {
    return this.attribute(name) ?? '';
  }

  /** Child elements, those of one name or all. */
  children(name?: string): readonly XmlElement[] {
    const all = this.#children ?? NONE;
    return name === undefined ? all : all.filter((child) => child.name === name);
  }

  child(name: string): XmlElement | null {
    return this.#children?.find((child) => child.name === name) ?? null;
  }

  /** Text directly in the element, trimmed. */
  get content(): string {
    return decodeEntities(this.#text.trim());
  }

  /** For the reader alone. */
  addChild(child: XmlElement): void {
    if (this.#children) this.#children.push(child);
    else this.#children = [child];
  }

  /** For the reader alone. */
  addText(text: string): void {
    this.#text += text;
  }
}

/**
 * The element that begins at `start`, with everything in it; `closed` are elements whose content is left out, in order of their starts, those
 * from `firstClosed` on. The text must be well formed.
 */
export function readElement(text: string, start: number, closed: readonly Span[], firstClosed: number): XmlElement {
  const root = new XmlElement(text, '', start, start);
  const open: XmlElement[] = [root];
  let nextClosed = firstClosed;
  let at = start;
  while (at < text.length) {
    const tag = text.indexOf('<', at);
    if (tag < 0) break;
    const parent = open.at(-1) ?? root;
    if (tag > at && parent !== root) addText(parent, text, at, tag);
    const code = text.charCodeAt(tag + 1);
    if (code === BANG && text.charCodeAt(tag + 2) === 0x5b) {
      const end = text.indexOf(']]>', tag);
      parent.addText(escaped(text.slice(tag + '<![CDATA['.length, end)));
      at = end + 3;
    } else if (code === BANG) at = text.indexOf('-->', tag) + 3;
    else if (code === QUESTION) at = text.indexOf('?>', tag) + 2;
    else if (code === SLASH) {
      open.pop();
      at = text.indexOf('>', tag) + 1;
      if (open.length === 1) break;
    } else {
      const nameEnd = nameEndFrom(text, tag + 1);
      const element = new XmlElement(text, localName(text.slice(tag + 1, nameEnd)), tag, nameEnd);
      parent.addChild(element);
      while ((closed[nextClosed]?.start ?? Number.POSITIVE_INFINITY) < tag) nextClosed += 1;
      const span = closed[nextClosed];
      const tagEnd = tagEndFrom(text, nameEnd);
      if (span?.start === tag) at = span.end;
      else {
        at = tagEnd + 1;
        if (text.charCodeAt(tagEnd - 1) !== SLASH) open.push(element);
      }
      if (open.length === 1) break;
    }
  }
  return root.children()[0] ?? root;
}

/** Most text stands between two tags only to indent them. */
function addText(element: XmlElement, text: string, start: number, end: number): void {
  for (let at = start; at < end; at++) {
    if (isSpace(text.charCodeAt(at))) continue;
    element.addText(text.slice(start, end));
    return;
  }
}

function attributesFrom(text: string, start: number): Map<string, string> {
  const found = new Map<string, string>();
  for (let at = spaceEnd(text, start); ; ) {
    const code = text.charCodeAt(at);
    if (code === GREATER || code === SLASH || Number.isNaN(code)) return found;
    const nameEnd = nameEndFrom(text, at);
    const quoteAt = spaceEnd(text, spaceEnd(text, nameEnd) + 1);
    const end = text.indexOf(text.charAt(quoteAt), quoteAt + 1);
    if (end < 0) return found;
    found.set(text.slice(at, nameEnd), text.slice(quoteAt + 1, end));
    at = spaceEnd(text, end + 1);
  }
}

/** The `>` that ends a start tag; one in the value of an attribute does not. */
function tagEndFrom(text: string, from: number): number {
  for (let at = from; ; ) {
    const code = text.charCodeAt(at);
    if (code === GREATER || Number.isNaN(code)) return at;
    if (code === 0x22) at = text.indexOf('"', at + 1) + 1;
    else if (code === 0x27) at = text.indexOf("'", at + 1) + 1;
    else at += 1;
  }
}

function nameEndFrom(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (Number.isNaN(code) || code <= SPACE || code === SLASH || code === GREATER || code === EQUALS) return at;
    at += 1;
  }
}

function spaceEnd(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === RETURN || code === TAB;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;');
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** The five entities of XML and character references; anything else stays as it is written. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|(lt|gt|amp|quot|apos));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const point = decimal !== undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
