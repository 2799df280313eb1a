/** Writing of BER (ITU-T X.690) with definite lengths in their shortest form. */

const utf8 = new TextEncoder();

/** Octets that are copied one by one. */
const SHORT = 16;

/** Octets of an element: tag, shortest length, and `length` octets of value. */
export function berSize(tag: number, length: number): number {
  return tagSize(tag) + lengthSize(length) + length;
}

/** Octets of the value of a signed integer in its shortest form. */
export function integerSize(value: number | bigint): number {
  if (typeof value === 'number' && value >= -0x8000_0000 && value <= 0x7fff_ffff) {
    if (value >= -0x80 && value < 0x80) return 1;
    if (value >= -0x8000 && value < 0x8000) return 2;
    return value >= -0x80_0000 && value < 0x80_0000 ? 3 : 4;
  }
  let rest = BigInt(value);
  let count = 1;
  while (rest < -128n || rest > 127n) {
    rest >>= 8n;
    count++;
  }
  return count;
}

/** Octets of a text in UTF-8. */
export function textSize(text: string): number {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x80) return utf8.encode(text).length;
  return text.length;
}

function tagSize(tag: number): number {
  if (tag < 0x100) return 1;
  if (tag < 0x1_0000) return 2;
  return tag < 0x100_0000 ? 3 : 4;
}

function lengthSize(length: number): number {
  if (length < 0x80) return 1;
  if (length < 0x100) return 2;
  if (length < 0x1_0000) return 3;
  return length < 0x100_0000 ? 4 : 5;
}

/**
 * Writes elements one after the other. Tags are the identifier octets as one number (0xa1, 0xbf4d). The length of a constructed element
 * is put in when its content is known. Every call gives the writer back.
 */
export class BerWriter {
  #octets: Uint8Array;
  #at = 0;

  /** `size`: room to begin with; it grows as needed. */
  constructor(size = 256) {
    this.#octets = new Uint8Array(size);
  }

  /** Begins anew in the same room; what `finish` gave before is not touched. */
  clear(): this {
    this.#at = 0;
    return this;
  }

  /** Octets written so far. */
  get length(): number {
    return this.#at;
  }

  /** Where the octets written stand, from the beginning, until more are. */
  get room(): Uint8Array {
    return this.#octets;
  }

  /** The octets written, as an array of their own. */
  finish(): Uint8Array {
    return this.#octets.slice(0, this.#at);
  }

  /** An element whose content `body` writes. */
  constructed(tag: number, body: () => void): this {
    this.#tag(tag);
    const lengthAt = this.#at;
    this.#room(1);
    this.#at += 1;
    body();
    const length = this.#at - lengthAt - 1;
    if (length < 0x80) {
      this.#octets[lengthAt] = length;
      return this;
    }
    const more = lengthSize(length) - 1;
    if (more > 0) {
      this.#room(more);
      this.#octets.copyWithin(lengthAt + 1 + more, lengthAt + 1, this.#at);
    }
    this.#at = lengthAt;
    this.#length(length);
    this.#at += length;
    return this;
  }

  /** Tag and length of an element whose value, of so many octets, is written behind it or elsewhere. */
  head(tag: number, length: number): this {
    if (tag < 0x100 && length < 0x80) {
      // nearly all elements
      this.#room(2);
      this.#octets[this.#at] = tag;
      this.#octets[this.#at + 1] = length;
      this.#at += 2;
      return this;
    }
    this.#tag(tag);
    this.#length(length);
    return this;
  }

  /** A primitive element with these octets as its value. */
  octets(tag: number, value: Uint8Array): this {
    return this.head(tag, value.length).raw(value);
  }

  /** Octets that are elements already. */
  raw(value: Uint8Array): this {
    const { length } = value;
    this.#room(length);
    const [octets, begin] = [this.#octets, this.#at];
    // a call of `set` costs more than the few octets of a number
    if (length > SHORT) octets.set(value, begin);
    else for (let at = 0; at < length; at++) octets[begin + at] = value[at] as number;
    this.#at = begin + length;
    return this;
  }

  /** An element without content. */
  empty(tag: number): this {
    this.#head(tag, 0);
    return this;
  }

  /** True is 01, as both stacks of the captures write it. */
  boolean(tag: number, value: boolean): this {
    this.#head(tag, 1);
    this.#put(value ? 1 : 0);
    return this;
  }

  /** Integer in the shortest two's complement; unsigned values beyond the sign bit get their leading zero by that. */
  integer(tag: number, value: number | bigint): this {
    const size = integerSize(value);
    this.#head(tag, size);
    if (size <= 4) {
      const number = Number(value);
      for (let shift = size - 1; shift >= 0; shift--) this.#put((number >> (shift * 8)) & 0xff);
      return this;
    }
    const whole = BigInt(value);
    for (let shift = size - 1; shift >= 0; shift--) this.#put(Number((whole >> BigInt(shift * 8)) & 0xffn));
    return this;
  }

  /** `size` bits of `octets`; bits beyond them are written as 0. */
  bits(tag: number, size: number, octets: Uint8Array): this {
    const count = Math.ceil(size / 8);
    const unused = count * 8 - size;
    this.#head(tag, count + 1);
    this.#put(unused);
    for (let at = 0; at < count; at++) {
      const octet = octets[at] ?? 0;
      this.#put(at === count - 1 ? octet & (0xff << unused) & 0xff : octet);
    }
    return this;
  }

  /** Text in UTF-8. */
  text(tag: number, text: string): this {
    if (textSize(text) !== text.length) return this.octets(tag, utf8.encode(text));
    this.#head(tag, text.length);
    for (let at = 0; at < text.length; at++) this.#put(text.charCodeAt(at));
    return this;
  }

  /** Object identifier written with dots. */
  oid(tag: number, text: string): this {
    const [root = 0, second = 0, ...rest] = text.split('.').map(Number);
    const value: number[] = [];
    for (const arc of [root * 40 + second, ...rest]) {
      const digits = [arc % 128];
      for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) digits.unshift(0x80 | (left % 128));
      value.push(...digits);
    }
    this.octets(tag, Uint8Array.from(value));
    return this;
  }

  #head(tag: number, length: number): void {
    this.head(tag, length);
    this.#room(length);
  }

  #tag(tag: number): void {
    if (tag < 0x100) {
      this.#room(1);
      this.#put(tag);
      return;
    }
    const size = tagSize(tag);
    this.#room(size);
    for (let shift = size - 1; shift >= 0; shift--) this.#put((tag >>> (shift * 8)) & 0xff);
  }

  #length(length: number): void {
    const size = lengthSize(length);
    this.#room(size);
    if (size > 1) this.#put(0x80 | (size - 1));
    for (let shift = Math.max(size - 2, 0); shift >= 0; shift--) this.#put((length >>> (shift * 8)) & 0xff);
  }

  #room(more: number): void {
    if (this.#at + more <= this.#octets.length) return;
    const larger = new Uint8Array(Math.max(this.#octets.length * 2, this.#at + more));
    larger.set(this.#octets.subarray(0, this.#at));
    this.#octets = larger;
  }

  #put(octet: number): void {
    this.#octets[this.#at] = octet;
    this.#at += 1;
  }
}
