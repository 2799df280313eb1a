/** What each column of a table means: by its header, by what its cells look like, each role once. */
import { type ListRole, SHARED_ROLES } from '#shared/domain/list-mapping.ts';
import type { ListDialect } from '../../../drivers/spi/index.ts';
import { parseAccess } from './access.ts';
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
  decimals: 0.4,
  factor: 1,
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
  const all = columns.filter(({ index }) => !roles.has(index)).flatMap((column) => candidatesOf(column, dialect));
  // what a column is called tells more than that its cells are numbers
  const isCalled = all.some(({ role, source, score }) => role === 'address' && source === 'header' && score > 0.5);
  const candidates = all.filter((item) => (item.role !== 'address' || !isCalled || item.source === 'header') && !isExceptional(item, all));
  for (const { column, role, source } of candidates.toSorted((a, b) => b.score - a.score)) {
    if (roles.has(column.index) || (taken.has(role) && !SHARED_ROLES.includes(role))) continue;
    roles.set(column.index, { index: column.index, role, source });
    taken.add(role);
  }
  addCheck(columns, roles);
  addName(columns, roles);
  return columns.map(
    ({ index, cells }) => roles.get(index) ?? { index, role: cells.some((text) => text !== '') ? 'note' : 'ignore', source: 'none' },
  );
}

const filledOf = ({ cells }: OpenColumn): number => cells.filter((text) => !isNothing(text)).length;

/** True for a column called type that speaks of a few rows, beside one that has a type in every row. */
function isExceptional({ role, column }: Candidate, all: readonly Candidate[]): boolean {
  return role === 'type' && all.some((other) => other.role === 'type' && filledOf(other.column) > FEW * filledOf(column));
}
const FEW = 20;

function candidatesOf(column: OpenColumn, dialect: ListDialect): Candidate[] {
  const possible = [...COMMON, ...dialect.roles];
  const byHeader = headerScores(column.header);
  const found: Candidate[] = [];
  const isCount = isRowCount(column.cells);
  const isTypes = SAYS_TYPES.test(headerKey(column.header)) && new Set(column.cells).size <= MOST_TYPES;
  for (const role of new Set(possible)) {
    const header = byHeader.get(role) ?? 0;
    const content = contentShare(role, column.cells, dialect);
    const score = scoreOf(role, header, content, isTypes) * doubtOf(role, header, column);
    if (role === 'address' && isCount && header < 0.9) continue;
    if (score >= LEAST_SCORE) found.push({ column, role, score, source: header > 0 ? 'header' : 'content' });
  }
  return found;
}

const SAYS_TYPES = /^(data ?type|value type|variable type|var type|数据类型|变量类型|值类型)$/;
const MOST_TYPES = 12;

/** Less than 1 where the cells of a column speak against a role that they can be read as. */
function doubtOf(role: ListRole, header: number, column: OpenColumn): number {
  const { cells } = column;
  const filled = cells.filter((text) => !isNothing(text));
  const distinct = new Set(filled).size / Math.max(1, filled.length);
  // the same few words in every row name groups, and the same few numbers are no addresses
  if (role === 'name' && filled.length >= 8 && distinct < 0.25) return 0.4;
  if (header > 0) return 1;
  // codes of points look like the words that some controllers call their registers by
  if (
    role === 'address' &&
    ((filled.length >= 4 && distinct < 0.3) || filled.some((text) => /^(?![0-9a-f]{3,}h?$|[hi]r\s?\d|d\s?\d)[a-z]/i.test(text)))
  )
    return 0;
  if (role === 'access') return filled.every((text) => parseAccess(text) !== null) ? 1 : 0;
  // powers of ten without a header
  if (role === 'factor') return column.header === '' && distinct < 0.5 && filled.every((text) => /^(10*|0[.,]0*1)$/.test(text)) ? 1 : 0;
  if (role === 'decimals') return filled.filter((text) => /^(fix|dec)\s*\d$/i.test(text)).length >= filled.length * 0.4 ? 1 : 0;
  // numbers alone are function codes only where somebody calls them so
  return role === 'function' && (!filled.every((text) => /[\p{L}]/u.test(text)) || (filled.length >= 4 && distinct > 0.5)) ? 0 : 1;
}

function scoreOf(role: ListRole, header: number, content: number | null, isTypes: boolean): number {
  if (header === 0) {
    const needed = BY_CONTENT[role];
    return needed !== undefined && content !== null && content >= needed ? LEAST_SCORE + 0.02 + 0.05 * content : 0;
  }
  if (content === null) return STRICT.includes(role) ? 0.5 * header : 0.9 * header;
  // types are words of their maker, which can be asked for
  if (role === 'type' && content < 0.3 && isTypes) return 0.5 * header;
  // a header is not believed against its cells
  if (content < 0.3 && STRICT.includes(role)) return 0.2 * header;
  return header * (0.75 + 0.25 * content);
}

/** Distances between an address and the same one in another form: from 1, or as a reference of any table. */
const DISTANCES = new Set([
  0,
  1,
  ...[1, 3, 4].flatMap((table) => [table * 10_000, table * 10_000 + 1, table * 100_000, table * 100_000 + 1]),
]);

