import type { PointTexts, TextSpan } from './point-store-texts.ts';

/** Texts of few different spellings (units, categories) by number; number 0 is the empty text. */
export class TextPool {
  readonly #texts: string[] = [''];
  readonly #numbers = new Map<string, number>([['', 0]]);

  /** The number of a text, which is added when it is new. */
  add(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#texts.length;
    this.#texts.push(text);
    this.#numbers.set(text, number);
    return number;
  }

  /** The number of a text, or undefined when no point ever had it. */
  find(text: string): number | undefined {
    return this.#numbers.get(text);
  }

  text(number: number): string {
    return this.#texts[number] ?? '';
  }
}

type Settings = Readonly<Record<string, unknown>>;

const NO_SETTINGS: Settings = Object.freeze({});

/** Protocol settings of points; equal ones are kept once. Number 0 is the empty object. */
export class SettingsPool {
  readonly #values: Settings[] = [NO_SETTINGS];
  readonly #numbers = new Map<string, number>([['{}', 0]]);

  add(settings: Settings): number {
    const json = JSON.stringify(settings);
    const known = this.#numbers.get(json);
    if (known !== undefined) return known;
    const number = this.#values.length;
    this.#values.push(JSON.parse(json) as Settings);
    this.#numbers.set(json, number);
    return number;
  }

  value(number: number): Settings {
    return this.#values[number] ?? NO_SETTINGS;
  }
}

/** Finds rows by code: open addressing over row numbers, without keeping the codes a second time. */
export class CodeIndex {
  #slots = new Int32Array(0);
  #used = 0;
  readonly #span: TextSpan = { start: 0, end: 0 };

  /** Makes room for so many rows, before the first one. */
  reserve(rows: number): void {
    let size = 16;
    while (size < rows * 2) size *= 2;
    this.#slots = new Int32Array(size).fill(-1);
    this.#used = 0;
  }

  /** Indexes all rows anew. */
  rebuild(texts: PointTexts, places: Uint32Array): void {
    this.reserve(places.length);
    for (let row = 0; row < places.length; row++) this.#insert(texts, places, row);
  }

  /** Adds rows `from` and following; earlier rows must not have moved since. */
  extend(texts: PointTexts, places: Uint32Array, from: number): void {
    if (places.length * 2 > this.#slots.length) {
      this.rebuild(texts, places);
      return;
    }
    for (let row = from; row < places.length; row++) this.#insert(texts, places, row);
  }

  /** The row with this code, or -1. */
  find(texts: PointTexts, places: Uint32Array, code: string): number {
    if (this.#used === 0) return -1;
    const wanted = Buffer.from(code);
    const slot = this.#slotOf(texts, places, wanted, 0, wanted.length);
    return this.#slots[slot] ?? -1;
  }

  #insert(texts: PointTexts, places: Uint32Array, row: number): void {
    texts.codeSpan(places[row] ?? 0, this.#span);
    const slot = this.#slotOf(texts, places, texts.octets, this.#span.start, this.#span.end);
    this.#slots[slot] = row;
    this.#used += 1;
  }

  /** The slot that holds the code, or the free one where it belongs. */
  #slotOf(texts: PointTexts, places: Uint32Array, wanted: Uint8Array, start: number, end: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash(wanted, start, end) & mask;
    for (let row = this.#slots[slot] ?? -1; row >= 0; row = this.#slots[slot] ?? -1) {
      const { octets } = texts;
      texts.codeSpan(places[row] ?? 0, this.#span);
      if (equal(octets, this.#span.start, this.#span.end, wanted, start, end)) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}

/** FNV-1a over the octets, with the high bits folded in. */
function hash(octets: Uint8Array, start: number, end: number): number {
  let value = 0x811c_9dc5;
  for (let i = start; i < end; i++) value = Math.imul(value ^ (octets[i] ?? 0), 0x0100_0193);
  return value ^ (value >>> 15);
}

function equal(a: Uint8Array, aStart: number, aEnd: number, b: Uint8Array, bStart: number, bEnd: number): boolean {
  if (aEnd - aStart !== bEnd - bStart) return false;
  for (let i = 0; i < aEnd - aStart; i++) if (a[aStart + i] !== b[bStart + i]) return false;
  return true;
}
