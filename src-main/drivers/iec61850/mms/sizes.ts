/** Octets that PDUs will take, for those who cut requests to the negotiated PDU size. */

import { BerWriter, berSize, integerSize, textSize } from '../../../protocol-kit/ber/writer.ts';
import { encodeVariable } from './names.ts';
import type { VariableSpec } from './pdu.ts';
import type { MmsResult, MmsType } from './types.ts';

/** Longest invokeID, and tags and lengths of a Read around its items when these take up to 65535 octets. */
const READ_REQUEST_FRAME = 4 + 7 + 4 + 4 + 4;
const READ_ANSWER_FRAME = 4 + 7 + 4 + 4;

/** Octets of one variable in a request: 10 and the names of a domain variable as long as every length is below 128. */
export function variableSize({ name, access }: VariableSpec): number {
  if (access !== null) {
    const writer = new BerWriter();
    encodeVariable(writer, { name, access });
    return writer.length;
  }
  const item = berSize(0x1a, textSize(name.item));
  const inner = name.scope === 'domain' ? berSize(0xa1, berSize(0x1a, textSize(name.domain)) + item) : item;
  return berSize(0x30, berSize(0xa0, inner));
}

/** Largest size of a Read request whose items take `itemOctets` together. */
export function readRequestSize(itemOctets: number): number {
  return READ_REQUEST_FRAME + itemOctets;
}

/** Largest size of a Read response whose results take `resultOctets` together. */
export function readAnswerSize(resultOctets: number): number {
  return READ_ANSWER_FRAME + resultOctets;
}

/** Octets of a result as it is encoded. */
export function resultSize(result: MmsResult): number {
  switch (result.kind) {
    case 'failure':
      return berSize(0x80, integerSize(result.code));
    case 'array':
    case 'structure': {
      let octets = 0;
      for (const item of result.items) octets += resultSize(item);
      return berSize(0xa2, octets);
    }
    case 'boolean':
      return 3;
    case 'bit-string':
      return berSize(0x84, 1 + Math.ceil(result.size / 8));
    case 'integer':
    case 'unsigned':
      return berSize(0x85, integerSize(result.value));
    case 'float':
      return berSize(0x87, 1 + result.width / 8);
    case 'visible-string':
    case 'mms-string':
      return berSize(0x8a, textSize(result.text));
    case 'other':
      return berSize(result.tag, result.octets.length);
    default:
      return berSize(0x89, result.octets.length);
  }
}

/**
 * Largest number of octets a value of the type takes in an answer. Strings that may be longer than `textOctets` are reckoned with that
 * many; they seldom fill the length their type allows.
 */
export function typeSize(type: MmsType, textOctets: number = Number.POSITIVE_INFINITY): number {
  switch (type.kind) {
    case 'structure': {
      let octets = 0;
      for (const component of type.components) octets += typeSize(component.type, textOctets);
      return berSize(0xa2, octets);
    }
    case 'array':
      return berSize(0xa1, type.count * typeSize(type.element, textOctets));
    case 'boolean':
      return 3;
    case 'bit-string':
      return berSize(0x84, 1 + Math.ceil(Math.abs(type.size) / 8));
    case 'integer':
      return berSize(0x85, Math.ceil(type.size / 8));
    case 'unsigned':
      return berSize(0x86, Math.ceil(type.size / 8) + 1);
    case 'float':
      return berSize(0x87, 1 + type.width / 8);
    case 'octet-string':
    case 'visible-string':
    case 'mms-string':
      return berSize(0x8a, Math.min(Math.abs(type.size), Math.max(textOctets, 0)));
    case 'binary-time':
      return type.hasDate ? 8 : 6;
    case 'utc-time':
      return 10;
    default:
      return berSize(type.tag, Math.min(64, textOctets));
  }
}
