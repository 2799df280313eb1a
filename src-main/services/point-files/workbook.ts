import type { Sheet as LibrarySheet, WriteSheet } from 'hucre/xlsx';
import { MOST_TABLE_ROWS } from '#shared/contract/point-files.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { type Cell, type SheetDraft, type SheetTable, TableFileFault } from './table-file.ts';
import { checkZip } from './zip-check.ts';

/** Rows of a sheet that are read at all; the rest is only known to be there. */
const MOST_SHEET_ROWS = MOST_TABLE_ROWS + 1_000;
const MOST_COLUMNS = 256;
const HEADER_STYLE = {
  font: { name: 'Calibri', size: 11, bold: true },
  fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: 'DDEDF9' } },
} as const;
/** Rows of a new sheet that offer the choices of a column. */
const CHOICE_ROWS = 10_000;

/** Loaded at the first use: a start has no workbook. */
const library = () => import('hucre/xlsx');

/** Reads an xlsx workbook: values as they were saved, formulas only as marks. Throws `TableFileFault`. */
export async function readWorkbook(bytes: Uint8Array): Promise<SheetTable[]> {
  checkZip(bytes);
  const { readXlsx } = await library();
  const workbook = await readXlsx(bytes, {
    maxRows: MOST_SHEET_ROWS,
    range: `A1:${columnLetters(MOST_COLUMNS - 1)}${MOST_SHEET_ROWS}`,
  }).catch((error: unknown) => {
    throw new TableFileFault('file_unreadable', { detail: wrongWith(error) });
  });
  return workbook.sheets.map(toTable);
}

/** What the library says of a workbook, in words of ours: it speaks English only. */
const WRONG: readonly (readonly [said: RegExp, detail: Message])[] = [
  [/missing|cannot find|contains no sheets|no child elements/, say('table.part_missing')],
  [/outside the supported sheet bounds|range reference/, say('table.cell_outside')],
];

function wrongWith(error: unknown): Message {
  const said = error instanceof Error ? error.message : '';
  return WRONG.find(([pattern]) => pattern.test(said))?.[1] ?? say('table.part_damaged');
}

function toTable(sheet: LibrarySheet): SheetTable {
  const formulas = new Set<string>();
  const errors = new Set<string>();
  for (const [place, cell] of sheet.cells ?? []) {
    const key = place.replace(',', ' ');
    if (cell.formula !== undefined) formulas.add(key);
    if (cell.type === 'error') errors.add(key);
  }
  const merges = (sheet.merges ?? []).map((range) => ({
    startRow: range.startRow,
    startColumn: range.startCol,
    endRow: range.endRow,
    endColumn: range.endCol,
  }));
  const hiddenRows = new Set([...(sheet.rowDefs ?? [])].filter(([, { hidden }]) => hidden === true).map(([row]) => row));
  const isHidden = sheet.hidden === true || sheet.veryHidden === true;
  return { name: sheet.name, isHidden, rows: sheet.rows, merges, formulas, errors, hiddenRows };
}

/** Writes an xlsx workbook: a frozen bold header, every text a text (no formula is ever written). */
export async function writeWorkbook(sheets: readonly SheetDraft[]): Promise<Uint8Array> {
  const { writeXlsx } = await library();
  return writeXlsx({ sheets: sheets.map(toWritten), properties: { creator: 'Loopcheck' } });
}

function toWritten(sheet: SheetDraft): WriteSheet {
  const rows = [sheet.header, ...sheet.rows].map((row) => row.map(escapeCell));
  const header = sheet.header.map((text, column): [string, { value: string; style: typeof HEADER_STYLE }] => [
    `0,${column}`,
    { value: text, style: HEADER_STYLE },
  ]);
  if (!sheet.isTable) return { name: sheet.name, rows, columns: sheet.header.map(() => ({ width: 28 })) };
  return {
    name: sheet.name,
    rows,
    cells: new Map(header),
    columns: sheet.header.map((text, column) => ({
      width: Math.max(10, text.length * 2 + 4),
      ...(sheet.textColumns.includes(column) ? { numFmt: '@' } : {}),
    })),
    freezePane: { rows: 1 },
    dataValidations: Object.entries(sheet.choices).map(([column, values]) => ({
      type: 'list',
      values: [...values],
      allowBlank: true,
      // Another text is let through: the import says what is wrong with it in more words than a spreadsheet does.
      showErrorMessage: false,
      range: `${columnLetters(Number(column))}2:${columnLetters(Number(column))}${CHOICE_ROWS}`,
    })),
  };
}

/** `_x0041_` stands for a character in a workbook (ECMA-376, 22.9.2.19), so a text that only looks like it has to be escaped. */
function escapeCell(value: Cell): Cell {
  return typeof value === 'string' ? value.replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_') : value;
}

/** Letters of a column, 0 is A. */
export function columnLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : columnLetters(Math.floor(column / 26) - 1) + last;
}

/** Place of a cell as a spreadsheet names it, row and column from 0. */
export function cellName(row: number, column: number): string {
  return `${columnLetters(column)}${row + 1}`;
}
