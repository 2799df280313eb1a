/** Nodes of an explanation out of BER: shapes say what an element is called and how its value reads. Never throws. */
import type { ExplainNode } from '#shared/contract/frames.ts';
import { AppError } from '#shared/domain/errors.ts';
import { type BerElement, BerReader, tagText } from '../../../protocol-kit/ber/reader.ts';
import { octetsOf } from '../../../protocol-kit/ber/values.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import type { SecretRange } from '../../spi/index.ts';

/** What an element may be, by its tag and its place among its brothers. */
export type Lookup = (tag: number, index: number) => Shape | undefined;

export interface Shape {
  readonly name: string;
  /** Reads the value; may throw. Left out: hex for a primitive, nothing for a constructed element. */
  readonly value?: (element: BerElement) => string;
  /** Elements inside, though the element be primitive. Left out: those of a constructed element, without names. */
  readonly inside?: Lookup;
  /** The value must not be shown. */
  readonly isSecret?: boolean;
  /** The content is another layer, named by its first octet: it becomes a node of its own beside that of the layer that carries it. */
  readonly carries?: (first: number) => { readonly name: string; readonly shapes: Lookup };
}

/** Everybody of these, whatever the place. */
export function byTag(shapes: Readonly<Record<number, Shape>>): Lookup {
  return (tag) => shapes[tag];
}

const MOST_NODES = 4000;
const MOST_DEPTH = 40;
const MOST_SHOWN_OCTETS = 48;

/** Octets as text; long ones are cut. */
export function octetText(octets: Uint8Array): string {
  const text = hexText(octets.subarray(0, MOST_SHOWN_OCTETS));
  return octets.length > MOST_SHOWN_OCTETS ? `${text} … (${octets.length} octets)` : text;
}

/** As severe as the worst child. */
export function worst(own: ExplainNode['severity'], children: readonly ExplainNode[]): ExplainNode['severity'] {
  const all = [own, ...children.map((child) => child.severity)];
  if (all.includes('error')) return 'error';
  return all.includes('warning') ? 'warning' : 'info';
}

export class ExplainTree {
  readonly bytes: Uint8Array;
  /** Layers in their order, from the lowest. */
  readonly layers: ExplainNode[] = [];
  readonly secrets: SecretRange[] = [];
  /** True where the octets end because the rest comes in further segments. */
  readonly #isCut: boolean;
  #count = 0;
  /** Where the content of the layer that was found last begins and ends. */
  #found: { readonly start: number; readonly end: number } | null = null;

  constructor(bytes: Uint8Array, isCut: boolean) {
    this.bytes = bytes;
    this.#isCut = isCut;
  }

  /** A node without children. */
  leaf(name: string, value: string, start: number, end: number, severity: ExplainNode['severity'] = 'info'): ExplainNode {
    return { name, value, start, end, severity, children: [] };
  }

  /** A node over its children, as severe as the worst of them. */
  group(name: string, value: string, start: number, end: number, children: readonly ExplainNode[]): ExplainNode {
    return { name, value, start, end, severity: worst('info', children), children };
  }

  /** Adds a layer that is made of the elements from `start` to `end`. */
  layer(name: string, start: number, end: number, shapes: Lookup): void {
    // the layer stands before those that it carries
    const place = this.layers.length;
    const children = this.elements(start, end, shapes, 0);
    const stop = this.#contentBegin(end);
    this.layers.splice(place, 0, this.group(name, '', start, stop, children));
    this.#found = { start, end };
  }

