import { describe, expect, it } from 'vitest';
import { ConnType, FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import type { FakeConnection } from '../testing/fake-driver.ts';
import { type Bench, makeBench, point, points, taskConfig } from '../testing/harness.ts';

/** A started channel whose device answers the address it was asked for, 10 ms after it was asked. */
async function started(table = points(3)): Promise<Bench> {
  const bench = makeBench(table);
  bench.plant.answersAddress = true;
  await bench.channel.start();
  return bench;
}

/** As the service edits: the store first, then everybody is told. */
function edit(bench: Bench, id: number, address: number): void {
  bench.channel.points.update(point(id, { address }));
  bench.channel.pointsChanged();
}

const shown = (bench: Bench, id: number) => {
  const { value, quality } = bench.channel.points.state(id) ?? { value: null, quality: null };
  return [value, quality];
};
const codeOf = (promise: Promise<unknown>) =>
  promise.then(() => 'ok').catch((error: unknown) => (error instanceof AppError ? error.code : error));

describe('a reading belongs to the settings it was planned for', () => {
  it.each(['batch', 'single'] as const)(
    '%s: what is under way when a point is edited is dropped, the next round reads anew',
    async (mode) => {
      const bench = await started();
      bench.channel.startTask('automatic', taskConfig({ mode, cycle_interval_ms: 200 }));
      await bench.clock.advance(100);
      expect(shown(bench, 1)).toEqual([1, 'good']);
      await bench.clock.advance(105);
      edit(bench, 1, 91);
      edit(bench, 3, 93);
      expect([shown(bench, 1), shown(bench, 2)]).toEqual([
        [0, 'never'],
        [2, 'good'],
      ]);
      await bench.clock.advance(100);
      expect([shown(bench, 1), shown(bench, 2), shown(bench, 3)]).toEqual([
        [0, 'never'],
        [2, 'good'],
        [0, 'never'],
      ]);
      await bench.clock.advance(130);
      expect([shown(bench, 1), shown(bench, 3)]).toEqual([
        [91, 'good'],
        [93, 'good'],
      ]);
      expect(bench.channel.taskSnapshot('automatic')).toMatchObject({ state: 'running', fail: 0 });
    },
  );

  it('the parts of a refused request belong to the plan of the whole', async () => {
    const bench = await started();
    bench.plant.moods.set(1, 'split');
    bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(15);
    edit(bench, 1, 91);
    await bench.clock.advance(100);
    expect([shown(bench, 1), shown(bench, 2), shown(bench, 3)]).toEqual([
      [0, 'never'],
      [2, 'good'],
      [3, 'good'],
    ]);
  });

  it('a failure of the old address is not told of the new one', async () => {
    const bench = await started();
    bench.plant.moods.set(1, 'refuse');
    bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(5);
    edit(bench, 1, 91);
    await bench.clock.advance(50);
    expect(bench.channel.points.state(1)).toMatchObject({ quality: 'never', error: null });
    expect(bench.channel.points.state(2)).toMatchObject({ quality: 'invalid' });
  });

  it('single read: the answer is dropped and the caller told', async () => {
    const bench = await started();
    const read = codeOf(bench.channel.readSingle(1));
    await bench.clock.advance(5);
    edit(bench, 1, 91);
    await bench.clock.advance(50);
    expect([await read, shown(bench, 1)]).toEqual(['STATE_CONFLICT', [0, 'never']]);
    const again = codeOf(bench.channel.readSingle(1));
    await bench.clock.advance(50);
    expect([await again, shown(bench, 1)]).toEqual(['ok', [91, 'good']]);
  });

  it('single read: a rename meanwhile changes nothing', async () => {
    const bench = await started();
    const read = codeOf(bench.channel.readSingle(1));
    await bench.clock.advance(5);
    bench.channel.points.update(point(1, { name: 'another', max_limit: 5 }));
    bench.channel.pointsChanged();
    await bench.clock.advance(50);
    expect([await read, shown(bench, 1)]).toEqual(['ok', [1, 'good']]);
  });

  it.each(['single', 'batch'] as const)(
    '%s: a point that was deleted and is there again under its id takes nothing of before',
    async (how) => {
      const bench = await started();
      const read = how === 'single' ? codeOf(bench.channel.readSingle(1)) : null;
      if (how === 'batch') bench.channel.startTask('manual', taskConfig());
      await bench.clock.advance(5);
      bench.channel.points.remove([1]);
      bench.channel.points.add([point(1, { address: 91 })]);
      bench.channel.pointsChanged();
      await bench.clock.advance(50);
      expect(shown(bench, 1)).toEqual([0, 'never']);
      expect(await read).toBe(how === 'single' ? 'STATE_CONFLICT' : null);
    },
  );

  it('replace: a task that is under way ends before the swap, a single read does not reach over it', async () => {
    const bench = await started();
    bench.channel.startTask('automatic', taskConfig({ cycle_interval_ms: 200 }));
    await bench.clock.advance(2);
    const read = codeOf(bench.channel.readSingle(1));
    const replaced = bench.channel.replacePoints(() => {
      bench.channel.points.remove([2, 3]);
      bench.channel.points.update(point(1, { address: 91 }));
      bench.channel.points.add([point(4)]);
    });
    await bench.clock.advance(9);
    await replaced;
    expect(shown(bench, 1)).toEqual([0, 'never']);
    await bench.clock.advance(300);
    expect([await read, shown(bench, 1), shown(bench, 4)]).toEqual(['STATE_CONFLICT', [91, 'good'], [4, 'good']]);
  });

  it('a value that came with a command belongs to the point as it was commanded', async () => {
    const command = point(9, { frame_type: FrameType.yk });
    const bench = await started([command]);
    const done = bench.channel.execute({ point: command, step: 'operate', value: 1, options: {} });
    await bench.clock.advance(5);
    bench.channel.points.update({ ...command, address: 91 });
    bench.channel.pointsChanged();
    const { sink } = (bench.plant.connections[0] as FakeConnection).io;
    const raw = new Uint8Array(0);
    sink.values([{ kind: 'value', pointId: 9, value: 1, valueText: '', raw, quality: 'good', flags: [], sourceTime: null }], false);
    await bench.clock.advance(10);
    await done;
    expect(shown(bench, 9)).toEqual([0, 'never']);
  });

  it('our own server shows at once what it serves for a point that is read otherwise', async () => {
    const bench = makeBench(points(2), { conn_type: ConnType.tcpServer });
    bench.plant.answersAddress = true;
    await bench.channel.start();
    bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(50);
    edit(bench, 1, 91);
    await bench.clock.advance(0);
    expect([shown(bench, 1), shown(bench, 2)]).toEqual([
      [91, 'good'],
      [2, 'good'],
    ]);
    expect(bench.plant.exchanges).toHaveLength(0);
  });
});
