/** What the addresses of a list mean: one number that stands alone can be an address, an address and 1, or a reference whose first digit names a table. */
import type { ListWord } from '../../spi/lists.ts';
import { AREAS, type Area, parseAddress, type WrittenAddress, wordFacts } from './written-address.ts';

/**
 * `plain0`: the number is the address on the wire. `plain1`: it is one more. `ref0`, `ref1`: the first of five or six digits names the table, and 40000 or 40001 is
 * its first register.
 */
export type AddressReading = 'plain0' | 'plain1' | 'ref0' | 'ref1';

export interface AddressStyle {
  readonly reading: AddressReading;
  /** Digits alone are hexadecimal. */
  readonly isHex: boolean;
  /** `0x0010` is coil 10, because other addresses are written 4x0010. */
  readonly hasTables: boolean;
  /** The first number behind a table: 4x0001 or 4x0000. */
  readonly tableBase: 0 | 1;
  readonly words: readonly ListWord[];
}

/** An address as it goes over the wire. */
export interface PlacedAddress {
  readonly wire: number;
  /** Null where the writing does not name a table. */
  readonly area: Area | null;
  /** Registers by the range or number behind the address; null where there is none. */
  readonly registers: number | null;
  readonly bit: string | null;
  readonly unit: number | null;
  /** A word of the type column that the word of the address stands for; null for none. */
  readonly type: string | null;
}

/** The text of an address as the list means it; null for none. */
export function placeAddress(text: string, style: AddressStyle): PlacedAddress | null {
  const worded = placeWord(text, style.words);
  if (worded) return worded;
  const written = parseAddress(text);
  if (!written) return null;
  const first = numberOf(written, written.digits, style);
  if (!first) return null;
  const last = written.last === null ? null : numberOf(written, written.last, style);
  if (written.last !== null && (!last || last.wire < first.wire)) return null;
  const { bit, unit, word } = written;
  return { ...first, registers: last ? last.wire - first.wire + 1 : written.count, bit, unit, type: wordFacts(word)?.type ?? null };
}

/** Words whose numbers are addresses, whatever else is written. */
const FROM_ZERO = new Set(['%MW', '%M', '%IW']);

function numberOf(written: WrittenAddress, digits: string, style: AddressStyle): Pick<PlacedAddress, 'wire' | 'area'> | null {
  const decimal = /^\d+$/.test(digits) ? Number(digits) : null;
  const shift = style.reading === 'plain1' ? 1 : 0;
  switch (written.form) {
    case 'table':
      return decimal === null ? null : placed(decimal - style.tableBase, written.area);
    case 'word':
      if (written.area === null || decimal === null) return null;
      return placed(decimal - (FROM_ZERO.has(written.word) ? 0 : shift), written.area);
    case 'hex':
      if (style.hasTables && decimal !== null) return placed(decimal - style.tableBase, AREAS.coil);
      return placed(Number.parseInt(digits, 16) - shift, null);
    case 'plain':
      if (style.isHex) return placed(Number.parseInt(digits, 16) - shift, null);
      if (decimal === null) return null;
      return style.reading === 'ref0' || style.reading === 'ref1'
        ? reference(digits, style.reading === 'ref1' ? 1 : 0)
        : placed(decimal - shift, null);
  }
}

/** The reference of five or six digits; a smaller number is a coil whose zeros were lost. */
function reference(digits: string, base: 0 | 1): Pick<PlacedAddress, 'wire' | 'area'> | null {
  const parts = referenceParts(digits);
  if (parts) return placed(parts.number - base, parts.area);
  return digits.length < 5 ? placed(Number(digits) - base, AREAS.coil) : null;
}

/** Table and number of digits that can be a reference (`40001`, `400001`); null for others. */
export function referenceParts(digits: string): { readonly area: Area; readonly number: number } | null {
  if (!/^[0134](\d{4}|\d{5})$/.test(digits)) return null;
  const number = Number(digits.slice(1));
  return number <= 65_536 ? { area: Number(digits[0]) as Area, number } : null;
}

function placed(wire: number, area: Area | null): Pick<PlacedAddress, 'wire' | 'area'> | null {
  return wire >= 0 && wire <= 65_535 ? { wire, area } : null;
}

/** `D100` where the profile says what D is; null for any other text. */
export function placeWord(text: string, words: readonly ListWord[]): PlacedAddress | null {
  const [, prefix, digits = '', bit = null] = /^\s*([a-z%]+)\s*(\d+)(?:\.(\d{1,2}))?\s*$/i.exec(text) ?? [];
  const word = words.find((item) => item.prefix.toUpperCase() === prefix?.toUpperCase());
  if (!word || (word.octal && /[89]/.test(digits))) return null;
  const first = placed(word.first + Number.parseInt(digits, word.octal ? 8 : 10), AREAS[word.area]);
  return first && { ...first, registers: null, bit, unit: null, type: null };
}
