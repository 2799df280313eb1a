import { describe, expect, it } from 'vitest';
import { decodeNumber, encodeNumber } from './bcd.ts';

describe('signed BCD numbers', () => {
  it.each([
    ['0080', 2],
    ['000080', 4],
    ['80', 0],
  ])('%s with %i decimals is zero without a sign', (octets, decimals) => {
    const number = decodeNumber(Uint8Array.from(Buffer.from(octets, 'hex')), decimals, true);
    expect(number.text).toMatch(/^0(?:\.0+)?$|^00?$/);
    expect([Object.is(number.value, 0), Object.is(number.integer, 0)]).toEqual([true, true]);
  });

  it('keep the sign of what is not zero', () => {
    expect(decodeNumber(Uint8Array.of(0x01, 0x80), 2, true)).toEqual({ value: -0.01, integer: -1, text: '-0.01' });
  });

  it.each([0, -0, -0.004])('%d is written as zero without the sign bit', (value) => {
    expect(encodeNumber(value, 2, 2, true)).toEqual(Uint8Array.of(0, 0));
  });

  it.each([
    [1.005, 101],
    [-1.005, -101],
    [0.285, 29],
    [-0.005, -1],
  ])('%d is rounded as the decimal it is written as', (value, integer) => {
    const octets = encodeNumber(value, 3, 2, true);
    expect(decodeNumber(octets, 2, true).integer).toBe(integer);
  });
});
