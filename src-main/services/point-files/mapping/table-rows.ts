/** The rows of a table: points, titles between them, remarks below them. */
import type { ListDialect } from '../../../drivers/spi/index.ts';
import { plainText } from '../cells.ts';
import type { Findings } from '../issues.ts';
import type { Cell, SheetTable } from '../table-file.ts';
import { cellKey } from '../table-file.ts';
import { isNothing } from './content-fit.ts';
import type { FoundTable } from './find-tables.ts';
import { headerKey } from './header-words.ts';

/** A row that may hold a point. */
export interface DataRow {
  /** Row of the sheet, from 0. */
  readonly index: number;
  /** Texts by column. */
  readonly texts: ReadonlyMap<number, string>;
  /** Titles over it within the table, the nearest first. */
  readonly groups: readonly string[];
}

export interface TableRows {
  readonly rows: readonly DataRow[];
  /** Sentences that belong to no row. */
  readonly prose: readonly string[];
  /** Rows in which something stands. */
  readonly filled: number;
}

export interface RowOptions {
  /** Column of the addresses; undefined where none is known. */
  readonly address: number | undefined;
  readonly bit: number | undefined;
  /** Columns of words, which broken lines go on in. */
  readonly wordy: readonly number[];
  readonly leavesHidden: boolean;
  /** The list is text in which long cells go on in the next line. */
  readonly joinsLines: boolean;
}

const LONGEST_TITLE = 80;
const REMARK = /^\s*(\*|※|(notes?|remarks?|nota|version|rev)(?![a-z])|注|备注|说明|附注|[a-z]?\)|\d+\)|source:)/i;

/** Sorts the rows of a table. What is no point is told in `findings.leftOut`. */
export function readTableRows(
  sheet: SheetTable,
  table: FoundTable,
  options: RowOptions,
  dialect: ListDialect,
  findings: Pick<ListFindings, 'leftOut' | 'told'>,
): TableRows {
  const reader = new Reader(sheet, table, options, dialect, findings);
  for (let row = table.firstRow; row < table.endRow; row++) reader.read(row);
  return reader.end();
}

/** What is found in a list, by what becomes of it. */
export interface ListFindings {
  readonly errors: Findings['errors'];
  readonly leftOut: Findings['errors'];
  readonly told: Findings['errors'];
}

class Reader {
  readonly #sheet: SheetTable;
  readonly #table: FoundTable;
  readonly #options: RowOptions;
  readonly #dialect: ListDialect;
  readonly #findings: Pick<ListFindings, 'leftOut' | 'told'>;
  readonly #headers: string;
  readonly #rows: { index: number; texts: Map<number, string>; groups: readonly string[] }[] = [];
  readonly #prose: string[] = [];
  /** Titles that wait for a row below them. */
  #pending: { readonly index: number; readonly text: string }[] = [];
  #groups: readonly string[] = [];
  #filled = 0;
  #hidden = 0;
  #joined = 0;
  #lastAddress = '';

  constructor(
    sheet: SheetTable,
    table: FoundTable,
    options: RowOptions,
    dialect: ListDialect,
    findings: Pick<ListFindings, 'leftOut' | 'told'>,
  ) {
    this.#sheet = sheet;
    this.#table = table;
    this.#options = options;
    this.#dialect = dialect;
    this.#findings = findings;
    this.#headers = [...table.headers.values()].map(headerKey).join('|');
  }

  read(index: number): void {
    const texts = this.#textsOf(index);
    const words = new Set(texts.values());
    if (words.size === 0) return;
    this.#filled += 1;
    if (this.#sheet.hiddenRows?.has(index)) {
      if (this.#options.leavesHidden) {
        this.#keepAddress(texts);
        this.#leave('row_hidden', index);
        return;
      }
      this.#hidden += 1;
    }
    if (this.#isHeader(texts)) {
      this.#leave('row_header', index);
      return;
    }
    const isAddressed = Boolean(this.#addressIn(texts));
    if (!isAddressed && this.#isContinued(texts)) this.#join(texts);
    else if (!isAddressed && words.size === 1) this.#takeTitle(index, [...words][0] ?? '', texts.size);
    else this.#take(index, texts);
  }

  /** The address that stands in a row; empty for one that is none, undefined where nothing stands there. */
  #addressIn(texts: ReadonlyMap<number, string>): string | undefined {
    const { address: column } = this.#options;
    const text = column === undefined ? undefined : texts.get(column);
    if (text === undefined || isNothing(text)) return undefined;
    return this.#dialect.fits('address', text) === true ? text : '';
  }

  /** Bits further down are of the register of this row, and of none where its address cannot be read. */
  #keepAddress(texts: ReadonlyMap<number, string>): void {
    this.#lastAddress = this.#addressIn(texts) ?? this.#lastAddress;
  }

