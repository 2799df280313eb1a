/**
 * XML as SCL uses it: elements with attributes and text, each with its line. Nothing is expanded but the five entities of XML and
 * character references; a document type declaration, which could define others, is refused.
 */
import { AppError } from '#shared/domain/errors.ts';
import { readElement, type XmlElement } from './xml-element.ts';
import { outline, type Span, XmlFault } from './xml-outline.ts';

/** Comments, processing instructions and white space in front of the root. */
const PROLOG = /^\uFEFF?(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*/;

/** A file of XML that is known to be well formed, read in parts: the content of closed elements is left out until they are opened. */
export class XmlSource {
  readonly name: string;
  readonly #text: string;
  readonly #rootStart: number;
  /** Closed elements in order of their starts. */
  readonly #closed: readonly Span[];
  #lineStarts: number[] | null = null;

  /** `closed` are paths of elements like `SCL.IED`. Throws `CONFIG_INVALID` when the text is no well-formed XML, or declares entities. */
  constructor(name: string, text: string, closed: readonly string[]) {
    this.name = name;
    this.#text = text.startsWith('\uFEFF') ? text.slice(1) : text;
    this.#rootStart = PROLOG.exec(this.#text)?.[0].length ?? 0;
    if (this.#text[this.#rootStart] !== '<') throw this.fault(this.#rootStart, 'this is no XML; an SCL file begins with <?xml or <SCL');
    try {
      this.#closed = outline(this.#text, closed);
    } catch (thrown) {
      if (thrown instanceof XmlFault) throw this.fault(thrown.offset, thrown.message);
      throw thrown;
    }
  }

  /** The root element; closed elements in it have their attributes, and no content. */
  root(): XmlElement {
    return readElement(this.#text, this.#rootStart, this.#closed, 0);
  }

  /** A closed element with its content; closed elements in it stay closed. Any other element comes back as it is. */
  open(element: XmlElement): XmlElement {
    const place = this.#placeOf(element);
    return place < 0 ? element : readElement(this.#text, element.start, this.#closed, place + 1);
  }

  /** Characters of a closed element, its content included; 0 for any other. */
  lengthOf(element: XmlElement): number {
    const span = this.#closed[this.#placeOf(element)];
    return span ? span.end - span.start : 0;
  }

  /** Place in the list of closed elements; -1 for any other. */
  #placeOf({ start }: XmlElement): number {
    const place = upperBound(this.#closed.length, (index) => (this.#closed[index]?.start ?? 0) < start);
    return this.#closed[place]?.start === start ? place : -1;
  }

  /** Line of an offset, from 1. */
  lineAt(offset: number): number {
    this.#lineStarts ??= lineStartsOf(this.#text);
    const starts = this.#lineStarts;
    return upperBound(starts.length, (place) => (starts[place] ?? 0) <= offset);
  }

  /** `CONFIG_INVALID` about a place of this file. */
  fault(at: number | XmlElement, message: string): AppError {
    const line = this.lineAt(typeof at === 'number' ? at : at.start);
    return new AppError('CONFIG_INVALID', `${this.name}, line ${line}: ${message}.`, {
      data: [{ path: '', message: `line ${line}: ${message}` }],
    });
  }
}

/** The first place of a sorted list of this length for which `isBefore` is false. */
function upperBound(length: number, isBefore: (place: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
