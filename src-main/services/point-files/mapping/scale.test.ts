import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseScale } from './scale.ts';

const said = (text: string) => {
  const scale = parseScale(text);
  return (
    scale &&
    [scale.factor, scale.offset, scale.unit, scale.isSure ? 'sure' : 'asked']
      .join(' ')
      .replace(/ 0 {2}/, ' ')
      .replace(/ 0 /, ' ')
  );
};

describe('a factor of a list', () => {
  it.each([
    ['0.1', '0.1 sure'],
    ['1', '1 sure'],
    ['10', '10 asked'],
    ['1000', '1000 asked'],
    ['1e-3', '0.001 sure'],
    ['0,01', '0.01 sure'],
    ['/10', '0.1 sure'],
    ['/ 100', '0.01 sure'],
    ['÷10', '0.1 sure'],
    ['x0.1', '0.1 sure'],
    ['×0.01', '0.01 sure'],
    ['*0.1', '0.1 sure'],
    ['x10', '10 asked'],
    ['x10^-1', '0.1 sure'],
    ['10^-2', '0.01 sure'],
    ['10⁻¹', '0.1 sure'],
    ['×10^3', '1000 asked'],
    ['1/10', '0.1 sure'],
    ['1/100 V', '0.01 V sure'],
    ['0.1V', '0.1 V sure'],
    ['0.1 V/LSB', '0.1 V sure'],
    ['0.01 kWh per count', '0.01 kWh sure'],
    ['10 mA', '10 mA sure'],
    ['raw/10', '0.1 sure'],
    ['Value / 100', '0.01 sure'],
    ['x/10', '0.1 sure'],
    ['raw*0.1-40', '0.1 -40 sure'],
    ['(x-1000)/10', '0.1 -100 sure'],
    ['实际值=寄存器值*0.1-40', '0.1 -40 sure'],
    ['除以10', '0.1 sure'],
    ['乘以0.1', '0.1 sure'],
    ['0.1×', null],
    ['-0.1', '-0.1 sure'],
  ])('%s', (text, expected) => expect(said(text)?.replace(/ {2,}/g, ' ') ?? null).toBe(expected));

  it.each(['', '-', 'none', '0', 'V', 'see note', '1:10', 'x*x', '10/0', 'A/B'])('"%s" is none', (text) =>
    expect(parseScale(text)).toBeNull(),
  );

  it('says the decimal that was written, in whatever style', () => {
    const decimal = fc
      .tuple(fc.integer({ min: 1, max: 9_999 }), fc.integer({ min: 0, max: 5 }))
      .map(([digits, places]) => (digits / 10 ** places).toFixed(places));
    const power = fc.integer({ min: 1, max: 6 });
    fc.assert(
      fc.property(decimal, power, fc.constantFrom('', 'V', 'kWh', 'm³/h', '°C'), (number, exponent, unit) => {
        const factor = Number(number);
        expect(parseScale(`x${number}`)?.factor).toBe(factor);
        expect(parseScale(`${number}${unit}`)).toMatchObject({ factor, unit });
        expect(parseScale(`${number} ${unit} / LSB`.replace('  ', ' '))?.factor).toBe(factor);
        expect(parseScale(`/${10 ** exponent}`)?.factor).toBe(1 / 10 ** exponent);
        expect(parseScale(`1/${10 ** exponent} ${unit}`)).toMatchObject({ factor: 1 / 10 ** exponent, unit });
        expect(parseScale(`x10^-${exponent}`)?.factor).toBe(1 / 10 ** exponent);
        expect(parseScale(`raw * ${number} - 40`)).toMatchObject({ factor, offset: -40 });
      }),
    );
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => void parseScale(text)));
  });
});
