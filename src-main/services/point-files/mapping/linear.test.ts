import { describe, expect, it } from 'vitest';
import { parseLinear } from './linear.ts';

describe('an expression of the raw value', () => {
  it.each<[string, number, number]>([
    ['raw*0.1-40', 0.1, -40],
    ['0.1 * raw + 5', 0.1, 5],
    ['raw/10', 0.1, 0],
    ['(x-1000)/10', 0.1, -100],
    ['(x - 1000) * 0.5', 0.5, -500],
    ['2*(x+3)', 2, 6],
    ['100-x', -1, 100],
    ['-x*2+0', -2, 0],
    ['-(x+1)', -1, -1],
    ['x/2/5', 0.1, 0],
    ['x-1-2', 1, -3],
    ['x+x', 2, 0],
    ['3+x*2', 2, 3],
    ['(3+x)*2', 2, 6],
    ['x*10^-3', 0.001, 0],
    ['x*10^2', 100, 0],
    ['x*1e-2', 0.01, 0],
    ['x*.25', 0.25, 0],
    ['12.25*x', 12.25, 0],
    ['x*2e10', 2e10, 0],
    ['/10', 0.1, 0],
    ['*0.1-40', 0.1, -40],
    ['Value = Register value * 0.1', 0.1, 0],
    ['实际值=寄存器值/10', 0.1, 0],
    ['  raw_1 * 2  ', 2, 0],
  ])('%s', (text, factor, offset) => {
    expect(parseLinear(text)).toEqual({ factor, offset });
  });

  it.each([
    ['nothing', ''],
    ['a number alone', '0.1'],
    ['numbers alone', '2*3'],
    ['a square', 'x*x'],
    ['a square beside the value', 'x+x*x'],
    ['a power of the value', 'x^2'],
    ['a power of the value beside it', 'x+x^2'],
    ['a power by the value beside it', 'x+2^x'],
    ['a sign behind a power', 'x*2^'],
    ['a power by the value', '2^x'],
    ['a reciprocal', '1/x'],
    ['a quotient of two values', '(x+1)/(x+2)'],
    ['a division by nothing', 'x/0'],
    ['nothing of the value left', 'x*0'],
    ['a value that takes itself away', 'x-x'],
    ['an open bracket', '(x*2'],
    ['a closed bracket', 'x*2)'],
    ['an end in the middle', 'x*'],
    ['a sign too many', 'x+*2'],
    ['other signs', 'x%2'],
    ['two values without a sign', 'x 2'],
    ['a factor without end', 'x*10^400'],
    ['an offset without end', 'x+10^400'],
    ['more than a list says', `x${'+1'.repeat(20)}`],
  ])('is none with %s', (_, text) => {
    expect(parseLinear(text)).toBeNull();
  });

  it('may have forty words and signs', () => {
    expect(parseLinear(`-x${'+1'.repeat(19)}`)).toEqual({ factor: -1, offset: 19 });
  });
});