  end(): TableRows {
    for (const { index, text } of this.#pending) this.#takeRemark(index, text);
    if (this.#hidden > 0) this.#findings.told.add('list_hidden', { count: this.#hidden }, { sheet: this.#sheet.name });
    if (this.#joined > 0) this.#findings.told.add('list_joined', { count: this.#joined }, { sheet: this.#sheet.name });
    return { rows: this.#rows, prose: this.#prose, filled: this.#filled };
  }

  /** Texts of the columns of the table, merged cells filled in downwards. */
  #textsOf(index: number): Map<number, string> {
    const cells = this.#sheet.rows[index] ?? [];
    const texts = new Map<number, string>();
    for (let column = this.#table.left; column < this.#table.right; column++) {
      const text = plainText(cells[column] ?? null);
      if (text !== '') texts.set(column, text);
    }
    if (texts.size > 0) for (const [column, text] of this.#mergedInto(index)) if (!texts.has(column)) texts.set(column, text);
    return texts;
  }

  /** What merged cells that begin further up say of this row. */
  #mergedInto(index: number): [number, string][] {
    return this.#merges.get(index) ?? [];
  }

  get #merges(): Map<number, [number, string][]> {
    this.#mergeTexts ??= mergedTexts(this.#sheet, this.#table);
    return this.#mergeTexts;
  }
  #mergeTexts: Map<number, [number, string][]> | null = null;

  #isHeader(texts: ReadonlyMap<number, string>): boolean {
    if (this.#headers === '') return false;
    const keys = [...this.#table.headers.keys()].map((column) => headerKey(texts.get(column) ?? ''));
    const headers = [...this.#table.headers.values()].map(headerKey);
    const same = keys.filter((key, at) => key !== '' && (key === headers[at] || headers[at]?.includes(key))).length;
    return same >= 2 && same >= texts.size * 0.7;
  }

  /** A line of a text that goes on with the words of the line above it. */
  #isContinued(texts: ReadonlyMap<number, string>): boolean {
    const { joinsLines, wordy } = this.#options;
    return (
      joinsLines &&
      this.#rows.length > 0 &&
      this.#pending.length === 0 &&
      [...texts.keys()].every((column) => wordy.includes(column)) &&
      !this.#isTitleLike(texts)
    );
  }

  #isTitleLike(texts: ReadonlyMap<number, string>): boolean {
    const [text = ''] = texts.values();
    return texts.size === 1 && (texts.has(this.#table.left) || REMARK.test(text) || /^[A-Z][A-Z ]+$/.test(text));
  }

  #join(texts: ReadonlyMap<number, string>): void {
    const last = this.#rows.at(-1);
    if (!last) return;
    for (const [column, text] of texts) last.texts.set(column, `${last.texts.get(column) ?? ''} ${text}`.trim());
    this.#joined += 1;
  }

  #takeTitle(index: number, text: string, cells: number): void {
    if (text.length > LONGEST_TITLE || (REMARK.test(text) && cells === 1)) this.#takeRemark(index, text);
    else this.#pending.push({ index, text });
  }

  #takeRemark(index: number, text: string): void {
    this.#prose.push(text);
    this.#leave('row_prose', index, { text: text.slice(0, LONGEST_TITLE) });
  }

  #take(index: number, texts: Map<number, string>): void {
    if (this.#pending.length > 0) {
      this.#groups = this.#pending.map(({ text }) => text).reverse();
      for (const { index: title, text } of this.#pending) this.#leave('row_group', title, { text });
      this.#pending = [];
    }
    const { address: column, bit } = this.#options;
    // the bits of a register are listed below it, its address is not repeated
    if (column !== undefined && !texts.has(column) && bit !== undefined && this.#dialect.fits('bit', texts.get(bit) ?? '') === true) {
      if (this.#lastAddress !== '') texts.set(column, this.#lastAddress);
    } else this.#keepAddress(texts);
    this.#rows.push({ index, texts, groups: this.#groups });
  }

  #leave(rule: 'row_hidden' | 'row_header' | 'row_group' | 'row_prose', index: number, params = {}): void {
    this.#findings.leftOut.add(rule, params, { sheet: this.#sheet.name, row: index + 1 });
  }
}

/** Rows that merged cells may fill, all sheets together. */
const MOST_FILLED = 2_000_000;

/** Texts of merged cells below the headers, by the rows behind their first. */
function mergedTexts({ rows, merges }: SheetTable, { firstRow, endRow, left, right }: FoundTable): Map<number, [number, string][]> {
  const texts = new Map<number, [number, string][]>();
  let filled = 0;
  for (const range of merges) {
    if (range.startRow < firstRow || range.endRow >= endRow || range.startRow === range.endRow) continue;
    const text = plainText(rows[range.startRow]?.[range.startColumn] ?? null);
    if (text === '' || range.startColumn < left || range.startColumn >= right) continue;
    for (let row = range.startRow + 1; row <= range.endRow && filled < MOST_FILLED; row++) {
      const list = texts.get(row) ?? [];
      if (list.length === 0) texts.set(row, list);
      list.push([range.startColumn, text]);
      filled += 1;
    }
  }
  return texts;
}

/** The error that a cell of the row shows; null for none. */
export function errorIn(sheet: SheetTable, index: number, columns: Iterable<number>): string | null {
  if (sheet.errors.size === 0) return null;
  for (const column of columns)
    if (sheet.errors.has(cellKey(index, column))) return plainText((sheet.rows[index]?.[column] ?? null) as Cell) || '#';
  return null;
}
