import { QUALITIES, type Quality } from '#shared/domain/enums.ts';
import type { Columns } from './point-store-columns.ts';
import type { TextPool } from './point-store-pools.ts';
import { isExact, signatureOf } from './point-store-signature.ts';
import { FOLD, type PointTexts, type TextSpan } from './point-store-texts.ts';
import type { TableFilter } from './point-table.ts';

/** What a filter is looked up in. */
export interface FilteredTable {
  readonly columns: Columns;
  readonly size: number;
  readonly texts: PointTexts;
  readonly pools: { readonly category: TextPool; readonly item: TextPool };
}

/** What a filter asks of the settings of a point, which change rarely. */
export type SettingsFilter = Omit<TableFilter, 'quality'>;

/** Rows whose settings pass a filter, in row order; null: all of them. An empty search, category or item asks for nothing. */
export function filterRows(table: FilteredTable, filter: SettingsFilter): Uint32Array | null {
  const { columns, size } = table;
  const rows = new Uint32Array(size);
  let count = -1;
  const keep = (column: ArrayLike<number>, wanted: number | undefined): void => {
    count = count < 0 ? select(column, wanted, size, rows) : narrow(column, wanted, count, rows);
  };
  if (filter.frameType !== undefined) keep(columns.frame_type, filter.frameType);
  if (filter.slaveId !== undefined) keep(columns.slave_id, filter.slaveId);
  if (filter.category) keep(columns.category, table.pools.category.find(filter.category));
  if (filter.item) keep(columns.item, table.pools.item.find(filter.item));
  if (filter.search) count = search(table, filter.search, count, rows);
  return count < 0 ? null : rows.slice(0, count);
}

/** Those of the listed rows (null: of all) that have a quality now. */
export function filterQuality(table: FilteredTable, listed: Uint32Array | null, quality: Quality): Uint32Array {
  const rows = listed ? listed.slice() : new Uint32Array(table.size);
  const wanted = QUALITIES.indexOf(quality);
  const column = table.columns.quality;
  const count = listed ? narrow(column, wanted, rows.length, rows) : select(column, wanted, rows.length, rows);
  return rows.subarray(0, count);
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

/**
 * True when the span contains the needle, which is in lower case. Looks for its last octet in both cases, which in the UTF-8 of Chinese
 * tells more than the first.
 */
function contains(octets: Uint8Array, span: TextSpan, needle: Uint8Array): boolean {
  const behind = needle.length - 1;
  const lower = needle[behind] as number;
  const upper = lower >= 0x61 && lower <= 0x7a ? lower - 0x20 : lower;
  const { end } = span;
  for (let at = span.start + behind; at < end; at++) {
    const octet = octets[at] as number;
    if (octet !== lower && octet !== upper) continue;
    let same = 1;
    while (same <= behind && FOLD[octets[at - same] as number] === needle[behind - same]) same += 1;
    if (same > behind) return true;
  }
  return false;
}
