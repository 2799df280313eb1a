import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { type Bench, makeBench, point, points, taskConfig } from './testing/harness.ts';

/** A started channel with an automatic task that has read for a while. */
async function reading(table = points(3)): Promise<Bench> {
  const bench = makeBench(table);
  await bench.channel.start();
  bench.channel.startTask('automatic', taskConfig({ cycle_interval_ms: 200 }));
  await bench.clock.advance(50);
  return bench;
}

async function end(bench: Bench): Promise<void> {
  const stopped = bench.channel.stop();
  await bench.clock.advance(60_000);
  await stopped;
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(() => 'ok').catch((error: unknown) => (error instanceof AppError ? error.code : error));

describe('replacing the points of a channel', () => {
  it('4.7 rules 2 and 3: stops the tasks, swaps, starts the automatic one again with its configuration and a new id', async () => {
    const bench = await reading();
    const before = bench.channel.taskSnapshot('automatic');
    const states: string[] = [];
    const replaced = bench.channel.replacePoints(() => {
      states.push(bench.channel.taskSnapshot('automatic').state);
      bench.channel.points.remove([1, 2, 3]);
      bench.channel.points.add([point(9), point(10)]);
    });
    await bench.clock.advance(300);
    await replaced;
    await bench.clock.advance(300);
    const after = bench.channel.taskSnapshot('automatic');
    expect(states).toEqual(['idle']);
    expect(after).toMatchObject({ state: 'running', config: before.config, total: 2 });
    expect(after.task_id).not.toBe(before.task_id);
    expect(bench.channel.state().status).toBe('running');
    await end(bench);
  });

  it('a stopped channel just swaps', async () => {
    const { channel } = makeBench(points(3));
    await channel.replacePoints(() => channel.points.remove([1]));
    expect(channel.points.size).toBe(2);
    expect(channel.taskSnapshot('automatic').state).toBe('idle');
  });

  it('what the swap throws comes out, and reading goes on', async () => {
    const bench = await reading();
    const replaced = codeOf(
      bench.channel.replacePoints(() => {
        throw new AppError('STATE_STORE', quoted('The disk is full.'));
      }),
    );
    await bench.clock.advance(300);
    expect(await replaced).toBe('STATE_STORE');
    expect(bench.channel.taskSnapshot('automatic').state).toBe('running');
    await end(bench);
  });

  it('a task stopped by a person meanwhile is not started again', async () => {
    const bench = await reading();
    bench.plant.latencyMs = 400;
    await bench.clock.advance(200);
    const replaced = bench.channel.replacePoints(() => bench.channel.points.remove([1]));
    await bench.clock.advance(10);
    const stopped = bench.channel.stopTask('automatic');
    await bench.clock.advance(1_000);
    await Promise.all([replaced, stopped]);
    expect(bench.channel.points.size).toBe(2);
    expect(bench.channel.taskSnapshot('automatic').state).toBe('idle');
    await end(bench);
  });

  it('a channel stopped meanwhile swaps and stays stopped', async () => {
    const bench = await reading();
    bench.plant.latencyMs = 400;
    await bench.clock.advance(200);
    const replaced = codeOf(bench.channel.replacePoints(() => bench.channel.points.remove([1])));
    const stopped = bench.channel.stop();
    await bench.clock.advance(10_000);
    await stopped;
    expect(await replaced).toBe('ok');
    expect(bench.channel.state().status).toBe('stopped');
    expect(bench.channel.taskSnapshot('automatic').state).not.toBe('running');
  });

  it('a task that does not end refuses the swap with its snapshot', async () => {
    const bench = await reading();
    bench.plant.latencyMs = 30_000;
    await bench.clock.advance(200);
    let isSwapped = false;
    const replaced = bench.channel
      .replacePoints(() => {
        isSwapped = true;
      })
      .catch((error: unknown) => error);
    await bench.clock.advance(6_000);
    expect(await replaced).toMatchObject({ code: 'STATE_CONFLICT', data: { state: 'stopping' } });
    expect(isSwapped).toBe(false);
    await end(bench);
  });

  it('after such a refusal the automatic read goes on once its request has returned, unless somebody stopped it', async () => {
    for (const isStopped of [false, true]) {
      const bench = await reading();
      bench.plant.latencyMs = 30_000;
      await bench.clock.advance(200);
      const replaced = codeOf(bench.channel.replacePoints(() => undefined));
      await bench.clock.advance(6_000);
      expect(await replaced).toBe('STATE_CONFLICT');
      const stopped = isStopped ? bench.channel.stopTask('automatic') : null;
      bench.plant.latencyMs = 1;
      await bench.clock.advance(30_000);
      await stopped;
      expect(bench.channel.taskSnapshot('automatic').state).toBe(isStopped ? 'idle' : 'running');
      await end(bench);
      expect(bench.channel.taskSnapshot('automatic').state).toBe('idle');
    }
  });
});
