import { MOST_CHECK_ITEMS } from '#shared/domain/check.ts';
import { type FieldIssue, fieldIssue, invalidField, invalidInput } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { plainText, readCell } from '../point-files/cells.ts';
import { type Cell, cellKey, type SheetTable, TableFileFault } from '../point-files/table-file.ts';
import { readTable } from '../point-files/table-formats.ts';
import { findColumns, HEADER_ROWS, type NamedColumns } from './named-columns.ts';

/** Faults that are told; one more says how many there are. */
const MOST_TOLD = 100;
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

const HEADERS = {
  code: ['code', 'point', 'point code', '编码', '测点编码', '点号'],
  value: ['value', 'reference', '参考值', '数值', '值'],
  tolerance: ['tolerance', '容差', '允许误差'],
  channel: ['channel', 'channel name', '通道', '通道名称'],
} as const;
type Column = keyof typeof HEADERS;

/** What is wrong with a file, told up to a bound. */
export class FileFaults {
  readonly #told: FieldIssue[] = [];
  #count = 0;

  add(said: Parameters<typeof fieldIssue>[1]): void {
    this.#count += 1;
    if (this.#told.length < MOST_TOLD) this.#told.push(fieldIssue('file', said));
  }

  /** Throws `CONFIG_INVALID` with all of them. */
  settle(): void {
    if (this.#count === 0) return;
    const more = this.#count - this.#told.length;
    throw invalidInput(more === 0 ? this.#told : [...this.#told, fieldIssue('file', say('check.ref_more', { count: more }))]);
  }
}

/**
 * Reads references from an xlsx or csv file: columns `code` and `value`, and where they are there `tolerance` and `channel`. Throws `CONFIG_INVALID` with every row that does not fit and what would be right.
 */
export async function readReferences(bytes: Uint8Array): Promise<ReferenceRow[]> {
  const { sheets, delimiter } = await readTable(bytes).catch((thrown: unknown) => {
    throw thrown instanceof TableFileFault ? invalidField('file', say('check.ref_no_table')) : thrown;
  });
  for (const sheet of sheets) {
    const place = findColumns(sheet, HEADERS, (has) => has('code') && has('value'));
    if (place) return rowsOf(sheet, place, delimiter === ';');
  }
  throw invalidField('file', say('check.ref_header', { rows: HEADER_ROWS }));
}

function rowsOf(sheet: SheetTable, { row: header, columns }: NamedColumns<Column>, hasDecimalComma: boolean): ReferenceRow[] {
  const faults = new FileFaults();
  const found: ReferenceRow[] = [];
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
    const written = plainText(cellOf(at, columns.value)).slice(0, SHOWN);
    if (code === '') faults.add(say('check.ref_no_code', { row }));
    else if (value === undefined) faults.add(say('check.ref_no_value', { row, code }));
    else if (value === null) faults.add(say('check.ref_no_number', { row, code, value: written }));
    else if (tolerance === null || (tolerance ?? 0) < 0) faults.add(say('check.ref_tolerance', { row, code }));
    else {
      const key = JSON.stringify([channel, code]);
      const first = known.get(key);
      if (first !== undefined) faults.add(say('check.ref_twice', { row, code, first }));
      else known.set(key, row);
      found.push({ row, channel, code, value, tolerance: tolerance ?? null });
    }
  }
  faults.settle();
  if (found.length === 0) throw invalidField('file', say('check.ref_empty'));
  if (found.length > MOST_CHECK_ITEMS) throw invalidField('file', say('check.ref_too_many', { most: MOST_CHECK_ITEMS }));
  return found;
}
