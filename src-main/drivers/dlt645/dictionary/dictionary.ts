/** What is known of a data identifier: its name, format, unit, and the block it can be read with. */
import type { Edition } from '../codec/control.ts';
import { type ItemFormat, parseFormat } from '../codec/format.ts';
import { chineseName, englishName } from './names.ts';
import { type DiPattern, identifiersOf, matches, octetOf, parsePattern } from './pattern.ts';
import { TABLE_1997 } from './table-1997.ts';
import { TABLE_2007 } from './table-2007.ts';

/** One known identifier. */
export interface DataItem {
  readonly di: number;
  readonly edition: Edition;
  readonly nameEn: string;
  readonly nameZh: string;
  /** The format as the table writes it, of one element. */
  readonly formatText: string;
  readonly format: ItemFormat;
  readonly unit: string;
  readonly isWritable: boolean;
  /** False for passwords, which no meter gives away. */
  readonly isReadable: boolean;
  /** Elements of a reply: 1 for a single item; null where the received length says it. */
  readonly elements: number | null;
  /** Octets of all elements; null where the received length says it. */
  readonly octets: number | null;
}

/** Where an item stands in the reply to a block identifier. */
export interface BlockPlace {
  readonly blockDi: number;
  readonly index: number;
  /** Elements that the reply has; null where each meter has its own number. */
  readonly elements: number | null;
}

interface Row {
  readonly pattern: DiPattern;
  readonly formatText: string;
  readonly format: ItemFormat;
  readonly octets: number | null;
  readonly elements: number | null;
  readonly flags: string;
  readonly unit: string;
  readonly nameEn: string;
  readonly nameZh: string;
}

/** Rows by their highest octet, the narrower ones first. */
type Table = ReadonlyMap<number, readonly Row[]>;

const TABLES: Readonly<Record<Edition, Table>> = { 2007: compile(TABLE_2007), 1997: compile(TABLE_1997) };

function compile(lines: readonly string[]): Table {
  const table = new Map<number, Row[]>();
  for (const line of lines) {
    const row = compileRow(line);
    const range = row.pattern.octets[0];
    for (let octet = range?.least ?? 0; octet <= (range?.most ?? 0); octet++) table.set(octet, [...(table.get(octet) ?? []), row]);
  }
  for (const rows of table.values()) rows.sort((a, b) => a.pattern.count - b.pattern.count);
  return table;
}

function compileRow(line: string): Row {
  const [pattern = '', formatText = '', size = '', flags = '', unit = '', nameEn = '', nameZh = ''] = line.split('|');
  const format = parseFormat(formatText);
  if (!format) throw new RangeError(`${formatText} in the row ${pattern} is no format`);
  const [element, count] = size.split('*');
  const elements = count === undefined ? 1 : count === 'n' ? null : Number(count);
  const octets = size === 'varies' || elements === null ? null : Number(element) * elements;
  return {
    pattern: parsePattern(pattern),
    formatText,
    format: flags.includes('s') ? { ...format, isSigned: true } : format,
    octets,
    elements,
    flags,
    unit,
    nameEn,
    nameZh,
  };
}

/** Identifiers that were looked up already, of each edition: a line asks for the same ones with every answer, and their names are put together. */
const FOUND: Readonly<Record<Edition, Map<number, DataItem | null>>> = { 2007: new Map(), 1997: new Map() };
const MOST_FOUND = 4096;

/** What the dictionary knows of an identifier; null where it has none. */
export function findItem(edition: Edition, di: number): DataItem | null {
  const found = FOUND[edition];
  const known = found.get(di);
  if (known !== undefined) return known;
  const item = edition === 2007 ? lookUp(edition, di, di) : findOld(di);
  if (found.size >= MOST_FOUND) found.clear();
  found.set(di, item);
  return item;
}

function lookUp(edition: Edition, di: number, lookedUp: number): DataItem | null {
  const rows = TABLES[edition].get(octetOf(lookedUp, edition === 2007 ? 3 : 1)) ?? [];
  const row = rows.find((each) => matches(each.pattern, lookedUp));
  if (!row) return null;
  const { pattern, formatText, format, octets, elements, unit, flags } = row;
  return {
    di,
    edition,
    nameEn: englishName(row.nameEn, pattern, lookedUp),
    nameZh: chineseName(row.nameZh, pattern, lookedUp),
    formatText,
    format,
    unit,
    isWritable: flags.includes('w'),
    isReadable: !isPassword(edition, di),
    elements,
    octets,
  };
}

/** Passwords are written and never read (DL/T 645-2007, 04000C01 to 0A; 1997: C212). */
function isPassword(edition: Edition, di: number): boolean {
  return edition === 2007 ? di >>> 8 === 0x04000c : di === 0xc212;
}

