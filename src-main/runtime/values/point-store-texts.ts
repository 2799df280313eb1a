import type { PointFieldsKept } from '#shared/domain/point-fields.ts';

/** The texts of a point that mostly are its own. */
export type OwnTexts = { readonly [Key in PointFieldsKept<'own'>]: string };

/** Slots of the texts; code and name stand first: they are searched. */
const SLOTS = { code: 0, name: 1, reference: 2, related_code: 3, note: 4 } as const satisfies Readonly<Record<keyof OwnTexts, number>>;
const OWN = Object.keys(SLOTS) as readonly (keyof OwnTexts)[];
/** Slots of the lengths of the lower-cased code and name. */
const LOWER_CODE = OWN.length;
const LOWER_NAME = OWN.length + 1;

/** A place in the octets, end excluded. */
export interface TextSpan {
  start: number;
  end: number;
}

/**
 * A record: a length of 16 bits for each text (code, name, the others in the order of the fields, lower-cased code, lower-cased name), then
 * code, SEPARATOR, name, the others, and, where FOLD does not give them, code, SEPARATOR, name in lower case.
 */
const HEADER = 2 * (OWN.length + 2);
const FOLDED = 0xffff;
const LONGEST = 0xfffe;
/** Never part of UTF-8, so nothing that is searched for reaches across it. */
const SEPARATOR = 0xff;
const MIN_CAPACITY = 1_024;
/** Octets of a record as most are. */
const USUAL_RECORD = 80;

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

  /**
   * Makes room for so many more records of the usual length at once. Growing with each of them is dear: while the engine marks what is in use, each large buffer that is
   * asked for costs it a step of 5 to 10 ms.
   */
  reserve(records: number): void {
    const needed = this.#end + records * USUAL_RECORD;
    if (needed > this.#octets.length) this.#resize(needed);
  }

  /** Adds a record and answers its place. Texts of more than 65534 octets are cut. */
  append(texts: OwnTexts): number {
    const lowerCode = texts.code.toLowerCase();
    const lowerName = texts.name.toLowerCase();
    const { code, name, reference, related_code: relatedCode, note } = texts;
    const longest = HEADER + 2 + 3 * (code.length + name.length + reference.length + relatedCode.length + note.length);
    this.#need(longest + 3 * (lowerCode.length + lowerName.length));
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
    put(SLOTS.code, texts.code);
    separate();
    put(SLOTS.name, texts.name);
    put(SLOTS.reference, texts.reference);
    put(SLOTS.related_code, texts.related_code);
    put(SLOTS.note, texts.note);
    const ownEnd = end;
    put(LOWER_CODE, lowerCode);
    separate();
    put(LOWER_NAME, lowerName);
    if (this.#foldsTo(at, ownEnd, end)) {
      this.#setLength(at, LOWER_CODE, FOLDED);
      this.#setLength(at, LOWER_NAME, FOLDED);
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
    const code = take(SLOTS.code);
    end += 1;
    return {
      code,
      name: take(SLOTS.name),
      reference: take(SLOTS.reference),
      related_code: take(SLOTS.related_code),
      note: take(SLOTS.note),
    };
  }

  /** Where the code lies as it was written. */
  codeSpan(at: number, span: TextSpan): void {
    span.start = at + HEADER;
    span.end = span.start + this.#length(at, 0);
  }

  /** Where the lower-cased code or name lies, or both with the separator between them. */
  lowerSpan(at: number, part: 'code' | 'name' | 'both', span: TextSpan): void {
    let codeLength = this.#length(at, LOWER_CODE);
    let nameLength = this.#length(at, LOWER_NAME);
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
    for (let slot = 0; slot < OWN.length; slot++) end += this.#length(at, slot);
    return end;
  }

  #recordEnd(at: number): number {
    const end = this.#ownEnd(at);
    const lowerCode = this.#length(at, LOWER_CODE);
    return lowerCode === FOLDED ? end : end + lowerCode + 1 + this.#length(at, LOWER_NAME);
  }

  #length(at: number, slot: number): number {
    const place = at + 2 * slot;
    return (this.#octets[place] ?? 0) | ((this.#octets[place + 1] ?? 0) << 8);
  }

  #setLength(at: number, slot: number, length: number): void {
    this.#octets[at + 2 * slot] = length & 0xff;
    this.#octets[at + 2 * slot + 1] = length >>> 8;
  }

  #need(size: number): void {
    if (this.#end + size > this.#octets.length) this.#resize(Math.ceil((this.#end + size) * 1.25));
  }

  #resize(capacity: number): void {
    const octets = Buffer.allocUnsafeSlow(Math.max(MIN_CAPACITY, capacity));
    this.#octets.copy(octets, 0, 0, this.#end);
    this.#octets = octets;
  }
}
