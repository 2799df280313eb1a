import { describe, expect, it } from 'vitest';
import { testPoint } from '../../../drivers/testing/points.ts';
import { pickSamples } from './table.ts';

const points = (count: number, rest: Parameters<typeof testPoint>[0], from = 1) =>
  Array.from({ length: count }, (_, at) => testPoint({ ...rest, id: from + at }));
const ids = (table: Parameters<typeof pickSamples>[0]) => pickSamples(table).map(({ id }) => id);

describe('points that stand for a table', () => {
  it('are four of a kind, spread over it', () => {
    expect(ids(points(40, {}))).toEqual([1, 11, 21, 31]);
  });

  it('are all where there are few', () => {
    expect(ids([])).toEqual([]);
    expect(ids(points(3, {}))).toEqual([1, 2, 3]);
  });

  it('are some of each slave, function and decode, in turns', () => {
    const table = [
      ...points(4, { slave_id: 1 }, 1),
      ...points(2, { slave_id: 2 }, 11),
      ...points(1, { slave_id: 1, func_code: 4 }, 21),
      ...points(1, { slave_id: 1, decode: '0x42' }, 31),
    ];
    expect(ids(table)).toEqual([1, 11, 21, 31, 2, 12, 3, 4]);
  });

  it('are sixteen at most', () => {
    const table = Array.from({ length: 20 }, (_, at) => testPoint({ id: at + 1, slave_id: at + 1 }));
    expect(ids(table)).toEqual(Array.from({ length: 16 }, (_, at) => at + 1));
  });
});