/** In the 1997 edition the second digit says the month: 0 and 1 this one, 4 and 5 the last, 8 and 9 the one before. */
function findOld(di: number): DataItem | null {
  const exact = lookUp(1997, di, di);
  const month = (di >> 10) & 3;
  if (exact || di > 0xffff || month === 0 || month === 3 || di >> 12 === 0xc) return exact;
  const present = lookUp(1997, di, di & ~0x0c00);
  // variables of the present have no last month
  if (!present || (di >> 12 === 0xb && (di & 0x0200) !== 0)) return null;
  const nameEn = present.nameEn.replace('current month', month === 1 ? 'last month' : 'month before last');
  const nameZh = present.nameZh.replace('(当前)', month === 1 ? '(上月)' : '(上上月)');
  return { ...present, nameEn, nameZh };
}

/**
 * The block of an item. Energies and demands of 2007: the total and all rates of one settlement day (FF in DI1); variables 0201 to 0209:
 * all phases; energies of 1997: the total and all rates (F in the last digit). Null where an item belongs to no block.
 */
export function blockOf(edition: Edition, di: number): BlockPlace | null {
  if (edition === 1997) return blockOfOld(di);
  const part = octetOf(di, 1);
  const blockDi = ((di & 0xffff_00ff) | 0xff00) >>> 0;
  const block = part === 0xff ? null : findItem(2007, blockDi);
  if (block?.format.parts[0]?.kind !== 'number' || !findItem(2007, di)) return null;
  const group = octetOf(di, 3);
  if (group === 0 || group === 1) return { blockDi, index: part, elements: null };
  // statistics of events have their own replies
  if (group !== 2 || block.elements === null || part > 3) return null;
  const index = block.elements === 4 ? part : part - 1;
  return index < 0 ? null : { blockDi, index, elements: block.elements };
}

function blockOfOld(di: number): BlockPlace | null {
  const blockDi = di | 0xf;
  if (di >> 12 !== 9 || di === blockDi || (di & 0xf0) === 0xf0) return null;
  return findItem(1997, blockDi) && findItem(1997, di) ? { blockDi, index: di & 0xf, elements: null } : null;
}

/** Most elements of a block: the total and 63 rates. */
const MOST_ELEMENTS = 64;

/** The items of a block by the place of their element; none where it is no block. */
export function blockItems(edition: Edition, blockDi: number): readonly (number | undefined)[] {
  const items: number[] = [];
  for (let part = 0; part < (edition === 2007 ? MOST_ELEMENTS : 15); part++) {
    const di = edition === 2007 ? ((blockDi & 0xffff_00ff) | (part << 8)) >>> 0 : (blockDi & 0xfff0) | part;
    const place = blockOf(edition, di);
    if (place?.blockDi === blockDi) items[place.index] = di;
  }
  return items;
}

/** An identifier as people write it: `02010100`, `9010`. */
export function diText(di: number, edition: Edition): string {
  return di
    .toString(16)
    .toUpperCase()
    .padStart(edition === 2007 ? 8 : 4, '0');
}

/** Octets of an identifier as they travel, DI0 first. */
export function encodeDi(di: number, edition: Edition): Uint8Array {
  const bytes = new Uint8Array(edition === 2007 ? 4 : 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = octetOf(di, at);
  return bytes;
}

/** The identifier at the beginning of data; null when they are too short. */
export function decodeDi(data: Uint8Array, edition: Edition): number | null {
  const size = edition === 2007 ? 4 : 2;
  if (data.length < size) return null;
  let di = 0;
  for (let at = size - 1; at >= 0; at--) di = di * 256 + (data[at] ?? 0);
  return di;
}

/** Of a family of energies or demands: the total and four rates, each with the present and twelve settlement days. */
const MOST_OF_FAMILY = 65;

/** The identifiers of an edition that somebody may look for, in the order of its table. */
function* listed(edition: Edition): Generator<DataItem> {
  const seen = new Set<number>();
  for (const line of edition === 2007 ? TABLE_2007 : TABLE_1997) {
    for (const di of identifiersOf(compileRow(line).pattern, MOST_OF_FAMILY)) {
      if (seen.has(di)) continue;
      seen.add(di);
      const item = findItem(edition, di);
      if (item?.isReadable) yield item;
    }
  }
}

/** Known identifiers with every word of a text in their names or unit, or at the beginning of their digits; in the order of the table, at most `limit`. */
export function searchItems(edition: Edition, text: string, limit: number): readonly DataItem[] {
  const words = text.toLowerCase().replace(/^0x/, '').split(/\s+/).filter(Boolean);
  const found: DataItem[] = [];
  for (const item of listed(edition)) {
    const digits = diText(item.di, edition).toLowerCase();
    const names = `${item.nameEn} ${item.nameZh} ${item.unit}`.toLowerCase();
    if (words.every((word) => digits.startsWith(word) || names.includes(word))) found.push(item);
    if (found.length >= limit) break;
  }
  return found;
}
