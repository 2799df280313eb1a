import { expect, it } from 'vitest';
import { fakeModelPlace } from '../../runtime/testing/fake-model.ts';
import { jsonValues, valuesBelow } from './values.ts';

it('values below a node are those of it and of its parts, not of one whose name only begins alike', () => {
  const keys = ['LD0/GGIO1$ST$Ind1$stVal', 'LD0/GGIO1$ST$Ind10$stVal', 'LD0/GGIO10$ST$Ind1$stVal', 'LD01/GGIO1$ST$Ind1$stVal'];
  const values = new Map(keys.map((key) => [key, 1]));
  const below = (parent: string) => [...valuesBelow(values, parent, fakeModelPlace).keys()];
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
