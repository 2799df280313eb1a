import type { PointConfig } from '../../drivers/spi/index.ts';

/** The texts of a point that mostly are its own. */
export type OwnTexts = Pick<PointConfig, 'code' | 'name' | 'reference' | 'relatedCode' | 'note'>;

/** A place in the octets, end excluded. */
export interface TextSpan {
  start: number;
  end: number;
}

/**
 * A record: seven lengths of 16 bits (code, name, reference, related code, note, lower-cased code, lower-cased name), then
 * code, SEPARATOR, name, reference, related code, note, and, where FOLD does not give them, code, SEPARATOR, name in lower case.
 */
const HEADER = 14;
const FOLDED = 0xffff;
const LONGEST = 0xfffe;
/** Never part of UTF-8, so nothing that is searched for reaches across it. */
const SEPARATOR = 0xff;
const MIN_CAPACITY = 1_024;

/** Octets with the letters A to Z as a to z: lower case of most texts without a second copy. */
export const FOLD = Uint8Array.from({ length: 256 }, (_, octet) => (octet >= 0x41 && octet <= 0x5a ? octet + 0x20 : octet));

/**
 * Codes, names and notes of all points as UTF-8 in one run of octets, without an object each; and the lower-cased form that
 * search and sorting use, to be read through FOLD.
 */
export class PointTexts {
  #octets: Buffer;
  #end = 0;
  #garbage = 0;

  constructor(capacity = MIN_CAPACITY) {
    this.#octets = Buffer.allocUnsafeSlow(Math.max(MIN_CAPACITY, capacity));
  }

  get octets(): Uint8Array {
    return this.#octets;
  }

  /** True when enough discarded records lie between the others that `copyOf` pays. */
  get isSparse(): boolean {
    return this.#garbage > 65_536 && this.#garbage > this.#end >>> 2;
  }

  /** Adds a record and answers its place. Texts of more than 65534 octets are cut. */
  append(texts: OwnTexts): number {
    const { code, name, reference, relatedCode, note } = texts;
    const lowerCode = code.toLowerCase();
    const lowerName = name.toLowerCase();
    const longest = HEADER + 2 + 3 * (code.length + name.length + reference.length + relatedCode.length + note.length);
    this.#reserve(longest + 3 * (lowerCode.length + lowerName.length));
    const at = this.#end;
    let end = at + HEADER;
    const put = (slot: number, text: string): void => {
      const length = text === '' ? 0 : this.#octets.write(text, end, Math.min(LONGEST, 3 * text.length), 'utf8');
      this.#setLength(at, slot, length);
      end += length;
    };
    const separate = (): void => {
      this.#octets[end] = SEPARATOR;
      end += 1;
    };
    put(0, code);
    separate();
    put(1, name);
    put(2, reference);
    put(3, relatedCode);
    put(4, note);
    const ownEnd = end;
    put(5, lowerCode);
    separate();
    put(6, lowerName);
    if (this.#foldsTo(at, ownEnd, end)) {
      this.#setLength(at, 5, FOLDED);
      this.#setLength(at, 6, FOLDED);
      end = ownEnd;
    }
    this.#end = end;
    return at;
  }

  /** Tells that a record is not used any more. */
  discard(at: number): void {
    this.#garbage += this.#recordEnd(at) - at;
  }

  read(at: number): OwnTexts {
    let end = at + HEADER;
    const take = (slot: number): string => {
      const start = end;
      end += this.#length(at, slot);
      return start === end ? '' : this.#octets.toString('utf8', start, end);
    };
    const code = take(0);
    end += 1;
    return { code, name: take(1), reference: take(2), relatedCode: take(3), note: take(4) };
  }

  /** Where the code lies as it was written. */
  codeSpan(at: number, span: TextSpan): void {
    span.start = at + HEADER;
    span.end = span.start + this.#length(at, 0);
  }

  /** Where the lower-cased code or name lies, or both with the separator between them. */
  lowerSpan(at: number, part: 'code' | 'name' | 'both', span: TextSpan): void {
    let codeLength = this.#length(at, 5);
    let nameLength = this.#length(at, 6);
    let start = at + HEADER;
    if (codeLength === FOLDED) {
      codeLength = this.#length(at, 0);
      nameLength = this.#length(at, 1);
    } else {
      start = this.#ownEnd(at);
    }
    span.start = part === 'name' ? start + codeLength + 1 : start;
    span.end = part === 'code' ? start + codeLength : start + codeLength + 1 + nameLength;
  }

  /** A copy with the records at the given places only, in their order; the places are replaced by the new ones. */
  copyOf(places: Uint32Array): PointTexts {
    let total = 0;
    for (const at of places) total += this.#recordEnd(at) - at;
    const copy = new PointTexts(total);
    for (let i = 0; i < places.length; i++) {
      const at = places[i] ?? 0;
      const end = this.#recordEnd(at);
      places[i] = copy.#end;
      this.#octets.copy(copy.#octets, copy.#end, at, end);
      copy.#end += end - at;
    }
    return copy;
  }

  /** Gives back the room that was kept for more records. */
  trim(): void {
    if (this.#octets.length - this.#end > this.#end >>> 3) this.#resize(this.#end);
  }

  /** True when FOLD makes code and name of a record what lies from `start` to `end`. */
  #foldsTo(at: number, start: number, end: number): boolean {
    const own = at + HEADER;
    if (this.#length(at, 0) + this.#length(at, 1) + 1 !== end - start) return false;
    for (let i = 0; i < end - start; i++) if (FOLD[this.#octets[own + i] ?? 0] !== this.#octets[start + i]) return false;
    return true;
  }

  #ownEnd(at: number): number {
    let end = at + HEADER + 1;
    for (let slot = 0; slot < 5; slot++) end += this.#length(at, slot);
    return end;
  }

  #recordEnd(at: number): number {
    const end = this.#ownEnd(at);
    const lowerCode = this.#length(at, 5);
    return lowerCode === FOLDED ? end : end + lowerCode + 1 + this.#length(at, 6);
  }

  #length(at: number, slot: number): number {
    const place = at + 2 * slot;
    return (this.#octets[place] ?? 0) | ((this.#octets[place + 1] ?? 0) << 8);
  }

  #setLength(at: number, slot: number, length: number): void {
    this.#octets[at + 2 * slot] = length & 0xff;
    this.#octets[at + 2 * slot + 1] = length >>> 8;
  }

  #reserve(size: number): void {
    if (this.#end + size > this.#octets.length) this.#resize(Math.ceil((this.#end + size) * 1.25));
  }

  #resize(capacity: number): void {
    const octets = Buffer.allocUnsafeSlow(Math.max(MIN_CAPACITY, capacity));
    this.#octets.copy(octets, 0, 0, this.#end);
    this.#octets = octets;
  }
}
