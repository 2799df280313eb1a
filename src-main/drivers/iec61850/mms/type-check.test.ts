import { describe, expect, it } from 'vitest';
import { suits } from './type-check.ts';

describe('whole numbers suit a type', () => {
  it.each([
    ['integer', 8, -128, 127],
    ['integer', 32, -2_147_483_648, 2_147_483_647],
    ['integer', 64, -(2n ** 63n), 2n ** 63n - 1n],
    ['unsigned', 8, 0, 255],
    ['unsigned', 32, 0, 4_294_967_295],
    ['unsigned', 64, 0, 2n ** 64n - 1n],
  ] as const)('%s of %i bits from %s to %s, and not beyond', (kind, size, least, most) => {
    const fits = (value: number | bigint) => suits({ kind, size }, { kind, value });
    const next = (value: number | bigint, step: 1 | -1) => (typeof value === 'bigint' ? value + BigInt(step) : value + step);
    expect([fits(least), fits(most), fits(next(least, -1)), fits(next(most, 1))]).toEqual([true, true, false, false]);
  });
});
