import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../platform/manual-clock.ts';
import type { PointConfig, PointReading, ServerIo } from '../../spi/index.ts';
import { pointsOf, testSettings } from '../testing/bench.ts';
import { Dlt645Server } from './server.ts';

const COUNT = 400;
/** So often one field of a point may be looked at in the course of a work, however many others there are. */
const MOST_LOOKS = 60;

/** Points that count how often somebody looks at this field of one of them. */
function watched(points: readonly PointConfig[], field: 'address' | 'slave_id') {
  const looks = { count: 0 };
  const counting = points.map((point) => {
    const value = point[field];
    return Object.defineProperty({ ...point }, field, {
      enumerable: true,
      get: () => {
        looks.count += 1;
        return value;
      },
    });
  });
  return { points: counting, looks };
}

/** Starts in steps; answers the server, what it told, and how many steps it took. */
function started(points: readonly PointConfig[]) {
  const told: PointReading[] = [];
  const steps = new Dlt645Server({
    clock: new ManualClock(Date.UTC(2026, 2, 5, 6, 30)),
    points,
    settings: { ...testSettings, connType: 1 },
    sink: { values: (readings: Iterable<PointReading>) => told.push(...readings), notice: () => undefined },
    serialLine: null,
    onPeer: () => undefined,
  } as unknown as ServerIo).started();
  let turns = 0;
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return { server: step.value, told, turns };
    turns += 1;
  }
}

const startValue = (at: number) => at + 0.25;
const ownItems = () =>
  pointsOf(
    Array.from({ length: COUNT }, (_, at) => ({
      address: 0xee00_0000 + at,
      slave_id: 7,
      protocol: { format: 'XXXXXX.XX', start_value: startValue(at) },
    })),
  );
const meters = () =>
  pointsOf(
    Array.from({ length: COUNT }, (_, at) => ({ address: 0x0201_0100, slave_id: at + 1, protocol: { start_value: 200 + at / 10 } })),
  );

describe('a start with many start values', () => {
  it('of one meter sets each without looking at all others, in turns', async () => {
    const { points, looks } = watched(ownItems(), 'address');
    const { server, told, turns } = started(points);
    expect(looks.count).toBeLessThan(COUNT * MOST_LOOKS);
    expect(turns).toBeGreaterThan(COUNT / 32);
    expect(told.map((reading) => [reading.pointId, 'value' in reading && reading.value])).toEqual(
      points.map(({ id }, at) => [id, startValue(at)]),
    );
    const { readings } = await server.read({ slaveId: null, pointIds: [1, COUNT] });
    expect(readings).toMatchObject([{ raw: Uint8Array.of(0x25, 0, 0, 0) }, { raw: Uint8Array.of(0x25, 0x99, 0x03, 0) }]);
  });

  it('of many meters sets each, in turns', async () => {
    const points = meters();
    const { server, turns } = started(points);
    expect(turns).toBeGreaterThan((3 * COUNT) / 64);
    const { readings } = await server.read({ slaveId: null, pointIds: [1, COUNT] });
    expect(readings).toMatchObject([{ raw: Uint8Array.of(0x00, 0x20) }, { raw: Uint8Array.of(0x99, 0x23) }]);
  });
});

describe('a change of many meters of a large table', () => {
  it.each([
    ['that leave it', false],
    ['whose points get other names', true],
  ])('%s looks at no point for each of the others', async (_, isStaying) => {
    const { points, looks } = watched(meters(), 'slave_id');
    const other = watched(
      meters().map((point) => ({ ...point, name: 'other' })),
      'slave_id',
    );
    const { server } = started(points);
    const before = points.slice(0, COUNT / 2);
    looks.count = 0;
    server.pointsEdited({ before, after: isStaying ? other.points.slice(0, COUNT / 2) : [] });
    expect(looks.count + other.looks.count).toBeLessThan(COUNT * MOST_LOOKS);
    const { readings } = await server.read({ slaveId: null, pointIds: [1, COUNT] });
    expect(readings.map(({ pointId }) => pointId)).toEqual(isStaying ? [1, COUNT] : [COUNT]);
    expect(readings.at(-1)).toMatchObject({ raw: Uint8Array.of(0x99, 0x23) });
  });
});
