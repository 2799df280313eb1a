/** ASDUs that a controlling station sends, and the frame of any other: fields that are left out get their usual value. */
import { say } from '#shared/messages/index.ts';
import { malformed } from '../../../protocol-kit/malformed.ts';
import type { Asdu } from './asdu.ts';
import { Cause } from './causes.ts';
import type { CommandObject, InfoObject, ObjectKind, QualifierObject } from './objects.ts';
import type { Cp56, TimeTag } from './time-tags.ts';
import { TypeId, typeSpec, typeText } from './types.ts';

/** Fields of the header that requests share. */
export interface RequestFields {
  readonly commonAddress: number;
  /** Default 0. */
  readonly originator?: number;
  /** Default 6, activation; 8 for a deactivation. */
  readonly cause?: number;
}

/** An ASDU of decoded objects; SQ 0, positive, no test and originator 0 unless said otherwise. */
export function makeAsdu(
  fields: Pick<Asdu, 'typeId' | 'cause' | 'commonAddress'> & Partial<Omit<Asdu, 'raw'>> & { readonly objects: readonly InfoObject[] },
): Asdu {
  return { isSequence: false, isNegative: false, isTest: false, originator: 0, ...fields, raw: null };
}

function request(typeId: number, fields: RequestFields, object: InfoObject): Asdu {
  const { commonAddress, originator = 0, cause = Cause.activation } = fields;
  return makeAsdu({ typeId, cause, originator, commonAddress, objects: [object] });
}

function qualifier(kind: QualifierObject['kind'], value: number, time: Cp56 | null = null, address = 0): QualifierObject {
  return { kind, address, value, time };
}

/** C_IC_NA_1: `group` 0 for the station (QOI 20), 1 to 16 for a group (QOI 21 to 36). */
export function interrogation(fields: RequestFields, group = 0): Asdu {
  return request(TypeId.C_IC_NA_1, fields, qualifier('interrogation', 20 + group));
}

/** C_CI_NA_1: `request` 1 to 4 a group, 5 general; `freeze` 0 read, 1 freeze, 2 freeze with reset, 3 reset. */
export function counterInterrogation(fields: RequestFields, ask: { readonly request: number; readonly freeze: number }): Asdu {
  return request(TypeId.C_CI_NA_1, fields, { kind: 'counterInterrogation', address: 0, ...ask, time: null });
}

/** C_RD_NA_1 with cause 5. */
export function readCommand(fields: RequestFields, address: number): Asdu {
  return request(TypeId.C_RD_NA_1, { ...fields, cause: fields.cause ?? Cause.request }, qualifier('read', 0, null, address));
}

/** C_CS_NA_1. */
export function clockSynchronization(fields: RequestFields, time: Cp56): Asdu {
  return request(TypeId.C_CS_NA_1, fields, qualifier('clock', 0, time));
}

/** C_TS_TA_1 with a counter 0 to 65535. */
export function testCommand(fields: RequestFields, counter: number, time: Cp56): Asdu {
  return request(TypeId.C_TS_TA_1, fields, qualifier('test', counter, time));
}

/** C_RP_NA_1: 1 resets the process, 2 discards events with time tag. */
export function resetProcess(fields: RequestFields, qrp: number): Asdu {
  return request(TypeId.C_RP_NA_1, fields, qualifier('reset', qrp));
}

const COMMAND_KINDS: readonly CommandObject['kind'][] = [
  'singleCommand',
  'doubleCommand',
  'stepCommand',
  'setNormalized',
  'setScaled',
  'setFloat',
  'setBits',
];

function isCommandKind(kind: ObjectKind | undefined): kind is CommandObject['kind'] {
  return COMMAND_KINDS.some((one) => one === kind);
}

/** Commands and set points, 45 to 51; with a time tag 58 to 64. `cause` 8 cancels a selection. Throws PROTOCOL_MALFORMED for any other type. */
export function command(fields: RequestFields, typeId: number, object: Omit<CommandObject, 'kind' | 'time'>, time: TimeTag | null): Asdu {
  const kind = typeSpec(typeId)?.element.kind;
  if (!isCommandKind(kind)) throw malformed(say('iec104.no_command_type', { type: typeText(typeId) }));
  return request(typeId, fields, { kind, ...object, time });
}
