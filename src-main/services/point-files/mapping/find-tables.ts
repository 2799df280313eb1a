/** Where a sheet has its tables: rows of headers, and what stands below them to the next ones. */
import type { ListRole } from '#shared/domain/list-mapping.ts';
import type { ListDialect } from '../../../drivers/spi/index.ts';
import { plainText } from '../cells.ts';
import type { Cell, SheetTable } from '../table-file.ts';
import { contentShare } from './content-fit.ts';
import { headerKey, headerScores } from './header-words.ts';

/** A table of a sheet; rows and columns from 0, ends excluded. */
export interface FoundTable {
  /** -1: it has no headers. */
  readonly headerRow: number;
  readonly headerRows: number;
  readonly firstRow: number;
  readonly endRow: number;
  readonly left: number;
  readonly right: number;
  /** Headers by column. */
  readonly headers: ReadonlyMap<number, string>;
}

/** Rows from the top in which headers are looked for cell by cell; further down they have to be plain to see. */
const NEAR_TOP = 100;
const LONGEST_HEADER = 80;
/** What a header row has to have one of. */
const LEADING: readonly ListRole[] = ['address', 'name', 'code', 'address_part'];
const LEAST_FIT = 0.5;

/** The tables of a sheet, from the top. */
export function findTables(sheet: SheetTable, dialect: ListDialect): FoundTable[] {
  const { rows } = sheet;
  const starts: number[] = [];
  const seen = new Set<string>();
  for (const [row, cells] of rows.entries()) {
    if (!isHeaderRow(cells, row < NEAR_TOP)) continue;
    const text = rowText(cells);
    // the same headers again, on every page of a document, begin no other table
    if (seen.has(text)) continue;
    if (row - (starts.at(-1) ?? Number.NEGATIVE_INFINITY) < 2) continue;
    seen.add(text);
    starts.push(row);
  }
  if (starts.length === 0) {
    const bare = withoutHeaders(sheet, dialect);
    return bare ? [bare] : [];
  }
  return starts.flatMap((start, at) => tablesAt(sheet, start, starts[at + 1] ?? rows.length, dialect));
}

/** The table whose headers a person points to; 0 rows of headers for -1. */
export function tableAt(sheet: SheetTable, headerRow: number, headerRows: number | undefined, left: number): FoundTable {
  const width = widthFrom(sheet, Math.max(0, headerRow));
  if (headerRow < 0)
    return { headerRow: -1, headerRows: 0, firstRow: 0, endRow: sheet.rows.length, left, right: width, headers: new Map() };
  const count = headerRows ?? 1 + subHeaders(sheet, headerRow);
  return {
    headerRow,
    headerRows: count,
    firstRow: headerRow + count,
    endRow: sheet.rows.length,
    left,
    right: width,
    headers: headersOf(sheet, headerRow, count, left, width),
  };
}

/** Columns of a table by the rows at its begin. */
function widthFrom({ rows }: SheetTable, start: number): number {
  return Math.max(0, ...rows.slice(start, start + 50).map((row) => row.length));
}

function rowText(row: readonly Cell[]): string {
  return row.map((cell) => headerKey(plainText(cell))).join('|');
}

/** True where the cells of a row are mostly words that columns are called by, for two meanings at least. */
export function isHeaderRow(row: readonly Cell[], isNearTop: boolean): boolean {
  const texts = row.map(plainText).filter((text) => text !== '');
  const isBare = (text: string) => /^[+-]?[\d.,]+$|^0x/i.test(text);
  if (texts.filter(isBare).length > (isNearTop ? texts.length * 0.2 : 0)) return false;
  if (texts.some((text) => text.length > LONGEST_HEADER)) return false;
  const fits = texts.map((text) => [...headerScores(text)].filter(([, score]) => score >= LEAST_FIT).toSorted(([, a], [, b]) => b - a));
  const fitting = fits.flatMap((roles) => roles.slice(0, 1));
  const roles = new Set(fitting.map(([role]) => role));
  const isLeading = fits.flat().some(([role]) => LEADING.includes(role));
  return roles.size >= (isNearTop ? 2 : 3) && isLeading && fitting.length >= texts.length * 0.4;
}

function tablesAt(sheet: SheetTable, start: number, end: number, dialect: ListDialect): FoundTable[] {
  const count = 1 + subHeaders(sheet, start);
  const row = sheet.rows[start] ?? [];
  const blocks = blocksOf(row, widthFrom(sheet, start));
  const endRow = endOf(sheet, end, dialect);
  return blocks.map(([left, right]) => ({
    headerRow: start,
    headerRows: count,
    firstRow: start + count,
    endRow,
    left,
    right,
    headers: headersOf(sheet, start, count, left, right),
  }));
}

/** Rows directly above the next headers that are its title belong to the next table. */
function endOf({ rows }: SheetTable, end: number, dialect: ListDialect): number {
  let at = end;
  while (at > 0 && end < rows.length && end - at < 4) {
    const texts = (rows[at - 1] ?? []).map(plainText).filter((text) => text !== '');
    if (texts.length > 1 || texts.some((text) => dialect.fits('address', text))) break;
    at -= 1;
  }
  return at;
}

const MOST_SUB_HEADERS = 2;

