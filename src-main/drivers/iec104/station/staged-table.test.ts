import { describe, expect, it } from 'vitest';
import { settle } from '../../../platform/manual-clock.ts';
import type { PointConfig } from '../../spi/index.ts';
import { command, counterInterrogation, interrogation, readCommand } from '../codec/make.ts';
import { yc, yk, yx } from '../testing/client-bench.ts';
import { StationBench, type TestClient } from '../testing/station-bench.ts';

const COUNT = 1_500;
const ONE = { commonAddress: 1 };
const table = (count: number, from = 1): readonly PointConfig[] => Array.from({ length: count }, (_, at) => yc(from + at, from + at, 13));

/** Values of an interrogation by object address, and how it ended. */
function answered(client: TestClient, cause = 20) {
  const values = new Map(
    client.asdus
      .filter((asdu) => asdu.cause === cause)
      .flatMap(({ objects }) => objects.map((object) => [object.address, 'value' in object ? object.value : null] as const)),
  );
  return { values, end: client.asdus.at(-1)?.cause };
}

async function interrogated(client: TestClient): Promise<ReadonlyMap<number, unknown>> {
  client.take();
  await client.send(interrogation(ONE));
  const { values, end } = answered(client);
  expect(end).toBe(10);
  return values;
}

describe('a table that is made aside', () => {
  it('is interrogated by nobody before it is taken over, and whole from then on; an object that stays keeps its value', async () => {
    const bench = new StationBench({ points: table(3) });
    await bench.set(2, 7);
    const client = await bench.connect().start();
    const before = await interrogated(client);
    expect([...before]).toEqual([
      [1, 0],
      [2, 7],
      [3, 0],
    ]);
    const [, ...changed] = [...table(COUNT), yc(9_000, 5, 13, { slave_id: 4 })];
    let turns = 0;
    const staged = await bench.station.stageTable(changed, async () => {
      turns += 1;
      if (turns % 10 !== 0) return;
      expect(await interrogated(client)).toEqual(before);
      client.take();
      await client.send(readCommand(ONE, COUNT), readCommand({ commonAddress: 4 }, 5));
      expect(client.asdus.map(({ cause }) => cause)).toEqual([47, 46]);
    });
    expect(turns).toBeGreaterThan(COUNT / 64);
    expect(await interrogated(client)).toEqual(before);
    staged.takeOver();
    const after = await interrogated(client);
    expect([after.size, after.get(1), after.get(2), after.get(COUNT)]).toEqual([COUNT - 1, undefined, 7, 0]);
    client.take();
    await client.send(readCommand({ commonAddress: 4 }, 5));
    expect(client.asdus.map(({ cause }) => cause)).toEqual([5]);
  });

  it('has what was set while it was made: values, thresholds of clients, frozen counters', async () => {
    const counter = yc(5_000, 5_000, 15);
    const points = [...table(COUNT), counter];
    const bench = new StationBench({ points });
    const client = await bench.connect().start();
    let turns = 0;
    const staged = await bench.station.stageTable([...points, yx(9_999, 9_999)], async () => {
      turns += 1;
      await bench.set(turns, turns);
      if (turns !== 5) return;
      await bench.set(5_000, 40);
      await client.send(counterInterrogation(ONE, { request: 5, freeze: 1 }));
      await bench.set(5_000, 50);
    });
    await bench.set(COUNT, 3);
    staged.takeOver();
    const values = await interrogated(client);
    const ids = Array.from({ length: turns }, (_, at) => at + 1);
    expect(ids.map((id) => values.get(id))).toEqual(ids);
    expect([values.get(COUNT), values.get(9_999)]).toEqual([3, 0]);
    client.take();
    await client.send(counterInterrogation(ONE, { request: 5, freeze: 0 }));
    expect(answered(client, 37).values.get(5_000)).toBe(40);
    client.take();
    await bench.set(COUNT, 3);
    expect(client.asdus, 'what was sent is known').toEqual([]);
  });

  it('leaves a control selected, and its point the old one until then', async () => {
    const control = yk(1, 7, 45, { protocol: { type_id: 45, select_before_operate: true } });
    const locked: PointConfig = { ...control, protocol: { ...control.protocol, locked: true } };
    const bench = new StationBench({ points: [control] });
    const client = await bench.connect().start();
    const step = async (isSelect: boolean) => {
      client.take();
      await client.send(command(ONE, 45, { address: 7, value: 1, qualifier: 0, isSelect }, null));
      return client.asdus.map(({ cause, isNegative }) => `${cause}${isNegative ? ' refused' : ''}`);
    };
    expect(await step(true)).toEqual(['7']);
    const staged = await bench.station.stageTable([control, yx(2, 2)], async () => undefined);
    staged.takeOver();
    expect(await step(false)).toEqual(['7', '10']);
    const locking = await bench.station.stageTable([locked], async () => undefined);
    expect(await step(true)).toEqual(['7']);
    locking.takeOver();
    expect(await step(true)).toEqual(['7 refused']);
  });

  it('is made of one that was made aside before: both changes are served, in their order', async () => {
    const bench = new StationBench({ points: table(3) });
    await bench.set(3, 4);
    const client = await bench.connect().start();
    (await bench.station.stageTable(table(2), async () => undefined)).takeOver();
    expect([...(await interrogated(client)).keys()]).toEqual([1, 2]);
    (await bench.station.stageTable(table(4), async () => undefined)).takeOver();
    expect((await interrogated(client)).get(3), 'an object that was gone begins anew').toBe(0);
  });
});

