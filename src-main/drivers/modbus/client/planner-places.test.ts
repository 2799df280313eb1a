import { expect, it } from 'vitest';
import type { Steps } from '../../../platform/steps.ts';
import { testPoint } from '../../testing/points.ts';
import { areaSteps, placeSteps } from './planner-places.ts';

function counted<Result>(steps: Steps<Result>): { result: Result; count: number } {
  for (let count = 0; ; count++) {
    const { done, value } = steps.next();
    if (done) return { result: value, count };
  }
}

it('groups many points step by step, across the steps as in one go', () => {
  const points = Array.from({ length: 30_000 }, (_, index) =>
    testPoint({ id: index + 1, code: `P${index}`, slave_id: 1 + (index % 3), address: (index * 7_919) % 60_000, decode: '0x20' }),
  );
  const { placed } = counted(placeSteps(points, 0)).result;
  const { result: areas, count } = counted(areaSteps(placed, null, []));
  // keys, sorting, grouping
  expect(count).toBe(4 + 1 + 4);
  expect(areas.map(({ slaveId, points: own }) => [slaveId, own.length])).toEqual([
    [1, 10_000],
    [2, 10_000],
    [3, 10_000],
  ]);
  for (const { points: own } of areas) {
    const starts = own.map(({ start }) => start);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
  }
});
