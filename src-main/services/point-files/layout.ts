import type { FrameType } from '#shared/domain/enums.ts';
import type { Steps } from '../../platform/steps.ts';
import { plainText } from './cells.ts';
import { type ColumnSet, SHEETS, sheetOf, type TableColumn, typeOf, wordKey } from './columns.ts';
import type { Findings } from './issues.ts';
import type { Cell, SheetTable, TableFile } from './table-file.ts';
import { columnLetters } from './workbook.ts';

/** Rows in which the headers are looked for: files have titles above them. */
const HEADER_ROWS = 10;

/** A column of a sheet. */
export interface PlacedColumn {
  /** As the file writes it. */
  readonly header: string;
  readonly index: number;
}

/** Where a sheet has its points. */
export interface SheetLayout {
  readonly sheet: SheetTable;
  /** Row of the headers, from 0. */
  readonly headerRow: number;
  /** First row behind the table, from 0: a sheet may hold several, one below the other. */
  readonly endRow: number;
  /** The point type of the whole sheet; null when each row says its own. */
  readonly frameType: FrameType | null;
  /** Known columns by key. */
  readonly columns: ReadonlyMap<string, PlacedColumn & { readonly column: TableColumn }>;
  /** Columns whose cells are kept in the note. */
  readonly noted: readonly PlacedColumn[];
}

/** Finds the sheets with points and what their columns mean, in steps. Sheets and columns that cannot be used are told in `findings`. */
export function* findLayouts(file: TableFile, fileName: string, columns: ColumnSet, findings: Findings): Steps<SheetLayout[]> {
  // beside sheets with the names of the field another one is a copy, or a draft
  const isTaken = file.sheets.every((sheet) => typeOf(sheet.name) === null);
  const layouts: SheetLayout[] = [];
  for (const sheet of file.sheets) {
    yield;
    const isCsv = file.format === 'csv';
    const found = isCsv ? only(csvLayout(sheet, fileName, columns, findings)) : yield* sheetLayouts(sheet, isTaken, columns, findings);
    layouts.push(...found);
  }
  if (layouts.length === 0 && findings.errors.count === 0) {
    const found = file.sheets.map((sheet) => sheet.name).join(', ') || '—';
    findings.errors.add(file.format === 'csv' ? 'rows_none' : 'sheets_missing', { found });
  }
  return layouts;
}

/** The sheets of the template that only explain. */
export const PROSE_SHEET = '说明';

/** `isTaken`: also without the name of a point type, where its titles or columns say it. */
function* sheetLayouts(sheet: SheetTable, isTaken: boolean, columns: ColumnSet, findings: Findings): Steps<SheetLayout[]> {
  const named = typeOf(sheet.name);
  const tables = yield* tablesOf(sheet.rows, columns);
  const typed = tables.map((table) => ({ table, type: table.title ?? named ?? typeOfColumns(sheet, table.headerRow, columns) }));
  if (named === null && typed.every(({ type }) => type === null || (type !== 'named' && !isTaken))) {
    if (wordKey(sheet.name) !== wordKey(PROSE_SHEET) && sheet.rows.some((row) => !isEmptyRow(row))) {
      findings.warnings.add('sheet_unknown', { name: sheet.name }, { sheet: sheet.name });
    }
    return [];
  }
  if (sheet.isHidden) findings.warnings.add('sheet_hidden', { name: sheet.name }, { sheet: sheet.name });
  if (tables.length < 2 && tables[0]?.title == null)
    return only(makeLayout(sheet, typeAsked(named, typed[0], sheet, findings), columns, findings));
  return typed.flatMap(({ table, type }) => {
    if (type !== null) return only(makeLayout(sheet, type === 'named' ? null : type, columns, findings, { table }));
    findings.errors.add('type_unknown', {}, { sheet: sheet.name, row: table.headerRow + 1 });
    return [];
  });
}

const only = (layout: SheetLayout | null): SheetLayout[] => (layout ? [layout] : []);

/** Type of the only table of a sheet; one that only its columns say is told. */
function typeAsked(
  named: FrameType | null,
  typed: { readonly type: FrameType | 'named' | null } | undefined,
  sheet: SheetTable,
  findings: Findings,
): FrameType | null {
  if (named !== null || typed === undefined || typed.type === null || typed.type === 'named') return named;
  findings.warnings.add('sheet_taken', { name: sheet.name, type: sheetOf(typed.type).name }, { sheet: sheet.name });
  return typed.type;
}

