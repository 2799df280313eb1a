import { expect, it } from 'vitest';
import { concatBytes, hexText, putU16, u8, u16 } from './bytes.ts';

it('reads and writes numbers with the high octet first', () => {
  const bytes = new Uint8Array(4);
  putU16(bytes, 1, 0x1_44_9a);
  expect(bytes).toEqual(Uint8Array.of(0, 0x44, 0x9a, 0));
  expect(u16(bytes, 1)).toBe(0x449a);
  expect(u8(bytes, 2)).toBe(0x9a);
});

it('reads 0 behind the end', () => {
  expect(u8(Uint8Array.of(1), 1)).toBe(0);
  expect(u16(Uint8Array.of(1), 0)).toBe(0x100);
});

it('joins octets and shows them as spaced hex', () => {
  expect(hexText(concatBytes(Uint8Array.of(0x44, 0x9a), Uint8Array.of(), Uint8Array.of(5)))).toBe('44 9A 05');
  expect(hexText(new Uint8Array(0))).toBe('');
});
