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

/** Two that are alike: energies of the one are read at each of these hours, those of the other only in the end, which is answered of both. */
function energiesOf(hours: readonly number[], change: (meter: SimulatedMeter, wallMs: number) => void): (string | undefined)[] {
  const start = Date.UTC(2026, 2, 5, 6, 30);
  const energy = (meter: SimulatedMeter, hour: number) => meter.data(2007, 0x0000_ff00, start + hour * 3_600_000)?.join(' ');
  return [true, false].map((isAsked) => {
    const meter = new SimulatedMeter('000000000007', start, 0);
    for (const [at, hour] of hours.entries()) {
      if (isAsked) energy(meter, hour);
      else meter.data(2007, VOLTAGE, start + hour * 3_600_000);
      if (at === 0) change(meter, start + hour * 3_600_000);
    }
    return energy(meter, hours.at(-1) ?? 0);
  });
}

describe('a meter whose energies nobody reads for long', () => {
  const [word] = pointsOf([{ address: 0x0400_0503, slave_id: 7 }]) as [PointConfig];

  it('counts from its start', () => {
    const [asked, alone] = energiesOf([1 / 6], () => undefined);
    expect(alone).toEqual(asked);
    expect(alone).not.toEqual(energiesOf([0], () => undefined)[1]);
  });

  it('has counted until its relay was opened by its status word, and nothing from then on', () => {
    const open = (meter: SimulatedMeter, wallMs: number) => meter.write(word, 0x10, wallMs);
    const [asked, alone] = energiesOf([5, 6], open);
    expect(alone).toEqual(asked);
    expect(alone).toEqual(energiesOf([5], open)[0]);
    expect(alone).not.toEqual(energiesOf([0, 6], open)[0]);
  });

  it('counts from zero where it was cleared', () => {
    const clear = (meter: SimulatedMeter, wallMs: number) => meter.clear(wallMs);
    expect(energiesOf([5], clear)[1]).toMatch(/^0( 0)+$/);
    const [asked, alone] = energiesOf([5, 6], clear);
    expect(alone).toEqual(asked);
  });

  it('settles at the end of a month that its clock was set back to', () => {
    const start = Date.UTC(2026, 2, 5, 6, 30);
    const settled = (asksBefore: boolean) => {
      const meter = new SimulatedMeter('000000000007', start, 0);
      if (asksBefore) meter.data(2007, 0x0000_ff00, start);
      meter.setClock(Date.UTC(2026, 1, 28, 23, 59), start);
      meter.data(2007, asksBefore ? 0x0000_ff00 : VOLTAGE, start);
      return meter.data(2007, 0x0000_ff01, start + 120_000)?.join(' ');
    };
    expect(settled(false)).toBe(settled(true));
    expect(settled(false)).not.toBe(new SimulatedMeter('000000000007', start, 0).data(2007, 0x0000_ff01, start + 120_000)?.join(' '));
  });
});
