import { describe, expect, it } from 'vitest';
import { linePoints, rangeOf, type TrendValue, withValue } from './trend-values.ts';

const at = (second: number, value: number): TrendValue => ({ at: `2026-03-01T08:00:${String(second).padStart(2, '0')}.000Z`, value });

describe('the values of a trend', () => {
  it('take a reading once, also where the value stayed', () => {
    const values = [at(0, 5), at(1, 5), at(1, 5), at(2, 6)].reduce<readonly TrendValue[]>(withValue, []);
    expect(values).toEqual([at(0, 5), at(1, 5), at(2, 6)]);
    expect(withValue(values, at(2, 6))).toBe(values);
  });

  it('are 120 at the most, the newest', () => {
    const values = Array.from({ length: 200 }, (_, index) => ({ at: String(index), value: index })).reduce<readonly TrendValue[]>(
      withValue,
      [],
    );
    expect([values.length, values[0]?.value, values.at(-1)?.value]).toEqual([120, 80, 199]);
  });

  it('have a range, and none where there are none', () => {
    expect([rangeOf([at(0, 3), at(1, -2), at(2, 1)]), rangeOf([])]).toEqual([{ least: -2, most: 3 }, null]);
  });
});

describe('the line of a trend', () => {
  it('goes from the lowest at the bottom to the highest at the top', () => {
    expect(linePoints([at(0, 1), at(1, 3), at(2, 2)], 100, 40)).toBe('0.0,40.0 50.0,0.0 100.0,20.0');
  });

  it('lies in the middle where nothing changes, and is none of one value', () => {
    expect([linePoints([at(0, 7), at(1, 7)], 100, 40), linePoints([at(0, 7)], 100, 40)]).toEqual(['0.0,20.0 100.0,20.0', '']);
  });
});
