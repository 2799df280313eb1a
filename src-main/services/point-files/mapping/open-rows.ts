/** The rows of a table of a list with the texts of their columns, before they are points. */
import type { ListMapping } from '#shared/contract/list-mapping.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import type { ListDialect, ListRow } from '../../../drivers/spi/index.ts';
import { SHEETS, typeOf } from '../columns.ts';
import { parseAccess } from './access.ts';
import { isNothing } from './content-fit.ts';
import { titlesOf } from './list-prose.ts';
import { columnOf, type ListTableAt } from './list-tables.ts';
import { type RoleTexts, TexterOfTable } from './row-texts.ts';
import { type DataRow, errorIn, type ListFindings, readTableRows } from './table-rows.ts';

/** A row of a list on its way. */
export interface OpenRow {
  readonly table: ListTableAt;
  readonly data: DataRow;
  readonly texts: RoleTexts;
  readonly row: ListRow;
}

/** A table with its rows. */
export interface OpenTable {
  readonly table: ListTableAt;
  readonly texter: TexterOfTable;
  readonly rows: readonly OpenRow[];
  /** Rows in which something stands. */
  readonly filled: number;
}

interface OpenOptions {
  readonly mapping: ListMapping;
  readonly dialect: ListDialect;
  readonly joinsLines: boolean;
}

/** Opens a table. What is no row of a point is told in the findings; sentences between the rows go to `prose`. */
export function openTable(
  table: ListTableAt,
  at: number,
  { mapping, dialect, joinsLines }: OpenOptions,
  prose: string[],
  findings: ListFindings,
): OpenTable {
  const texter = new TexterOfTable(table);
  const options = {
    address: columnOf(table, 'address'),
    bit: columnOf(table, 'bit'),
    wordy: table.roles.filter(({ role }) => role === 'name' || role === 'note' || role === 'texts').map(({ index }) => index),
    leavesHidden: mapping.hidden_rows === 'leave',
    joinsLines,
  };
  const read = readTableRows(table.sheet, table.table, options, dialect, findings);
  prose.push(...read.prose);
  const titles = titlesOf(table);
  const used = table.roles.filter(({ role }) => role !== 'note' && role !== 'ignore').map(({ index }) => index);
  const rows = read.rows.flatMap((data): OpenRow[] => {
    const error = errorIn(table.sheet, data.index, used);
    if (error !== null) {
      findings.leftOut.add('row_error', { value: error }, { sheet: table.sheet.name, row: data.index + 1 });
      return [];
    }
    const texts = texter.texts(data);
    if (isReserved(texts, data)) {
      findings.leftOut.add('row_reserved', {}, { sheet: table.sheet.name, row: data.index + 1 });
      return [];
    }
    return [{ table, data, texts, row: listRow(at, texts, [...data.groups, ...titles], texter.headers.access ?? '') }];
  });
  return { table, texter, rows, filled: read.filled };
}

const RESERVED = /^[\s([*-]*(reserved?|unused|not used|保留|预留|未用|未使用)\b|^[\s([]*(保留|预留|未用|未使用)/i;

/** True for registers that a list names only to say that they hold nothing. */
function isReserved({ name, code, type }: RoleTexts, { texts }: DataRow): boolean {
  if (RESERVED.test(name ?? code ?? '')) return true;
  return (type === undefined || isNothing(type)) && [...texts.values()].some((text) => RESERVED.test(text));
}

function listRow(table: number, texts: RoleTexts, titles: readonly string[], accessHeader: string): ListRow {
  const low = Number(texts.min_limit ?? texts.scaled_low ?? Number.NaN);
  return {
    table,
    texts,
    titles,
    access: texts.access === undefined ? null : parseAccess(texts.access, accessHeader),
    frameType: (texts.point_type === undefined ? null : typeOf(texts.point_type)) ?? typeInTitles(titles),
    isNegative: low < 0 || /(^|[\s([])-\d/.test(texts.min_limit ?? ''),
  };
}

/** The type of point that a title or sheet is called by, in the words of the field; other words mean many things. */
function typeInTitles(titles: readonly string[]): FrameType | null {
  for (const title of titles) {
    const text = title.normalize('NFKC').trim();
    const named = SHEETS.filter(({ name, also }) => text.includes(name) || text.toLowerCase() === also[0]);
    if (named.length === 1) return named[0]?.frameType ?? null;
  }
  return null;
}
