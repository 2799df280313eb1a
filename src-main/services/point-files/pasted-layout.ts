import type { FrameType } from '#shared/domain/enums.ts';
import { plainText } from './cells.ts';
import type { ColumnSet } from './columns.ts';
import type { Findings } from './issues.ts';
import { findHeaderRow, makeLayout, type SheetLayout, typeOfColumns } from './layout.ts';
import type { SheetTable } from './table-file.ts';
import { columnLetters } from './workbook.ts';

/** What pasted rows mean where they do not say it themselves. */
export interface PastedRows {
  /** Type of rows that name none; null: each names its own. */
  readonly pasted: FrameType | null;
  /** Columns from the left on, where no line has headers. */
  readonly keys: readonly string[];
}

/**
 * Where pasted rows have their points: by their header line, or by the columns of the export. Columns that nobody knows are no notes here: rows that
 * were copied from a table of the screen have values and times in them.
 */
export function pastedLayouts(sheets: readonly SheetTable[], rows: PastedRows, columns: ColumnSet, findings: Findings): SheetLayout[] {
  return sheets.flatMap((sheet) => {
    const headerRow = findHeaderRow(sheet.rows, columns);
    if (headerRow === null) return withoutHeader(sheet, rows, columns, findings);
    const type = typeOfColumns(sheet, headerRow, columns) ?? rows.pasted;
    if (type === null) findings.errors.add('type_unknown', {});
    const layout = type === null ? null : makeLayout(sheet, type === 'named' ? null : type, columns, findings, { keepsUnknown: false });
    return layout ? [layout] : [];
  });
}

function withoutHeader(sheet: SheetTable, { pasted, keys }: PastedRows, columns: ColumnSet, findings: Findings): SheetLayout[] {
  const placed = keys.map((key, index) => {
    const column = columns.get(key);
    return [key, { header: column.header, index, column }] as const;
  });
  const beyond = new Set<number>();
  for (const cells of sheet.rows) {
    for (let index = keys.length; index < cells.length; index++) if (plainText(cells[index] ?? null) !== '') beyond.add(index);
  }
  for (const index of beyond) {
    findings.warnings.add('column_unnamed', { column: columnLetters(index) }, { sheet: sheet.name, row: 1, column: { header: '', index } });
  }
  return [{ sheet, headerRow: -1, endRow: sheet.rows.length, frameType: pasted, columns: new Map(placed), noted: [] }];
}
