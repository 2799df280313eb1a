import type { TableRule } from '#shared/contract/point-files.ts';
import type { MessageParams } from '#shared/messages/message.ts';

/** A cell as a file holds it; null is empty. */
export type Cell = string | number | boolean | Date | null;

/** What the message of a rule is made of. */
export type RuleParams = MessageParams;

/** A block of merged cells, rows and columns from 0, ends included. */
export interface CellRange {
  readonly startRow: number;
  readonly startColumn: number;
  readonly endRow: number;
  readonly endColumn: number;
}

/** One sheet as it was read; a csv is one sheet without a name. */
export interface SheetTable {
  readonly name: string;
  readonly isHidden: boolean;
  /** From the first row of the sheet; empty rows are empty lists. */
  readonly rows: Cell[][];
  readonly merges: readonly CellRange[];
  /** Cells that a formula computes, as `row column` from 0. Their value in `rows` is the one the file was saved with. */
  readonly formulas: ReadonlySet<string>;
  /** Cells that show an error (`#REF!`), as `row column` from 0. */
  readonly errors: ReadonlySet<string>;
  /** Rows that are hidden, from 0. Left out: none, or a format that hides none. */
  readonly hiddenRows?: ReadonlySet<number>;
}

export type TableFormat = 'xlsx' | 'csv';

/** A file as it was read, before anybody asks what its cells mean. */
export interface TableFile {
  readonly format: TableFormat;
  /** Of a csv; empty for xlsx. */
  readonly encoding: string;
  readonly delimiter: string;
  readonly sheets: readonly SheetTable[];
}

/** A sheet to be written: the header row, then the rows. */
export interface SheetDraft {
  readonly name: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Columns whose cells hold one of a few texts, offered as a list in a workbook; by column index. */
  readonly choices: Readonly<Record<number, readonly string[]>>;
  /** Columns whose cells stay what is typed into them, leading zeros included; by column index. */
  readonly textColumns: readonly number[];
  /** False for a sheet of prose. */
  readonly isTable: boolean;
}

/** A file that cannot be read as a table at all. */
export class TableFileFault extends Error {
  readonly rule: TableRule;
  readonly params: RuleParams;

  constructor(rule: TableRule, params: RuleParams = {}) {
    super(rule);
    this.name = 'TableFileFault';
    this.rule = rule;
    this.params = params;
  }
}

/** Key of a cell in the sets of a sheet. */
export function cellKey(row: number, column: number): string {
  return `${row} ${column}`;
}
