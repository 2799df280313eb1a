import { isMessageId, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';

/** Causes of transmission (IEC 60870-5-101, 7.2.3, table 14). */

/** Causes by name, for the code that branches on them. Groups: `stationInterrogation + n` for group n, `counterInterrogation + n`. */
export const Cause = {
  periodic: 1,
  background: 2,
  spontaneous: 3,
  initialized: 4,
  request: 5,
  activation: 6,
  activationCon: 7,
  deactivation: 8,
  deactivationCon: 9,
  activationTermination: 10,
  returnRemote: 11,
  returnLocal: 12,
  fileTransfer: 13,
  stationInterrogation: 20,
  counterInterrogation: 37,
  unknownType: 44,
  unknownCause: 45,
  unknownCommonAddress: 46,
  unknownObjectAddress: 47,
} as const;

const CAUSE_NAMES: Readonly<Record<number, string>> = {
  1: 'periodic, cyclic',
  2: 'background scan',
  3: 'spontaneous',
  4: 'initialized',
  5: 'request or requested',
  6: 'activation',
  7: 'activation confirmation',
  8: 'deactivation',
  9: 'deactivation confirmation',
  10: 'activation termination',
  11: 'return information caused by a remote command',
  12: 'return information caused by a local command',
  13: 'file transfer',
  14: 'authentication',
  15: 'maintenance of authentication session key',
  16: 'maintenance of user role and update key',
  20: 'interrogated by station interrogation',
  37: 'requested by general counter request',
  44: 'unknown type identification',
  45: 'unknown cause of transmission',
  46: 'unknown common address of ASDU',
  47: 'unknown information object address',
};

/** The words of a cause 0 to 63; null for one that the standard does not define. */
export function causeName(cause: number): string | null {
  const name = CAUSE_NAMES[cause];
  if (name !== undefined) return name;
  if (cause > 20 && cause <= 36) return `interrogated by group ${cause - 20} interrogation`;
  if (cause > 37 && cause <= 41) return `requested by group ${cause - 37} counter request`;
  return null;
}

/** True for 44 to 47: the request comes back because the station does not know its type, cause, common or object address. */
export function isUnknownCause(cause: number): boolean {
  return cause >= Cause.unknownType && cause <= Cause.unknownObjectAddress;
}

/** The cause with its number and name, as a message. */
export function causeMessage(code: number): Message {
  return say('iec104.cause', { code, name: nameMessage(code) });
}

function nameMessage(code: number): Message {
  const id = `iec104.cause_${code}`;
  if (isMessageId(id)) return { id, params: {} };
  if (code > 20 && code <= 36) return say('iec104.cause_group', { group: code - 20 });
  if (code > 37 && code <= 41) return say('iec104.cause_counter_group', { group: code - 37 });
  return say('iec104.cause_other');
}
