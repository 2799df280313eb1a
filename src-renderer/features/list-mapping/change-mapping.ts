import type { ListMapping } from '#shared/contract/list-mapping.ts';
import type { ListAnalysis } from '#shared/contract/list-operations.ts';
import type { ListRole } from '#shared/domain/list-mapping.ts';

export type ListTable = ListAnalysis['tables'][number];
type TableChoice = NonNullable<ListMapping['tables']>[number];
export type TablePlace = Pick<TableChoice, 'header_rows' | 'first_row' | 'last_row' | 'taken'>;

function isOf(choice: TableChoice, { sheet, header_row, left }: ListTable): boolean {
  return choice.sheet === sheet && choice.header_row === header_row && (choice.left ?? 0) === left;
}

function withChoice(mapping: ListMapping, table: ListTable, change: (choice: TableChoice) => TableChoice): ListMapping {
  const { tables = [] } = mapping;
  const present = tables.find((choice) => isOf(choice, table));
  const made = change(present ?? { sheet: table.sheet, header_row: table.header_row, left: table.left });
  return { ...mapping, tables: present ? tables.map((choice) => (choice === present ? made : choice)) : [...tables, made] };
}

/** Another place of the rows of a table, or whether it is read at all. */
export function withPlace(mapping: ListMapping, table: ListTable, place: TablePlace): ListMapping {
  return withChoice(mapping, table, (choice) => ({ ...choice, ...place }));
}

/** The headers of a sheet stand in this row (1 is the first): it has one table then. */
export function withHeaderRow(mapping: ListMapping, sheet: string, headerRow: number): ListMapping {
  return { ...mapping, tables: [...asFound(mapping, sheet), { sheet, header_row: headerRow }] };
}

/** Everything about the tables of a sheet as it was found. */
export function withoutTables(mapping: ListMapping, sheet: string): ListMapping {
  return { ...mapping, tables: asFound(mapping, sheet) };
}

const asFound = ({ tables = [] }: ListMapping, sheet: string): TableChoice[] => tables.filter((choice) => choice.sheet !== sheet);

/** What a column means. It holds for its header, so that a profile can keep it; where the header is not its own, for its place. */
export function withRole(mapping: ListMapping, table: ListTable, index: number, role: ListRole): ListMapping {
  const header = table.columns.find((column) => column.index === index)?.header ?? '';
  const isOwn = header !== '' && table.columns.filter((column) => column.header === header).length === 1;
  if (isOwn) {
    const others = (mapping.headers ?? []).filter((entry) => entry.header !== header);
    const kept = withoutColumn(mapping, table, index);
    return { ...kept, headers: [...others, { header, role }] };
  }
  return withChoice(mapping, table, (choice) => ({
    ...choice,
    columns: [...(choice.columns ?? []).filter((column) => column.index !== index), { index, role }],
  }));
}

/** What a column means as it was last said, also before the list was read by it. */
export function roleOf(mapping: ListMapping, table: ListTable, column: ListTable['columns'][number]): ListRole {
  const placed = mapping.tables?.find((choice) => isOf(choice, table))?.columns?.find(({ index }) => index === column.index);
  const named = column.header === '' ? undefined : mapping.headers?.find(({ header }) => header === column.header);
  return placed?.role ?? named?.role ?? column.role;
}

function withoutColumn(mapping: ListMapping, table: ListTable, index: number): ListMapping {
  if (!mapping.tables) return mapping;
  const { tables } = mapping;
  return {
    ...mapping,
    tables: tables.map((choice) =>
      isOf(choice, table) && choice.columns ? { ...choice, columns: choice.columns.filter((column) => column.index !== index) } : choice,
    ),
  };
}

export function withAnswer(mapping: ListMapping, id: string, choice: string): ListMapping {
  return { ...mapping, answers: { ...mapping.answers, [id]: choice } };
}

/** What a profile keeps of a mapping: nothing about places in this file. Of the profile it was made on, all that was not changed. */
export function kept(mapping: ListMapping, base: ListMapping | null): Omit<ListMapping, 'profile' | 'tables'> {
  const { profile: _, tables: __, ...own } = mapping;
  if (!base) return own;
  const changed = new Set((own.headers ?? []).map(({ header }) => header));
  const headers = [...(base.headers ?? []).filter(({ header }) => !changed.has(header)), ...(own.headers ?? [])];
  const answers = { ...base.answers, ...own.answers };
  const { profile: ___, tables: ____, ...under } = base;
  return {
    ...under,
    ...own,
    ...(headers.length > 0 ? { headers } : {}),
    ...(Object.keys(answers).length > 0 ? { answers } : {}),
  };
}
