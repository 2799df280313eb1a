/** What each column of a table means: by its header, by what its cells look like, each role once. */
import { type ListRole, SHARED_ROLES } from '#shared/domain/list-mapping.ts';
import type { ListDialect } from '../../../drivers/spi/index.ts';
import { contentShare, isNothing, isRowCount } from './content-fit.ts';
import { headerKey, headerScores } from './header-words.ts';

/** What says the role of a column. */
export type RoleSource = 'header' | 'content' | 'profile' | 'given' | 'none';

/** A column before it is known what it means. */
export interface OpenColumn {
  readonly index: number;
  readonly header: string;
  /** Texts of its cells in the rows of the table, as far as they are looked at. */
  readonly cells: readonly string[];
}

export interface ColumnRole {
  readonly index: number;
  readonly role: ListRole;
  readonly source: RoleSource;
}

/** Roles of every protocol; the others are the protocol's own. */
const COMMON: readonly ListRole[] = [
  'code',
  'name',
  'point_type',
  'factor',
  'offset',
  'decimals',
  'raw_low',
  'raw_high',
  'scaled_low',
  'scaled_high',
  'unit',
  'access',
  'min_limit',
  'max_limit',
  'texts',
  'category',
  'note',
  'ignore',
];

/** Roles that cells can show without a header, and how much of them has to fit. */
const BY_CONTENT: Partial<Record<ListRole, number>> = {
  address: 0.9,
  type: 0.8,
  access: 0.9,
  unit: 0.7,
  function: 0.95,
  texts: 0.5,
  point_type: 0.9,
};
/** Roles whose cells have to be readable for the header to be believed. */
const STRICT: readonly ListRole[] = [
  'address',
  'address_part',
  'address_last',
  'length',
  'function',
  'access',
  'factor',
  'offset',
  'decimals',
  'bit',
  'slave_id',
  'order',
  'point_type',
  'min_limit',
  'max_limit',
  'type',
];
const LEAST_SCORE = 0.42;

interface Candidate {
  readonly column: OpenColumn;
  readonly role: ListRole;
  readonly score: number;
  readonly source: RoleSource;
}

/** Finds the roles of the columns. `given` are decided already, by the person or by a profile. */
export function findRoles(columns: readonly OpenColumn[], given: readonly ColumnRole[], dialect: ListDialect): ColumnRole[] {
  const roles = new Map<number, ColumnRole>(given.map((item) => [item.index, item]));
  const taken = new Set(given.map(({ role }) => role));
  const candidates = columns.filter(({ index }) => !roles.has(index)).flatMap((column) => candidatesOf(column, dialect));
  for (const { column, role, source } of candidates.toSorted((a, b) => b.score - a.score)) {
    if (roles.has(column.index) || (taken.has(role) && !SHARED_ROLES.includes(role))) continue;
    roles.set(column.index, { index: column.index, role, source });
    taken.add(role);
  }
  addCheck(columns, roles, candidates);
  addName(columns, roles);
  return columns.map(
    ({ index, cells }) => roles.get(index) ?? { index, role: cells.some((text) => text !== '') ? 'note' : 'ignore', source: 'none' },
  );
}

function candidatesOf(column: OpenColumn, dialect: ListDialect): Candidate[] {
  const possible = [...COMMON, ...dialect.roles];
  const byHeader = headerScores(column.header);
  const found: Candidate[] = [];
  const isCount = isRowCount(column.cells);
  for (const role of new Set(possible)) {
    const header = byHeader.get(role) ?? 0;
    const content = contentShare(role, column.cells, dialect);
    const score = scoreOf(role, header, content);
    if (role === 'address' && isCount && header < 0.9) continue;
    if (score >= LEAST_SCORE) found.push({ column, role, score, source: header > 0 ? 'header' : 'content' });
  }
  return found;
}

function scoreOf(role: ListRole, header: number, content: number | null): number {
  if (header === 0) {
    const needed = BY_CONTENT[role];
    return needed !== undefined && content !== null && content >= needed ? LEAST_SCORE + 0.02 + 0.05 * content : 0;
  }
  if (content === null) return STRICT.includes(role) ? 0.5 * header : 0.9 * header;
  // a header is not believed against its cells
  if (content < 0.3 && STRICT.includes(role)) return 0.2 * header;
  return header * (0.75 + 0.25 * content);
}

/** A second column of addresses says them in another form. */
function addCheck(columns: readonly OpenColumn[], roles: Map<number, ColumnRole>, candidates: readonly Candidate[]): void {
  const main = [...roles.values()].find(({ role }) => role === 'address');
  if (!main || [...roles.values()].some(({ role }) => role === 'address_check')) return;
  const second = candidates.find(({ column, role, score }) => {
    const now = roles.get(column.index)?.role;
    return role === 'address' && column.index !== main.index && score > 0.4 && (now === undefined || now === 'note' || now === 'ignore');
  });
  if (!second) return;
  const [one, two] = [columns.find(({ index }) => index === main.index), second.column];
  // hexadecimal says by itself what it is, and a header that does not is the other one
  const isBetter = saysForm(two) > saysForm(one) && main.source !== 'given' && main.source !== 'profile';
  roles.set(two.index, { index: two.index, role: isBetter ? 'address' : 'address_check', source: 'header' });
  if (isBetter) roles.set(main.index, { ...main, role: 'address_check' });
}

function saysForm(column: OpenColumn | undefined): number {
  const cells = column?.cells.filter((text) => !isNothing(text)) ?? [];
  if (cells.length > 0 && cells.every((text) => /^0x|h$/i.test(text) || /^[01346]x/i.test(text))) return 2;
  return /hex|十六进制|16进制|pdu|protocol|协议/i.test(column?.header ?? '') ? 1 : 0;
}

/** A list without a column of names has descriptions, or else codes. */
function addName(columns: readonly OpenColumn[], roles: Map<number, ColumnRole>): void {
  const has = (role: ListRole) => [...roles.values()].some((item) => item.role === role);
  if (has('name')) return;
  const free = columns.filter(
    ({ index }) => ['note', 'category', 'texts'].includes(roles.get(index)?.role ?? 'note') && roles.get(index)?.source !== 'given',
  );
  const described = free.find((column) => /desc|说明|描述|comment|备注/.test(headerKey(column.header)) && isMostlyWords(column));
  const column = described ?? (has('code') ? undefined : free.find(isMostlyWords));
  if (column) roles.set(column.index, { index: column.index, role: 'name', source: 'content' });
}

function isMostlyWords({ cells }: OpenColumn): boolean {
  const words = cells.filter((text) => /\p{L}{2}/u.test(text));
  return words.length > 0 && words.length >= cells.length * 0.6 && new Set(words).size >= words.length * 0.5;
}
