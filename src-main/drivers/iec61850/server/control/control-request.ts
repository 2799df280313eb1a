/** SBOw, Oper and Cancel as a client sends them (IEC 61850-8-1, 20.2), taken apart by the type that the device serves. */
import { suits } from '../../mms/type-check.ts';
import type { MmsType, MmsValue } from '../../mms/types.ts';
import { utcMs } from '../../model/time.ts';
import { copyValue } from '../../reports/copy-value.ts';

/** What a client asks a control for. It outlives the PDU it came in. */
export interface ControlRequest {
  /** The structure as it came; CommandTermination repeats it. */
  readonly whole: MmsValue;
  readonly value: MmsValue;
  /** UTC milliseconds of operTm; null: at once. */
  readonly operateAt: number | null;
  /** orCat and orIdent; null where the type has none. */
  readonly origin: MmsValue | null;
  /** orCat; 0 where none is told. */
  readonly category: number;
  readonly number: number;
  readonly isTest: boolean;
  readonly checksSynchronism: boolean;
  readonly checksInterlocking: boolean;
  /** Members that select and operate have in common, by name; T is not among them. */
  readonly members: ReadonlyMap<string, MmsValue>;
}

const VALUE_NAMES = ['ctlVal', 'setVal', 'setMag'];
const SYNCHROCHECK = 0x80;
const INTERLOCK_CHECK = 0x40;
/** Greatest originator category (IEC 61850-7-3, orCat). */
const MOST_CATEGORY = 8;

/** The request in a structure of this type; null for one that does not suit it, has no value, or names a category that does not exist. */
export function readControlRequest(type: MmsType, given: MmsValue): ControlRequest | null {
  if (type.kind !== 'structure' || given.kind !== 'structure' || !suits(type, given)) return null;
  const whole = copyValue(given);
  const members = new Map(type.components.flatMap(({ name }, at) => (whole.items[at] ? [[name, whole.items[at]] as const] : [])));
  const value = VALUE_NAMES.map((name) => members.get(name)).find((member) => member !== undefined);
  const origin = members.get('origin') ?? null;
  const category = origin?.kind === 'structure' ? numberOf(origin.items[0]) : 0;
  if (!value || category < 0 || category > MOST_CATEGORY) return null;
  const check = members.get('Check');
  const checks = check?.kind === 'bit-string' ? (check.octets[0] ?? 0) : 0;
  const test = members.get('Test');
  members.delete('T');
  return {
    whole,
    value,
    operateAt: utcMs(members.get('operTm') ?? null),
    origin,
    category,
    number: numberOf(members.get('ctlNum')),
    isTest: test?.kind === 'boolean' && test.value,
    checksSynchronism: (checks & SYNCHROCHECK) !== 0,
    checksInterlocking: (checks & INTERLOCK_CHECK) !== 0,
    members,
  };
}

/** True when Oper asks for just what was selected: value, time to operate, originator, number, test and checks. */
export function isAsSelected(selected: ControlRequest, operated: ControlRequest): boolean {
  const names = new Set([...selected.members.keys(), ...operated.members.keys()]);
  return [...names].every((name) => isSame(selected.members.get(name), operated.members.get(name)));
}

function isSame(one: MmsValue | undefined, other: MmsValue | undefined): boolean {
  if (!one || !other || one.kind !== other.kind) return false;
  if ('items' in one && 'items' in other) {
    return one.items.length === other.items.length && one.items.every((item, at) => isSame(item, other.items[at]));
  }
  if ('octets' in one && 'octets' in other) {
    return one.octets.length === other.octets.length && one.octets.every((octet, at) => octet === other.octets[at]);
  }
  return 'value' in one && 'value' in other && Object.is(one.value, other.value);
}

function numberOf(value: MmsValue | undefined): number {
  return value?.kind === 'integer' || value?.kind === 'unsigned' ? Number(value.value) : 0;
}
