/** From the words of a type to a code of the decode table. */
import { DECODE_CODES, type DecodeCode } from '#shared/domain/decode.ts';
import type { WrittenOrder } from './order-words.ts';
import type { WrittenType } from './type-words.ts';

export type RegisterOrder = Exclude<WrittenOrder, 'little'>;

/** A type whose width is known. */
export type WholeType = WrittenType & { readonly bits: number };

/** Registers that a value of so many bits takes. */
export function registersOf(bits: number): number {
  return Math.max(1, Math.ceil(bits / 16));
}

/** The code of the decode table; null where it has none. */
export function decodeFor({ kind, bits }: WholeType, order: RegisterOrder): DecodeCode | null {
  const letters = bits <= 8 ? '' : lettersOf(registersOf(bits), order);
  return DECODE_CODES.find((item) => item.type === `${kind}${bits}` && (item.order === letters || bits <= 8)) ?? null;
}

/** Letters of the order of a value of several registers, as the decode table has them: of four registers CDAB is GHEFCDAB. */
export function lettersOf(registers: number, order: RegisterOrder): string {
  const all = Array.from({ length: registers * 2 }, (_, at) => String.fromCharCode(65 + at));
  const words = Array.from({ length: registers }, (_, at) => all.slice(2 * at, 2 * at + 2));
  if (order === 'CDAB' || order === 'DCBA') words.reverse();
  if (order === 'BADC' || order === 'DCBA') for (const word of words) word.reverse();
  return words.flat().join('');
}

/** Smallest and largest number of a type on the wire; undefined where it has no such bounds. */
export function rangeOf({ kind, bits }: WholeType): readonly [number, number] | undefined {
  if (kind === 'uint') return [0, 2 ** bits - 1];
  return kind === 'int' ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : undefined;
}

/** Types that are offered where a list does not say one, of so many registers; null: of any number. */
export function offeredTypes(registers: number | null): string[] {
  const names = [...new Set(DECODE_CODES.map(({ type }) => type))].filter((type) => /^(u?int|float)\d\d$/.test(type));
  return names.filter((type) => registers === null || DECODE_CODES.some((item) => item.type === type && item.registers === registers));
}
