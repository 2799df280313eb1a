import { QUALITIES } from '#shared/domain/enums.ts';
import type { Columns } from './point-store-columns.ts';
import type { TextPool } from './point-store-pools.ts';
import type { PointTexts, TextSpan } from './point-store-texts.ts';
import type { TableFilter } from './types.ts';

/** What a filter is looked up in. */
export interface FilteredTable {
  readonly columns: Columns;
  readonly size: number;
  readonly texts: PointTexts;
  readonly categories: TextPool;
  readonly items: TextPool;
}

/** Rows that pass a filter, in row order; null: all of them. An empty search, category or item asks for nothing. */
export function filterRows(table: FilteredTable, filter: TableFilter): Uint32Array | null {
  const { columns, size } = table;
  const rows = new Uint32Array(size);
  let count = -1;
  const keep = (column: ArrayLike<number>, wanted: number | undefined): void => {
    count = count < 0 ? select(column, wanted, size, rows) : narrow(column, wanted, count, rows);
  };
  if (filter.frameType !== undefined) keep(columns.frameType, filter.frameType);
  if (filter.slaveId !== undefined) keep(columns.slaveId, filter.slaveId);
  if (filter.category) keep(columns.category, table.categories.find(filter.category));
  if (filter.item) keep(columns.item, table.items.find(filter.item));
  if (filter.quality !== undefined) keep(columns.quality, QUALITIES.indexOf(filter.quality));
  if (filter.search) count = search(table, filter.search, count, rows);
  return count < 0 ? null : rows.slice(0, count);
}

/** Rows of the whole column that hold the wanted number. */
function select(column: ArrayLike<number>, wanted: number | undefined, size: number, rows: Uint32Array): number {
  let count = 0;
  for (let row = 0; row < size; row++) if (column[row] === wanted) rows[count++] = row;
  return count;
}

/** Those of the first `size` rows listed in `rows` that hold the wanted number; they replace the list. */
function narrow(column: ArrayLike<number>, wanted: number | undefined, size: number, rows: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < size; i++) {
    const row = rows[i] as number;
    if (column[row] === wanted) rows[count++] = row;
  }
  return count;
}

/** Narrows `rows` (all rows when `listed` is negative) to those whose code or name contains the text, letter case ignored. */
function search(table: FilteredTable, text: string, listed: number, rows: Uint32Array): number {
  const { columns, texts } = table;
  const { octets } = texts;
  const needle = Buffer.from(text.toLowerCase());
  const wanted = { low: 0, high: 0 };
  pairsOf(needle, 0, needle.length, wanted);
  const span: TextSpan = { start: 0, end: 0 };
  const total = listed < 0 ? table.size : listed;
  let count = 0;
  for (let i = 0; i < total; i++) {
    const row = listed < 0 ? i : (rows[i] as number);
    if ((wanted.low & ~(columns.pairsLow[row] as number)) !== 0 || (wanted.high & ~(columns.pairsHigh[row] as number)) !== 0) continue;
    texts.lowerSpan(columns.text[row] as number, 'both', span);
    if (contains(octets, span, needle)) rows[count++] = row;
  }
  return count;
}

function contains(octets: Uint8Array, span: TextSpan, needle: Uint8Array): boolean {
  const first = needle[0] as number;
  const lastStart = span.end - needle.length;
  for (let at = span.start; at <= lastStart; at++) {
    if (octets[at] !== first) continue;
    let same = 1;
    while (same < needle.length && octets[at + same] === needle[same]) same += 1;
    if (same === needle.length) return true;
  }
  return false;
}

/**
 * The pairs of neighbouring octets as 64 bits: a text can contain another only when it has all of its bits. Saves most of
 * the comparing in a large table.
 */
export function pairsOf(octets: Uint8Array, start: number, end: number, into: { low: number; high: number }): void {
  let low = 0;
  let high = 0;
  for (let i = start; i + 1 < end; i++) {
    const bit = (Math.imul(octets[i] as number, 0x9e37_79b1) ^ Math.imul(octets[i + 1] as number, 0x85eb_ca6b)) >>> 26;
    if (bit < 32) low |= 1 << bit;
    else high |= 1 << (bit - 32);
  }
  into.low = low;
  into.high = high;
}
