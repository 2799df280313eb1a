/** Lists of which each thing stands under a key: under its address, `{"40001": {"name": "U", "type": "uint16"}}`, or under its name. */
import type { ListRole } from '#shared/domain/list-mapping.ts';
import { headerScores } from './header-words.ts';
import { type Branch, DEEPEST, isBranch, isLookUp, type Tree } from './tree.ts';

/** A list by keys: its things, each with its key, and what stands beside them. */
export interface KeyedList {
  readonly items: readonly Branch[];
  readonly rest: Branch;
}

const SURE = 0.9;
/** `40001`, `0x0010`, `4x0001`, `HR12`, `12.3`, `30001-30002`. */
const ADDRESS = /^(0x[\da-f]{1,8}|[0-46]x\d{1,6}|[hi]r\d{1,5}|\d{1,6}(\.\d{1,2}|-\d{1,6})?)$/i;
/** Roles of which a point states one, and hardly anything else that has a number. */
const OF_POINTS: readonly ListRole[] = ['type', 'unit', 'factor', 'access', 'length', 'function'];
/** Members in which numbers stand for bits and values. */
const OF_VALUES = /^(bits?|flags?|values?|enum\w*|states?|options?|symbols?|texts?|labels?)$/i;

/** Members that are tables of registers or lists of points, be it of one only. */
const OF_TABLES = /coil|discrete|holding|input|regist|points?$|sensors?$|signals?$|parameters?$|tags?$/i;

/** Things that are devices, and the ways to them. */
const OF_DEVICES = /^(devices?|slave|master|server|modbus|connection|communication|interface|transport|gateway)$/i;
/** Members that only a way to a device has, and what its type may be. */
const OF_LINES = /^(baud([ _-]?rate)?|parity|stop[ _-]?bits?|host([ _-]?name)?|ip([ _-]?address)?|(tcp[ _-]?)?port|time[ _-]?out)$/i;
const LINES = /^(modbus[ _-]?)?(rtu|tcp|udp|ascii|serial|rs-?(232|485))$/i;

/** The list that a branch is; null for one that is none. `key` is the name of the branch. */
export function keyedList(branch: Branch, key: string, depth = 0): KeyedList | null {
  if (OF_VALUES.test(key)) return null;
  const things = Object.entries(branch).filter((entry): entry is [string, Branch] => isBranch(entry[1]) && !isLookUp(entry[1]));
  const byAddress = things.filter(([name, item]) => ADDRESS.test(name) && !holdsList(item, depth));
  const byName = things.filter(([, item]) => says(item, 'address') && !holdsList(item, depth));
  if (byAddress.length > 0 && byAddress.length * 2 > things.length) {
    const header = addressHeader(byAddress);
    const keys = new Set(byAddress.map(([name]) => name));
    // a point under its name among those under their addresses
    const beside = byName.filter(([name, item]) => !keys.has(name) && isPoint(name, item));
    return listOf(branch, [...withKeys(byAddress, header), ...withKeys(beside, nameHeader(beside))]);
  }
  const isList = byName.length > 1 ? byName.length * 2 > things.length : things.length === 1 && isOnlyPoint(byName, key);
  return isList ? listOf(branch, withKeys(byName, nameHeader(byName))) : null;
}

type Things = readonly (readonly [key: string, item: Branch])[];

const nameHeader = (things: Things): string => (things.some(([, item]) => says(item, 'name')) ? 'key' : 'name');

/** True for the one thing of a list of registers, which says of itself what only points say. */
function isOnlyPoint([only]: Things, key: string): boolean {
  return only !== undefined && OF_TABLES.test(key) && isPoint(...only);
}

/** True for a thing that says of itself what only points say, and not how a device is reached: that has an address and a type as well. */
function isPoint(key: string, item: Branch): boolean {
  if (OF_DEVICES.test(key) || !OF_POINTS.some((role) => says(item, role))) return false;
  return !Object.entries(item).some(([name, value]) => OF_LINES.test(name) || (typeof value === 'string' && LINES.test(value.trim())));
}

/** The header of keys that look like addresses; null where each thing says its address itself. */
function addressHeader(things: Things): string | null {
  if (things.every(([, item]) => says(item, 'address'))) return null;
  return things.some(([, item]) => OF_POINTS.some((role) => says(item, role))) && !things.some(([, item]) => says(item, 'address'))
    ? 'address'
    : 'key';
}

/** Things with their keys under this header; null: as they are. */
function withKeys(things: Things, header: string | null): Things {
  return things.map(([key, item]) => [key, header === null ? item : { [header]: key, ...item }]);
}

function listOf(branch: Branch, things: Things): KeyedList {
  const keys = new Set(things.map(([key]) => key));
  return {
    items: things.map(([, item]) => item),
    rest: Object.fromEntries(Object.entries(branch).filter(([key]) => !keys.has(key))),
  };
}

/** What was looked at: trees are looked through at every level. */
const holding = new WeakMap<Branch, boolean>();

/** True for a thing with a list of points below it: a device, not a point. */
function holdsList(item: Branch, depth: number): boolean {
  if (depth > DEEPEST) return false;
  const known = holding.get(item);
  if (known !== undefined) return known;
  // a tree that holds itself ends here
  holding.set(item, false);
  const isHolding = findsList(item, depth + 1);
  holding.set(item, isHolding);
  return isHolding;
}

function findsList(item: Branch, depth: number): boolean {
  return Object.entries(item).some(([key, member]) => {
    if (Array.isArray(member)) return holdsPoints(member as readonly Tree[], depth);
    return isBranch(member) && !isLookUp(member) && keyedList(member, key, depth) !== null;
  });
}

/** True for a list of points, be it in parts. */
function holdsPoints(list: readonly Tree[], depth: number): boolean {
  if (depth > DEEPEST) return false;
  return list.some((part) =>
    Array.isArray(part) ? holdsPoints(part as readonly Tree[], depth + 1) : isBranch(part) && says(part, 'address'),
  );
}

function says(item: Branch, role: ListRole): boolean {
  return Object.entries(item).some(
    ([key, value]) => typeof value !== 'object' && value !== undefined && (headerScores(key).get(role) ?? 0) >= SURE,
  );
}
