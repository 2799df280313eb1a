/** Points put together to the variables that are cheapest to read, before these are packed into requests. */
import type { Steps } from '../../platform/steps.ts';
import type { BoundPoint, ReadItem } from './binding.ts';
import { placesOf, readItem } from './binding.ts';
import { typeAt } from './model/types.ts';

/** Least octets of an item in a request: what asking for quality or time by themselves costs. */
const LEAST_ITEM_OCTETS = 20;

/** A part of a point in an answer: which item, and the way into its value. */
export interface Locator {
  readonly item: number;
  readonly places: readonly number[];
}

/** Where a point finds its parts in the answer of its request. */
export interface Slot {
  readonly bound: BoundPoint;
  readonly value: Locator;
  readonly quality: Locator | null;
  readonly time: Locator | null;
}

/** Variables that are read in one request, with the points they serve. */
export interface ReadUnit {
  /** Names the variables; what is learnt of them is remembered by it. */
  readonly key: string;
  readonly items: readonly ReadItem[];
  readonly slots: readonly Slot[];
  readonly requestOctets: number;
  readonly answerOctets: number;
  /** True when the items are leaves: nothing smaller can be asked. */
  readonly isNarrow: boolean;
}

export interface UnitOptions {
  /** True for a structure that the device does not give as a whole: its leaves are read one by one. */
  isNarrowed(key: string): boolean;
}

/** Points, or data objects, that are looked at before other work may get its turn. */
const LOOKS_A_STEP = 64;

/** Units of all points, in the order of their first points; in steps. */
export function* unitsOf(points: readonly BoundPoint[], options: UnitOptions): Steps<ReadUnit[]> {
  const objects = new Map<string, BoundPoint[]>();
  for (const [at, bound] of points.entries()) {
    if (at % LOOKS_A_STEP === LOOKS_A_STEP - 1) yield;
    push(objects, objectKey(bound), bound);
  }
  const units: ReadUnit[] = [];
  let looks = 0;
  for (const [key, members] of objects) {
    looks += 1;
    if (looks % LOOKS_A_STEP === 0) yield;
    for (const unit of objectUnits(key, members, options)) units.push(unit);
  }
  return units;
}

/** One unit that reads one point, the cheapest there is. */
export function unitOfPoint(bound: BoundPoint, options: UnitOptions): ReadUnit {
  return ownerUnit(ownerKey(bound), [bound], options);
}

/** The leaves of the points of a unit one by one: what is asked when the device does not give the structure. */
export function narrowed(unit: ReadUnit): ReadUnit[] {
  return unit.slots.map(({ bound }) => leafUnit(unit.key, [bound]));
}

/** All points of one data object under one constraint: the whole object where that is cheaper than its parts. */
function objectUnits(key: string, members: readonly BoundPoint[], options: UnitOptions): ReadUnit[] {
  const owners = new Map<string, BoundPoint[]>();
  for (const bound of members) push(owners, ownerKey(bound), bound);
  const units = [...owners].map(([owner, points]) => ownerUnit(owner, points, options));
  const [first] = members;
  if (units.length < 2 || !first?.type || options.isNarrowed(key)) return units;
  const whole = structureUnit(key, members, 1);
  const apart = units.reduce((sum, unit) => sum + unit.requestOctets + unit.answerOctets, 0);
  return whole.requestOctets + whole.answerOctets < apart ? [whole] : units;
}

function ownerUnit(key: string, points: readonly BoundPoint[], options: UnitOptions): ReadUnit {
  const [first] = points;
  if (!first?.type || first.ownerDepth === 0 || options.isNarrowed(key)) return leafUnit(key, points);
  const whole = structureUnit(key, points, first.ownerDepth);
  const besides = Number(first.hasQuality) + Number(first.hasTime);
  if (whole.answerOctets <= besides * LEAST_ITEM_OCTETS) return whole;
  const leaves = leafUnit(key, points);
  return whole.requestOctets + whole.answerOctets <= leaves.requestOctets + leaves.answerOctets ? whole : leaves;
}

/** One item that holds everything; `depth` steps of the path lead to it. */
function structureUnit(key: string, points: readonly BoundPoint[], depth: number): ReadUnit {
  const [first] = points;
  if (!first?.type) return leafUnit(key, points);
  const path = first.path.slice(0, depth);
  const item = readItem(first, path);
  const type = typeAt(first.type, path);
  const within = (to: readonly string[]): Locator => ({ item: 0, places: type ? placesOf(type, to.slice(depth)) : [] });
  const slots = points.map((bound) => slotOf(bound, within));
  return { key, items: [item], slots, requestOctets: item.requestOctets, answerOctets: item.answerOctets, isNarrow: false };
}

/** Each leaf an item of its own; quality and time that points share are read once. */
function leafUnit(key: string, points: readonly BoundPoint[]): ReadUnit {
  const items: ReadItem[] = [];
  const known = new Map<string, number>();
  const slots = points.map((bound) =>
    slotOf(bound, (path) => {
      const name = path.join('$');
      let place = known.get(name);
      if (place === undefined) {
        place = items.push(readItem(bound, path)) - 1;
        known.set(name, place);
      }
      return { item: place, places: [] };
    }),
  );
  const requestOctets = items.reduce((sum, item) => sum + item.requestOctets, 0);
  return { key, items, slots, requestOctets, answerOctets: items.reduce((sum, item) => sum + item.answerOctets, 0), isNarrow: true };
}

function slotOf(bound: BoundPoint, locate: (path: readonly string[]) => Locator): Slot {
  const owner = bound.path.slice(0, bound.ownerDepth);
  return {
    bound,
    value: locate(bound.path),
    quality: bound.hasQuality ? locate([...owner, 'q']) : null,
    time: bound.hasTime ? locate([...owner, 't']) : null,
  };
}

/**
 * Parts of a slot in a data set, whose members are given by `LD/LN$FC$DO…`; null when it does not hold all of them, or not the value where
 * that is enough.
 */
export function slotInMembers(bound: BoundPoint, members: ReadonlyMap<string, number>, valueIsEnough = false): Slot | null {
  const { type, path } = bound;
  if (!type) return null;
  const find = (to: readonly string[]): Locator | null => {
    for (let depth = to.length; depth > 0; depth--) {
      const item = members.get(keyAt(bound, to.slice(0, depth)));
      const member = item === undefined ? null : typeAt(type, to.slice(0, depth));
      if (item !== undefined && member) return { item, places: placesOf(member, to.slice(depth)) };
    }
    return null;
  };
  const owner = path.slice(0, bound.ownerDepth);
  const value = find(path);
  const quality = bound.hasQuality ? find([...owner, 'q']) : null;
  const time = bound.hasTime ? find([...owner, 't']) : null;
  const isWhole = (!bound.hasQuality || quality !== null) && (!bound.hasTime || time !== null);
  return value && (valueIsEnough || isWhole) ? { bound, value, quality, time } : null;
}

function objectKey(bound: BoundPoint): string {
  return keyAt(bound, bound.path.slice(0, 1));
}

/** Key of the structure with quality and time; of the point itself where it has none. */
function ownerKey(bound: BoundPoint): string {
  return keyAt(bound, bound.ownerDepth > 0 ? bound.path.slice(0, bound.ownerDepth) : bound.path);
}

function keyAt({ domain, node, constraint }: BoundPoint, path: readonly string[]): string {
  return `${domain}/${node}$${constraint}$${path.join('$')}`;
}

function push<Item>(groups: Map<string, Item[]>, key: string, item: Item): void {
  const known = groups.get(key);
  if (known) known.push(item);
  else groups.set(key, [item]);
}
