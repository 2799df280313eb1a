/** The table of our station is edited while a command executes, and while its related point is about to follow. */
import { describe, expect, it } from 'vitest';
import type { PointConfig } from '../spi/index.ts';
import { command } from './codec/make.ts';
import { yc, yk, yt, yx } from './testing/client-bench.ts';
import { StationBench, type TestClient } from './testing/station-bench.ts';

const EXECUTION_MS = 1000;
const REACTION_MS = 500;
const [YX, YC, YK, YT] = [1, 2, 3, 4];
const switched = yk(YK, 7, 45, { related_code: 'P1' });
const setPoint = yt(YT, 100, 50, { related_code: 'P2' });
const table = [yx(YX, 1), yc(YC, 100), switched, setPoint];
const brief = (client: TestClient) => client.asdus.map((asdu) => [asdu.typeId, asdu.cause, asdu.isNegative]);
const switchOn = command({ commonAddress: 1 }, 45, { address: 7, value: 1, qualifier: 0, isSelect: false }, null);
const setTo = command({ commonAddress: 1 }, 50, { address: 100, value: 12.5, qualifier: 0, isSelect: false }, null);

/** The table with some points changed. */
const withEdits = (edits: Readonly<Record<number, Partial<PointConfig>>>): PointConfig[] =>
  table.map((point) => ({ ...point, ...edits[point.id] }));

async function started(protocol: Record<string, unknown> = {}) {
  const bench = new StationBench({ points: table, protocol: { execution_ms: EXECUTION_MS, reaction_ms: REACTION_MS, ...protocol } });
  const client = await bench.connect().start();
  return { bench, client };
}

/** What the station serves for points of its table now. */
async function served({ station }: StationBench, ...pointIds: number[]) {
  const { readings } = await station.read({ slaveId: 1, pointIds });
  return readings.map((reading) => (reading.kind === 'value' ? reading.value : reading.kind));
}

const edits: readonly [string, PointConfig[]][] = [
  ['that is removed', table.filter((point) => point.id !== YK)],
  ['with another object address', withEdits({ [YK]: { address: 8 } })],
  ['with another common address', withEdits({ [YK]: { slave_id: 2 } })],
  ['of another type', withEdits({ [YK]: { protocol: { ...switched.protocol, type_id: 46 } } })],
  ['that gave its place to another', [...table.filter((point) => point.id !== YK), yk(30, 7, 45)]],
  ['that changed places with another', [...withEdits({ [YK]: { address: 8 } }), yk(30, 7, 45)]],
];

