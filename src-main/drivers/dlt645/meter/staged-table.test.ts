import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import type { PointConfig } from '../../spi/index.ts';
import { bench, draft, pointsOf } from '../testing/bench.ts';
import { SimulatedMeter } from './meter.ts';

const VOLTAGE = 0x0201_0100;
const COUNT = 300;
const table = (count: number) => pointsOf(Array.from({ length: count }, (_, at) => ({ address: VOLTAGE, slave_id: at + 1 })));

describe('meters of a table that is made aside', () => {
  it('answer as before until it is taken over, and go on with all that was set', async () => {
    const points = table(2);
    const [first] = points as [PointConfig];
    const { server } = bench({ points });
    await server.execute({ point: first, step: 'operate', value: 219.5, options: {} });
    const read = async (...pointIds: number[]) => (await server.read({ slaveId: null, pointIds })).readings;
    const before = await read(1, 2, COUNT);
    expect(before).toMatchObject([{ value: 219.5 }, { pointId: 2 }]);
    let bits = 0;
    const staged = await server.stageTable(table(COUNT), async () => {
      bits += 1;
      expect(await read(1, 2, COUNT)).toEqual(before);
    });
    expect(bits).toBeGreaterThan(COUNT / 64);
    staged.takeOver();
    const [kept, second, added] = await read(1, 2, COUNT);
    expect([kept, second]).toEqual(before);
    expect(added).toMatchObject({ pointId: COUNT, kind: 'value', quality: 'good' });
  });

  it('are gone with their last point, and take a write right behind', async () => {
    const { server } = bench({ points: table(3) });
    const points = table(4).filter(({ id }) => id !== 2);
    const added = points.at(-1) as PointConfig;
    (await server.stageTable(points, async () => undefined)).takeOver();
    await server.execute({ point: added, step: 'operate', value: 231, options: {} });
    expect((await server.read({ slaveId: null, pointIds: [2, 4] })).readings).toMatchObject([{ pointId: 4, value: 231 }]);
    const gone = { ...draft({ slave_id: 2, address: VOLTAGE, frame_type: FrameType.yc }), id: 2, channel_id: 1 } as PointConfig;
    await expect(server.execute({ point: gone, step: 'operate', value: 1, options: {} })).rejects.toThrow();
  });
});

it('a meter counts from its start, also where nobody asks it for long', () => {
  const [start, later] = [Date.UTC(2026, 2, 5, 6, 30), Date.UTC(2026, 2, 5, 6, 40)];
  const [asked, alone] = [1, 2].map(() => new SimulatedMeter('000000000007', start, 0)) as [SimulatedMeter, SimulatedMeter];
  const energy = (meter: SimulatedMeter, at: number) => meter.data(2007, 0x0000_ff00, at);
  const first = energy(asked, start);
  expect(energy(alone, later)).toEqual(energy(asked, later));
  expect(energy(alone, later)).not.toEqual(first);
});
