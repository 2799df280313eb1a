/** The tables of a list with the meaning of their columns: as found, as a profile has it, as a person decided. */
import type { ListMapping } from '#shared/contract/list-mapping.ts';
import type { ListProfile } from '#shared/contract/list-operations.ts';
import type { ListRole } from '#shared/domain/list-mapping.ts';
import type { ListDialect } from '../../../drivers/spi/index.ts';
import { plainText } from '../cells.ts';
import type { SheetTable } from '../table-file.ts';
import { type ColumnRole, findRoles, type OpenColumn } from './column-roles.ts';
import { fitsRole, isNothing } from './content-fit.ts';
import { type FoundTable, findTables, tableAt } from './find-tables.ts';
import { headerKey } from './header-words.ts';

/** A table of the list. */
export interface ListTableAt {
  readonly sheet: SheetTable;
  readonly table: FoundTable;
  readonly taken: boolean;
  /** A person pointed to it. */
  readonly isChosen: boolean;
  readonly columns: readonly OpenColumn[];
  readonly roles: readonly ColumnRole[];
}

/** Rows of a table whose cells say what its columns mean. */
const ROWS_LOOKED_AT = 2_000;

interface TableRules {
  readonly mapping: ListMapping;
  readonly profile: ListProfile | null;
  readonly dialect: ListDialect;
  /** The sheets are made of JSON or YAML. */
  readonly isTree: boolean;
}

/** All tables of the sheets. */
export function listTables(sheets: readonly SheetTable[], rules: TableRules): ListTableAt[] {
  const tables = sheets.flatMap((sheet) => {
    const given = (rules.mapping.tables ?? []).filter((choice) => choice.sheet === sheet.name);
    // what was a tree has its headers in its first row
    const found = rules.isTree ? [tableAt(sheet, 0, 1, 0)] : findTables(sheet, rules.dialect);
    const isOwn = given.some((choice) => !found.some((table) => isAt(table, choice)));
    const places = isOwn ? given.map((choice) => tableAt(sheet, choice.header_row - 1, choice.header_rows, choice.left ?? 0)) : found;
    return places.map((place) =>
      tableOf(
        sheet,
        place,
        given.find((choice) => isAt(place, choice)),
        rules,
      ),
    );
  });
  // beside a table whose headers speak of addresses, one that only has numbers is none; beside those a profile knows, the rest of its file is no list
  const tests = [isOfProfile, saysPoints].filter((test) => (test === saysPoints || rules.isTree) && tables.some(test));
  return tables.map((item) => ({ ...item, taken: item.taken && (item.isChosen || tests.every((test) => test(item))) }));
}

const saysPoints = (table: ListTableAt): boolean => saysAddress(table) && table.roles.some(({ role }) => NAMING.includes(role));
const isOfProfile = ({ roles }: ListTableAt): boolean =>
  (['address', 'type'] as const).every((own) => roles.some(({ role, source }) => role === own && source === 'profile'));

/** Roles of which a table of points has one. */
const NAMING: readonly ListRole[] = ['name', 'code', 'type', 'unit'];

/** Roles whose headers speak of addresses: of two columns, the content may say which one is read. */
const ADDRESSING: readonly ListRole[] = ['address', 'address_part', 'address_check'];

function saysAddress({ roles }: Pick<ListTableAt, 'roles'>): boolean {
  return roles.some(({ role, source }) => ADDRESSING.includes(role) && source !== 'content');
}

type Choice = NonNullable<ListMapping['tables']>[number];

function isAt({ headerRow, left }: FoundTable, choice: Choice): boolean {
  return choice.header_row === headerRow + 1 && (choice.left ?? 0) === left;
}

function tableOf(sheet: SheetTable, place: FoundTable, choice: Choice | undefined, rules: TableRules): ListTableAt {
  const resized =
    choice?.header_rows === undefined
      ? place
      : { ...tableAt(sheet, place.headerRow, choice.header_rows, place.left), endRow: place.endRow, right: place.right };
  const table: FoundTable = {
    ...resized,
    firstRow: choice?.first_row === undefined ? resized.firstRow : choice.first_row - 1,
    endRow: Math.min(choice?.last_row ?? resized.endRow, sheet.rows.length),
  };
  const columns = columnsOf(sheet, table);
  const roles = findRoles(columns, givenRoles(columns, choice, rules), rules.dialect);
  const hasAddress = roles.some(({ role }) => role === 'address' || role === 'address_part');
  const isHidden = sheet.isHidden;
  return { sheet, table, columns, roles, taken: choice?.taken ?? (hasAddress && !isHidden), isChosen: choice !== undefined };
}

function columnsOf(sheet: SheetTable, table: FoundTable): OpenColumn[] {
  const columns = Array.from({ length: Math.max(0, table.right - table.left) }, (_, at) => ({
    index: table.left + at,
    header: table.headers.get(table.left + at) ?? '',
    cells: [] as string[],
  }));
  const end = Math.min(table.endRow, table.firstRow + ROWS_LOOKED_AT);
  for (let row = table.firstRow; row < end; row++) {
    const cells = sheet.rows[row] ?? [];
    const filled = cells.filter((cell) => plainText(cell) !== '').length;
    // titles between the rows say nothing of their column
    if (filled < 2) continue;
    for (const column of columns) column.cells.push(plainText(cells[column.index] ?? null));
  }
  return columns.filter(({ header, cells }) => header !== '' || cells.some((text) => text !== ''));
}

function givenRoles(columns: readonly OpenColumn[], choice: Choice | undefined, { mapping, profile }: TableRules): ColumnRole[] {
  const given = new Map<number, ColumnRole>();
  const byHeader = (headers: readonly { readonly header: string; readonly role: ListRole }[], source: 'profile' | 'given') => {
    for (const { index, header } of columns) {
      const found = headers.find((item) => headerKey(item.header) === headerKey(header) && header !== '');
      if (found) given.set(index, { index, role: found.role, source });
    }
  };
  byHeader(profile?.mapping.headers ?? [], 'profile');
  byHeader(mapping.headers ?? [], 'given');
  for (const { index, role } of choice?.columns ?? []) given.set(index, { index, role, source: 'given' });
  return [...given.values()];
}

/** Column of a role; undefined where no column has it. */
export function columnOf({ roles }: Pick<ListTableAt, 'roles'>, role: ListRole): number | undefined {
  return roles.find((item) => item.role === role)?.index;
}

/** How many cells of a column say something, and how many of them can be read as its role. */
export function readableCells(
  { cells }: OpenColumn,
  role: ListRole,
  dialect: ListDialect,
): { readonly filled: number; readonly readable: number } {
  const filled = cells.filter((text) => !isNothing(text));
  return { filled: filled.length, readable: filled.filter((text) => fitsRole(role, text, dialect) !== false).length };
}
