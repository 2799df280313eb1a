import { expect, it } from 'vitest';
import { fakeModelPlace } from '../../runtime/testing/fake-model.ts';
import { jsonValues, valuePieces, valuesBelow } from './values.ts';

it('values below a node are those of it and of its parts, not of one whose name only begins alike', async () => {
  const keys = ['LD0/GGIO1$ST$Ind1$stVal', 'LD0/GGIO1$ST$Ind10$stVal', 'LD0/GGIO10$ST$Ind1$stVal', 'LD01/GGIO1$ST$Ind1$stVal'];
  const values = new Map(keys.map((key) => [key, 1]));
  const below = async (parent: string) => [...(await valuesBelow(values, parent, fakeModelPlace, async () => {})).keys()];
  expect(await below('LD0/GGIO1$ST$Ind1')).toEqual(keys.slice(0, 1));
  expect(await below('LD0/GGIO1')).toEqual(keys.slice(0, 2));
  expect(await below('LD0')).toEqual(keys.slice(0, 3));
  expect(await below('LD0/GGIO1.Ind1.stVal')).toEqual(keys.slice(0, 1));
});

it('many values come in pieces, and are looked at with turns of others between', async () => {
  const values = new Map(Array.from({ length: 20_000 }, (_, at) => [`LD${at}/GGIO1$ST$Ind1$stVal`, at % 2 ? at : 9_007_199_254_740_993n]));
  let breaths = 0;
  const breathe = async () => {
    breaths += 1;
  };
  const pieces = await valuePieces(values, breathe);
  expect(pieces.join('')).toBe(JSON.stringify(jsonValues(values)));
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(70_000);
  expect((await valuePieces(new Map(), breathe)).join('')).toBe('{}');
  expect([...(await valuesBelow(values, 'LD7', fakeModelPlace, breathe)).values()]).toEqual([7]);
  expect(breaths).toBeGreaterThan(600);
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
