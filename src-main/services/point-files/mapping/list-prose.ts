/** What stands around the tables of a list: titles and sentences. */
import { plainText } from '../cells.ts';
import type { SheetTable } from '../table-file.ts';
import type { ListTableAt } from './list-tables.ts';

/** Titles right above the headers, then the name of the sheet. */
export function titlesOf({ sheet, table }: ListTableAt): string[] {
  const titles: string[] = [];
  for (let row = table.headerRow - 1; row >= 0 && titles.length < 4; row--) {
    const texts = [...new Set((sheet.rows[row] ?? []).slice(table.left, table.right).map(plainText))].filter((text) => text !== '');
    if (texts.length > 2) break;
    titles.push(...texts);
  }
  return [...titles, ...(/^(sheet|工作表)\s*\d*$/i.test(sheet.name) ? [] : [sheet.name])].filter((title) => title !== '');
}

const MOST_PROSE = 500;

/** Sentences above the tables, and on sheets that have none. */
export function proseOutside(sheets: readonly SheetTable[], tables: readonly ListTableAt[]): string[] {
  const prose = sheets.flatMap((sheet) => {
    const own = tables.filter((table) => table.sheet === sheet && table.taken);
    const first = own.length === 0 ? sheet.rows.length : Math.min(...own.map(({ table }) => Math.max(0, table.headerRow)));
    return sheet.rows.slice(0, Math.min(first, MOST_PROSE)).flatMap((row) => row.map(plainText));
  });
  return [...new Set(prose)].filter((text) => text.length > 3).slice(0, MOST_PROSE);
}
