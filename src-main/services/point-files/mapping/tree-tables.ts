/** JSON and YAML as tables: every list of things of one kind is a table, and what they say a row. */
import type { Cell, SheetTable } from '../table-file.ts';

/** What JSON and YAML hold. */
export type Tree = string | number | boolean | null | undefined | Date | readonly Tree[] | { readonly [key: string]: Tree };
type Branch = Readonly<Record<string, Tree>>;

/** Levels below a list that are read; what lies deeper is not in a list of points. */
const DEEPEST = 32;
/** Names of a thing, of which its parts get their group. */
const NAMES = ['name', 'label', 'id'] as const;
/** Header of the names of what a row belongs to. */
export const GROUP_HEADER = 'group';

/** True for a thing with members. */
export function isBranch(tree: Tree): tree is Branch {
  return typeof tree === 'object' && tree !== null && !Array.isArray(tree) && !(tree instanceof Date);
}

/** All tables of a tree, in the order in which they begin. */
export function treeTables(tree: Tree): SheetTable[] {
  const tables = new Map<string, Map<string, Cell>[]>();
  collect(tree, { path: [], groups: [] }, tables, 0);
  return [...tables].map(([name, records]) => tableOf(name, records));
}

interface Place {
  readonly path: readonly string[];
  readonly groups: readonly string[];
}

function collect(tree: Tree, place: Place, tables: Map<string, Map<string, Cell>[]>, depth: number): void {
  if (depth > DEEPEST) return;
  if (Array.isArray(tree)) {
    for (const item of tree as readonly Tree[]) if (isBranch(item)) collectItem(item, place, tables, depth);
  } else if (isBranch(tree)) collectMembers(tree, place, tables, depth);
}

/** A thing of a list: a row of its own where it says something, and what lies below it. */
function collectItem(item: Branch, place: Place, tables: Map<string, Map<string, Cell>[]>, depth: number): void {
  const name = place.path.join('.');
  const record = new Map<string, Cell>();
  flatten(item, '', record, 0);
  if (record.size > 1) {
    if (place.groups.length > 0) record.set(GROUP_HEADER, place.groups.join('/'));
    const rows = tables.get(name) ?? [];
    if (rows.length === 0) tables.set(name, rows);
    rows.push(record);
  }
  collectMembers(item, place, tables, depth);
}

function collectMembers(branch: Branch, { path, groups }: Place, tables: Map<string, Map<string, Cell>[]>, depth: number): void {
  const own = NAMES.map((key) => branch[key]).find((value) => typeof value === 'string');
  for (const [key, member] of Object.entries(branch)) {
    if (typeof member !== 'object' || member === null || isLookUp(member)) continue;
    // folders within folders are one table
    const next = path.at(-1) === key ? path : [...path, key];
    collect(member, { path: next, groups: typeof own === 'string' ? [...groups, own] : groups }, tables, depth + 1);
  }
}

/** Single values below a thing, by their keys with dots between. */
function flatten(branch: Branch, prefix: string, record: Map<string, Cell>, depth: number): void {
  for (const [key, value] of Object.entries(branch)) {
    const name = `${prefix}${key}`;
    if (value === null || value === undefined) continue;
    if (typeof value !== 'object' || value instanceof Date) record.set(name, value);
    else if (isLookUp(value)) record.set(name, lookUpText(value));
    else if (Array.isArray(value)) flattenList(value as readonly Tree[], name, record, depth);
    else if (depth < 3) flatten(value as Branch, `${name}.`, record, depth + 1);
  }
}

function flattenList(list: readonly Tree[], name: string, record: Map<string, Cell>, depth: number): void {
  const single = list.filter((item) => typeof item !== 'object');
  if (single.length > 0 && single.length === list.length) record.set(name, single.join(', '));
  // a few steps of a calculation; a list of things is a table of its own
  else if (list.length <= 3 && depth < 3)
    for (const item of list) if (isBranch(item) && Object.keys(item).length === 1) flatten(item, `${name}.`, record, depth + 1);
}

/** Texts of numbers: `{0: off, 1: on}` or `[{value: 0, name: off}]`. */
function isLookUp(value: Tree): boolean {
  if (isBranch(value)) {
    const keys = Object.keys(value);
    return (
      keys.length > 0 &&
      keys.every((key) => /^(0x[0-9a-f]+|-?\d+)$/i.test(key)) &&
      Object.values(value).every((text) => typeof text === 'string')
    );
  }
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    (value as readonly Tree[]).every((item) => isBranch(item) && numberIn(item) !== undefined && textIn(item) !== undefined)
  );
}

const numberIn = (item: Branch): number | undefined => {
  const value = item.value ?? item.key;
  return typeof value === 'number' ? value : undefined;
};

const textIn = (item: Branch): string | undefined => {
  const text = item.label ?? item.name ?? item.text ?? item.desc;
  // a thing with an address is a point
  return typeof text === 'string' && item.address === undefined && item.type === undefined ? text : undefined;
};

function lookUpText(value: Tree): string {
  const pairs = isBranch(value)
    ? Object.entries(value).map(([key, text]) => `${key}=${String(text)}`)
    : (value as readonly Branch[]).map((item) => `${numberIn(item)}=${textIn(item)}`);
  return pairs.map((pair) => pair.replace(/[;\n]+/g, ',')).join('; ');
}

function tableOf(name: string, records: readonly ReadonlyMap<string, Cell>[]): SheetTable {
  const header = [...new Set(records.flatMap((record) => [...record.keys()]))];
  const rows: Cell[][] = [header, ...records.map((record) => header.map((key) => record.get(key) ?? null))];
  return { name, isHidden: false, rows, merges: [], formulas: new Set(), errors: new Set() };
}
