import { say } from '#shared/messages/index.ts';
import { type Names, names } from '#shared/messages/message.ts';
import { malformed } from '../malformed.ts';
import { BER_PARTS, type BerPart } from './parts.ts';

/** How much a reader accepts: deeper nesting or a longer outermost content is refused as malformed. */
export interface BerLimits {
  readonly maxDepth: number;
  readonly maxOctets: number;
}

/** Ample for any negotiated PDU of MMS, and for types four elements a level. */
export const BER_LIMITS: BerLimits = { maxDepth: 64, maxOctets: 4_000_000 };

/**
 * One element of BER. `tag` holds the identifier octets read as one number: 0xa1, 0x02, 0xbf4d. The value lies in `octets` from
 * `valueAt` to `end`, the element itself from `start`.
 */
export interface BerElement {
  readonly tag: number;
  readonly octets: Uint8Array;
  readonly start: number;
  readonly valueAt: number;
  readonly end: number;
}

/**
 * Reads an element from `at` on without an object for it. It ends before `end` and holds at most `levels` levels of others; its end goes into `cursor`.
 * Null for what it does not know.
 */
export type PlainRead<Value> = (octets: Uint8Array, at: number, end: number, levels: number, cursor: { at: number }) => Value | null;

/** One for all: nothing is read while something else is. */
const CURSOR = { at: 0 };

/** A part of a PDU in both languages. */
export function partNames(what: BerPart): Names {
  return names(what, BER_PARTS[what]);
}

/** A tag as people write it: `a1`, `bf4d`. */
export function tagText(tag: number): string {
  return tag.toString(16).padStart(2, '0');
}

/**
 * Reads the elements of one level in order (ITU-T X.690, 8.1), over a view and without copying. Definite lengths only; longer forms
 * than needed are accepted. Every element must end within its parent. Throws `PROTOCOL_MALFORMED`.
 */
export class BerReader {
  readonly #octets: Uint8Array;
  readonly #limits: BerLimits;
  readonly #end: number;
  readonly #depth: number;
  #at: number;

  constructor(octets: Uint8Array, limits: BerLimits = BER_LIMITS, at = 0, end: number = octets.length, depth = 1) {
    if (end - at > limits.maxOctets) throw malformed(say('ber.too_many_octets', { count: end - at, most: limits.maxOctets }));
    if (depth > limits.maxDepth) throw malformed(say('ber.too_deep', { most: limits.maxDepth }));
    this.#octets = octets;
    this.#limits = limits;
    this.#at = at;
    this.#end = end;
    this.#depth = depth;
  }

  /** Whether all elements of this level have been read. */
  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  /** Position of the next element in the octets. */
  get position(): number {
    return this.#at;
  }

  /** Tag of the next element; null at the end. */
  get nextTag(): number | null {
    return this.isAtEnd ? null : this.#tagAt(this.#at).tag;
  }

  /** The next element, whatever it is. */
  next(): BerElement {
    if (this.isAtEnd) throw malformed(say('ber.missing'));
    const start = this.#at;
    const { tag, after } = this.#tagAt(start);
    const { length, valueAt } = this.#lengthAt(after);
    if (length > this.#end - valueAt) {
      throw malformed(say('ber.beyond_parent', { tag: tagText(tag), at: start, length, left: this.#end - valueAt }));
    }
    this.#at = valueAt + length;
    return { tag, octets: this.#octets, start, valueAt, end: this.#at };
  }

  /** The next element by `read`; null and nothing is read where that does not know it. */
  take<Value>(read: PlainRead<Value>): Value | null {
    const value = read(this.#octets, this.#at, this.#end, this.#limits.maxDepth - this.#depth, CURSOR);
    if (value !== null) this.#at = CURSOR.at;
    return value;
  }

  /** The next element, which must have this tag; `what` names it in the error. */
  expect(tag: number, what: BerPart): BerElement {
    const found = this.nextTag;
    if (found !== tag) {
      const said = { what: partNames(what), tag: tagText(tag) };
      throw malformed(found === null ? say('ber.nothing_found', said) : say('ber.other_found', { ...said, found: tagText(found) }));
    }
    return this.next();
  }

  /** The next element when it has this tag, otherwise null and nothing is read. */
  optional(tag: number): BerElement | null {
    return this.nextTag === tag ? this.next() : null;
  }

  /** Passes over elements until one has this tag; null when none has. */
  find(tag: number): BerElement | null {
    while (!this.isAtEnd) {
      const element = this.next();
      if (element.tag === tag) return element;
    }
    return null;
  }

  /** Reader of the elements inside a constructed one. */
  inside(element: BerElement): BerReader {
    return new BerReader(element.octets, this.#limits, element.valueAt, element.end, this.#depth + 1);
  }

  #octet(at: number): number {
    if (at >= this.#end) throw malformed(say('ber.ends_in_head', { at }));
    return this.#octets[at] ?? 0;
  }

  #tagAt(at: number): { tag: number; after: number } {
    let tag = this.#octet(at);
    if ((tag & 0x1f) !== 0x1f) return { tag, after: at + 1 };
    for (let next = at + 1; next <= at + 3; next++) {
      const octet = this.#octet(next);
      if (next === at + 1 && octet === 0x80) throw malformed(say('ber.tag_of_zeros', { at }));
      tag = tag * 256 + octet;
      if (octet < 0x80) return { tag, after: next + 1 };
    }
    throw malformed(say('ber.tag_too_long', { at }));
  }

  #lengthAt(at: number): { length: number; valueAt: number } {
    const first = this.#octet(at);
    if (first < 0x80) return { length: first, valueAt: at + 1 };
    if (first === 0x80) throw malformed(say('ber.indefinite', { at }));
    const count = first & 0x7f;
    let length = 0;
    for (let next = at + 1; next <= at + count; next++) {
      length = length * 256 + this.#octet(next);
      if (length > this.#end) throw malformed(say('ber.length_beyond', { at }));
    }
    return { length, valueAt: at + 1 + count };
  }
}
