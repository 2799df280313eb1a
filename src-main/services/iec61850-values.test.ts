import { describe, expect, it } from 'vitest';
import { constraintOf, jsonValues, treeReference, valuesBelow } from './iec61850-values.ts';

describe('a reference in any spelling', () => {
  it.each(['LD0/MMXU1$MX$TotW$mag$f', 'LD0/MMXU1.MX.TotW.mag.f', 'LD0/MMXU1.TotW.mag.f[MX]', 'LD0/MMXU1.TotW.mag.f [MX]'])(
    '%s',
    (spelling) => {
      expect([treeReference(spelling), constraintOf(spelling)]).toEqual(['LD0/MMXU1.TotW.mag.f', 'MX']);
    },
  );

  it('has no constraint where none is written', () => {
    expect([treeReference('LD0/MMXU1$TotW'), constraintOf('LD0/MMXU1.TotW'), treeReference('LD0')]).toEqual(['LD0/MMXU1.TotW', '', 'LD0']);
  });
});

it('values below a node are those of it and of its parts, not of one whose name only begins alike', () => {
  const keys = ['LD0/GGIO1$ST$Ind1$stVal', 'LD0/GGIO1$ST$Ind10$stVal', 'LD0/GGIO10$ST$Ind1$stVal', 'LD01/GGIO1$ST$Ind1$stVal'];
  const values = new Map(keys.map((key) => [key, 1]));
  const below = (parent: string) => [...valuesBelow(values, parent).keys()];
  expect(below('LD0/GGIO1$ST$Ind1')).toEqual(keys.slice(0, 1));
  expect(below('LD0/GGIO1')).toEqual(keys.slice(0, 2));
  expect(below('LD0')).toEqual(keys.slice(0, 3));
  expect(below('LD0/GGIO1.Ind1.stVal')).toEqual(keys.slice(0, 1));
});

it('values are what JSON can say', () => {
  const at = new Date(Date.UTC(2026, 0, 1));
  const given: [string, unknown][] = [
    ['number', 1.5],
    ['nan', Number.NaN],
    ['long', 9_007_199_254_740_993n],
    ['short', 5n],
    ['octets', new Uint8Array([1, 0xab])],
    ['time', at],
    ['structure', { mag: { f: 2n }, list: [1n, undefined] }],
    ['map', new Map([['a', 1n]])],
    ['nothing', null],
    ['text', 'é'],
  ];
  expect(jsonValues(new Map(given))).toEqual({
    number: 1.5,
    nan: 'NaN',
    long: '9007199254740993',
    short: 5,
    octets: '01AB',
    time: '2026-01-01T00:00:00.000Z',
    structure: { mag: { f: 2 }, list: [1, null] },
    map: { a: 1 },
    nothing: null,
    text: 'é',
  });
});
