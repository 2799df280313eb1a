import { useUiStore } from '../../app/ui-store.ts';
import type { GridColumn } from './column.ts';
import { DEFAULT_LAYOUT, shownColumns } from './layout.ts';
import { toTsv } from './tsv.ts';

/** Rows as they go to the clipboard: the columns in sight that have a text. */
function copyText<Row>(rows: readonly Row[], columns: readonly GridColumn<Row>[], hasHeader: boolean): string {
  const copied = columns.filter((column) => column.text !== undefined);
  const body = rows.map((row) => copied.map((column) => column.text?.(row) ?? ''));
  return toTsv(hasHeader ? copied.map((column) => column.name) : null, body);
}

/** Copies rows with the columns of a table that somebody has in sight; resolves to their number, to null where there is no clipboard. */
export async function copySelected<Row>(
  rows: readonly Row[],
  table: string,
  columns: readonly GridColumn<Row>[],
  hasHeader = true,
): Promise<number | null> {
  const shown = shownColumns(columns, useUiStore.getState().tables[table] ?? DEFAULT_LAYOUT);
  try {
    await navigator.clipboard.writeText(copyText(rows, shown, hasHeader));
    return rows.length;
  } catch {
    return null;
  }
}
