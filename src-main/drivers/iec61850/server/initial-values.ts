/** Values an attribute has before anybody sets it: what the file says, else zero. */
import type { MmsType, MmsValue } from '../mms/types.ts';
import type { AttributeNotes } from '../model/ied-model.ts';
import { valueFromText } from '../model/text-values.ts';

const NO_OCTETS = new Uint8Array(0);

const zeros = new WeakMap<MmsType, MmsValue>();

/** Zero, false, empty, "never" of a type; one value for all variables of it. */
function sharedZero(type: MmsType): MmsValue {
  const known = zeros.get(type);
  if (known) return known;
  const zero = zeroOf(type);
  zeros.set(type, zero);
  return zero;
}

function zeroOf(type: MmsType): MmsValue {
  switch (type.kind) {
    case 'structure':
      return { kind: 'structure', items: type.components.map(({ type: part }) => zeroOf(part)) };
    case 'array':
      return { kind: 'array', items: Array.from({ length: type.count }, () => zeroOf(type.element)) };
    case 'boolean':
      return { kind: 'boolean', value: false };
    case 'bit-string':
      return { kind: 'bit-string', size: Math.abs(type.size), octets: new Uint8Array(Math.ceil(Math.abs(type.size) / 8)) };
    case 'integer':
    case 'unsigned':
      return { kind: type.kind, value: 0 };
    case 'float':
      return { kind: 'float', value: 0, width: type.width === 64 ? 64 : 32 };
    case 'octet-string':
      return { kind: 'octet-string', octets: type.size > 0 ? new Uint8Array(type.size) : NO_OCTETS };
    case 'visible-string':
    case 'mms-string':
      return { kind: type.kind, text: '' };
    case 'binary-time':
      return { kind: 'binary-time', octets: new Uint8Array(type.hasDate ? 6 : 4) };
    case 'utc-time':
      return { kind: 'utc-time', octets: new Uint8Array(8) };
    default:
      return type;
  }
}

/** The value a file writes as `text`; zero where it does not suit the type. */
export function initialValue(type: MmsType, text: string | null, notes: AttributeNotes | null): MmsValue {
  const value = text === null ? null : valueFromText(type, text, notes?.words ?? null);
  return value && !('reason' in value) ? value : sharedZero(type);
}
