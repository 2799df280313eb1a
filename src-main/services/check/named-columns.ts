import { plainText } from '../point-files/cells.ts';
import { wordKey } from '../point-files/columns.ts';
import type { SheetTable } from '../point-files/table-file.ts';

/** Rows in which the headers are looked for: lists have titles above them. */
export const HEADER_ROWS = 10;

/** Words that each column is known by; letter case, blanks and full width do not count. */
type Headers<Column extends string> = Readonly<Record<Column, readonly string[]>>;

/** The headers of a list, and the place of each column that it has, both from 0. */
export interface NamedColumns<Column extends string> {
  readonly row: number;
  readonly columns: Readonly<Partial<Record<Column, number>>>;
}

/** Finds the first row that has the columns which `isEnough` asks for; null where there is none. */
export function findColumns<Column extends string>(
  { rows }: Pick<SheetTable, 'rows'>,
  headers: Headers<Column>,
  isEnough: (has: (column: Column) => boolean) => boolean,
): NamedColumns<Column> | null {
  const known = new Map<string, Column>();
  for (const [column, words] of Object.entries(headers) as [Column, readonly string[]][]) {
    for (const word of words) known.set(wordKey(word), column);
  }
  for (const [row, cells] of rows.slice(0, HEADER_ROWS).entries()) {
    const columns: Partial<Record<Column, number>> = {};
    for (const [at, cell] of cells.entries()) {
      const column = known.get(wordKey(plainText(cell)));
      if (column !== undefined) columns[column] ??= at;
    }
    if (isEnough((column) => columns[column] !== undefined)) return { row, columns };
  }
  return null;
}
