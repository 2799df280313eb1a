/** What a simulated meter thinks of a written value. Pure. */
import { BadValue, bcdDigits } from '../codec/bcd.ts';
import { type Edition, OTHER_ERROR } from '../codec/control.ts';
import type { ItemFormat } from '../codec/format.ts';
import { decodeItems } from '../codec/items.ts';
import type { DataItem } from '../dictionary/dictionary.ts';
import { localText } from './simulated-values.ts';

/** Numbers that have a limit, and the bit of the error word for more: zones, slots and rates have their own (both editions). */
const LIMITS: ReadonlyMap<string, readonly [most: number, word: number]> = new Map([
  ['2007 04000103', [60, OTHER_ERROR]],
  ['2007 04000201', [14, 0x10]],
  ['2007 04000203', [14, 0x20]],
  ['2007 04000204', [63, 0x40]],
  ['1997 C111', [60, OTHER_ERROR]],
  ['1997 C310', [10, 0x10]],
  ['1997 C312', [10, 0x20]],
  ['1997 C313', [14, 0x40]],
]);

/** Error word for octets that are no value of the item; 0 where they are. A table may be written from its beginning. */
export function writeFault(edition: Edition, di: number, value: Uint8Array, known: { item: DataItem | null; format: ItemFormat }): number {
  const { item, format } = known;
  const size = format.size ?? item?.octets ?? null;
  const most = item?.octets ?? Number.POSITIVE_INFINITY;
  try {
    decodeItems(value, format, item?.elements === 1 ? 1 : null);
  } catch (thrown) {
    if (thrown instanceof BadValue) return OTHER_ERROR;
    throw thrown;
  }
  if (value.length > most || (item?.elements === 1 && size !== null && value.length !== size)) return OTHER_ERROR;
  const limit = LIMITS.get(
    `${edition} ${di
      .toString(16)
      .toUpperCase()
      .padStart(edition === 2007 ? 8 : 4, '0')}`,
  );
  return limit && Number(bcdDigits(value)) > limit[0] ? limit[1] : 0;
}

/** The clock in local milliseconds after a write to its date, its time, or both; null for an item that is not the clock. */
export function clockAfter(edition: Edition, di: number, value: Uint8Array, localMs: number): number | null {
  const text = localText(localMs);
  const place = CLOCKS.get(`${edition} ${di}`);
  if (!place) return null;
  const digits = bcdDigits(value);
  const date = place === 'time' ? text.slice(0, 6) : digits.slice(0, 6);
  const time = place === 'date' ? text.slice(6) : digits.slice(-6);
  const two = (part: string, at: number) => Number(part.slice(at, at + 2));
  return Date.UTC(2000 + two(date, 0), two(date, 2) - 1, two(date, 4), two(time, 0), two(time, 2), two(time, 4));
}

const CLOCKS: ReadonlyMap<string, 'date' | 'time' | 'both'> = new Map([
  [`2007 ${0x04000101}`, 'date'],
  [`2007 ${0x04000102}`, 'time'],
  [`2007 ${0x0400010c}`, 'both'],
  [`1997 ${0xc010}`, 'date'],
  [`1997 ${0xc011}`, 'time'],
]);