function csvLayout(sheet: SheetTable, fileName: string, columns: ColumnSet, findings: Findings): SheetLayout | null {
  const headerRow = findHeaderRow(sheet.rows, columns);
  if (headerRow !== null) fillLeftOutBits(sheet, headerRow, columns, findings);
  const keys = new Set(headerRow === null ? [] : headerColumns(sheet, headerRow, columns).map((item) => item.column?.key ?? ''));
  if (keys.has('frame_type') || headerRow === null) return makeLayout(sheet, null, columns, findings);
  const frameType = typeByColumns(keys) ?? typeByName(fileName);
  if (frameType === null) {
    findings.errors.add('type_unknown', {});
    return null;
  }
  return makeLayout(sheet, frameType, columns, findings);
}

/**
 * Some programs write the rows of measurements without the cell of the bit, so that all behind it stands one column too far to the left: the word of the
 * point type, which belongs into the last column, tells it.
 */
function fillLeftOutBits(sheet: SheetTable, headerRow: number, columns: ColumnSet, findings: Findings): void {
  const places = new Map(headerColumns(sheet, headerRow, columns).map(({ column, index }) => [column?.key, index]));
  const bit = places.get('bit');
  const type = places.get('frame_type');
  if (bit === undefined || type === undefined || bit >= type) return;
  let count = 0;
  let first = 0;
  for (let row = headerRow + 1; row < sheet.rows.length; row++) {
    const cells = sheet.rows[row] ?? [];
    if (plainText(cells[type] ?? null) !== '' || typeOf(plainText(cells[type - 1] ?? null)) === null) continue;
    cells.splice(bit, 0, null);
    count += 1;
    first ||= row + 1;
  }
  if (count > 0) findings.warnings.add('bit_cells_missing', { count }, { sheet: sheet.name, row: first });
}

/** The type of point that the columns of a sheet speak of; null where they fit several. */
export function typeOfColumns(sheet: SheetTable, headerRow: number, columns: ColumnSet): FrameType | 'named' | null {
  const keys = new Set(headerColumns(sheet, headerRow, columns).map((item) => item.column?.key ?? ''));
  return keys.has('frame_type') ? 'named' : typeByColumns(keys);
}

/** The only sheet that has these columns; null when none or several may. */
function typeByColumns(keys: ReadonlySet<string>): FrameType | null {
  const special = SHEETS.filter((sheet) =>
    sheet.keys.some((key) => keys.has(key) && SHEETS.every((other) => other === sheet || !other.keys.includes(key))),
  );
  if (special.length > 0) return special.length === 1 ? (special[0]?.frameType ?? null) : null;
  // Both have a factor and limits; one that relates commands to measurements has the column for it.
  if (keys.has('mul_coe') || keys.has('add_coe') || keys.has('max_limit') || keys.has('min_limit')) return keys.has('bit') ? null : 0;
  return null;
}

function typeByName(fileName: string): FrameType | null {
  const named = SHEETS.filter((sheet) => fileName.normalize('NFKC').includes(sheet.name));
  return named.length === 1 ? (named[0]?.frameType ?? null) : null;
}

/** Known headers in a row; none unless that of the codes is among them. */
function headersIn(cells: readonly Cell[], columns: ColumnSet): number {
  const keys = cells.map((cell) => columns.find(plainText(cell))?.key);
  return keys.includes('code') ? keys.filter((key) => key !== undefined).length : 0;
}

/** Row of the headers; null where there are none. */
export function findHeaderRow(rows: readonly (readonly Cell[])[], columns: ColumnSet): number | null {
  const row = rows.slice(0, HEADER_ROWS).findIndex((cells) => headersIn(cells, columns) > 1);
  return row < 0 ? null : row;
}

/** Rows that are looked at before other work may get its turn. */
const ROWS_A_STEP = 256;

/** A table of a sheet, rows from 0. */
interface PlacedTable {
  /** The point type that a title above it names. */
  readonly title: FrameType | null;
  readonly headerRow: number;
  readonly endRow: number;
}

/** The tables of a sheet: each begins with headers, and may have a title of one word above them. */
function* tablesOf(rows: readonly (readonly Cell[])[], columns: ColumnSet): Steps<PlacedTable[]> {
  const first = findHeaderRow(rows, columns);
  if (first === null) return [];
  const headers = [first];
  // a row of points has no such words in it
  for (let row = first + 1; row < rows.length; row++) {
    if (row % ROWS_A_STEP === 0) yield;
    if (headersIn(rows[row] ?? [], columns) >= FURTHER_HEADERS) headers.push(row);
  }
  const titles = headers.map((header) => titleAbove(rows, header));
  return headers.map((headerRow, index) => {
    const next = headers[index + 1];
    const endRow = next === undefined ? rows.length : next - (titles[index + 1] === null ? 0 : 1);
    return { title: titles[index] ?? null, headerRow, endRow };
  });
}

/** Known headers that a row further down must have to begin another table. */
const FURTHER_HEADERS = 4;

