/**
 * XML as SCL uses it: elements with attributes and text, each with its line. Nothing is expanded but the five entities of XML and
 * character references; a document type declaration, which could define others, is refused.
 */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { AppError, fieldIssue } from '#shared/domain/errors.ts';
import { quoted, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';

/** Deepest nesting; SCL needs about fifteen. */
const DEEPEST = 60;
/** Characters of a message on XML that is not well formed. */
const MOST_SAID = 200;

const OPTIONS = {
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  processEntities: false,
  removeNSPrefix: true,
  captureMetaData: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  jPath: false,
  maxNestedTags: DEEPEST,
};
const PLACE = XMLParser.getMetaDataSymbol() as unknown as symbol;
const ATTRIBUTES = ':@';
const TEXT = '#text';

/** Comments, processing instructions and white space in front of the root. */
const PROLOG = /^\uFEFF?(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*/;

/** Comments and CDATA sections, which may be unclosed, and the beginning of any other `<!`. */
const MARKED = /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<!/g;

/** A file of XML that is known to be well formed. */
export class XmlSource {
  readonly name: string;
  readonly #text: string;
  #lineStarts: number[] | null = null;

  /** Throws `CONFIG_INVALID` when the text is no well-formed XML, or declares entities. */
  constructor(name: string, text: string) {
    this.name = name;
    this.#text = text.startsWith('\uFEFF') ? text.slice(1) : text;
    const start = PROLOG.exec(this.#text)?.[0].length ?? 0;
    if (this.#text[start] !== '<') throw this.fault(start, say('scl.no_xml'));
    const declared = declarationIn(this.#text);
    if (declared !== null) {
      throw this.fault(declared, say('scl.declaration'));
    }
    const verdict = XMLValidator.validate(this.#text);
    if (verdict !== true) throw invalid(name, verdict.err.line, quoted(shortened(verdict.err.msg)));
  }

  /** The root element; the content of the elements named by `closed` (paths like `SCL.IED`) is not read. */
  root(closed: readonly string[]): XmlElement {
    const roots = this.#parse(0, this.#text.length, closed);
    const [root] = roots;
    if (!root || roots.length > 1) throw invalid(this.name, 1, say('scl.one_root'));
    return root;
  }

  /** An element of this file with everything below it, except below the elements named by `closed` (paths from this element). */
  open(element: XmlElement, closed: readonly string[] = []): XmlElement {
    return this.#parse(element.start, element.end, closed)[0] ?? element;
  }

  /** Line of an offset, from 1. */
  lineAt(offset: number): number {
    this.#lineStarts ??= lineStartsOf(this.#text);
    let low = 0;
    let high = this.#lineStarts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** `CONFIG_INVALID` about a place of this file. */
  fault(at: number | XmlElement, message: Message): AppError {
    return invalid(this.name, this.lineAt(typeof at === 'number' ? at : at.start), message);
  }

  #parse(start: number, end: number, closed: readonly string[]): XmlElement[] {
    try {
      const nodes: unknown = new XMLParser({ ...OPTIONS, stopNodes: [...closed] }).parse(this.#text.slice(start, end));
      return Array.isArray(nodes) ? nodes.filter(isElement).map((node) => new XmlElement(node, start)) : [];
    } catch (thrown) {
      throw this.fault(start, say('scl.unreadable', { reason: thrown instanceof Error ? thrown.message : String(thrown) }));
    }
  }
}

function invalid(name: string, line: number, message: Message): AppError {
  return new AppError('CONFIG_INVALID', say('scl.fault', { name, line, message }), {
    data: [fieldIssue('', say('scl.line', { line, message }))],
  });
}

/** Offset of a declaration (`<!DOCTYPE`, `<!ENTITY`), wherever it stands; null without one. */
function declarationIn(text: string): number | null {
  for (const { 0: found, index } of text.matchAll(MARKED)) if (found === '<!') return index;
  return null;
}

/** A verdict in one line: that on elements left open names them all. */
function shortened(message: string): string {
  const line = message.slice(0, MOST_SAID).replace(/\s+/g, ' ').replace(/\.$/, '');
  return message.length > MOST_SAID ? `${line} …` : line;
}

function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

type RawNode = Readonly<Record<string | symbol, unknown>>;

function isElement(node: unknown): node is RawNode {
  return typeof node === 'object' && node !== null && !(TEXT in node);
}

/** A view on one element; nothing is copied. */
export class XmlElement {
  readonly #node: RawNode;
  readonly #base: number;
  readonly name: string;

  constructor(node: RawNode, base: number) {
    this.#node = node;
    this.#base = base;
    this.name = Object.keys(node).find((key) => key !== ATTRIBUTES) ?? '';
  }

  /** Offset of the element in its file, and of its end. */
  get start(): number {
    return this.#base + (this.#place.startIndex ?? 0);
  }

  get end(): number {
    return this.#base + (this.#place.endIndex ?? 0);
  }

  /** Value of an attribute; null where it is not written. */
  attribute(name: string): string | null {
    const attributes = this.#node[ATTRIBUTES] as Readonly<Record<string, unknown>> | undefined;
    const value = attributes && Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    return typeof value === 'string' ? decodeEntities(value) : null;
  }

  /** Value of an attribute; empty where it is not written. */
  text(name: string): string {
    return this.attribute(name) ?? '';
  }

  /** Child elements, those of one name or all. */
  children(name?: string): XmlElement[] {
    const found: XmlElement[] = [];
    for (const node of this.#content) {
      if (isElement(node) && (name === undefined || Object.hasOwn(node, name))) found.push(new XmlElement(node, this.#base));
    }
    return found;
  }

  child(name: string): XmlElement | null {
    const node = this.#content.find((item) => isElement(item) && Object.hasOwn(item, name));
    return node ? new XmlElement(node as RawNode, this.#base) : null;
  }

  /** Text directly in the element, trimmed. */
  get content(): string {
    const texts = this.#content.map((node) => (isElement(node) ? '' : String((node as RawNode)[TEXT] ?? '')));
    return decodeEntities(texts.join(''));
  }

  get #content(): readonly unknown[] {
    const content = this.#node[this.name];
    return Array.isArray(content) ? content : [];
  }

  get #place(): { readonly startIndex?: number; readonly endIndex?: number } {
    return (this.#node[PLACE] as { startIndex?: number; endIndex?: number } | undefined) ?? {};
  }
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
