import { QUALITIES } from '#shared/domain/enums.ts';
import type { Columns } from './point-store-columns.ts';
import type { TextPool } from './point-store-pools.ts';
import { isExact, signatureOf } from './point-store-signature.ts';
import { FOLD, type PointTexts, type TextSpan } from './point-store-texts.ts';
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
  const { pairsLow, pairsHigh, charsLow, charsHigh } = signatureOf(needle, 0, needle.length);
  const isCertain = needle.length === 1 && isExact(needle[0] ?? 0);
  const span: TextSpan = { start: 0, end: 0 };
  const total = listed < 0 ? table.size : listed;
  let count = 0;
  for (let i = 0; i < total; i++) {
    const row = listed < 0 ? i : (rows[i] as number);
    if ((charsLow & ~(columns.charsLow[row] as number)) !== 0 || (charsHigh & ~(columns.charsHigh[row] as number)) !== 0) continue;
    if ((pairsLow & ~(columns.pairsLow[row] as number)) !== 0 || (pairsHigh & ~(columns.pairsHigh[row] as number)) !== 0) continue;
    if (!isCertain) {
      texts.lowerSpan(columns.text[row] as number, 'both', span);
      if (!contains(octets, span, needle)) continue;
    }
    rows[count++] = row;
  }
  return count;
}

/** True when the folded span contains the needle. */
function contains(octets: Uint8Array, span: TextSpan, needle: Uint8Array): boolean {
  const first = needle[0] as number;
  const lastStart = span.end - needle.length;
  for (let at = span.start; at <= lastStart; at++) {
    if (FOLD[octets[at] as number] !== first) continue;
    let same = 1;
    while (same < needle.length && FOLD[octets[at + same] as number] === needle[same]) same += 1;
    if (same === needle.length) return true;
  }
  return false;
}
