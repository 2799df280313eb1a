/** Nodes of an explanation out of BER: shapes say what an element is called and how its value reads. Never throws. */
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { type BerElement, BerReader, tagText } from '../../../protocol-kit/ber/reader.ts';
import { octetsOf } from '../../../protocol-kit/ber/values.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import { group, leaf, remarked, worst } from '../../kit/explain/nodes.ts';
import type { ExplainedNode, FrameText, SecretRange } from '../../spi/index.ts';

/** What an element may be, by its tag and its place among its brothers. */
export type Lookup = (tag: number, index: number) => Shape | undefined;

export interface Shape {
  readonly name: FrameText;
  /** Reads the value; may throw. Left out: hex for a primitive, nothing for a constructed element. */
  readonly value?: (element: BerElement) => FrameText;
  /** Elements inside, though the element be primitive. Left out: those of a constructed element, without names. */
  readonly inside?: Lookup;
  /** The value must not be shown. */
  readonly isSecret?: boolean;
  /** The content is another layer, named by its first octet: it becomes a node of its own beside that of the layer that carries it. */
  readonly carries?: (first: number) => { readonly name: FrameText; readonly shapes: Lookup };
}

/** Everybody of these, whatever the place. */
export function byTag(shapes: Readonly<Record<number, Shape>>): Lookup {
  return (tag) => shapes[tag];
}

const MOST_NODES = 4000;
const MOST_DEPTH = 40;
const MOST_SHOWN_OCTETS = 48;

/** Octets as text; long ones are cut. */
export function octetText(octets: Uint8Array): FrameText {
  const text = hexText(octets.subarray(0, MOST_SHOWN_OCTETS));
  return octets.length > MOST_SHOWN_OCTETS ? say('mmsframe.octets_cut', { octets: text, count: octets.length }) : text;
}

export class ExplainTree {
  readonly bytes: Uint8Array;
  /** Layers in their order, from the lowest. */
  readonly layers: ExplainedNode[] = [];
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

  /** Adds a layer that is made of the elements from `start` to `end`. */
  layer(name: FrameText, start: number, end: number, shapes: Lookup): void {
    // the layer stands before those that it carries
    const place = this.layers.length;
    const children = this.elements(start, end, shapes, 0);
    const stop = this.#contentBegin(end);
    this.layers.splice(place, 0, group(name, '', start, stop, children));
    this.#found = { start, end };
  }

  /** Nodes of the elements from `start` to `end`. */
  elements(start: number, end: number, shapes: Lookup, depth: number): ExplainedNode[] {
    const nodes: ExplainedNode[] = [];
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

  #rest(at: number, end: number): ExplainedNode {
    const octets = octetText(this.bytes.subarray(at, end));
    if (this.#count >= MOST_NODES)
      return leaf(say('mmsframe.further_octets'), say('mmsframe.further_not_explained', { count: end - at }), at, end);
    if (this.#isCut && end === this.bytes.length) return leaf(say('mmsframe.begin_of_element'), octets, at, end);
    return leaf(say('mmsframe.octets'), remarked(octets, say('mmsframe.no_element')), at, end, 'error');
  }

  #node(element: BerElement, end: number, shape: Shape | undefined, depth: number): ExplainedNode {
    this.#count += 1;
    const { start, valueAt } = element;
    const name = shape?.name ?? say('mmsframe.element', { tag: tagText(element.tag) });
    const isWhole = element.end <= end;
    if (shape?.isSecret) this.secrets.push({ start: Math.min(valueAt, end), end });
    const isConstructed = ((this.bytes[start] ?? 0) & 0x20) !== 0 || shape?.inside !== undefined;
    let children: ExplainedNode[] = [];
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

  #value(element: BerElement, shape: Shape | undefined, isConstructed: boolean): { value: FrameText; severity: ExplainedNode['severity'] } {
    try {
      if (shape?.value) return { value: shape.value(element), severity: 'info' };
    } catch (thrown) {
      const why = thrown instanceof AppError ? thrown.said : say('mmsframe.unreadable');
      return { value: isConstructed ? why : remarked(octetText(octetsOf(element)), why), severity: 'error' };
    }
    return { value: isConstructed ? '' : octetText(octetsOf(element)), severity: 'info' };
  }

  #cutValue(
    { valueAt, end: wanted }: BerElement,
    end: number,
    isConstructed: boolean,
  ): { value: FrameText; severity: ExplainedNode['severity'] } {
    const goesOn = this.#isCut && end === this.bytes.length;
    const remark = goesOn ? say('mmsframe.goes_on') : say('mmsframe.octets_missing', { missing: wanted - end, wanted: wanted - valueAt });
    const value = isConstructed ? remark : remarked(octetText(this.bytes.subarray(valueAt, end)), remark);
    return { value, severity: goesOn ? 'info' : 'error' };
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