/** A second column with the same addresses in another form, whatever it is called. */
function addCheck(columns: readonly OpenColumn[], roles: Map<number, ColumnRole>): void {
  const main = [...roles.values()].find(({ role }) => role === 'address');
  const one = columns.find(({ index }) => index === main?.index);
  if (!main || !one || [...roles.values()].some(({ role }) => role === 'address_check')) return;
  const free = columns.filter((column) => column.index !== main.index && mayBeAddress(column, roles.get(column.index)));
  const two = free.find((column) => isSameAddress(one.cells, column.cells));
  if (!two) return;
  // hexadecimal says by itself what it is, and a header that does not is the other one
  const isBetter = saysForm(two) > saysForm(one) && main.source !== 'given' && main.source !== 'profile';
  roles.set(two.index, { index: two.index, role: isBetter ? 'address' : 'address_check', source: 'content' });
  if (isBetter) roles.set(main.index, { ...main, role: 'address_check' });
}

/** True where nobody says that a column is something else: bits and lengths of a few rows may lie one from the addresses as well. */
function mayBeAddress({ header }: OpenColumn, found: ColumnRole | undefined): boolean {
  if (found?.source === 'given' || found?.source === 'profile') return false;
  return found?.source !== 'header' || OPEN_TO_ADDRESS.includes(found.role) || headerScores(header).has('address');
}
/** Numbers that go up with the addresses are no names, and nothing to add to a value: `偏移量` is of registers then. */
const OPEN_TO_ADDRESS: readonly ListRole[] = ['note', 'ignore', 'code', 'name', 'offset'];

/** True where both columns lie the same distance apart in nearly all rows, and one that two ways of counting have. */
function isSameAddress(one: readonly string[], two: readonly string[]): boolean {
  const hex = (text: string) => (/^(0x)?[0-9a-f]+h?$/i.test(text) ? Number.parseInt(text.replace(/^0x/i, ''), 16) : Number.NaN);
  const decimal = (text: string) => (/^\d+$/.test(text) ? Number(text) : Number.NaN);
  const forms = [
    [decimal, decimal],
    [decimal, hex],
    [hex, decimal],
    [hex, hex],
  ] as const;
  return forms.some(([ofOne, ofTwo]) => {
    const distances = new Map<number, number>();
    let pairs = 0;
    for (const [at, text] of one.entries()) {
      const distance = Math.abs(ofOne(text) - ofTwo(two[at] ?? ''));
      if (Number.isNaN(distance)) continue;
      pairs += 1;
      if (DISTANCES.has(distance)) distances.set(distance, (distances.get(distance) ?? 0) + 1);
    }
    return pairs >= Math.max(2, one.filter((text) => text !== '').length * 0.5) && Math.max(0, ...distances.values()) >= pairs * 0.9;
  });
}

function saysForm({ header, cells }: OpenColumn): number {
  const filled = cells.filter((text) => !isNothing(text));
  if (filled.length > 0 && filled.every((text) => /^0x|h$/i.test(text) || /^[01346]x/i.test(text))) return 2;
  return /hex|十六进制|16进制|pdu|protocol|协议/i.test(header) ? 1 : 0;
}

/** A list without a column of names has descriptions, or else codes; short codes may be called names. */
function addName(columns: readonly OpenColumn[], roles: Map<number, ColumnRole>): void {
  const of = (role: ListRole) => [...roles.values()].find((item) => item.role === role);
  const name = of('name');
  const isFree = ({ index }: OpenColumn) =>
    ['note', 'category', 'texts'].includes(roles.get(index)?.role ?? 'note') &&
    !['given', 'profile'].includes(roles.get(index)?.source ?? '');
  const free = columns.filter(isFree);
  const described = free.find((column) => /desc|说明|描述|comment|备注|remark/.test(headerKey(column.header)) && isMostlyWords(column));
  if (name) {
    const column = columns.find(({ index }) => index === name.index);
    if (name.source !== 'header' || !described || !column) return;
    const isCode = !of('code') && isMostlyCodes(column);
    if (!isCode && !isMostlyEmpty(column)) return;
    roles.set(column.index, { ...name, role: isCode ? 'code' : 'note' });
    roles.set(described.index, { index: described.index, role: 'name', source: 'content' });
    return;
  }
  const column = described ?? (of('code') ? undefined : (free.find(isMostlyWords) ?? free.find(isDistinct)));
  if (column) roles.set(column.index, { index: column.index, role: 'name', source: 'content' });
}

function isMostlyWords({ cells }: OpenColumn): boolean {
  const filled = cells.filter((text) => text !== '');
  const words = filled.filter((text) => /\p{L}{2}/u.test(text));
  return (
    words.length > 0 &&
    words.length >= cells.length * 0.5 &&
    words.length >= filled.length * 0.6 &&
    new Set(words).size >= words.length * 0.5
  );
}

const isMostlyEmpty = ({ cells }: OpenColumn): boolean => cells.filter((text) => !isNothing(text)).length < cells.length * 0.3;

/** Short words like `v1`, another one in each row. */
function isDistinct({ cells }: OpenColumn): boolean {
  const words = cells.filter((text) => /\p{L}/u.test(text));
  return words.length > 1 && words.length >= cells.length * 0.9 && new Set(words).size >= words.length * 0.9;
}

/** Words like `AM027`: short, in one piece, with a number in them. */
function isMostlyCodes({ cells }: OpenColumn): boolean {
  const filled = cells.filter((text) => text !== '');
  return filled.length > 1 && filled.filter((text) => /^[\p{Lu}\d_.-]{2,12}$/u.test(text) && /\d/.test(text)).length >= filled.length * 0.8;
}
