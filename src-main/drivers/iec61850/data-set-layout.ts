/** What a data set is read by: its members with their types, and the points of the table among them. */
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { runSteps, type Steps } from '../../platform/steps.ts';
import type { DataSetReading } from '../spi/index.ts';
import type { BoundPoint } from './binding.ts';
import type { MmsType, MmsValue } from './mms/types.ts';
import type { ModelIndex } from './model/places.ts';
import { parseReference, splitIndex } from './model/references.ts';
import { typeAt } from './model/types.ts';
import { jsonScalar, type Words } from './model/values.ts';
import { wordsAt } from './model/words.ts';
import { type Slot, slotInMembers } from './read-units.ts';
import { type ItemResult, itemError, readingOf } from './reading.ts';

/** Made once for a model, a point table and the members. */
export interface DataSetLayout {
  /** `LD/LN$FC$DO[$DA]` in order. */
  readonly members: readonly string[];
  /** Null for a member that the model has not. */
  readonly types: readonly (MmsType | null)[];
  readonly slots: readonly Slot[];
}

/** A member without a value, and why. */
export interface FailedMember {
  readonly member: string;
  readonly error: AppError;
}

/** Type of a member `LD/LN$FC$DO[$DA]`; null where the model has none. */
export function memberType(index: ModelIndex, member: string): MmsType | null {
  const reference = parseReference(member);
  const node = reference && index.node(reference.domain, reference.node);
  return reference && node && reference.constraint !== null ? typeAt(node.type, [reference.constraint, ...reference.path]) : null;
}

/** The leaves of a structure by name; itself where it is none. */
export function leavesOf(member: string, type: MmsType | null): readonly string[] {
  if (type?.kind !== 'structure') return [member];
  return type.components.flatMap((component) => leavesOf(`${member}$${component.name}`, component.type));
}

/** False for a member that must not be read with its data set: a control object, or a structure whose order of components is not known. */
export function isWholeMember(member: string, { model }: ModelIndex): boolean {
  return parseReference(member)?.constraint !== 'CO' && model.unordered?.has(member) !== true;
}

const byPoints = new WeakMap<readonly BoundPoint[], ReadonlyMap<string, readonly number[]>>();

/** Points whose data object is noted before other work may get its turn. */
const POINTS_A_STEP = 256;

/** Places of points by their data object, `LD/LN$FC$DO`: made once for all data sets of a device, in steps. */
export function* placeSteps(points: readonly BoundPoint[]): Steps<ReadonlyMap<string, readonly number[]>> {
  const known = byPoints.get(points);
  if (known) return known;
  const made = new Map<string, number[]>();
  for (const [place, { domain, node, constraint, path }] of points.entries()) {
    if (place % POINTS_A_STEP === POINTS_A_STEP - 1) yield;
    const object = `${domain}/${node}$${constraint}$${path[0]}`;
    const alike = made.get(object);
    if (alike) alike.push(place);
    else made.set(object, [place]);
  }
  byPoints.set(points, made);
  return made;
}

/** Layout of these members for the points that are bound. */
export function layoutOf(members: readonly string[], index: ModelIndex, points: readonly BoundPoint[]): DataSetLayout {
  const places = new Map(members.map((member, place) => [member, place]));
  const byObject = runSteps(placeSteps(points));
  const near = [...new Set(members.map(objectOf))].flatMap((object) => byObject.get(object) ?? []).sort((one, other) => one - other);
  const slots = near.flatMap((place) => {
    const bound = points[place];
    return (bound && slotInMembers(bound, places, true)) ?? [];
  });
  return { members, types: members.map((member) => memberType(index, member)), slots };
}

/** True for the same members at the same places. */
export function isSameOrder(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((member, place) => member === other[place]);
}

/** The error of another number of values than there are members. */
export function membersCount(name: string, members: number, count: number): AppError {
  return new AppError('PROTOCOL_MISMATCH', say('iec61850.members_count', { name, members, count }));
}

/** The error of values that are none of the members that are known. */
export function otherMembers(name: string): AppError {
  return new AppError('PROTOCOL_MISMATCH', say('iec61850.members_other', { name }));
}

/** `LD/LN$FC$DO` of a member. */
function objectOf(member: string): string {
  return member
    .split('$', 3)
    .map((part) => splitIndex(part).name)
    .join('$');
}

/** Values of all leaves and the readings of points, from one result a member. Throws the error of the first member when no member has a value. */
export function readMembers(
  { members, types, slots }: DataSetLayout,
  results: readonly ItemResult[],
  index: ModelIndex,
): DataSetReading & { readonly failed: readonly FailedMember[] } {
  const values = new Map<string, unknown>();
  const failed: FailedMember[] = [];
  results.forEach((result, place) => {
    const member = members[place] ?? '';
    const error = itemError(result);
    if (error) failed.push({ member, error });
    else addLeaves(member, result as MmsValue, types[place] ?? null, index, values);
  });
  const [first] = failed;
  if (values.size === 0 && first) throw first.error;
  return { values, readings: slots.map((slot) => readingOf(slot, results)), failed };
}

/** Values of all leaves by `LD/LN$FC$DO$DA`; without a type the members of a structure have numbers. */
function addLeaves(key: string, value: MmsValue, type: MmsType | null, index: ModelIndex, values: Map<string, unknown>): void {
  if (value.kind !== 'structure' && value.kind !== 'array') {
    values.set(key, jsonScalar(value, value.kind === 'integer' ? wordsOf(key, index) : null, key.slice(key.lastIndexOf('$') + 1)));
    return;
  }
  value.items.forEach((item, place) => {
    const component = type?.kind === 'structure' ? type.components[place] : undefined;
    const isElement = value.kind === 'array' || !component;
    const next = isElement ? `${key}(${place})` : `${key}$${component.name}`;
    addLeaves(next, item, component?.type ?? (type?.kind === 'array' ? type.element : null), index, values);
  });
}

function wordsOf(key: string, index: ModelIndex): Words {
  const reference = parseReference(key);
  if (!reference || reference.constraint === null) return null;
  return wordsAt(index, reference.domain, reference.node, reference.constraint, reference.path);
}
