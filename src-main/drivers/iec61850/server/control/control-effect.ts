/** What a control moves in the simulated device: its position or setpoint, with quality, time and originator. */
import { ADD_CAUSE } from '../../control/add-causes.ts';
import { utcTimeOctets } from '../../mms/times.ts';
import { suits } from '../../mms/type-check.ts';
import type { MmsType, MmsValue } from '../../mms/types.ts';
import type { ServedImage, Variable } from '../image.ts';
import type { ControlRequest } from './control-request.ts';
import { type ControlledObject, controlledObject, nodeBeside, switchBehind, truth } from './controlled-object.ts';

/** Status of a controllable class (IEC 61850-7-3): the first that the object has. */
const STATUS: readonly (readonly [constraint: 'ST' | 'MX', path: readonly string[]])[] = [
  ['ST', ['stVal']],
  ['ST', ['valWTr', 'posVal']],
  ['MX', ['mxVal', 'f']],
  ['MX', ['mxVal', 'i']],
];
const INTERMEDIATE = 0x00;
const OFF = 0x40;
const ON = 0x80;
const GOOD: readonly number[] = [0, 0];
const TESTED: readonly number[] = [0, 0x10];
/** Tcmd (IEC 61850-7-3, 6.8): steps by the two bits. */
const STEPS: readonly number[] = [0, -1, 1, 0];
/** Reach of posVal. */
const LEAST_STEP = -64;
const MOST_STEP = 63;

/** Status of an object: its value, and the data object that quality and time lie in. */
export interface Status {
  readonly variable: Variable;
  /** Logical node, constraint and data object. */
  readonly owner: readonly string[];
}

/** Where the status of an object lies; null for an object without. */
export function statusOf(image: ServedImage, { domain, node, path }: ControlledObject): Status | null {
  for (const [constraint, names] of STATUS) {
    const owner = [node, constraint, ...path];
    const variable = image.at(domain, [...owner, ...names]);
    if (variable) return { variable, owner };
  }
  return null;
}

/** The value of a status behind a command; null where the command cannot become one. */
export function movedValue(type: MmsType, present: MmsValue, value: MmsValue): MmsValue | null {
  const leaves = leavesOf(value);
  const [first] = leaves;
  if (type.kind === 'bit-string' && first?.kind === 'boolean') return double(first.value ? ON : OFF);
  if (type.kind === 'integer' && first?.kind === 'bit-string' && present.kind === 'integer') {
    return { kind: 'integer', value: Number(present.value) + (STEPS[(first.octets[0] ?? 0) >> 6] ?? 0) };
  }
  return leaves.find((leaf) => suits(type, leaf)) ?? leaves.flatMap((leaf) => widened(type, leaf) ?? [])[0] ?? null;
}

/** True for a switch that stands where the command would bring it. */
export function isThere(image: ServedImage, object: ControlledObject, { value }: ControlRequest): boolean {
  const variable = statusOf(image, object)?.variable;
  if (!variable) return false;
  const present = image.value(variable);
  if (present.kind !== 'bit-string') return false;
  const wanted = movedValue(variable.type, present, value);
  return wanted?.kind === 'bit-string' && wanted.octets[0] === present.octets[0];
}

/** What is wrong with a value: no number, beyond the range of a setpoint, or beyond the last step of a tap changer. */
export type Unfit = 'value' | 'step';

/** Why a value cannot become the position or setpoint of the object; null where it can. */
export function unfitValue(image: ServedImage, object: ControlledObject, { value }: ControlRequest): Unfit | null {
  if (leavesOf(value).some((leaf) => leaf.kind === 'float' && !Number.isFinite(leaf.value))) return 'value';
  const variable = statusOf(image, object)?.variable;
  if (!variable) return null;
  const present = image.value(variable);
  const wanted = movedValue(variable.type, present, value);
  const moved = wanted && numberOf(wanted);
  if (moved === null) return null;
  const isTap = variable.path.at(-1) === 'posVal';
  const [least, most] = [limit(image, object, 'minVal'), limit(image, object, 'maxVal')];
  // a range of nothing is one that nobody has set
  const hasRange = least !== null && most !== null && least < most;
  const isOut = hasRange ? moved < least || moved > most : isTap && (moved < LEAST_STEP || moved > MOST_STEP);
  if (isOut) return isTap ? 'step' : 'value';
  return isTap && isAtEnd(image, object, Math.sign(moved - (numberOf(present) ?? 0))) ? 'step' : null;
}

