import type { FrameType } from '#shared/domain/enums.ts';
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
  /** The point type of the whole sheet; null when each row says its own. */
  readonly frameType: FrameType | null;
  /** Known columns by key. */
  readonly columns: ReadonlyMap<string, PlacedColumn & { readonly column: TableColumn }>;
  /** Columns whose cells are kept in the note. */
  readonly noted: readonly PlacedColumn[];
}

/** Finds the sheets with points and what their columns mean. Sheets and columns that cannot be used are told in `findings`. */
export function findLayouts(file: TableFile, fileName: string, columns: ColumnSet, findings: Findings): SheetLayout[] {
  const layouts = file.sheets.flatMap((sheet) => {
    const layout = file.format === 'csv' ? csvLayout(sheet, fileName, columns, findings) : sheetLayout(sheet, columns, findings);
    return layout ? [layout] : [];
  });
  if (layouts.length === 0 && findings.errors.count === 0) {
    const found = file.sheets.map((sheet) => sheet.name).join(', ') || '—';
    findings.errors.add(file.format === 'csv' ? 'rows_none' : 'sheets_missing', { found });
  }
  return layouts;
}

/** The sheets of the template that only explain. */
export const PROSE_SHEET = '说明';

function sheetLayout(sheet: SheetTable, columns: ColumnSet, findings: Findings): SheetLayout | null {
  const frameType = typeOf(sheet.name);
  const headerRow = findHeaderRow(sheet.rows, columns);
  const ownTypes = headerRow !== null && headerColumns(sheet, headerRow, columns).some((item) => item.column?.key === 'frame_type');
  if (frameType === null && !ownTypes) {
    if (wordKey(sheet.name) !== wordKey(PROSE_SHEET) && sheet.rows.some((row) => !isEmptyRow(row))) {
      findings.warnings.add('sheet_unknown', { name: sheet.name }, { sheet: sheet.name });
    }
    return null;
  }
  if (sheet.isHidden) findings.warnings.add('sheet_hidden', { name: sheet.name }, { sheet: sheet.name });
  return makeLayout(sheet, frameType, columns, findings);
}

function csvLayout(sheet: SheetTable, fileName: string, columns: ColumnSet, findings: Findings): SheetLayout | null {
  const headerRow = findHeaderRow(sheet.rows, columns);
  const keys = new Set(headerRow === null ? [] : headerColumns(sheet, headerRow, columns).map((item) => item.column?.key ?? ''));
  if (keys.has('frame_type') || headerRow === null) return makeLayout(sheet, null, columns, findings);
  const frameType = typeByColumns(keys) ?? typeByName(fileName);
  if (frameType === null) {
    findings.errors.add('type_unknown', {});
    return null;
  }
  return makeLayout(sheet, frameType, columns, findings);
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

/** Row of the headers; null where there are none. */
export function findHeaderRow(rows: readonly (readonly Cell[])[], columns: ColumnSet): number | null {
  const row = rows.slice(0, HEADER_ROWS).findIndex((cells) => {
    const keys = cells.map((cell) => columns.find(plainText(cell))?.key);
    return keys.includes('code') && keys.filter((key) => key !== undefined).length > 1;
  });
  return row < 0 ? null : row;
}

function headerColumns(sheet: SheetTable, headerRow: number, columns: ColumnSet): (PlacedColumn & { column: TableColumn | undefined })[] {
  return (sheet.rows[headerRow] ?? []).flatMap((cell, index) => {
    const header = plainText(cell);
    return header === '' ? [] : [{ header, index, column: columns.find(header) }];
  });
}

/** The layout of a sheet. What is wrong with it stands in `findings`; `keepsUnknown` false leaves columns out that nobody knows. */
export function makeLayout(
  sheet: SheetTable,
  frameType: FrameType | null,
  columns: ColumnSet,
  findings: Findings,
  keepsUnknown = true,
): SheetLayout | null {
  const place = { sheet: sheet.name };
  if (sheet.rows.every(isEmptyRow)) return { sheet, headerRow: 0, frameType, columns: new Map(), noted: [] };
  const headerRow = findHeaderRow(sheet.rows, columns);
  if (headerRow === null) {
    const header = frameType === null ? '测点编码' : `${sheetOf(frameType).keys.map((key) => columns.get(key).header)[0]}`;
    findings.errors.add('header_missing', { header }, place);
    return null;
  }
  if (headerRow > 0) findings.warnings.add('header_row', { row: headerRow + 1 }, place);
  const known = new Map<string, PlacedColumn & { readonly column: TableColumn }>();
  const noted: PlacedColumn[] = [];
  for (const { header, index, column } of headerColumns(sheet, headerRow, columns)) {
    const before = column && known.get(column.key);
    if (before)
      findings.errors.add('header_twice', { header, first: before.header }, { ...place, row: headerRow + 1, column: { header, index } });
    else if (column) known.set(column.key, { header, index, column });
    else noted.push({ header, index });
  }
  if (!keepsUnknown) {
    const headers = noted.map(({ header }) => header).join(', ');
    if (headers !== '') findings.warnings.add('columns_left_out', { headers }, { ...place, row: headerRow + 1, column: noted[0] });
    noted.length = 0;
  }
  tellUnused(sheet, headerRow, noted, columns, findings);
  return { sheet, headerRow, frameType, columns: known, noted };
}

/** Columns without a meaning, and cells without a column, are told once for each sheet, and only when something stands in them. */
function tellUnused(sheet: SheetTable, headerRow: number, noted: readonly PlacedColumn[], columns: ColumnSet, findings: Findings): void {
  const used = usedColumns(sheet, headerRow);
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

function usedColumns(sheet: SheetTable, headerRow: number): Set<number> {
  const used = new Set<number>();
  for (let row = headerRow + 1; row < sheet.rows.length; row++) {
    const cells = sheet.rows[row] ?? [];
    for (let index = 0; index < cells.length; index++) if (!used.has(index) && plainText(cells[index] ?? null) !== '') used.add(index);
  }
  return used;
}

/** True when nothing stands in the row. */
export function isEmptyRow(row: readonly Cell[]): boolean {
  return row.every((cell) => plainText(cell) === '');
}
