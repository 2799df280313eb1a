/** Addresses as register lists write them. What one of them means is said by the whole column: see `address-style.ts`. */

/** The four tables of the Modbus data model (V1.1b3, 4.3), by the digit that references begin with. */
export const AREAS = { coil: 0, discrete: 1, input: 3, holding: 4 } as const;
export type Area = (typeof AREAS)[keyof typeof AREAS];

/** How an address is written. */
export type AddressForm =
  /** Digits alone: decimal, hexadecimal or a reference, as the column says. */
  | 'plain'
  /** Marked as hexadecimal. */
  | 'hex'
  /** A table and a number of it: `4x0001`, `3:12`. */
  | 'table'
  /** A word and a number: `HR12`, `%MW100`. */
  | 'word';

export interface WrittenAddress {
  readonly form: AddressForm;
  /** As written, without what stands before or behind: `40001`, `00FF`. */
  readonly digits: string;
  /** Table that the writing names; null where it names none. */
  readonly area: Area | null;
  /** The word before the number, in capital letters; empty without one. */
  readonly word: string;
  /** Number of the bit as written, so that `.1` and `.10` differ; null without one. */
  readonly bit: string | null;
  /** Digits of the last address of a range; null without one. */
  readonly last: string | null;
  /** Number of registers behind the address; null without one. */
  readonly count: number | null;
  /** Unit id before the address (`1.HR5`); null without one. */
  readonly unit: number | null;
}

/** Words that name a table, with what follows from each. `type` is a word of the type column. */
const WORDS: Readonly<Record<string, { readonly area: Area; readonly type?: string }>> = {
  HREG: { area: AREAS.holding },
  HOLDING: { area: AREAS.holding },
  'HOLDING REGISTER': { area: AREAS.holding },
  IREG: { area: AREAS.input },
  INPUT: { area: AREAS.input },
  'INPUT REGISTER': { area: AREAS.input },
  DI: { area: AREAS.discrete },
  'DISCRETE INPUT': { area: AREAS.discrete },
  C: { area: AREAS.coil },
  CO: { area: AREAS.coil },
  COIL: { area: AREAS.coil },
  '%MW': { area: AREAS.holding },
  '%M': { area: AREAS.coil },
  '%IW': { area: AREAS.input },
  MW: { area: AREAS.holding },
  ...typed('HR', AREAS.holding),
  ...typed('IR', AREAS.input),
};

/** Words that say no more than that an address follows. */
const PLAIN_WORDS = new Set(['R', 'REG', 'REGISTER', 'ADDR', 'ADDRESS']);

/** The words of Ignition's Modbus driver: the table, then what the registers hold. */
function typed(word: string, area: Area): Record<string, { readonly area: Area; readonly type?: string }> {
  const types: Readonly<Record<string, string>> = {
    US: 'uint16',
    I: 'int32',
    UI: 'uint32',
    F: 'float32',
    D: 'float64',
    I_64: 'int64',
    UI_64: 'uint64',
    BCD: 'bcd16',
    BCD_32: 'bcd32',
    S: 'string',
  };
  return { [word]: { area }, ...Object.fromEntries(Object.entries(types).map(([end, type]) => [`${word}${end}`, { area, type }])) };
}

/** Table and type that a word says; undefined for a word that nobody knows. */
export function wordFacts(word: string): { readonly area: Area; readonly type?: string } | undefined {
  return WORDS[word];
}