/** The additional cause of a value that does not fit. */
export function causeOf(unfit: Unfit): number {
  return unfit === 'step' ? ADD_CAUSE.stepLimit : ADD_CAUSE.unknown;
}

/** What a command moves: the status of the object, and that of the other node of the same switch. */
export function movedBy(image: ServedImage, object: ControlledObject): readonly Status[] {
  const { domain, path } = object;
  const isSwitch = path.length === 1 && path[0] === 'Pos';
  const others = isSwitch ? [switchBehind(image, object), controllerBefore(image, object)] : [];
  const objects = [object, ...others.flatMap((node) => (node === null ? [] : [controlledObject(domain, node, path)]))];
  return objects.flatMap((each) => statusOf(image, each) ?? []);
}

/** A double point on its way; null where the status has no such state. */
export function intermediateOf({ variable: { type } }: Status): MmsValue | null {
  return type.kind === 'bit-string' && Math.abs(type.size) === 2 ? double(INTERMEDIATE) : null;
}

/** Sets a status with good quality, marked as test where it is one, and its time; answers the keys of what was set. */
export function setStatus(
  image: ServedImage,
  { variable, owner }: Status,
  value: MmsValue,
  { wallMs, isTest }: { readonly wallMs: number; readonly isTest: boolean },
): readonly string[] {
  const put = (name: string, given: MmsValue) => setWhere(image, variable.domain, [...owner, name], given);
  return [
    ...image.set(variable, value),
    ...put('q', { kind: 'bit-string', size: 13, octets: Uint8Array.from(isTest ? TESTED : GOOD) }),
    ...put('t', { kind: 'utc-time', octets: utcTimeOctets(wallMs) }),
  ];
}

/** Sets what an object tells of its last command or its selection, where it has such. */
export function setMember(
  image: ServedImage,
  { domain, node, path }: ControlledObject,
  name: 'origin' | 'ctlNum' | 'stSeld',
  value: MmsValue,
) {
  return ['ST', 'MX'].flatMap((constraint) => setWhere(image, domain, [node, constraint, ...path, name], value));
}

/** Values of the leaves of a command. */
export function leavesOf(value: MmsValue): readonly MmsValue[] {
  return 'items' in value ? value.items.flatMap(leavesOf) : [value];
}

function setWhere(image: ServedImage, domain: string, path: readonly string[], value: MmsValue): readonly string[] {
  const variable = image.at(domain, path);
  return variable && suits(variable.type, value) ? image.set(variable, value) : [];
}

function controllerBefore(image: ServedImage, object: ControlledObject): string | null {
  const controller = nodeBeside(image, object, 'CSWI');
  if (controller === null) return null;
  return switchBehind(image, controlledObject(object.domain, controller, object.path)) === object.node ? controller : null;
}

function limit(image: ServedImage, { domain, node, path }: ControlledObject, name: string): number | null {
  const variable = image.at(domain, [node, 'CF', ...path, name]);
  const [leaf] = variable ? leavesOf(image.value(variable)) : [];
  return leaf ? numberOf(leaf) : null;
}

/** The tap changer is at the end of its way in this direction (YLTC, EndPosR and EndPosL). */
function isAtEnd(image: ServedImage, { domain, node }: ControlledObject, direction: number): boolean {
  if (direction === 0) return false;
  const end = image.at(domain, [node, 'ST', direction > 0 ? 'EndPosR' : 'EndPosL', 'stVal']);
  return end !== null && truth(image.value(end)) === true;
}

function numberOf(value: MmsValue): number | null {
  return value.kind === 'integer' || value.kind === 'unsigned' || value.kind === 'float' ? Number(value.value) : null;
}

/** An integer of another width or sign. */
function widened(type: MmsType, value: MmsValue): MmsValue | null {
  if ((type.kind !== 'integer' && type.kind !== 'unsigned') || (value.kind !== 'integer' && value.kind !== 'unsigned')) return null;
  const same: MmsValue = { kind: type.kind, value: value.value };
  return suits(type, same) ? same : null;
}

function double(bits: number): MmsValue {
  return { kind: 'bit-string', size: 2, octets: Uint8Array.of(bits) };
}
