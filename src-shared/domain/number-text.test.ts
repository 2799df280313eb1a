import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberText } from './number-text.ts';

describe('a number as text', () => {
  it.each([
    [Math.fround(0.02), '0.02'],
    [Math.fround(230.2273), '230.2273'],
    [Math.fround(16777.217), '16777.217'],
    [60.8276252746582, '60.827625'],
    [-397.3382263183594, '-397.33823'],
    // a register times a factor is no float32
    [34.7, '34.7'],
    [0.1, '0.1'],
    [0.1 + 0.2, '0.30000000000000004'],
    // all digits of a counter count
    [32_415_069, '32415069'],
    [-4_294_967_295, '-4294967295'],
    [0, '0'],
    [Number.NaN, 'NaN'],
  ])('of %d is %s', (value, text) => {
    expect(numberText(value)).toBe(text);
  });

  it('is the same float32 again', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Math.fround(Number(numberText(value)))).toBe(value + 0);
      }),
    );
  });
});
