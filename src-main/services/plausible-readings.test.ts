import { describe, expect, it } from 'vitest';
import { looksMeasured, plausibleChoice, type ToldReading } from './plausible-readings.ts';

const of = (unit: string, min_limit: number | null = null, max_limit: number | null = null) => ({ unit, min_limit, max_limit });

it.each([
  [231.5, of('V'), true],
  [-2.4e-41, of('V'), false],
  [49.98, of('Hz'), true],
  [4998, of('Hz'), false],
  [0, of('Hz'), true],
  [Number.NaN, of(''), false],
  [Number.POSITIVE_INFINITY, of('kWh'), false],
  [12_345_678, of('kWh'), true],
  [2_147_483_648, of('kWh'), false],
  [85, of('°C', 0, 60), false],
  // at the edges of a unit, and beyond
  [-2000, of('V'), true],
  [-2000.1, of('V'), false],
  [50_000, of('V'), true],
  [50_000.1, of('V'), false],
  [70, of('hz'), true],
  [101, of('%'), true],
  [-111, of('%'), false],
  [231.5, of('mV'), true],
  [1_000_001, of('kV'), false],
  // of any unit
  [1e-6, of('bar'), true],
  [-9.9e-7, of('bar'), false],
  [1e9, of('bar'), true],
  [-1e9, of('bar'), true],
  [1_000_000_000.5, of('bar'), false],
  // within the limits of the point
  [10, of('', 10, 20), true],
  [20, of('', 10, 20), true],
  [9.9, of('', 10, 20), false],
  [20.1, of('', 10, 20), false],
  [-5, of('', null, 20), true],
  [25, of('', 10, null), true],
  [0, of('', 10, 20), true],
])('%d with %o looks measured: %s', (value, point, expected) => expect(looksMeasured(value, point)).toBe(expected));

describe('the plausible choice', () => {
  const row = (...readings: (readonly [string, number | null, boolean])[]): ToldReading[] =>
    readings.map(([choice, value, plausible]) => ({ choice, value, plausible }));

  /** So many rows that look measured under `b` alone, and under `a` alone. */
  const rows = (forB: number, forA: number) => [
    ...Array.from({ length: forB }, () => row(['a', 1e30, false], ['b', 5, true])),
    ...Array.from({ length: forA }, () => row(['a', 5, true], ['b', 1e30, false])),
  ];

  it.each([
    [1, 0],
    [3, 1],
    [5, 3],
    [10, 6],
  ])('is one that has %d rows of its own against %d', (forB, forA) => {
    expect(plausibleChoice(rows(forB, forA))).toBe('b');
    expect(plausibleChoice(rows(forA, forB))).toBe('a');
  });

  it.each([
    ['zeros', row(['a', 0, true], ['b', null, false])],
    ['the same everywhere', row(['a', 5, true], ['b', 5, true])],
  ])('is not changed by rows that tell nothing: %s', (_, silent) => {
    expect(plausibleChoice([...rows(1, 0), ...Array<ToldReading[]>(9).fill(silent)])).toBe('b');
  });

  it('is the one under which clearly more rows look measured', () => {
    expect(plausibleChoice([row(['a', 1e-40, false], ['b', 231, true]), row(['a', 1e30, false], ['b', 229, true])])).toBe('b');
  });

  it.each([
    ['nothing was read', [row(['a', null, false], ['b', null, false])]],
    ['all are zero', [row(['a', 0, true], ['b', 0, true])]],
    ['both look the same', [row(['a', 5, true], ['b', 6, true])]],
    ['one row stands against another', [row(['a', 5, true], ['b', 1e30, false]), row(['a', 1e30, false], ['b', 5, true])]],
    ['nothing was asked', []],
    ['there is one way to read it', [row(['a', 5, true])]],
    ['all that looks measured is zero', [row(['a', 0, true], ['b', 1e30, false])]],
    ['nothing looks measured', [row(['a', 1e40, false], ['b', 1e30, false])]],
    ['three rows stand against two', rows(3, 2)],
    ['five rows stand against four', rows(5, 4)],
  ])('is none where %s', (_, rows) => expect(plausibleChoice(rows)).toBeNull());

  it('is one that answers where the other is refused', () => {
    expect(plausibleChoice([row(['a', null, false], ['b', 7, true])])).toBe('b');
  });
});