const BIT_WORD = 'bit|位|b';
const BIT = String.raw`(?:[.:/]\s*(?:bit|b)?\s*(\d{1,2})|\s*(?:${BIT_WORD})\s*(\d{1,2}))`;
const BEHIND = new RegExp(`^${BIT}$`, 'i');
const RANGE = /^\s*(?:-|~|to|至|到|\.\.\.?|\/|,|\+|&)\s*(?:[0134]x)?([0-9a-f]+)h?$/i;
const COUNT = /^\s*(?:[:*]\s*(\d{1,3})|[[({]\s*(\d{1,3})\s*[\])}])$/;
const HEX = /^(?:0x|16#|\$|&h|#x?)([0-9a-f]{1,8})(?![0-9a-z])|^(\d[0-9a-f]{0,7}|[0-9a-f]{2,8})h(?![0-9a-z])/i;
/** `4x0001`, `4X1`, `[4]12`, `4:0001` and `4-0001`, where the number behind has four digits at least, so that no range is taken for it. */
const TABLE = /^\[?([0134])\]?(?:x\s*|[:-](?=\d{4}))(\d{1,5})/i;
const WORD = /^(?:(\d{1,3})\.)?(%?[a-z]+(?:_(?:32|64)(?=\s*[\d[]))?(?: registers?| inputs?)?)\s*[[#:]?\s*(\d{1,6})\]?/i;
const LONGEST = 60;
/** What stands before an address in an item path of OPC UA: `ns=1;s=[Device]`. */
const ITEM_PATH = /^\s*(?:ns=\d+;)?(?:s=)?\[[^\]\d][^\]]*\]/;

/**
 * Reads the text of a cell; null for what is no address. `0x0010` is read as hexadecimal here: that it names coil 10 in a list that also has `4x0010` is known to
 * the column.
 */
export function parseAddress(text: string): WrittenAddress | null {
  const written = text
    .normalize('NFKC')
    .replace(/[–—−〜～]/g, '-')
    .replace(ITEM_PATH, '')
    .trim();
  if (written === '' || written.length > LONGEST) return null;
  return parseTable(written) ?? parseHex(written) ?? parsePlain(written) ?? parseWord(written);
}

function parseTable(written: string): WrittenAddress | null {
  const [whole, table, digits] = TABLE.exec(written) ?? [];
  if (whole === undefined || digits === undefined || /^0x/i.test(whole)) return null;
  return withRest({ form: 'table', digits, area: Number(table) as Area }, written.slice(whole.length));
}

function parseHex(written: string): WrittenAddress | null {
  const [whole, marked, suffixed] = HEX.exec(written) ?? [];
  if (whole === undefined) return null;
  return withRest({ form: 'hex', digits: marked ?? suffixed ?? '' }, written.slice(whole.length));
}

function parsePlain(written: string): WrittenAddress | null {
  const grouped = /^\d{1,3}(?:[ ,]\d{3})+$/.exec(written);
  if (grouped && !/^\d{3}[ ,]\d{3}$/.test(written)) return withRest({ form: 'plain', digits: written.replace(/[ ,]/g, '') }, '');
  const [digits] = /^\d{1,10}(?![0-9a-z])|^[0-9a-f]{1,8}(?![0-9a-z])/i.exec(written) ?? [];
  // a word of hexadecimal letters is a word
  if (digits === undefined || !/\d/.test(digits)) return null;
  return withRest({ form: 'plain', digits }, written.slice(digits.length));
}

function parseWord(written: string): WrittenAddress | null {
  const [whole, unit, word = '', digits] = WORD.exec(written) ?? [];
  if (whole === undefined || digits === undefined) return null;
  const name = word.toUpperCase().replace(/(REGISTER|INPUT)S$/, '$1');
  if (PLAIN_WORDS.has(name)) return withRest({ form: 'plain', digits }, written.slice(whole.length));
  // any words with a number behind them are no address; an operand of a controller may be one
  if (WORDS[name] === undefined && name.length > 2) return null;
  const parts = {
    form: 'word',
    digits,
    word: name,
    area: WORDS[name]?.area ?? null,
    unit: unit === undefined ? null : Number(unit),
  } as const;
  return withRest(parts, written.slice(whole.length));
}

type Parts = Pick<WrittenAddress, 'form' | 'digits'> & Partial<WrittenAddress>;

/** The address with what stands behind it; null where that is neither a bit, nor the end of a range, nor a number of registers. */
function withRest(parts: Parts, rest: string): WrittenAddress | null {
  const address = { area: null, word: '', bit: null, last: null, count: null, unit: null, ...parts };
  if (rest.trim() === '') return address;
  const count = COUNT.exec(rest);
  // two digits behind a colon may be a bit; a bit has a dot
  if (count) return { ...address, count: Number(count[1] ?? count[2]) };
  const bit = BEHIND.exec(rest);
  if (bit) return { ...address, bit: bit[1] ?? bit[2] ?? null };
  const last = RANGE.exec(rest)?.[1];
  return last === undefined ? null : { ...address, last: wholeLast(parts.digits, last) };
}

/** `30001-02` ends at 30002. */
function wholeLast(first: string, last: string): string {
  return last.length < first.length ? first.slice(0, -last.length) + last : last;
}
