import { describe, expect, it } from 'vitest';
import type { ReadTaskConfig } from '#shared/contract/tasks.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { type Bench, makeBench, points, taskConfig } from '../testing/harness.ts';

async function started(
  names: readonly string[] = ['IED1/LLN0$dsA', 'IED1/LLN0$dsB'],
  unlisted: readonly string[] | null = null,
): Promise<Bench> {
  const bench = makeBench(points(3));
  bench.plant.unlisted = unlisted;
  bench.plant.dataSets = names;
  await bench.channel.start();
  return bench;
}

const manual = (bench: Bench) => bench.channel.taskSnapshot('manual');

describe('mode dataset', () => {
  it('4.5 rule 3: values of each data set go to the snapshot; total and current count data sets', async () => {
    const bench = await started();
    bench.channel.startTask('manual', taskConfig({ mode: 'dataset' }));
    await bench.clock.advance(15);
    expect(manual(bench)).toMatchObject({ state: 'running', mode: 'dataset', current: 1, total: 2, success: 1 });
    await bench.clock.advance(10);
    expect(manual(bench)).toMatchObject({ state: 'idle', current: 2, success: 2, fail: 0 });
    expect(bench.channel.dataSets.get('IED1/LLN0.dsA')).toMatchObject({ isStale: false, lastError: null });
    expect(bench.channel.dataSets.device().values.size).toBe(2);
  });

  it('decisions: item names one data set, in any spelling', async () => {
    const bench = await started();
    bench.channel.startTask('manual', taskConfig({ mode: 'dataset', item: 'IED1/LLN0.dsB' }));
    await bench.clock.advance(50);
    expect(manual(bench)).toMatchObject({ total: 1, success: 1 });
    expect(['A', 'B'].map((set) => bench.channel.dataSets.get(`IED1/LLN0.ds${set}`).isStale)).toEqual([true, false]);
  });

  it('2.5 rule 2, 7: a failed read keeps values, sets stale and last_error, counts in fail; the task goes on', async () => {
    const bench = await started();
    bench.channel.startTask('automatic', taskConfig({ mode: 'dataset' }));
    await bench.clock.advance(50);
    const good = bench.channel.dataSets.get('IED1/LLN0$dsA');
    bench.plant.dataSetError = new AppError('DEVICE_REJECTED', quoted('object-access-denied'));
    await bench.clock.advance(1000);
    expect(bench.channel.taskSnapshot('automatic')).toMatchObject({ state: 'running', fail: 2, last_error: 'object-access-denied' });
    expect(bench.channel.dataSets.get('IED1/LLN0$dsA')).toEqual({ ...good, isStale: true, lastError: quoted('object-access-denied') });
  });

  it('decisions: points of a data set that cannot be read have no good value, unless another one of the round has it', async () => {
    const bench = await started();
    bench.plant.dataSetPoints = [1, 2];
    const quality = () => [1, 2, 3].map((id) => bench.channel.points.state(id)?.quality);
    bench.channel.startTask('automatic', taskConfig({ mode: 'dataset' }));
    await bench.clock.advance(50);
    expect(quality()).toEqual(['good', 'good', 'never']);
    bench.plant.dataSetError = new AppError('TIMEOUT_RESPONSE', quoted('The device did not answer.'));
    bench.plant.failingSet = 'IED1/LLN0$dsA';
    await bench.clock.advance(1000);
    expect(quality()).toEqual(['good', 'good', 'never']);
    bench.plant.failingSet = null;
    await bench.clock.advance(1000);
    expect(quality()).toEqual(['stale', 'stale', 'never']);
    bench.plant.dataSetError = new AppError('DEVICE_REJECTED', quoted('object-access-denied'));
    await bench.clock.advance(1000);
    expect(quality()).toEqual(['invalid', 'invalid', 'never']);
    bench.plant.dataSetError = null;
    await bench.clock.advance(1000);
    expect(quality()).toEqual(['good', 'good', 'never']);
  });

  it('fails its data sets without a connection and goes on with the next', async () => {
    const bench = await started();
    bench.channel.startTask('automatic', taskConfig({ mode: 'dataset' }));
    await bench.clock.advance(15);
    bench.net.opening = new AppError('TRANSPORT_REFUSED', quoted('Nobody listens.'));
    bench.net.lose();
    await bench.clock.advance(1000);
    expect(bench.channel.taskSnapshot('automatic')).toMatchObject({ state: 'running', total: 2, fail: 2 });
    bench.net.opening = 'good';
    await bench.clock.advance(3500);
    expect(bench.channel.taskSnapshot('automatic')).toMatchObject({ success: 2, fail: 0 });
  });

  it('a stop ends it between data sets', async () => {
    const bench = await started();
    bench.channel.startTask('manual', taskConfig({ mode: 'dataset' }));
    await bench.clock.advance(5);
    const stopping = bench.channel.stopTask('manual');
    await bench.clock.advance(5);
    expect(await stopping).toMatchObject({ state: 'idle', current: 1, total: 2, cycle_count: 0 });
  });

  it('decisions: an item that names no data set has total 0', async () => {
    const bench = makeBench(points(3));
    await bench.channel.start();
    bench.channel.startTask('manual', taskConfig({ mode: 'dataset' }));
    await bench.clock.advance(0);
    expect(manual(bench)).toMatchObject({ state: 'idle', total: 0 });
    bench.channel.startTask('manual', taskConfig({ mode: 'dataset', item: 'X/LLN0$ds' }));
    await bench.clock.advance(0);
    expect(manual(bench)).toMatchObject({ state: 'idle', total: 0, fail: 0, cycle_count: 1, last_error: null });
    const withSets = await started();
    withSets.channel.startTask('manual', taskConfig({ mode: 'dataset', item: 'IED1/LLN0$none' }));
    await withSets.clock.advance(100);
    expect(manual(withSets)).toMatchObject({ state: 'idle', total: 0, fail: 0, cycle_count: 1, last_error: null });
    expect(withSets.plant.exchanges).toHaveLength(0);
  });

  describe('an item that is not listed', () => {
    it('is asked for by its name, in one exchange, and read when the device has it', async () => {
      const bench = await started(undefined, ['IED1/LLN0$dsNew']);
      bench.channel.startTask('automatic', taskConfig({ mode: 'dataset', item: 'IED1/LLN0$dsNew' }));
      await bench.clock.advance(50);
      expect(bench.channel.taskSnapshot('automatic')).toMatchObject({ total: 1, success: 1, cycle_count: 1, last_error: null });
      await bench.clock.advance(1000);
      expect(bench.plant.exchanges.map(({ kind }) => kind)).toEqual(['find', 'dataset', 'dataset']);
    });

    it('that the device has not gives a round with total 0, and is asked for again by the next', async () => {
      const bench = await started(undefined, []);
      bench.channel.startTask('automatic', taskConfig({ mode: 'dataset', item: 'IED1/LLN0$none' }));
      await bench.clock.advance(1050);
      expect(bench.channel.taskSnapshot('automatic')).toMatchObject({ total: 0, fail: 0, cycle_count: 2, last_error: null });
      expect(bench.plant.exchanges).toHaveLength(2);
    });

    it('is asked for also where the others could not be learnt', async () => {
      const bench = await started(undefined, ['IED1/LLN0$dsNew']);
      bench.plant.learning = () => Promise.reject(new AppError('TIMEOUT_RESPONSE', quoted('Still being learnt.')));
      bench.channel.startTask('manual', taskConfig({ mode: 'dataset', item: 'IED1/LLN0$dsNew' }));
      await bench.clock.advance(50);
      expect(manual(bench)).toMatchObject({ total: 1, success: 1, last_error: null });
      bench.channel.startTask('manual', taskConfig({ mode: 'dataset', item: 'IED1/LLN0$none' }));
      await bench.clock.advance(50);
      expect(manual(bench)).toMatchObject({ total: 0, cycle_count: 0, last_error: 'Still being learnt.' });
    });

    it('that the device does not tell of says why, and is no complete round', async () => {
      const bench = await started(undefined, []);
      bench.plant.moods.set(0, 'garbled');
      bench.channel.startTask('manual', taskConfig({ mode: 'dataset', item: 'IED1/LLN0$none' }));
      await bench.clock.advance(50);
      expect(manual(bench)).toMatchObject({ state: 'idle', total: 0, cycle_count: 0, last_error: 'The checksum of the answer is wrong.' });
    });
  });

  describe('while the data sets of the device are being learnt', () => {
    async function learning(config: Partial<ReadTaskConfig> = {}, kind: 'manual' | 'automatic' = 'manual') {
      const bench = await started();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      bench.plant.learning = () => promise;
      bench.channel.startTask(kind, taskConfig({ mode: 'dataset', ...config }));
      await bench.clock.advance(50);
      const done = async (act: () => void) => {
        act();
        await bench.clock.advance(50);
      };
      return {
        bench,
        learnt: () =>
          done(() => {
            bench.plant.learning = null;
            resolve();
          }),
        failed: (error: AppError) => done(() => reject(error)),
      };
    }
    const unknown = new AppError('STATE_CONFLICT', quoted('Still being learnt.'));

    it.each(['', 'IED1/LLN0.dsB'])('a read waits for them (item "%s")', async (item) => {
      const { bench, learnt } = await learning({ item });
      expect(manual(bench)).toMatchObject({ state: 'running', total: 0, cycle_count: 0 });
      await learnt();
      const total = item === '' ? 2 : 1;
      expect(manual(bench)).toMatchObject({ state: 'idle', total, success: total, fail: 0, cycle_count: 1, last_error: null });
    });

    it('a read of what cannot be known says why, and is no complete round', async () => {
      const { bench, failed } = await learning();
      await failed(unknown);
      expect(manual(bench)).toMatchObject({
        state: 'idle',
        total: 0,
        cycle_count: 0,
        last_cycle_at: null,
        last_error: 'Still being learnt.',
      });
    });

    it('an automatic task counts no such round, and reads when they are known', async () => {
      const { bench, failed, learnt } = await learning({}, 'automatic');
      await failed(unknown);
      const automatic = () => bench.channel.taskSnapshot('automatic');
      expect(automatic()).toMatchObject({ state: 'running', total: 0, cycle_count: 0, last_error: 'Still being learnt.' });
      await learnt();
      await bench.clock.advance(1000);
      expect(automatic()).toMatchObject({ state: 'running', total: 2, success: 2, cycle_count: 1 });
    });

    it('a round that waits holds no line, and its stop waits for nothing', async () => {
      const { bench } = await learning();
      const stopping = bench.channel.stopTask('manual');
      await bench.clock.advance(0);
      expect(await stopping).toMatchObject({ state: 'idle', total: 0, cycle_count: 0 });
    });

    it('data sets of an earlier connection fail with the reason', async () => {
      const bench = await started();
      bench.channel.startTask('manual', taskConfig({ mode: 'dataset' }));
      await bench.clock.advance(50);
      bench.plant.learning = () => Promise.reject(unknown);
      bench.channel.startTask('manual', taskConfig({ mode: 'dataset' }));
      await bench.clock.advance(50);
      expect(manual(bench)).toMatchObject({ state: 'idle', total: 2, success: 0, fail: 2, last_error: 'Still being learnt.' });
      expect(bench.channel.dataSets.get('IED1/LLN0$dsA')).toMatchObject({ isStale: true, lastError: quoted('Still being learnt.') });
    });

    it('without a connection, a round of data sets that were never known says so and does not count', async () => {
      const bench = await started();
      bench.plant.learning = () => Promise.reject(unknown);
      bench.net.opening = new AppError('TRANSPORT_REFUSED', quoted('Nobody listens.'));
      bench.net.lose();
      bench.channel.startTask('automatic', taskConfig({ mode: 'dataset' }));
      await bench.clock.advance(50);
      const { last_error, ...counts } = bench.channel.taskSnapshot('automatic');
      expect(counts).toMatchObject({ state: 'running', total: 0, cycle_count: 0 });
      expect(last_error).not.toBe(null);
    });
  });

  it('an internal fault makes the task failed', async () => {
    const bench = await started();
    bench.plant.moods.set(0, 'internal');
    bench.channel.startTask('manual', taskConfig({ mode: 'dataset' }));
    await bench.clock.advance(50);
    expect(manual(bench).state).toBe('failed');
  });
});