/** Rows below the headers that divide them further: `Dec` and `Hex` under `Address`. */
function subHeaders(sheet: SheetTable, start: number): number {
  let count = 0;
  for (let row = start + 1; row <= start + MOST_SUB_HEADERS; row++) {
    if (!isSubHeader(sheet, start, row)) break;
    count += 1;
  }
  return count;
}

function isSubHeader({ rows, merges }: SheetTable, start: number, row: number): boolean {
  const cells = rows[row] ?? [];
  const filled = cells.flatMap((cell, index) => (plainText(cell) === '' ? [] : [{ index, text: plainText(cell) }]));
  if (filled.length === 0) return false;
  const above = (index: number) => plainText(rows[start]?.[index] ?? null);
  const isUnder = (index: number) =>
    above(index) === '' ||
    merges.some(
      (range) => range.startRow === start && range.startColumn <= index && range.endColumn >= index && range.endColumn > range.startColumn,
    );
  const isShort = filled.every(({ text }) => text.length <= 30 && !/^[+-]?[\d.,]+$|^0x[0-9a-f]/i.test(text));
  const isSpanned = merges.some((range) => range.startRow === start && range.endRow >= row);
  const inside = filled.filter(({ index }) => isUnder(index));
  if (!isShort) return false;
  // a word more below a header: `Modbus`, and `Register` under it
  const isWord = ({ text }: { readonly text: string }) => [...headerScores(text).values()].some((score) => score >= LEAST_FIT);
  if (filled.every(isWord) && filled.length * 2 <= (rows[start] ?? []).filter((cell) => plainText(cell) !== '').length) return true;
  // every word of it divides a header, or the headers themselves reach down to it
  if (inside.length === 0) return false;
  return inside.length === filled.length
    ? isSpanned || filled.length < cells.length || isHeaderRow(cells, true)
    : isSpanned && inside.length * 2 >= filled.length;
}

/** Where the same headers stand side by side, each set is a table. */
function blocksOf(row: readonly Cell[], width: number): (readonly [number, number])[] {
  const keys = Array.from({ length: width }, (_, at) => headerKey(plainText(row[at] ?? null)));
  const first = keys.findIndex((key) => key !== '');
  const starts = [first];
  for (let at = first + 1; at < keys.length; at++) {
    const size = at - (starts.at(-1) ?? 0);
    const same = keys.slice(first, first + size).filter((key, offset) => key !== '' && key === keys[at + offset]).length;
    const named = keys.slice(first, first + size).filter((key) => key !== '').length;
    if (keys[at] === keys[first] && same >= 2 && same >= named - 1) starts.push(at);
  }
  return starts.map((start, at) => [at === 0 ? 0 : start, starts[at + 1] ?? width] as const);
}

/** Headers by column: words of all their rows, those of merged cells for each column they span. */
function headersOf({ rows, merges }: SheetTable, start: number, count: number, left: number, right: number): Map<number, string> {
  const headers = new Map<number, string>();
  for (let index = left; index < right; index++) {
    const words: string[] = [];
    for (let row = start; row < start + count; row++) {
      const merged = merges.find(
        (range) => range.startRow <= row && range.endRow >= row && range.startColumn <= index && range.endColumn >= index,
      );
      const text = plainText((merged ? rows[merged.startRow]?.[merged.startColumn] : rows[row]?.[index]) ?? null).replace(/\s+/g, ' ');
      if (text !== '' && !words.includes(text)) words.push(text);
    }
    // without merged cells the first of them stands over those to its right
    const isBelow = count > 1 && plainText(rows[start]?.[index] ?? null) === '' && plainText(rows[start + 1]?.[index] ?? null) !== '';
    if (isBelow && !merges.some((range) => range.startRow === start)) words.unshift(...overOf(rows[start] ?? [], left, index));
    if (words.length > 0) headers.set(index, words.join(' '));
  }
  return headers;
}

function overOf(row: readonly Cell[], left: number, index: number): string[] {
  return row
    .slice(left, index)
    .map(plainText)
    .filter((text) => text !== '')
    .slice(-1);
}

const ROWS_LOOKED_AT = 500;

/** A sheet of rows without headers: one column of addresses, and one of words. */
function withoutHeaders(sheet: SheetTable, dialect: ListDialect): FoundTable | null {
  const rows = sheet.rows.slice(0, ROWS_LOOKED_AT);
  const filled = rows.filter((row) => row.filter((cell) => plainText(cell) !== '').length > 1);
  if (filled.length < 2) return null;
  const width = Math.max(...filled.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, at) => filled.map((row) => plainText(row[at] ?? null)));
  const isAddress = (cells: readonly string[]) =>
    cells.filter((text) => text !== '').length > filled.length * 0.7 && (contentShare('address', cells, dialect) ?? 0) > 0.9;
  const isWords = (cells: readonly string[]) => cells.filter((text) => /\p{L}{3}|^\p{L}+\d+$/u.test(text)).length > filled.length * 0.5;
  if (!columns.some(isAddress) || !columns.some(isWords)) return null;
  const firstRow = sheet.rows.findIndex((row) =>
    row.some((cell) => dialect.fits('address', plainText(cell)) === true && row.filter((other) => plainText(other) !== '').length > 1),
  );
  return {
    headerRow: -1,
    headerRows: 0,
    firstRow: Math.max(0, firstRow),
    endRow: sheet.rows.length,
    left: 0,
    right: width,
    headers: new Map(),
  };
}
