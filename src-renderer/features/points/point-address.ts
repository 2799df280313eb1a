import type { Point } from '#shared/contract/points.ts';
import { hexAddress, type Notation } from '#shared/domain/notation.ts';
import type { AddressNotation } from '../../app/preferences.ts';
import { modbusReference } from '../../ui/address.ts';

/**
 * The address of a point as somebody wants to see addresses. The classic reference (`40001`) is that of the address on the wire; where the protocol or the
 * function has none, the address stays decimal.
 */
export function shownAddress(
  { address, func_code: funcCode }: Pick<Point, 'address' | 'func_code'>,
  notation: Notation,
  how: AddressNotation,
  addressBase: number,
): string {
  if (how === 'hexadecimal') return hexAddress(address, notation);
  const hasReference = how === 'reference' && notation.address.form === 'decimal';
  return (hasReference ? modbusReference(address - addressBase, funcCode) : null) ?? String(address);
}

/**
 * The address of a point as it goes to the clipboard: one that an import reads as the same address. A classic reference would be read as another
 * register, so it is never copied, whatever the table shows.
 */
export function copiedAddress(point: Pick<Point, 'address' | 'func_code'>, notation: Notation, how: AddressNotation): string {
  return shownAddress(point, notation, how === 'reference' ? 'decimal' : how, 0);
}
