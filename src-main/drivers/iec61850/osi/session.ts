/** SPDUs of the ISO session protocol, version 2 with the duplex functional unit (ITU-T X.225, 8). Lengths are not those of BER. */

import { say } from '#shared/messages/index.ts';
import type { MessagePart } from '#shared/messages/message.ts';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import { malformed } from '../../../protocol-kit/malformed.ts';

const SI = {
  data: 0x01,
  finish: 0x09,
  disconnect: 0x0a,
  refuse: 0x0c,
  connect: 0x0d,
  accept: 0x0e,
  abort: 0x19,
  abortAccept: 0x1a,
} as const;
const PI = {
  connectItem: 0x05,
  transportDisconnect: 0x11,
  requirements: 0x14,
  callingSelector: 0x33,
  calledSelector: 0x34,
  reason: 0x32,
  userData: 0xc1,
  extendedUserData: 0xc2,
} as const;

/** GIVE TOKENS and DATA TRANSFER, both without parameters: what stands before the user data of every data SPDU. */
export const DATA_HEADER = Uint8Array.from([SI.data, 0, SI.data, 0]);
/** Protocol options 0 and version 2; then the requirement of duplex. */
const CONNECT_ITEM = Uint8Array.from([PI.connectItem, 6, 0x13, 1, 0, 0x16, 1, 2, PI.requirements, 2, 0, 2]);
/** The transport connection is released, and the session was given up by its user. */
const ABORT_REASON = Uint8Array.from([PI.transportDisconnect, 1, 0x0b]);

/** An SPDU. User data is a view; empty where there is none. A selector that is null is left out. */
export type Spdu =
  | {
      readonly kind: 'connect' | 'accept';
      readonly callingSelector: Uint8Array | null;
      /** Called selector of a CONNECT, responding selector of an ACCEPT. */
      readonly calledSelector: Uint8Array | null;
      readonly userData: Uint8Array;
    }
  | { readonly kind: 'data' | 'finish' | 'disconnect' | 'abort'; readonly userData: Uint8Array }
  | {
      readonly kind: 'refuse' /** First octet of the reason code; null where it is left out. */;
      readonly reason: number | null;
      readonly userData: Uint8Array;
    }
  | { readonly kind: 'abort-accept' };

const EMPTY = new Uint8Array(0);

/** Reads a TSDU as an SPDU. Unknown parameters are passed over. Throws `PROTOCOL_MALFORMED`. */
export function decodeSpdu(bytes: Uint8Array): Spdu {
  const type = bytes[0] ?? 0;
  const { value, end } = lengthValue(bytes, 1, bytes.length, 'SPDU');
  if (type === SI.data) return decodeData(bytes, end);
  if (end !== bytes.length) throw malformed(say('osi.spdu_follows', { count: bytes.length - end, spdu: hexOctet(type) }));
  const parameters = readParameters(bytes, value, end);
  const userData = parameters.get(PI.userData) ?? parameters.get(PI.extendedUserData) ?? EMPTY;
  switch (type) {
    case SI.connect:
    case SI.accept: {
      const callingSelector = parameters.get(PI.callingSelector) ?? null;
      const calledSelector = parameters.get(PI.calledSelector) ?? null;
      return { kind: type === SI.connect ? 'connect' : 'accept', callingSelector, calledSelector, userData };
    }
    case SI.finish:
      return { kind: 'finish', userData };
    case SI.disconnect:
      return { kind: 'disconnect', userData };
    case SI.abort:
      return { kind: 'abort', userData };
    case SI.abortAccept:
      return { kind: 'abort-accept' };
    case SI.refuse:
      return { kind: 'refuse', reason: parameters.get(PI.reason)?.[0] ?? null, userData };
    default:
      throw malformed(say('osi.no_spdu', { spdu: hexOctet(type) }));
  }
}

/** GIVE TOKENS stands before DATA TRANSFER; the user data is everything behind both. */
function decodeData(bytes: Uint8Array, tokensEnd: number): Spdu {
  if (bytes[tokensEnd] !== SI.data) throw malformed(say('osi.no_data_transfer'));
  const { end } = lengthValue(bytes, tokensEnd + 1, bytes.length, 'DATA TRANSFER');
  return { kind: 'data', userData: bytes.subarray(end) };
}

/** Values by their parameter identifiers. Members of parameter groups are not looked into. */
function readParameters(bytes: Uint8Array, start: number, end: number): ReadonlyMap<number, Uint8Array> {
  const found = new Map<number, Uint8Array>();
  for (let at = start; at < end; ) {
    const type = bytes[at] ?? 0;
    const item = lengthValue(bytes, at + 1, end, say('osi.parameter', { parameter: hexOctet(type) }));
    found.set(type, bytes.subarray(item.value, item.end));
    at = item.end;
  }
  return found;
}

/**
 * The length at `at` (one octet, or FF and two) and where its value begins and ends. Throws `PROTOCOL_MALFORMED` when the value reaches
 * beyond `limit`; `what` names it.
 */
export function lengthValue(
  bytes: Uint8Array,
  at: number,
  limit: number,
  what: MessagePart,
): { readonly value: number; readonly end: number } {
  const isLong = bytes[at] === 0xff;
  const value = at + (isLong ? 3 : 1);
  const length = isLong ? ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0) : (bytes[at] ?? 0);
  if (value + length > limit) throw malformed(say('osi.length', { what, length, count: Math.max(0, limit - value) }));
  return { value, end: value + length };
}

/** An SPDU as both stacks of the captures write it: no longer lengths than needed, parameters in ascending order. */
export function encodeSpdu(spdu: Exclude<Spdu, { kind: 'abort-accept' }>): Uint8Array {
  const userData = spdu.userData.length === 0 ? EMPTY : parameter(PI.userData, spdu.userData);
  switch (spdu.kind) {
    case 'data':
      return concatBytes(DATA_HEADER, spdu.userData);
    case 'connect':
    case 'accept': {
      const calling = spdu.callingSelector ? parameter(PI.callingSelector, spdu.callingSelector) : EMPTY;
      const called = spdu.calledSelector ? parameter(PI.calledSelector, spdu.calledSelector) : EMPTY;
      return parameter(SI[spdu.kind], concatBytes(CONNECT_ITEM, calling, called, userData));
    }
    case 'abort':
      return parameter(SI.abort, concatBytes(ABORT_REASON, userData));
    case 'refuse': {
      const reason = spdu.reason === null ? EMPTY : parameter(PI.reason, Uint8Array.from([spdu.reason]));
      return parameter(SI.refuse, concatBytes(reason, userData));
    }
    default:
      return parameter(SI[spdu.kind], userData);
  }
}

/** Type, length and value; SPDUs and their parameters have the same form. The value has at most 65535 octets. */
function parameter(type: number, value: Uint8Array): Uint8Array {
  const head = value.length < 0xff ? [type, value.length] : [type, 0xff, value.length >> 8, value.length & 0xff];
  return concatBytes(Uint8Array.from(head), value);
}

function hexOctet(octet: number): string {
  return octet.toString(16).padStart(2, '0');
}
