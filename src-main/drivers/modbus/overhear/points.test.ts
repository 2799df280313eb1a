import { describe, expect, it } from 'vitest';
import { testPoint } from '../../testing/points.ts';
import { CoveredPoints } from './points.ts';

const point = (id: number, address: number, slave_id = 1) => testPoint({ id, address, slave_id, decode: '0x20', frame_type: 0 });
const range = (start: number, quantity: number) => ({ slaveId: 1, functionCode: 3, start, quantity }) as const;

/** Ids of the points that an answer covers. */
function covered(points: CoveredPoints, start: number, quantity: number): readonly number[] {
  return [...points.readings(range(start, quantity), new Uint8Array(2 * quantity)).pointId];
}

describe('points that an overheard answer covers', () => {
  it('are ready at once in a small table, and of a unit that has none', () => {
    const points = new CoveredPoints(0);
    points.set([point(1, 5), point(2, 6), point(3, 9)]);
    expect([points.isReady(1), points.isReady(77)]).toEqual([true, true]);
    expect(covered(points, 5, 4)).toEqual([1, 2]);
    expect([points.has(1, 3, 9), points.has(1, 3, 7), points.has(2, 3, 9)]).toEqual([true, false, false]);
  });

  it('of a large table are put in order over several frames, each unit by itself, and none is claimed before', () => {
    const points = new CoveredPoints(0);
    points.set([...Array.from({ length: 30_000 }, (_, n) => point(n + 1, n % 60_000)), point(40_000, 5, 2)]);
    let frames = 1;
    expect(points.isReady(1)).toBe(false);
    expect(points.isReady(2)).toBe(true);
    while (!points.isReady(1)) frames += 1;
    expect(frames).toBeGreaterThan(3);
    expect(frames).toBeLessThan(20);
    expect(covered(points, 10, 2)).toEqual([11, 12]);
  });

  it('are named of a read that was refused, when they lie whole in it', () => {
    const points = new CoveredPoints(0);
    points.set([point(1, 5), point(2, 6), point(3, 9), testPoint({ id: 4, address: 7, slave_id: 1, decode: '0x42', frame_type: 0 })]);
    points.isReady(1);
    expect([points.pointIds(range(5, 3)), points.pointIds(range(7, 2)), points.pointIds(range(20, 5))]).toEqual([[1, 2], [4], []]);
  });

  it('begin anew with another table', () => {
    const points = new CoveredPoints(0);
    points.set(Array.from({ length: 30_000 }, (_, n) => point(n + 1, n)));
    points.isReady(1);
    points.set([point(7, 3)]);
    expect(points.isReady(1)).toBe(true);
    expect(covered(points, 0, 10)).toEqual([7]);
  });
});