describe('a command whose point is another before it has been carried out', () => {
  it.each(edits)('a point %s: nothing is written, and the termination is negative', async (_, changed) => {
    const { bench, client } = await started();
    await client.send(switchOn);
    await bench.clock.advance(EXECUTION_MS - 1);
    bench.station.pointsChanged(changed);
    await bench.clock.advance(1 + REACTION_MS);
    expect(brief(client)).toEqual([
      [45, 7, false],
      [45, 10, true],
    ]);
    expect(bench.values()).toEqual([]);
    const controls = changed.filter((point) => point.address === 7 || point.address === 8).map((point) => point.id);
    expect(await served(bench, ...controls)).toEqual(controls.map(() => 0));
    expect(bench.notices.at(-1)).toMatch(/command to P3 .* not carried out.*edited or removed/);
  });

  it.each([{ mul_coe: 0.1 }, { add_coe: -40 }])('a set point with %j: the value of the old scaling is not written', async (change) => {
    const { bench, client } = await started();
    await client.send(setTo);
    bench.station.pointsChanged(withEdits({ [YT]: change }));
    await bench.clock.advance(EXECUTION_MS + REACTION_MS);
    expect(brief(client)).toEqual([
      [50, 7, false],
      [50, 10, true],
    ]);
    expect(bench.values()).toEqual([]);
  });

  it('a set point is terminated negatively also where set points are not terminated', async () => {
    const { bench, client } = await started({ setpoint_termination: false });
    await client.send(setTo);
    bench.station.pointsChanged(withEdits({ [YT]: { address: 101 } }));
    await bench.clock.advance(EXECUTION_MS);
    expect(brief(client)).toEqual([
      [50, 7, false],
      [50, 10, true],
    ]);
  });

  it('a test command to a point that is removed has not been carried out either', async () => {
    const { bench, client } = await started();
    await client.send({ ...switchOn, isTest: true });
    bench.station.pointsChanged(table.filter((point) => point.id !== YK));
    await bench.clock.advance(EXECUTION_MS);
    expect(client.asdus.at(-1)).toMatchObject({ typeId: 45, cause: 10, isNegative: true, isTest: true });
  });

  it('the point as it is now takes the next command at once', async () => {
    const { bench, client } = await started();
    await client.send(switchOn);
    bench.station.pointsChanged(withEdits({ [YK]: { address: 8 } }));
    client.take();
    await client.send(command({ commonAddress: 1 }, 45, { address: 8, value: 1, qualifier: 0, isSelect: false }, null));
    await bench.clock.advance(EXECUTION_MS);
    expect(brief(client)).toEqual([
      [45, 7, false],
      [45, 10, true],
      [45, 10, false],
    ]);
    expect(await served(bench, YK)).toEqual([1]);
  });
});

describe('a command whose point is the same when it is carried out', () => {
  it.each([
    { name: 'another' },
    { note: 'x', category: 'x', item: 'x' },
    { min_limit: 0, max_limit: 5 },
    { protocol: { ...switched.protocol, locked: true } },
  ])('edited otherwise, %j: it is carried out and terminated', async (change) => {
    const { bench, client } = await started();
    await client.send(switchOn);
    bench.station.pointsChanged(withEdits({ [YK]: change }));
    await bench.clock.advance(EXECUTION_MS + REACTION_MS);
    expect(brief(client)).toEqual([
      [45, 7, false],
      [45, 10, false],
      [30, 11, false],
    ]);
    expect(bench.values()).toEqual([
      [YK, 1, true],
      [YX, 1, true],
    ]);
  });

  it('its related point is the one it had when it was accepted', async () => {
    const { bench, client } = await started();
    await client.send(switchOn);
    bench.station.pointsChanged(withEdits({ [YK]: { related_code: 'P2' } }));
    await bench.clock.advance(EXECUTION_MS + REACTION_MS);
    expect(bench.values()).toEqual([
      [YK, 1, true],
      [YX, 1, true],
    ]);
  });

  it.each([
    ['while it executes', EXECUTION_MS - 1],
    ['before the reaction', EXECUTION_MS + REACTION_MS - 1],
  ])('a related point that is another %s does not follow', async (_, editedAt) => {
    for (const change of [{ address: 9 }, { slave_id: 2 }, { reverse: true }, { protocol: { type_id: 3 } }]) {
      const { bench, client } = await started();
      await client.send(switchOn);
      await bench.clock.advance(editedAt);
      bench.station.pointsChanged(withEdits({ [YX]: change }));
      await bench.clock.advance(EXECUTION_MS + REACTION_MS);
      expect(brief(client)).toEqual([
        [45, 7, false],
        [45, 10, false],
      ]);
      expect(bench.values()).toEqual([[YK, 1, true]]);
    }
  });

  it('a related point that was renamed follows, and the one that has its code now does not', async () => {
    const { bench, client } = await started();
    await client.send(switchOn);
    bench.station.pointsChanged([...withEdits({ [YX]: { code: 'RENAMED' } }), yx(11, 11, 1, { code: 'P1' })]);
    await bench.clock.advance(EXECUTION_MS + REACTION_MS);
    expect(bench.values()).toEqual([
      [YK, 1, true],
      [YX, 1, true],
    ]);
  });
});
