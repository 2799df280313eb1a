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
])('%d with %o looks measured: %s', (value, point, expected) => expect(looksMeasured(value, point)).toBe(expected));

describe('the plausible choice', () => {
  const row = (...readings: (readonly [string, number | null, boolean])[]): ToldReading[] =>
    readings.map(([choice, value, plausible]) => ({ choice, value, plausible }));

  it('is the one under which clearly more rows look measured', () => {
    expect(plausibleChoice([row(['a', 1e-40, false], ['b', 231, true]), row(['a', 1e30, false], ['b', 229, true])])).toBe('b');
  });

  it.each([
    ['nothing was read', [row(['a', null, false], ['b', null, false])]],
    ['all are zero', [row(['a', 0, true], ['b', 0, true])]],
    ['both look the same', [row(['a', 5, true], ['b', 6, true])]],
    ['one row stands against another', [row(['a', 5, true], ['b', 1e30, false]), row(['a', 1e30, false], ['b', 5, true])]],
    ['nothing was asked', []],
  ])('is none where %s', (_, rows) => expect(plausibleChoice(rows)).toBeNull());

  it('is one that answers where the other is refused', () => {
    expect(plausibleChoice([row(['a', null, false], ['b', 7, true])])).toBe('b');
  });
});
