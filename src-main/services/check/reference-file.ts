import { MOST_CHECK_ITEMS } from '#shared/domain/check.ts';
import { invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { plainText, readCell } from '../point-files/cells.ts';
import { type Cell, cellKey, type SheetTable, TableFileFault } from '../point-files/table-file.ts';
import { readTable } from '../point-files/table-formats.ts';
import { findColumns, HEADER_ROWS, type NamedColumns } from './named-columns.ts';

const SHOWN = 40;

/** A reference as a file gives it. */
export interface ReferenceRow {
  /** Row of the sheet, from 1. */
  readonly row: number;
  /** Empty: the code alone says which point it is. */
  readonly channel: string;
  readonly code: string;
  readonly value: number;
  /** Null: the file names none. */
  readonly tolerance: number | null;
}

/** A row that does not fit, and what would be right. */
export interface ReferenceFault {
  readonly row: number;
  readonly fault: Message;
}

/** A row of a file: a reference, or what is wrong with it. */
export type ReferenceLine = ReferenceRow | ReferenceFault;

const HEADERS = {
  code: ['code', 'point', 'point code', '编码', '测点编码', '点号'],
  value: ['value', 'reference', '参考值', '数值', '值'],
  tolerance: ['tolerance', '容差', '允许误差'],
  channel: ['channel', 'channel name', '通道', '通道名称'],
} as const;
type Column = keyof typeof HEADERS;

/**
 * Reads references from an xlsx or csv file: columns `code` and `value`, and where they are there `tolerance` and `channel`. A row that does not fit is
 * told in its place. Throws `CONFIG_INVALID` for a file that is no such list.
 */
export async function readReferences(bytes: Uint8Array): Promise<ReferenceLine[]> {
  const { sheets, delimiter } = await readTable(bytes).catch((thrown: unknown) => {
    throw thrown instanceof TableFileFault ? invalidField('file', say('check.ref_no_table')) : thrown;
  });
  for (const sheet of sheets) {
    const place = findColumns(sheet, HEADERS, (has) => has('code') && has('value'));
    if (place) return rowsOf(sheet, place, delimiter === ';');
  }
  throw invalidField('file', say('check.ref_header', { rows: HEADER_ROWS }));
}

function rowsOf(sheet: SheetTable, { row: header, columns }: NamedColumns<Column>, hasDecimalComma: boolean): ReferenceLine[] {
  const found: ReferenceLine[] = [];
  const known = new Map<string, number>();
  const cellOf = (row: number, column: number | undefined): Cell => (column === undefined ? null : (sheet.rows[row]?.[column] ?? null));
  /** Undefined for an empty cell, null for one that is no number. */
  const numberOf = (at: number, column: number | undefined): number | null | undefined => {
    if (column !== undefined && sheet.errors.has(cellKey(at, column))) return null;
    const read = readCell(cellOf(at, column), { is: 'number' }, hasDecimalComma);
    return 'rule' in read ? null : (read.value as number | undefined);
  };
  for (let at = header + 1; at < sheet.rows.length; at++) {
    const row = at + 1;
    if (sheet.rows[at]?.every((cell) => plainText(cell) === '')) continue;
    const [code, channel] = [plainText(cellOf(at, columns.code)), plainText(cellOf(at, columns.channel))];
    const [value, tolerance] = [numberOf(at, columns.value), numberOf(at, columns.tolerance)];
    const wrong = (fault: Message) => void found.push({ row, fault });
    const written = plainText(cellOf(at, columns.value)).slice(0, SHOWN);
    if (code === '') wrong(say('check.ref_no_code', { row }));
    else if (value === undefined) wrong(say('check.ref_no_value', { row, code }));
    else if (value === null) wrong(say('check.ref_no_number', { row, code, value: written }));
    else if (tolerance === null || (tolerance ?? 0) < 0) wrong(say('check.ref_tolerance', { row, code }));
    else {
      const key = JSON.stringify([channel, code]);
      const first = known.get(key);
      known.set(key, first ?? row);
      if (first !== undefined) wrong(say('check.ref_twice', { row, code, first }));
      else found.push({ row, channel, code, value, tolerance: tolerance ?? null });
    }
  }
  if (found.length === 0) throw invalidField('file', say('check.ref_empty'));
  if (found.length > MOST_CHECK_ITEMS) throw invalidField('file', say('check.ref_too_many', { most: MOST_CHECK_ITEMS }));
  return found;
}