describe.each(['stageTable', 'pointsChanged'] as const)('an interrogation that a change of the table meets (%s)', (way) => {
  it('goes on with the objects that it began with, and tells their values of now', async () => {
    const points = table(6_000);
    const bench = new StationBench({ points, protocol: { k: 3 } });
    // the client acknowledges every two seconds, so that the data take their time
    const client = bench.connect('192.0.2.7', { w: 100, t2Ms: 2_000 });
    await client.start();
    await client.send(interrogation(ONE));
    await bench.clock.advance(4_000);
    const [part, last] = [answered(client).values, points.at(-1) as PointConfig];
    expect(part.size).toBeLessThan(1_000);
    const changed = [...points.filter(({ id }) => id !== 3_000), ...table(10, 7_000)];
    if (way === 'stageTable') (await bench.station.stageTable(changed, settle)).takeOver();
    else bench.station.pointsChanged(changed);
    await bench.set(last.id, 8);
    await bench.clock.advance(100_000);
    const { values } = answered(client);
    expect([values.size, values.get(3_000), values.get(7_000)]).toEqual([6_000, 0, undefined]);
    expect(values.get(last.address), 'or the client would go back to what was before the change it was told').toBe(8);
    expect([...(await later(bench, client)).keys()].filter((address) => address === 3_000 || address >= 7_000)).toHaveLength(10);
  });
});

describe('an interrogation under which an object becomes another one', () => {
  const points = table(3_000);
  const last = points.at(-1) as PointConfig;

  /** The client's value of the object behind the interrogation, by what it was told last; `change` comes in the middle of it. */
  async function endsWith(change: (bench: StationBench) => Promise<void>) {
    const bench = new StationBench({ points, protocol: { k: 3 } });
    await bench.set(last.id, 5);
    const client = bench.connect('192.0.2.7', { w: 100, t2Ms: 2_000 });
    await client.start();
    await client.send(interrogation(ONE));
    await bench.clock.advance(4_000);
    expect(answered(client).values.size).toBeLessThan(1_000);
    await change(bench);
    await bench.clock.advance(100_000);
    expect(answered(client).end).toBe(10);
    const told = client.asdus.flatMap(({ typeId, objects }) => objects.map((object) => ({ typeId, ...object })));
    const { typeId, ...object } = told.filter(({ address }) => address === last.address).at(-1) ?? expect.fail('nothing was told');
    return [typeId, 'value' in object && object.value];
  }

  it('that has left and come back: tells the one that is there', async () => {
    const end = await endsWith(async (bench) => {
      bench.station.pointsEdited({ before: [last], after: [] });
      bench.station.pointsEdited({ before: [], after: [last] });
      await bench.set(last.id, 8);
    });
    expect(end).toEqual([13, 8]);
  });

  it.each(['stageTable', 'pointsEdited'] as const)('of another type (%s): tells what it was no more', async (way) => {
    const other = yc(last.id, last.address, 11);
    const end = await endsWith(async (bench) => {
      if (way === 'pointsEdited') bench.station.pointsEdited({ before: [last], after: [other] });
      else (await bench.station.stageTable([...points.slice(0, -1), other], settle)).takeOver();
      await bench.station.execute({ point: other, step: 'operate', value: 9, options: {} });
    });
    expect(end, 'the change with its time').toEqual([35, 9]);
  });
});

/** Another interrogation of a client that takes its time. */
async function later(bench: StationBench, client: TestClient): Promise<ReadonlyMap<number, unknown>> {
  client.take();
  await client.send(interrogation(ONE));
  await bench.clock.advance(100_000);
  return answered(client).values;
}
