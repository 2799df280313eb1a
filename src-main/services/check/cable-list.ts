import { MOST_CHECK_ITEMS } from '#shared/domain/check.ts';
import { invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { plainText } from '../point-files/cells.ts';
import { wordKey } from '../point-files/columns.ts';
import { type SheetTable, TableFileFault } from '../point-files/table-file.ts';
import { readTable } from '../point-files/table-formats.ts';

/** Rows in which the headers are looked for: lists have titles above them. */
const HEADER_ROWS = 10;
const LONGEST_GROUP = 100;

/** A row of a cable list that names a point. */
export interface CableRow {
  /** Row of the sheet, from 1. */
  readonly row: number;
  readonly channel: string;
  readonly code: string;
  /** Empty: the list names none. */
  readonly group: string;
}

/** Words that columns are known by. */
const HEADERS = {
  code: ['code', 'point', 'point code', 'signal', '编码', '测点编码', '点号', '信号编码'],
  group: ['group', 'bay', 'panel', 'cabinet', '间隔', '屏柜', '屏', '柜', '分组', '组'],
  page: ['page', 'sheet', 'drawing', '页', '页码', '图纸页', '图号', '图纸'],
  terminal: ['terminal', 'terminals', '端子', '端子号', '端子排'],
  channel: ['channel', 'channel name', '通道', '通道名称'],
} as const;
type Column = keyof typeof HEADERS;
type Columns = Partial<Record<Column, number>>;

/**
 * Reads a cable list: the first sheets with a header that names codes and a group, page or terminal. Rows without a code are left: lists have spare cores. Throws
 * `CONFIG_INVALID` for a file that is no such list.
 */
export async function readCableList(bytes: Uint8Array): Promise<CableRow[]> {
  const { sheets } = await readTable(bytes).catch((thrown: unknown) => {
    throw thrown instanceof TableFileFault ? invalidField('file', say('check.list_no_table')) : thrown;
  });
  const rows = sheets.flatMap((sheet) => rowsOf(sheet));
  if (rows.length === 0) throw invalidField('file', say('check.list_header', { rows: HEADER_ROWS }));
  if (rows.length > MOST_CHECK_ITEMS) throw invalidField('file', say('check.list_long', { most: MOST_CHECK_ITEMS }));
  return rows;
}

function rowsOf({ rows }: SheetTable): CableRow[] {
  const found = headerOf(rows);
  if (!found) return [];
  const { header, columns } = found;
  return rows.slice(header + 1).flatMap((cells, at) => {
    const text = (column: Column) => (columns[column] === undefined ? '' : plainText(cells[columns[column]] ?? null));
    const code = text('code');
    if (code === '') return [];
    const strip = text('terminal').split(/[:：]/)[0]?.trim() ?? '';
    const group = [text('group'), text('page'), strip].find((each) => each !== '') ?? '';
    return [
      { row: header + at + 2, channel: text('channel'), code, group: group.replace(/[\p{Cc}\p{Cs}]/gu, ' ').slice(0, LONGEST_GROUP) },
    ];
  });
}

function headerOf(rows: SheetTable['rows']): { readonly header: number; readonly columns: Columns } | null {
  for (const [header, cells] of rows.slice(0, HEADER_ROWS).entries()) {
    const columns: Columns = {};
    for (const [at, cell] of cells.entries()) {
      const word = wordKey(plainText(cell));
      for (const [column, words] of Object.entries(HEADERS) as [Column, readonly string[]][]) {
        if (columns[column] === undefined && words.some((each) => wordKey(each) === word)) columns[column] = at;
      }
    }
    const hasPlace = columns.group !== undefined || columns.page !== undefined || columns.terminal !== undefined;
    if (columns.code !== undefined && hasPlace) return { header, columns };
  }
  return null;
}