  /** Nodes of the elements from `start` to `end`. */
  elements(start: number, end: number, shapes: Lookup, depth: number): ExplainNode[] {
    const nodes: ExplainNode[] = [];
    for (let at = start, index = 0; at < end; index++) {
      const element = depth < MOST_DEPTH && this.#count < MOST_NODES ? this.#element(at, end) : null;
      if (!element) {
        nodes.push(this.#rest(at, end));
        break;
      }
      nodes.push(this.#node(element, Math.min(element.end, end), shapes(element.tag, index), depth));
      at = Math.max(at + 1, Math.min(element.end, end));
    }
    return nodes;
  }

  /** The head of an element; its end may lie beyond its parent. Null where not even the head is whole. */
  #element(at: number, end: number): BerElement | null {
    try {
      return new BerReader(this.bytes, undefined, at, end).next();
    } catch {
      return headOf(this.bytes, at, end);
    }
  }

  #rest(at: number, end: number): ExplainNode {
    const octets = octetText(this.bytes.subarray(at, end));
    if (this.#count >= MOST_NODES) return this.leaf('further octets', `${end - at} octets that are not explained`, at, end);
    if (this.#isCut && end === this.bytes.length) return this.leaf('begin of an element', octets, at, end);
    return this.leaf('octets', `${octets} — no element of BER`, at, end, 'error');
  }

  #node(element: BerElement, end: number, shape: Shape | undefined, depth: number): ExplainNode {
    this.#count += 1;
    const { start, valueAt } = element;
    const name = shape?.name ?? `element ${tagText(element.tag)}`;
    const isWhole = element.end <= end;
    if (shape?.isSecret) this.secrets.push({ start: Math.min(valueAt, end), end });
    const isConstructed = ((this.bytes[start] ?? 0) & 0x20) !== 0 || shape?.inside !== undefined;
    let children: ExplainNode[] = [];
    if (shape?.carries && valueAt < end) {
      const { name: layer, shapes } = shape.carries(this.bytes[valueAt] ?? 0);
      this.layer(layer, valueAt, end, shapes);
    } else if (isConstructed) children = this.elements(valueAt, end, shape?.inside ?? NOTHING, depth + 1);
    const said = isWhole ? this.#value(element, shape, isConstructed) : this.#cutValue(element, end, isConstructed);
    return { name, value: said.value, start, end: this.#contentBegin(end), severity: worst(said.severity, children), children };
  }

  /** Where a node ends: before the layer that fills it to its end. */
  #contentBegin(end: number): number {
    return this.#found?.end === end ? this.#found.start : end;
  }

  #value(element: BerElement, shape: Shape | undefined, isConstructed: boolean): { value: string; severity: ExplainNode['severity'] } {
    try {
      if (shape?.value) return { value: shape.value(element), severity: 'info' };
    } catch (thrown) {
      const why = thrown instanceof AppError ? thrown.message : 'cannot be read';
      return { value: isConstructed ? why : `${octetText(octetsOf(element))} — ${why}`, severity: 'error' };
    }
    return { value: isConstructed ? '' : octetText(octetsOf(element)), severity: 'info' };
  }

  #cutValue(
    { valueAt, end: wanted }: BerElement,
    end: number,
    isConstructed: boolean,
  ): { value: string; severity: ExplainNode['severity'] } {
    const missing = `${wanted - end} of ${wanted - valueAt} octets are missing`;
    const octets = isConstructed ? '' : `${octetText(this.bytes.subarray(valueAt, end))} — `;
    if (this.#isCut && end === this.bytes.length) return { value: `${octets}goes on in the next segment`, severity: 'info' };
    return { value: `${octets}${missing}`, severity: 'error' };
  }
}

const NOTHING: Lookup = () => undefined;

/** Tag and length alone; null where they are not whole or make no sense. */
function headOf(octets: Uint8Array, start: number, limit: number): BerElement | null {
  let at = start;
  let tag = octets[at++] ?? 0;
  if ((tag & 0x1f) === 0x1f) {
    do {
      if (at >= limit || tag > 0xff_ffff) return null;
      tag = tag * 256 + (octets[at] ?? 0);
    } while ((octets[at++] ?? 0) >= 0x80);
  }
  const first = octets[at++];
  if (first === undefined || at > limit || first === 0x80 || first > 0x84) return null;
  let length = first & 0x7f;
  if (first > 0x80) {
    length = 0;
    for (let left = first & 0x7f; left > 0; left--) length = length * 256 + (octets[at++] ?? 0);
    if (at > limit) return null;
  }
  return { tag, octets, start, valueAt: at, end: at + length };
}