function titleAbove(rows: readonly (readonly Cell[])[], headerRow: number): FrameType | null {
  const words = (rows[headerRow - 1] ?? []).map((cell) => plainText(cell)).filter((word) => word !== '');
  return words.length === 1 ? typeOf(words[0] ?? '') : null;
}

function headerColumns(sheet: SheetTable, headerRow: number, columns: ColumnSet): (PlacedColumn & { column: TableColumn | undefined })[] {
  return (sheet.rows[headerRow] ?? []).flatMap((cell, index) => {
    const header = plainText(cell);
    return header === '' ? [] : [{ header, index, column: columns.find(header) }];
  });
}

interface LayoutOptions {
  /** False leaves columns out that nobody knows. */
  readonly keepsUnknown?: boolean;
  /** One of several tables of the sheet. */
  readonly table?: PlacedTable;
}

/** The layout of a sheet. What is wrong with it stands in `findings`. */
export function makeLayout(
  sheet: SheetTable,
  frameType: FrameType | null,
  columns: ColumnSet,
  findings: Findings,
  { keepsUnknown = true, table }: LayoutOptions = {},
): SheetLayout | null {
  const place = { sheet: sheet.name };
  const endRow = table?.endRow ?? sheet.rows.length;
  if (sheet.rows.every(isEmptyRow)) return { sheet, headerRow: 0, endRow, frameType, columns: new Map(), noted: [] };
  const headerRow = table?.headerRow ?? findHeaderRow(sheet.rows, columns);
  if (headerRow === null) {
    const header = frameType === null ? '测点编码' : `${sheetOf(frameType).keys.map((key) => columns.get(key).header)[0]}`;
    findings.errors.add('header_missing', { header }, place);
    return null;
  }
  if (headerRow > 0 && !table) findings.warnings.add('header_row', { row: headerRow + 1 }, place);
  const known = new Map<string, PlacedColumn & { readonly column: TableColumn }>();
  const noted: PlacedColumn[] = [];
  for (const { header, index, column } of headerColumns(sheet, headerRow, columns)) {
    const before = column && known.get(column.key);
    if (before)
      findings.errors.add('header_twice', { header, first: before.header }, { ...place, row: headerRow + 1, column: { header, index } });
    else if (column) known.set(column.key, { header, index, column });
    else noted.push({ header, index });
  }
  const leftOut = keepsUnknown ? noted.filter(({ header }) => columns.isLive(header)) : noted;
  const kept = noted.filter((item) => !leftOut.includes(item));
  if (leftOut.length > 0) {
    const headers = leftOut.map(({ header }) => header).join(', ');
    findings.warnings.add('columns_left_out', { headers }, { ...place, row: headerRow + 1, column: leftOut[0] });
  }
  tellUnused(sheet, { headerRow, endRow }, kept, columns, findings);
  return { sheet, headerRow, endRow, frameType, columns: known, noted: kept };
}

/** Columns without a meaning, and cells without a column, are told once for each sheet, and only when something stands in them. */
function tellUnused(
  sheet: SheetTable,
  at: Pick<SheetLayout, 'headerRow' | 'endRow'>,
  noted: readonly PlacedColumn[],
  columns: ColumnSet,
  findings: Findings,
): void {
  const { headerRow } = at;
  const used = usedColumns(sheet, at);
  const filled = noted.filter((item) => used.has(item.index));
  const row = headerRow + 1;
  for (const item of filled.filter(({ header }) => columns.isForeign(header))) {
    findings.warnings.add('column_not_used', { header: item.header }, { sheet: sheet.name, row, column: item });
  }
  const unknown = filled.filter(({ header }) => !columns.isForeign(header));
  if (unknown.length > 0) {
    const headers = unknown.map((item) => item.header).join(', ');
    findings.warnings.add('columns_noted', { headers }, { sheet: sheet.name, row, column: unknown[0] });
  }
  const header = sheet.rows[headerRow] ?? [];
  for (const index of used) {
    if (plainText(header[index] ?? null) !== '') continue;
    findings.warnings.add('column_unnamed', { column: columnLetters(index) }, { sheet: sheet.name, row, column: { header: '', index } });
  }
}

function usedColumns(sheet: SheetTable, { headerRow, endRow }: Pick<SheetLayout, 'headerRow' | 'endRow'>): Set<number> {
  const used = new Set<number>();
  for (let row = headerRow + 1; row < endRow; row++) {
    const cells = sheet.rows[row] ?? [];
    for (let index = 0; index < cells.length; index++) if (!used.has(index) && plainText(cells[index] ?? null) !== '') used.add(index);
  }
  return used;
}

/** True when nothing stands in the row. */
export function isEmptyRow(row: readonly Cell[]): boolean {
  return row.every((cell) => plainText(cell) === '');
}
