import { MOST_CHECK_ITEMS } from '#shared/domain/check.ts';
import { invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { plainText } from '../point-files/cells.ts';
import { type SheetTable, TableFileFault } from '../point-files/table-file.ts';
import { readTable } from '../point-files/table-formats.ts';
import { findColumns, HEADER_ROWS } from './named-columns.ts';

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
  const found = findColumns({ rows }, HEADERS, (has) => has('code') && (has('group') || has('page') || has('terminal')));
  if (!found) return [];
  const { row: header, columns } = found;
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
