/** Whether digits alone are decimal or hexadecimal. */
import type { WrittenAddress } from './written-address.ts';

export type NumberForm = 'decimal' | 'hexadecimal';

/** A header of hexadecimal numbers. */
export const SAYS_HEX = /hex|十六进制|16进制|0x/i;
const SAYS_DECIMAL = /dec|十进制|10进制/i;

/** The form of the digits of one column of addresses; null where both fit and mean something else. */
export function findNumberForm(
  written: readonly WrittenAddress[],
  registers: readonly (number | null)[],
  header: string,
): NumberForm | null {
  const plain = written.filter(({ form }) => form === 'plain');
  if (plain.length === 0) return 'decimal';
  if (SAYS_HEX.test(header) !== SAYS_DECIMAL.test(header)) return SAYS_HEX.test(header) ? 'hexadecimal' : 'decimal';
  const lettered = plain.filter(({ digits }) => /[a-f]/i.test(digits));
  if (lettered.length > 0) return isOneWord(plain) ? 'decimal' : 'hexadecimal';
  if (written.some(({ form }) => form === 'hex')) return plain.every(({ digits }) => digits.length < 2) ? 'hexadecimal' : null;
  const hasZeros = plain.some(({ digits }) => digits.length > 1 && digits.startsWith('0'));
  const isPadded = hasZeros && plain.every(({ digits }) => digits.length === plain[0]?.digits.length);
  return isPadded && plain[0]?.digits.length === 4 ? byDistances(plain, registers) : 'decimal';
}

/** `D100`, `D101` … is a word with a number, and no hexadecimal number. */
function isOneWord(plain: readonly WrittenAddress[]): boolean {
  const first = plain[0]?.digits[0]?.toUpperCase() ?? '';
  return /[A-F]/.test(first) && plain.every(({ digits }) => digits[0]?.toUpperCase() === first && /^\d+$/.test(digits.slice(1)));
}

/** Neighbours are as far apart as the registers of the first of them. */
function byDistances(plain: readonly WrittenAddress[], registers: readonly (number | null)[]): NumberForm | null {
  let decimal = 0;
  let hexadecimal = 0;
  for (let at = 1; at < plain.length; at++) {
    const [one = '', two = ''] = [plain[at - 1]?.digits, plain[at]?.digits];
    const size = registers[at - 1] ?? 1;
    const byTen = Number(two) - Number(one);
    const bySixteen = Number.parseInt(two, 16) - Number.parseInt(one, 16);
    if (byTen === bySixteen) continue;
    if (byTen === size) decimal += 1;
    if (bySixteen === size) hexadecimal += 1;
  }
  if (decimal !== hexadecimal) return decimal > hexadecimal ? 'decimal' : 'hexadecimal';
  // numbers below ten are the same in both
  return plain.every(({ digits }) => Number(digits) < 10) ? 'decimal' : null;
}
