import { MOST_TABLE_ROWS } from '#shared/contract/point-files.ts';
import { findDecode } from '#shared/domain/decode.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import { say } from '#shared/messages/index.ts';
import { Turns } from '../../platform/turns.ts';
import { clip, plainText, readCell, visible } from './cells.ts';
import { sheetOf } from './columns.ts';
import type { FilePlace, Findings } from './issues.ts';
import { isEmptyRow, type PlacedColumn, type SheetLayout } from './layout.ts';
import { oldDecode } from './old-decode.ts';
import { cellKey } from './table-file.ts';
import { cellName } from './workbook.ts';

/** Rows between two questions whether the lines of the channels should have their turn. */
export const ROWS_A_LOOK = 32;

const LONGEST_NOTE = 4_000;

/** One row of the file that holds a point. */
export interface TableRow {
  readonly layout: SheetLayout;
  /** From 1, as a spreadsheet counts. */
  readonly row: number;
  readonly frameType: FrameType;
  readonly code: string;
  /** Values of the known columns by key; an empty cell is missing. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Note and unknown columns together; undefined when the file has neither. */
  readonly note: string | undefined;
}

/** What was read of all sheets. */
export interface TableRows {
  /** Rows that hold a point, right or wrong. */
  readonly seen: number;
  /** Those that are right. */
  readonly rows: readonly TableRow[];
  /** Those that name a point and have something wrong in them: `values` has what could be read. */
  readonly broken: readonly TableRow[];
}

export interface ReadRowsOptions {
  /** `0,5` is a number: the fields of the csv are divided by something else. */
  readonly hasDecimalComma: boolean;
}

/** Reads all rows of all sheets. What is wrong stands in `findings`; a row that is wrong is left out. */
export async function readRows(layouts: readonly SheetLayout[], options: ReadRowsOptions, findings: Findings): Promise<TableRows> {
  const reader = new RowReader(options, findings);
  const { breathe } = new Turns();
  for (const layout of layouts) {
    fillMerged(layout, findings);
    for (let row = layout.headerRow + 1; row < layout.endRow && !reader.isFull; row++) {
      reader.read(layout, row);
      if (row % ROWS_A_LOOK === 0) await breathe();
    }
  }
  return reader.end();
}

class RowReader {
  readonly #options: ReadRowsOptions;
  readonly #findings: Findings;
  readonly #rows: TableRow[] = [];
  readonly #broken: TableRow[] = [];
  readonly #first = new Map<string, FilePlace>();
  readonly #oldCodes = new Map<string, { place: FilePlace; code: string; count: number }>();
  readonly #formulas = new Map<string, { place: FilePlace; header: string; count: number }>();
  #seen = 0;

  constructor(options: ReadRowsOptions, findings: Findings) {
    this.#options = options;
    this.#findings = findings;
  }

  get isFull(): boolean {
    return this.#seen > MOST_TABLE_ROWS;
  }

  read(layout: SheetLayout, index: number): void {
    const cells = layout.sheet.rows[index] ?? [];
    if (isEmptyRow(cells)) return;
    this.#seen += 1;
    if (this.isFull) {
      this.#findings.errors.add('rows_too_many', { max: MOST_TABLE_ROWS });
      return;
    }
    const before = this.#findings.errors.count;
    const values = this.#readValues(layout, index);
    const frameType = this.#typeOf(layout, index, values);
    const code = this.#codeOf(layout, index, values);
    const note = this.#noteOf(layout, index, values);
    this.#watchDecode(layout, index, values);
    if (frameType === null || code === null) return;
    const rows = this.#findings.errors.count > before ? this.#broken : this.#rows;
    rows.push({ layout, row: index + 1, frameType, code, values, note });
  }

