/** What is told of a list beside its points: tables that were left, factors, cells without use, formulas, codes. */
import type { ListMapping } from '#shared/contract/list-mapping.ts';
import type { ListProfile } from '#shared/contract/list-operations.ts';
import type { ListDialect } from '../../../drivers/spi/index.ts';
import { plainText } from '../cells.ts';
import type { IssueList } from '../issues.ts';
import { isEmptyRow } from '../layout.ts';
import { fitsRole, isNothing } from './content-fit.ts';
import type { TableFactors } from './factors.ts';
import type { KeyTwice, ListFile } from './list-file.ts';
import type { ListTableAt } from './list-tables.ts';
import type { OpenRow, OpenTable } from './open-rows.ts';
import type { RowPlacer } from './row-placer.ts';
import type { TexterOfTable } from './row-texts.ts';
import type { ListFindings } from './table-rows.ts';

interface TablesOf {
  readonly file: ListFile;
  readonly mapping: ListMapping;
  readonly profile: ListProfile | null;
}

/** What is told of the tables that were found, taken and left. */
export function tellTables({ file, mapping, profile }: TablesOf, tables: readonly ListTableAt[], { errors, told }: ListFindings): void {
  if (mapping.profile !== undefined && mapping.profile !== null && !profile) errors.add('list_profile_gone', { id: mapping.profile });
  const taken = tables.filter((table) => table.taken);
  if (tables.length === 0) errors.add('list_no_table', {});
  else if (taken.length === 0) errors.add('list_no_address', { sheet: tables[0]?.sheet.name ?? '' });
  const isTree = file.format === 'json' || file.format === 'yaml';
  const left = isTree ? file.sheets.filter((sheet) => !taken.some((table) => table.sheet === sheet)) : [];
  if (left.length > 0 && taken.length > 0)
    told.add('list_parts_left', { names: left.map(({ name }) => name).slice(0, MOST_NAMES), count: left.length });
  tellTwice(file.twice ?? [], told);
  for (const sheet of file.sheets) {
    const own = taken.filter((table) => table.sheet === sheet);
    if (own.length > 1) told.add('list_tables', { count: own.length }, { sheet: sheet.name });
    if (own.length === 0 && taken.length > 0 && !isTree && !sheet.rows.every(isEmptyRow))
      told.add(sheet.isHidden ? 'list_sheet_hidden' : 'list_sheet_left', { name: sheet.name }, { sheet: sheet.name });
    for (const table of own)
      if (!table.roles.some(({ role }) => role === 'address' || role === 'address_part'))
        errors.add('list_no_address', { sheet: sheet.name });
  }
}

/** Names of parts that are told. */
const MOST_NAMES = 20;

/** Each key once, with the lines where it stands again. */
function tellTwice(twice: readonly KeyTwice[], told: IssueList): void {
  const lines = new Map<string, number[]>();
  for (const { name, line } of twice) {
    const known = lines.get(name);
    if (known) known.push(line);
    else lines.set(name, [line]);
  }
  for (const [name, all] of lines)
    told.add('list_key_twice', { name: name.slice(0, LONGEST_NAME), lines: all.slice(0, MOST_NAMES).map(String), count: all.length });
}

const LONGEST_NAME = 100;

/** What is told of rows that became points. */
export function tellPlaced(
  opened: readonly OpenTable[],
  factors: readonly TableFactors[],
  placer: RowPlacer,
  dialect: ListDialect,
  { told }: ListFindings,
): void {
  for (const [at, { table, texter, rows }] of opened.entries()) {
    const { ofHeader } = factors[at] ?? { ofHeader: null };
    const place = { sheet: table.sheet.name };
    if (ofHeader) told.add('list_factor_header', { factor: ofHeader.factor, header: ofHeader.header }, place);
    const inUnit = rows.filter(({ texts }) => factors[at]?.isInUnit(texts));
    if (inUnit[0]) told.add('list_factor_unit', { count: inUnit.length, example: inUnit[0].texts.unit ?? '' }, place);
    for (const { texts, data } of rows) {
      const differs = factors[at]?.differs(texts);
      if (differs) told.add('list_factor_differs', differs, { ...place, row: data.index + 1 });
    }
    tellUnused(table, texter, rows, dialect, told);
    tellFormulas(table, told);
  }
  if (placer.rawLimits > 0) told.add('list_limits_raw', { count: placer.rawLimits });
  if (placer.cut > 0) told.add('list_cut', { count: placer.cut });
  if (placer.bitRows > 0) told.add('list_bits', { rows: placer.bitRows, points: placer.bitPoints });
}

const TOLD_ROLES = [
  ...(['access', 'length', 'bit', 'min_limit', 'max_limit', 'offset', 'decimals', 'order', 'slave_id', 'point_type'] as const),
  ...(['raw_low', 'raw_high', 'scaled_low', 'scaled_high'] as const),
];

/** Cells that cannot be read as what their column is, where a row gets on without them. */
function tellUnused(table: ListTableAt, { headers }: TexterOfTable, rows: readonly OpenRow[], dialect: ListDialect, told: IssueList): void {
  for (const role of TOLD_ROLES) {
    const unused = rows.filter(
      ({ texts }) => texts[role] !== undefined && !isNothing(texts[role]) && fitsRole(role, texts[role], dialect) === false,
    );
    const [first] = unused;
    if (!first) continue;
    const params = { count: unused.length, header: headers[role] ?? '', example: (first.texts[role] ?? '').slice(0, 40) };
    told.add('list_cells_unused', params, { sheet: table.sheet.name, row: first.data.index + 1 });
  }
}

function tellFormulas({ sheet, table, roles }: ListTableAt, told: IssueList): void {
  if (sheet.formulas.size === 0) return;
  for (const { index, role } of roles.filter((item) => item.role !== 'ignore')) {
    const places = [...sheet.formulas]
      .map((key) => key.split(' ').map(Number))
      .filter(([row = 0, column]) => column === index && row >= table.firstRow && row < table.endRow);
    const header = table.headers.get(index) ?? role;
    if (places.length > 0) told.add('formula', { header, count: places.length }, { sheet: sheet.name, row: (places[0]?.[0] ?? 0) + 1 });
    const empty = places.filter(([row = 0]) => plainText(sheet.rows[row]?.[index] ?? null) === '');
    if (empty.length > 0) told.add('formula_no_value', {}, { sheet: sheet.name, row: (empty[0]?.[0] ?? 0) + 1, column: { header, index } });
  }
}

/** What is told of the codes of the points. */
export function tellCodes({ twice, made }: { readonly twice: readonly string[]; readonly made: number }, { told }: ListFindings): void {
  if (made > 0) told.add('list_codes', { count: made });
  for (const code of twice) told.add('list_code_twice', { code });
}
