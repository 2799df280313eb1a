import { describe, expect, it } from 'vitest';
import { factsOf } from './row-facts.ts';

const bitOf = (texts: Readonly<Record<string, string>>) =>
  factsOf({ texts: { address: '275', ...texts }, titles: [], table: 0 } as never).bit;

describe('the bit of a row', () => {
  it.each([
    ['bit 3', '3'],
    ['Bit_12', '12'],
    ['位5', '5'],
    ['bool (bit 4)', '4'],
    ['Boolean [bit 7]', '7'],
    ['bool', null],
    ['uint16', null],
    ['16 bit', null],
    ['32bit float', null],
  ])('is named in the place of the type: %s', (type, bit) => expect(bitOf({ type })).toBe(bit));

  it('of its own column holds', () => expect(bitOf({ type: 'bool (bit 4)', bit: '9' })).toBe('9'));
});
