/** SBOw, Oper and Cancel as a device has them (IEC 61850-8-1, 20.2): made of its own type, because editions and vendors differ in their members. */
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { utcTimeOctets } from '../mms/times.ts';
import type { MmsType, MmsValue } from '../mms/types.ts';
import { binaryTimeOctets } from '../model/time.ts';

/** What a control carries; select, operate and cancel of one command carry the same. */
export interface ControlFields {
  /** Value of `ctlVal`, of its own type. */
  readonly value: MmsValue;
  /** 1 bay, 2 station, 3 remote, 4 to 6 the same automatic, 7 maintenance, 8 process (IEC 61850-7-3, orCat). */
  readonly category: number;
  /** orIdent, at most 64 octets. */
  readonly identifier: Uint8Array;
  /** ctlNum, 0 to 255. */
  readonly number: number;
  /** T, UTC milliseconds. */
  readonly at: number;
  /** operTm, UTC milliseconds; null: at once. */
  readonly operateAt: number | null;
  readonly isTest: boolean;
  readonly checksSynchronism: boolean;
  readonly checksInterlocking: boolean;
}

/** Members that hold the value: `ctlVal`, in edition 1 also `setVal` or `setMag`. */
const VALUE_NAMES: ReadonlySet<string> = new Set(['ctlVal', 'setVal', 'setMag']);
const SYNCHROCHECK = 0x80;
const INTERLOCK_CHECK = 0x40;

/** Type of the value of a control structure; null where it has none. */
export function controlValueType(type: MmsType): MmsType | null {
  return type.kind === 'structure' ? (type.components.find(({ name }) => VALUE_NAMES.has(name))?.type ?? null) : null;
}

/**
 * The value of SBOw, Oper or Cancel for a structure of this type. Throws `CONFIG_INVALID` for a member that is not known, and for what the
 * structure has no place for: a time to operate at, the test bit, a check. Nothing is left out silently.
 */
export function controlStructure(type: MmsType, fields: ControlFields, isCancel = false): MmsValue {
  if (type.kind !== 'structure') throw unusable(say('control.no_structure'));
  const has = (name: string) => type.components.some((component) => component.name === name);
  if (fields.operateAt !== null && !has('operTm')) throw unusable(say('control.no_oper_time'));
  if (fields.isTest && !has('Test')) throw unusable(say('control.no_test'));
  if ((fields.checksSynchronism || fields.checksInterlocking) && !isCancel && !has('Check')) throw unusable(say('control.no_check'));
  return { kind: 'structure', items: type.components.map(({ name, type: part }) => member(name, part, fields)) };
}

function member(name: string, type: MmsType, fields: ControlFields): MmsValue {
  if (VALUE_NAMES.has(name)) return fields.value;
  switch (name) {
    case 'operTm':
      return time(type, fields.operateAt, name);
    case 'origin':
      return origin(type, fields);
    case 'ctlNum':
      return whole(type, fields.number, name);
    case 'T':
      return time(type, fields.at, name);
    case 'Test':
      if (type.kind === 'boolean') return { kind: 'boolean', value: fields.isTest };
      throw unusable(say('control.test_type'));
    case 'Check': {
      if (type.kind !== 'bit-string') throw unusable(say('control.check_type'));
      const bits = (fields.checksSynchronism ? SYNCHROCHECK : 0) | (fields.checksInterlocking ? INTERLOCK_CHECK : 0);
      return { kind: 'bit-string', size: 2, octets: Uint8Array.of(bits) };
    }
    default:
      throw unusable(say('control.member_unknown', { name }));
  }
}

function origin(type: MmsType, { category, identifier }: ControlFields): MmsValue {
  if (type.kind !== 'structure') throw unusable(say('control.origin_type'));
  const items = type.components.map(({ name, type: part }): MmsValue => {
    if (name === 'orCat') return whole(part, category, name);
    if (name === 'orIdent' && part.kind === 'octet-string') return { kind: 'octet-string', octets: identifier };
    throw unusable(say('control.member_unknown', { name: `origin.${name}` }));
  });
  return { kind: 'structure', items };
}

function whole(type: MmsType, value: number, name: string): MmsValue {
  if (type.kind === 'integer' || type.kind === 'unsigned') return { kind: type.kind, value };
  throw unusable(say('control.integer_type', { name }));
}

/** `null` is a time that says nothing: all zero. */
function time(type: MmsType, ms: number | null, name: string): MmsValue {
  if (type.kind === 'utc-time') return { kind: 'utc-time', octets: ms === null ? new Uint8Array(8) : utcTimeOctets(ms) };
  if (type.kind === 'binary-time') return { kind: 'binary-time', octets: ms === null ? new Uint8Array(6) : binaryTimeOctets(ms) };
  throw unusable(say('control.time_type', { name }));
}

function unusable(what: Message): AppError {
  return new AppError('CONFIG_INVALID', say('control.unusable', { what }));
}
