/** Whether a value suits a type (DataAccessError type-inconsistent otherwise). */
import { textSize } from '../../../protocol-kit/ber/writer.ts';
import type { MmsComponent, MmsResult, MmsType, MmsValue } from './types.ts';

/** True when a variable of the type can hold the value. */
export function suits(type: MmsType, value: MmsValue): boolean {
  switch (type.kind) {
    case 'structure':
      return value.kind === 'structure' && suitEach(type.components, value.items);
    case 'array':
      return value.kind === 'array' && type.count === value.items.length && value.items.every((item) => suits(type.element, item));
    case 'integer':
      return value.kind === 'integer' && isWithin(value.value, type.size, true);
    case 'unsigned':
      return value.kind === 'unsigned' && isWithin(value.value, type.size, false);
    case 'float':
      return value.kind === 'float' && value.width === type.width;
    case 'bit-string':
      return value.kind === 'bit-string' && isLength(value.size, type.size);
    case 'octet-string':
      return value.kind === 'octet-string' && isLength(value.octets.length, type.size);
    case 'visible-string':
    case 'mms-string':
      return value.kind === type.kind && isLength(textSize(value.text), type.size);
    case 'binary-time':
      return value.kind === 'binary-time' && value.octets.length === (type.hasDate ? 6 : 4);
    default:
      return value.kind === type.kind;
  }
}

/** True when the results from place `first` on suit their types; what has no value, and a type that is not known, suits. */
export function suitAll(types: readonly (MmsType | null)[], results: readonly MmsResult[], first = 0): boolean {
  return types.every((type, place) => {
    const result = results[first + place];
    return !type || !result || result.kind === 'failure' || suits(type, result);
  });
}

function suitEach(components: readonly MmsComponent[], items: readonly MmsValue[]): boolean {
  if (components.length !== items.length) return false;
  for (let at = 0; at < items.length; at++) {
    if (!suits((components[at] as MmsComponent).type, items[at] as MmsValue)) return false;
  }
  return true;
}

/** True for a whole number that so many bits hold. Powers of two are exact as numbers, and so is the comparison of a bigint with one. */
function isWithin(value: number | bigint, bits: number, isSigned: boolean): boolean {
  const most = 2 ** (isSigned ? bits - 1 : bits);
  return value >= (isSigned ? -most : 0) && value < most;
}

/** Negative sizes mean at most; bit and octet strings of other types have just their size. */
function isLength(length: number, size: number): boolean {
  return size < 0 ? length <= -size : length === size;
}