  /** Tells what was counted over all rows; answers the rows that were right. */
  end(): TableRows {
    const { errors, warnings } = this.#findings;
    for (const { place, header, count } of this.#formulas.values()) warnings.add('formula', { header, count }, place);
    for (const { place, code, count } of this.#oldCodes.values()) {
      const ours = findDecode(code);
      const old = oldDecode(code);
      if (!ours || !old) continue;
      const same = old.instead === null ? '' : say('table.same_as', { code: old.instead });
      const params = { code, type: ours.type, order: ours.order, old: old.order, instead: old.instead ?? '', same, count };
      warnings.add('decode_old', params, place);
    }
    if (this.#seen === 0 && errors.count === 0) errors.add('rows_none', {});
    return { seen: Math.min(this.#seen, MOST_TABLE_ROWS), rows: this.#rows, broken: this.#broken };
  }

  #readValues(layout: SheetLayout, index: number): Map<string, unknown> {
    const cells = layout.sheet.rows[index] ?? [];
    const values = new Map<string, unknown>();
    for (const [key, placed] of layout.columns) {
      const cell = cells[placed.index] ?? null;
      const place = placeOf(layout, index, placed);
      const mark = cellKey(index, placed.index);
      if (layout.sheet.formulas.has(mark)) this.#countFormula(layout, placed, place, cell === null);
      if (layout.sheet.errors.has(mark)) {
        this.#findings.errors.add('cell_error', { value: plainText(cell) }, place);
        continue;
      }
      const reading = readCell(cell, placed.column.kind, this.#options.hasDecimalComma);
      if ('rule' in reading) this.#findings.errors.add(reading.rule, reading.params, place);
      else if (reading.value !== undefined) values.set(key, reading.value);
    }
    return values;
  }

  #countFormula(layout: SheetLayout, placed: PlacedColumn, place: FilePlace, isEmpty: boolean): void {
    if (isEmpty) {
      this.#findings.errors.add('formula_no_value', {}, place);
      return;
    }
    const key = `${layout.sheet.name}\n${placed.index}`;
    const entry = this.#formulas.get(key);
    if (entry) entry.count += 1;
    else this.#formulas.set(key, { place, header: placed.header, count: 1 });
  }

  #typeOf(layout: SheetLayout, index: number, values: ReadonlyMap<string, unknown>): FrameType | null {
    const own = values.get('frame_type') as FrameType | undefined;
    const placed = layout.columns.get('frame_type');
    if (layout.frameType === null) {
      const isUnreadable = placed !== undefined && plainText(layout.sheet.rows[index]?.[placed.index] ?? null) !== '';
      if (own === undefined && !isUnreadable) this.#require(layout, index, 'frame_type', '测点类型');
      return own ?? null;
    }
    if (own !== undefined && own !== layout.frameType) {
      const params = { type: sheetOf(own).name, sheet: layout.sheet.name };
      this.#findings.errors.add('type_differs', params, placeOf(layout, index, placed));
    }
    return layout.frameType;
  }

  #codeOf(layout: SheetLayout, index: number, values: ReadonlyMap<string, unknown>): string | null {
    const code = values.get('code') as string | undefined;
    const placed = layout.columns.get('code');
    if (code === undefined) {
      const isEmpty = plainText(layout.sheet.rows[index]?.[placed?.index ?? 0] ?? null) === '';
      if (isEmpty) this.#require(layout, index, 'code', '测点编码');
      return null;
    }
    const place = placeOf(layout, index, placed);
    const first = this.#first.get(code);
    if (!first) this.#first.set(code, place);
    else {
      const cell = cellName((first.row ?? 1) - 1, first.column?.index ?? 0);
      this.#findings.errors.add('code_twice', { code: clip(code), place: first.sheet ? `${first.sheet} ${cell}` : cell }, place);
    }
    return code;
  }

  #require(layout: SheetLayout, index: number, key: string, header: string): void {
    this.#findings.errors.add('required', { header }, placeOf(layout, index, layout.columns.get(key)));
  }

  #noteOf(layout: SheetLayout, index: number, values: ReadonlyMap<string, unknown>): string | undefined {
    if (!layout.columns.has('note') && layout.noted.length === 0) return undefined;
    const cells = layout.sheet.rows[index] ?? [];
    const parts = layout.noted.flatMap((item) => {
      const written = plainText(cells[item.index] ?? null);
      return written === '' ? [] : [visible(`${item.header}=${written}`)];
    });
    const own = values.get('note');
    const note = [...(typeof own === 'string' ? [own] : []), ...parts].join('; ');
    if (note.length <= LONGEST_NOTE) return note;
    this.#findings.warnings.add('note_clipped', { max: LONGEST_NOTE }, placeOf(layout, index, layout.noted[0]));
    // The cut must not leave half a surrogate pair.
    return note
      .slice(0, LONGEST_NOTE)
      .replace(/[\uD800-\uDBFF]$/, '')
      .trim();
  }

  #watchDecode(layout: SheetLayout, index: number, values: ReadonlyMap<string, unknown>): void {
    const code = values.get('decode');
    if (typeof code !== 'string' || !oldDecode(code)) return;
    const key = `${layout.sheet.name}\n${code}`;
    const entry = this.#oldCodes.get(key);
    if (entry) entry.count += 1;
    else this.#oldCodes.set(key, { place: placeOf(layout, index, layout.columns.get('decode')), code, count: 1 });
  }
}

/** Place of a cell of a row, row from 0. */
export function placeOf(layout: SheetLayout, index: number, column: PlacedColumn | undefined): FilePlace {
  return { sheet: layout.sheet.name, row: index + 1, column: column && { header: column.header, index: column.index } };
}

/** Merged cells that are filled at most, all sheets together: more is no table. */
const MOST_FILLED = 2_000_000;

/**
 * Merged cells below the headers mean one value for each of them; a spreadsheet keeps it in the first only. Rows that hold nothing else
 * stay empty.
 */
function fillMerged(layout: SheetLayout, findings: Findings): void {
  const { rows, merges } = layout.sheet;
  const used = [...layout.columns.values(), ...layout.noted];
  const isFilled = rows.map((row) => !isEmptyRow(row));
  let total = 0;
  for (const range of merges) {
    const value = rows[range.startRow]?.[range.startColumn] ?? null;
    if (range.startRow <= layout.headerRow || range.startRow >= layout.endRow || value === null || total > MOST_FILLED) continue;
    const inside = used.filter((item) => item.index >= range.startColumn && item.index <= range.endColumn);
    const before = total;
    for (let row = range.startRow; row <= range.endRow && row < layout.endRow; row++) {
      const cells = rows[row];
      if (!cells || !isFilled[row]) continue;
      for (const { index } of inside) {
        while (cells.length <= index) cells.push(null);
        cells[index] = value;
        total += 1;
      }
    }
    if (total - before < 2) continue;
    const params = { range: `${cellName(range.startRow, range.startColumn)}:${cellName(range.endRow, range.endColumn)}` };
    findings.warnings.add('merged', params, placeOf(layout, range.startRow, inside[0]));
  }
}
