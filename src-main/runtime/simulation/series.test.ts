import { describe, expect, it } from 'vitest';
import { periodOf, qualityFlags, qualityNumber, type Series, valueAt } from './series.ts';

const LINES = { holds: false, isOnce: false };
const series: Series = {
  times: Float64Array.of(0, 10, 30),
  columns: new Map([
    ['P', Float64Array.of(100, 200, 0)],
    ['gap', Float64Array.of(1, Number.NaN, 5)],
    ['late', Float64Array.of(Number.NaN, Number.NaN, 7)],
  ]),
};
const follow = (column: string, at: readonly number[], way = LINES) => at.map((t) => valueAt(series, column, t, way));

describe('a column of a file', () => {
  it('is followed by straight lines, its last row stands as long as the one before, then it begins anew', () => {
    expect(periodOf(series)).toBe(50);
    expect(follow('P', [0, 5, 10, 20, 30, 49, 50, 55, 500_005])).toEqual([100, 150, 200, 100, 0, 0, 100, 150, 150]);
  });

  it('is held until the next row, and stays at its end where it is asked to', () => {
    expect(follow('P', [0, 9.99, 10, 29, 30, 60], { holds: true, isOnce: false })).toEqual([100, 100, 200, 200, 0, 200]);
    expect(follow('P', [30, 60, 1e9], { holds: false, isOnce: true })).toEqual([0, 0, 0]);
  });

  it('has the value before a gap in it, and none before its first', () => {
    expect(follow('gap', [0, 5, 10, 20, 30])).toEqual([1, 1, 1, 1, 5]);
    expect(follow('late', [0, 20, 30])).toEqual([Number.NaN, Number.NaN, 7]);
    expect(follow('late', [10, 10], { holds: true, isOnce: true })).toEqual([Number.NaN, Number.NaN]);
    expect(follow('nobody', [0])).toEqual([Number.NaN]);
  });

  it('of one row stands for ever', () => {
    const one: Series = { times: Float64Array.of(0), columns: new Map([['P', Float64Array.of(4)]]) };
    expect([0, 1, 1e6].map((t) => valueAt(one, 'P', t, LINES))).toEqual([4, 4, 4]);
  });

  it('has the quality that its number adds up, and none of what it does not know', () => {
    const all = [
      ...(['IV', 'NT', 'SB', 'BL', 'OV', 'questionable', 'test', 'oldData', 'failure', 'inconsistent', 'inaccurate'] as const),
      ...(['outOfRange', 'badReference', 'oscillatory', 'clock_failure', 'clock_not_synchronised'] as const),
    ];
    expect(qualityFlags(qualityNumber(all))).toEqual(all);
    for (const flag of all) expect(qualityFlags(qualityNumber([flag]))).toEqual([flag]);
    expect([qualityNumber(['IV', 'OV']), qualityNumber(['leap_second_known']), qualityFlags(2 ** 30)]).toEqual([129, 0, []]);
  });

  it('of a hundred thousand rows with one long gap has its value', () => {
    const rows = 100_000;
    const times = Float64Array.from({ length: rows }, (_, row) => row);
    const values = new Float64Array(rows).fill(Number.NaN);
    values[0] = 3;
    const long: Series = { times, columns: new Map([['P', values]]) };
    expect(valueAt(long, 'P', rows - 1, LINES)).toBe(3);
  });
});
