import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CodeSource, makeCodes } from './codes.ts';

const source = (name: string, place: string, more: Partial<CodeSource> = {}): CodeSource => ({ code: '', name, place, end: '', ...more });

describe('codes from names', () => {
  it('are words of any script, and tell points of one name apart by their place', () => {
    const { codes, made } = makeCodes([
      source('Voltage L1-N (V)', 'H0'),
      source('A相电压', 'H1'),
      source('备用', 'H2'),
      source('备用', 'H3'),
      source('', 'H4'),
      source('---', 'H5'),
      source('Setpoint', 'H6', { code: 'SP 1', end: '' }),
      source('Setpoint', 'H6', { code: 'SP 1', end: '_SET' }),
    ]);
    expect(codes).toEqual(['Voltage_L1_N_V', 'A相电压', '备用_H2', '备用_H3', 'P_H4', 'P_H5', 'SP 1', 'SP 1_SET']);
    expect(made).toBe(6);
  });

  it('of the list that stand there twice get the place as well', () => {
    expect(makeCodes([source('a', 'H1', { code: 'X' }), source('b', 'H2', { code: 'X' })])).toMatchObject({
      codes: ['X_H1', 'X_H2'],
      twice: ['X'],
    });
  });

  it('are unique, short enough, and the same in every order', () => {
    const sources = fc.uniqueArray(
      fc.record({
        code: fc.constant(''),
        name: fc.string({ unit: 'grapheme', maxLength: 130 }),
        place: fc.integer({ min: 0, max: 65_535 }).map((at) => `H${at}`),
        end: fc.constant(''),
      }),
      { selector: ({ place }) => place, maxLength: 20 },
    );
    fc.assert(
      fc.property(sources, (list) => {
        const { codes } = makeCodes(list);
        expect(new Set(codes).size).toBe(list.length);
        for (const code of codes) expect(code.length).toBeLessThanOrEqual(100);
        expect(codes.every((code) => code.isWellFormed())).toBe(true);
        const byPlace = new Map(list.map((item, at) => [item.place, codes[at]]));
        const reversed = list.toReversed();
        expect(makeCodes(reversed).codes).toEqual(reversed.map(({ place }) => byPlace.get(place)));
      }),
    );
  });
});
