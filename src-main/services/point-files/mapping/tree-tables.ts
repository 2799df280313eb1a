/** JSON and YAML as tables: every list of things of one kind is a table, and what they say a row. */
import type { Cell, SheetTable } from '../table-file.ts';
import { keyedList } from './keyed-list.ts';
import { type Branch, DEEPEST, isBranch, isLookUp, lookUpText, type Tree } from './tree.ts';
import { NO_SETTINGS, settingsOf, settingsUnder, settleRecords, type TreeRecord, type TreeSettings } from './tree-settings.ts';

/** Names of a thing, of which its parts get their group. */
const NAMES = ['name', 'label', 'id'] as const;
/** Header of the names of what a row belongs to. */
export const GROUP_HEADER = 'group';

/** All tables of a tree, in the order in which they begin. */
export function treeTables(tree: Tree): SheetTable[] {
  const tables: Tables = new Map();
  collect(tree, { path: [], groups: [], settings: NO_SETTINGS }, tables, 0);
  return [...tables].map(([name, records]) => tableOf(name, records));
}

type Tables = Map<string, TreeRecord[]>;

interface Place {
  readonly path: readonly string[];
  readonly groups: readonly string[];
  readonly settings: TreeSettings;
}

function collect(tree: Tree, place: Place, tables: Tables, depth: number): void {
  if (depth > DEEPEST) return;
  if (Array.isArray(tree)) {
    for (const item of tree as readonly Tree[]) {
      if (isBranch(item)) collectItem(item, place, tables, depth);
      // parts of a list are lists themselves
      else if (Array.isArray(item)) collect(item as readonly Tree[], place, tables, depth + 1);
    }
    return;
  }
  if (!isBranch(tree)) return;
  const list = keyedList(tree, place.path.at(-1) ?? '');
  if (list) {
    // what stands beside the things of a list holds for them
    const inList = { ...place, settings: { ...place.settings, ...settingsOf(list.rest) } };
    for (const item of list.items) collectItem(item, inList, tables, depth);
  }
  collectMembers(list?.rest ?? tree, place, tables, depth);
}

/** A thing of a list: a row of its own where it says something, and what lies below it. */
function collectItem(item: Branch, place: Place, tables: Tables, depth: number): void {
  const name = place.path.join('.');
  const record = new Map<string, Cell>();
  flatten(item, '', record, 0);
  if (record.size > 1) {
    if (place.groups.length > 0) record.set(GROUP_HEADER, place.groups.join('/'));
    const rows = tables.get(name) ?? [];
    if (rows.length === 0) tables.set(name, rows);
    rows.push({ cells: record, settings: place.settings });
  }
  collectMembers(item, place, tables, depth);
}

function collectMembers(branch: Branch, { path, groups, settings }: Place, tables: Tables, depth: number): void {
  const own = NAMES.map((key) => branch[key]).find((value) => typeof value === 'string');
  const stated = { ...settings, ...settingsOf(branch) };
  for (const [key, member] of Object.entries(branch)) {
    if (typeof member !== 'object' || member === null || isLookUp(member)) continue;
    // folders within folders are one table
    const next = path.at(-1) === key ? path : [...path, key];
    const place = { path: next, groups: typeof own === 'string' ? [...groups, own] : groups, settings: settingsUnder(key, stated) };
    collect(member, place, tables, depth + 1);
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
    // a list below a thing is a table of its own
    else if (depth < 3 && keyedList(value as Branch, key) === null) flatten(value as Branch, `${name}.`, record, depth + 1);
  }
}

function flattenList(list: readonly Tree[], name: string, record: Map<string, Cell>, depth: number): void {
  const single = list.filter((item) => typeof item !== 'object');
  if (single.length > 0 && single.length === list.length) record.set(name, single.join(', '));
  // a few steps of a calculation; a list of things is a table of its own
  else if (list.length <= 3 && depth < 3)
    for (const item of list) if (isBranch(item) && Object.keys(item).length === 1) flatten(item, `${name}.`, record, depth + 1);
}

function tableOf(name: string, things: readonly TreeRecord[]): SheetTable {
  const records = settleRecords(things);
  const header = [...new Set(records.flatMap((record) => [...record.keys()]))];
  const rows: Cell[][] = [header, ...records.map((record) => header.map((key) => record.get(key) ?? null))];
  return { name, isHidden: false, rows, merges: [], formulas: new Set(), errors: new Set() };
}
