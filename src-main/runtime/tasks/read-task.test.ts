import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReadTaskConfig } from '#shared/contract/tasks.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { type Bench, makeBench, point, points, taskConfig } from '../testing/harness.ts';
import type { TaskKind } from '../types.ts';

/** A started channel; by default 20 points of one slave in two groups of 10, 10 ms a request. */
async function started(...options: Parameters<typeof makeBench>): Promise<Bench> {
  const bench = makeBench(...options);
  await bench.channel.start();
  return bench;
}

function thrown(action: () => unknown): AppError {
  try {
    action();
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('an AppError was expected');
}

const auto = (bench: Bench) => bench.channel.taskSnapshot('automatic');
const manual = (bench: Bench) => bench.channel.taskSnapshot('manual');
const counters = (bench: Bench, kind: TaskKind = 'automatic') => {
  const { current, total, success, fail } = bench.channel.taskSnapshot(kind);
  return { current, total, success, fail };
};

describe('snapshot', () => {
  it('2.4, decisions: before a first task it is idle with the nil UUID, default configuration, null times and zeros', () => {
    const { channel } = makeBench();
    expect(channel.taskSnapshot('manual')).toEqual({
      state: 'idle',
      task_id: '00000000-0000-0000-0000-000000000000',
      mode: 'batch',
      config: ReadTaskConfig.parse({}),
      started_at: null,
      last_cycle_at: null,
      cycle_count: 0,
      current: 0,
      total: 0,
      success: 0,
      fail: 0,
      last_error: null,
    });
  });

  it('4.3: start returns at once with state running, a new task id and counters at zero', async () => {
    const bench = await started();
    const snapshot = bench.channel.startTask('automatic', taskConfig());
    expect(snapshot).toMatchObject({ state: 'running', started_at: '2026-01-01T00:00:00.000Z', last_cycle_at: null, cycle_count: 0 });
    expect(snapshot).toMatchObject({ current: 0, total: 0, success: 0, fail: 0, last_error: null });
    expect(bench.plant.exchanges).toHaveLength(0);
  });

  it('2.3: the configuration of a running task is an immutable snapshot', async () => {
    const bench = await started();
    const config = taskConfig({ point_types: [0] });
    bench.channel.startTask('automatic', config);
    config.point_types.push(1);
    config.cycle_interval_ms = 5;
    expect(auto(bench).config).toEqual(taskConfig({ point_types: [0] }));
    expect(() => Object.assign(auto(bench).config, { mode: 'single' })).toThrow(TypeError);
    expect(() => Object.assign(auto(bench), { state: 'idle' })).toThrow(TypeError);
  });

  it('decisions: a finished task stays as it ended until the next start of its kind', async () => {
    const bench = await started();
    const { task_id } = bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(50);
    const ended = manual(bench);
    expect(ended).toMatchObject({ state: 'idle', task_id, cycle_count: 1, current: 20, total: 20, success: 20, fail: 0 });
    bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(500);
    expect(manual(bench)).toEqual(ended);
    await bench.channel.stopTask('automatic');
    expect(bench.channel.startTask('manual', taskConfig())).toMatchObject({ current: 0, cycle_count: 0, last_cycle_at: null });
  });
});

describe('start', () => {
  it('4.3: the same configuration answers the running task and starts none; point_types compare as a set', async () => {
    const bench = await started();
    const first = bench.channel.startTask('automatic', taskConfig({ point_types: [0, 1] }));
    const second = bench.channel.startTask('automatic', taskConfig({ point_types: [1, 0, 1] }));
    expect(second.task_id).toBe(first.task_id);
  });

  it('4.3: another configuration is refused with the snapshot in data, and changes nothing', async () => {
    const bench = await started();
    const first = bench.channel.startTask('automatic', taskConfig());
    const error = thrown(() => bench.channel.startTask('automatic', taskConfig({ cycle_interval_ms: 2000 })));
    expect(error.code).toBe('STATE_CONFLICT');
    expect(error.data).toMatchObject({ task_id: first.task_id, state: 'running' });
    expect(auto(bench)).toMatchObject({ task_id: first.task_id, config: taskConfig() });
  });

  it('decisions: manual reads are idempotent in the same way', async () => {
    const bench = await started();
    const first = bench.channel.startTask('manual', taskConfig());
    expect(bench.channel.startTask('manual', taskConfig()).task_id).toBe(first.task_id);
    expect(thrown(() => bench.channel.startTask('manual', taskConfig({ mode: 'single' }))).code).toBe('STATE_CONFLICT');
    await bench.clock.advance(100);
    expect(bench.channel.startTask('manual', taskConfig()).task_id).not.toBe(first.task_id);
  });

  it.each([
    ['automatic', 'manual'],
    ['manual', 'automatic'],
  ] as const)('4.5 rule 6: while the %s task runs, starting a %s read is refused', async (running, asked) => {
    const bench = await started();
    const { task_id } = bench.channel.startTask(running, taskConfig());
    const error = thrown(() => bench.channel.startTask(asked, taskConfig()));
    expect(error.code).toBe('STATE_CONFLICT');
    expect(error.data).toMatchObject({ task_id });
    expect(bench.channel.taskSnapshot(asked).started_at).toBeNull();
  });

  it('3.1 rule 6: while an old task has not fully exited, a new one is refused, also with the same configuration', async () => {
    const bench = await started();
    bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(5);
    const stopping = bench.channel.stopTask('automatic');
    for (const kind of ['automatic', 'manual'] as const) {
      const error = thrown(() => bench.channel.startTask(kind, taskConfig()));
      expect(error.code).toBe('STATE_CONFLICT');
      expect(error.data).toMatchObject({ state: 'stopping' });
    }
    await bench.clock.advance(10);
    expect((await stopping).state).toBe('idle');
    expect(bench.channel.startTask('manual', taskConfig()).state).toBe('running');
  });

  it('decisions: checks run in the order mode, channel_id, same configuration, conflict, channel not started', async () => {
    const bench = makeBench([point(1)], { protocol_type: 5 });
    expect(thrown(() => bench.channel.startTask('automatic', taskConfig({ mode: 'dataset', channel_id: 9 }))).status).toBe(422);
    const other = makeBench();
    expect(thrown(() => other.channel.startTask('automatic', taskConfig({ channel_id: 9 }))).code).toBe('CONFIG_NOT_FOUND');
    const refused = thrown(() => other.channel.startTask('automatic', taskConfig({ channel_id: 1 })));
    expect([refused.code, refused.data]).toEqual(['STATE_NOT_STARTED', auto(other)]);
    expect(auto(other).started_at).toBeNull();
  });
});

describe('stop', () => {
  it('3.1: stop without a task answers idle', async () => {
    const { channel } = makeBench();
    expect((await channel.stopTask('automatic')).state).toBe('idle');
  });

  it('3.1 rules 4, 5: during a request the state stays stopping until it has returned; its answer still counts', async () => {
    const bench = await started();
    bench.plant.latencyMs = 700;
    bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(100);
    const stopping = bench.channel.stopTask('automatic');
    await bench.clock.advance(500);
    expect(auto(bench).state).toBe('stopping');
    await bench.clock.advance(100);
    expect(await stopping).toMatchObject({ state: 'idle', current: 10, success: 10, cycle_count: 0, last_error: null });
    expect(bench.plant.exchanges).toHaveLength(1);
  });

  it('3.1 rule 7: stop answers after 1.0 s at most, with stopping', async () => {
    const bench = await started();
    bench.plant.latencyMs = 5000;
    bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(100);
    let answered: unknown = null;
    void bench.channel.stopTask('automatic').then((snapshot) => {
      answered = snapshot;
    });
    await bench.clock.advance(999);
    expect(answered).toBeNull();
    await bench.clock.advance(1);
    expect(answered).toMatchObject({ state: 'stopping' });
    await bench.clock.advance(4000);
    expect(auto(bench).state).toBe('idle');
  });

  it('3.1 rule 4: the wait between rounds ends at once and leaves no timer', async () => {
    const bench = await started();
    bench.channel.startTask('automatic', taskConfig({ cycle_interval_ms: 60_000 }));
    await bench.clock.advance(100);
    expect(auto(bench)).toMatchObject({ state: 'running', cycle_count: 1 });
    expect(await bench.channel.stopTask('automatic')).toMatchObject({ state: 'idle', cycle_count: 1 });
    expect(bench.clock.pending).toBe(0);
  });

  it('4.5 rule 2: the pause between points ends at once', async () => {
    const bench = await started();
    bench.channel.startTask('manual', taskConfig({ mode: 'single', request_interval_ms: 60_000 }));
    await bench.clock.advance(100);
    expect(counters(bench, 'manual')).toEqual({ current: 1, total: 20, success: 1, fail: 0 });
    expect(await bench.channel.stopTask('manual')).toMatchObject({ state: 'idle', current: 1, last_error: null });
    expect(bench.clock.pending).toBe(0);
  });

  it('3.1 rule 4: a stop before the first request sends nothing', async () => {
    const bench = await started();
    bench.channel.startTask('manual', taskConfig());
    expect(await bench.channel.stopTask('manual')).toMatchObject({ state: 'idle', cycle_count: 0 });
    expect(bench.plant.exchanges).toHaveLength(0);
  });

  it('3.1 rule 4: a task that waits for the line ends at once', async () => {
    const bench = await started();
    bench.plant.latencyMs = 500;
    const single = bench.channel.readSingle(1);
    bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(10);
    expect((await bench.channel.stopTask('manual')).state).toBe('idle');
    await bench.clock.advance(1000);
    await single;
    expect(bench.plant.exchanges).toHaveLength(1);
  });

  it('decisions: after a stop no follow-up request of a split group is sent', async () => {
    const bench = await started();
    bench.plant.moods.set(1, 'split');
    bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(5);
    const stopping = bench.channel.stopTask('manual');
    await bench.clock.advance(100);
    expect(await stopping).toMatchObject({ state: 'idle', current: 0, cycle_count: 0 });
    expect(bench.plant.exchanges).toHaveLength(1);
  });

  it('3.1 rule 2: a cancelled task is no failure, in the snapshot and in the event log', async () => {
    const bench = await started();
    bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(5);
    const stopping = bench.channel.stopTask('manual');
    await bench.clock.advance(10);
    expect(await stopping).toMatchObject({ state: 'idle', last_error: null });
    expect(bench.events.list({ limit: 10 }).at(-1)).toMatchObject({ kind: 'task', text: 'manual read stopped' });
  });
});

describe('failed', () => {
  async function failed(): Promise<Bench> {
    const bench = await started();
    bench.plant.moods.set(1, 'internal');
    bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(50);
    return bench;
  }

  it('3.1, 7: an unhandled error of a round makes the task failed with its text; nothing more is sent', async () => {
    const bench = await failed();
    expect(auto(bench)).toMatchObject({ state: 'failed', last_error: 'cannot read properties of undefined', cycle_count: 0 });
    await bench.clock.advance(5000);
    expect(bench.plant.exchanges).toHaveLength(1);
    expect(bench.clock.pending).toBe(0);
  });

  it('decisions: a stop request of that kind leaves failed for idle and keeps last_error', async () => {
    const bench = await failed();
    await bench.channel.stopTask('manual');
    expect(auto(bench).state).toBe('failed');
    expect(await bench.channel.stopTask('automatic')).toMatchObject({ state: 'idle', last_error: 'cannot read properties of undefined' });
  });

  it('decisions: a device stop leaves it failed', async () => {
    const bench = await failed();
    await bench.channel.stop();
    expect(auto(bench).state).toBe('failed');
  });

  it('decisions: a new start leaves failed, with last_error null', async () => {
    const bench = await failed();
    bench.plant.moods.clear();
    expect(bench.channel.startTask('automatic', taskConfig())).toMatchObject({ state: 'running', last_error: null });
  });

  it('3.1: an internal fault while stopping ends as idle', async () => {
    const bench = await started();
    bench.plant.moods.set(1, 'internal');
    bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(5);
    const stopping = bench.channel.stopTask('automatic');
    await bench.clock.advance(10);
    expect((await stopping).state).toBe('idle');
  });
});

describe('rounds', () => {
  /** Start times of rounds, told by the first request of each. */
  const starts = (bench: Bench) => bench.plant.exchanges.filter((exchange) => exchange.pointIds[0] === 1).map((exchange) => exchange.at);

  it('3.2 rule 4: starts of rounds lie one cycle apart, without drift over 300 rounds', async () => {
    const bench = await started();
    bench.channel.startTask('automatic', taskConfig({ cycle_interval_ms: 100 }));
    await bench.clock.advance(29_950);
    expect(starts(bench)).toEqual(Array.from({ length: 300 }, (_, index) => index * 100));
    expect(auto(bench).cycle_count).toBe(300);
  });

  it('3.2 rule 5, decisions: after an overrun the next round starts right away and the plan moves to its start', async () => {
    const bench = await started(points(10));
    bench.plant.latencyMs = 350;
    bench.channel.startTask('automatic', taskConfig({ cycle_interval_ms: 300 }));
    await bench.clock.advance(500);
    bench.plant.latencyMs = 10;
    await bench.clock.advance(1000);
    // 0 overran until 350; 350 was asked with 350 ms too and overran until 700; from there every 300 ms.
    expect(starts(bench)).toEqual([0, 350, 700, 1000, 1300]);
  });

  it('3.2 rule 1: progress restarts each round; cycle_count and last_cycle_at change for completed rounds only', async () => {
    const bench = await started();
    bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(20);
    expect(auto(bench)).toMatchObject({ cycle_count: 1, current: 20, last_cycle_at: '2026-01-01T00:00:00.020Z' });
    await bench.clock.advance(985);
    expect(auto(bench)).toMatchObject({ cycle_count: 1, current: 0, total: 20, success: 0, last_cycle_at: '2026-01-01T00:00:00.020Z' });
  });

  it('4.4, 3.2 rule 3: a manual task runs one round and ends as idle', async () => {
    const bench = await started();
    bench.channel.startTask('manual', taskConfig({ cycle_interval_ms: 100 }));
    await bench.clock.advance(1000);
    expect(manual(bench)).toMatchObject({ state: 'idle', cycle_count: 1, success: 20 });
    expect(bench.plant.exchanges).toHaveLength(2);
  });

  it('the same manual read again keeps its plan; another, an edit and a new connection plan anew', async () => {
    const bench = await started();
    const read = async (config = {}) => {
      const before = bench.plant.plans;
      bench.channel.startTask('manual', taskConfig(config));
      await bench.clock.advance(200);
      expect(manual(bench)).toMatchObject({ state: 'idle', cycle_count: 1 });
      return bench.plant.plans - before;
    };
    bench.plant.planRevision = 1;
    expect([await read(), await read(), await read()]).toEqual([1, 0, 0]);
    expect([await read({ point_types: [0] }), await read({ point_types: [0] })]).toEqual([1, 0]);
    bench.channel.points.update(point(1, { address: 99 }));
    bench.channel.pointsChanged();
    expect([await read({ point_types: [0] }), await read({ point_types: [0] })]).toEqual([1, 0]);
    bench.plant.planRevision = 2;
    expect(await read({ point_types: [0] })).toBe(1);
    const again = bench.channel.reload();
    await bench.clock.advance(1000);
    await again;
    expect(await read({ point_types: [0] })).toBe(1);
  });

  it('decisions: points are one more filter, shown in the configuration only when given', async () => {
    const bench = await started();
    expect(bench.channel.startTask('manual', taskConfig()).config).not.toHaveProperty('points');
    await bench.clock.advance(200);
    const named = [
      { frame_type: 0 as const, id: 3 },
      { frame_type: 0 as const, id: 7 },
    ];
    bench.plant.exchanges.length = 0;
    const first = bench.channel.startTask('manual', taskConfig({ points: named }));
    expect(first).toMatchObject({ config: { points: named } });
    // the same as a set is the same task
    expect(bench.channel.startTask('manual', taskConfig({ points: named.toReversed() })).task_id).toBe(first.task_id);
    expect(thrown(() => bench.channel.startTask('manual', taskConfig()))).toMatchObject({ code: 'STATE_CONFLICT' });
    await bench.clock.advance(200);
    expect(manual(bench)).toMatchObject({ total: 2, success: 2, config: { points: named } });
    expect(bench.plant.exchanges.map(({ pointIds }) => pointIds)).toEqual([[3, 7]]);
    bench.channel.startTask('manual', taskConfig({ points: named, point_types: [1] }));
    await bench.clock.advance(200);
    expect(manual(bench)).toMatchObject({ total: 0, cycle_count: 1 });
  });

  it.each([
    { frame_type: 1 as const, id: 3 },
    { frame_type: 0 as const, id: 99 },
  ])('decisions: a point that is not there, or has another type, is a 404: %j', async (unknown) => {
    const bench = await started();
    const error = thrown(() => bench.channel.startTask('manual', taskConfig({ points: [{ frame_type: 0, id: 1 }, unknown] })));
    expect(error).toMatchObject({ code: 'CONFIG_NOT_FOUND', message: expect.stringContaining(`${unknown.id} (frame_type`) });
    expect(manual(bench).task_id).toBe('00000000-0000-0000-0000-000000000000');
  });

  it('decisions: no point matches: the round ends with total 0', async () => {
    const bench = await started([]);
    bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(0);
    expect(manual(bench)).toMatchObject({ state: 'idle', total: 0, current: 0, cycle_count: 1, last_error: null });
  });

  it('decisions: edits apply from the next round of a running task', async () => {
    const bench = await started();
    bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(5);
    bench.channel.points.remove([20]);
    bench.channel.points.add([point(21), point(22)]);
    bench.channel.pointsChanged();
    await bench.clock.advance(100);
    expect(counters(bench).total).toBe(20);
    await bench.clock.advance(1000);
    expect(counters(bench)).toEqual({ current: 21, total: 21, success: 21, fail: 0 });
  });

  it.each([
    [0, [100, 200, 300]],
    [1, [101, 200, 300]],
    [20, [120, 200, 300]],
    [21, [121, 221, 321]],
    [60, [160, 260, 360]],
  ])('decisions: a start that is %i ms late is followed by %j', async (late, expected) => {
    const bench = await started(points(10));
    bench.channel.startTask('automatic', taskConfig({ cycle_interval_ms: 100 }));
    await bench.clock.advance(50);
    if (late > 0) bench.clock.sleep(50 + late, 'runs');
    await bench.clock.advance(late > 0 ? 260 : 310);
    expect(starts(bench).slice(1, 4)).toEqual(expected);
  });

  it('decisions: two starts never lie closer than the cycle less 20 ms, however late timers are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 250 }), { minLength: 1, maxLength: 20 }), async (stalls) => {
        const bench = await started(points(1));
        bench.channel.startTask('automatic', taskConfig({ cycle_interval_ms: 100 }));
        for (const stall of stalls) {
          await bench.clock.advance(37);
          if (stall > 0) bench.clock.sleep(stall, 'runs');
        }
        await bench.clock.advance(500);
        const at = starts(bench);
        for (const [index, start] of at.entries()) if (index > 0) expect(start - (at[index - 1] ?? 0)).toBeGreaterThanOrEqual(80);
        // and nothing is lost where nothing is late
        expect(at.slice(-3).map((start, index, all) => start - (all[index - 1] ?? start))).toEqual([0, 100, 100]);
      }),
      { numRuns: 60 },
    );
  });

  it('decisions: after the computer slept, missed rounds are not made up', async () => {
    const bench = await started(points(10));
    bench.channel.startTask('automatic', taskConfig({ cycle_interval_ms: 100 }));
    await bench.clock.advance(50);
    bench.clock.sleep(10_000, 'runs');
    await bench.clock.advance(1);
    const resumed = bench.plant.exchanges.length;
    await bench.clock.advance(198);
    expect(bench.plant.exchanges.length - resumed).toBe(1);
  });
});

describe('cycle times', () => {
  it('decisions: the predicted one stands while the task runs, the real one after each completed round', async () => {
    const bench = await started();
    bench.plant.predictedMs = 55.26;
    bench.channel.startTask('automatic', taskConfig({ cycle_interval_ms: 1000, request_interval_ms: 100 }));
    await bench.clock.advance(5);
    expect(auto(bench).predicted_cycle_ms).toBe(155.3);
    expect(auto(bench).last_cycle_ms).toBeUndefined();
    await bench.clock.advance(500);
    expect(auto(bench)).toMatchObject({ predicted_cycle_ms: 155.3, last_cycle_ms: 120, cycle_count: 1 });
    bench.plant.latencyMs = 30;
    await bench.clock.advance(1000);
    expect(auto(bench).last_cycle_ms).toBe(160);
  });

  it('the predicted one outlives a lost connection', async () => {
    const bench = await started();
    bench.plant.predictedMs = 55;
    bench.channel.startTask('automatic', taskConfig({ cycle_interval_ms: 100 }));
    await bench.clock.advance(50);
    bench.net.lose();
    await bench.clock.advance(300);
    expect(auto(bench)).toMatchObject({ fail: 20, predicted_cycle_ms: 55 });
  });

  it('a fast line has none, a round that was cut off no real one', async () => {
    const bench = await started();
    bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(5);
    void bench.channel.stopTask('manual');
    await bench.clock.advance(50);
    expect(manual(bench)).toMatchObject({ state: 'idle', cycle_count: 0 });
    expect(Object.keys(manual(bench))).not.toContain('predicted_cycle_ms');
    expect(Object.keys(manual(bench))).not.toContain('last_cycle_ms');
  });
});

describe('last_error', () => {
  it('is the latest failure of this task, and stays when later rounds succeed', async () => {
    const bench = await started();
    bench.plant.moods.set(1, 'refuse');
    bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(100);
    expect(auto(bench)).toMatchObject({ state: 'running', fail: 20, last_error: 'Exception 2: illegal data address.' });
    bench.plant.moods.clear();
    await bench.clock.advance(1000);
    expect(auto(bench)).toMatchObject({ success: 20, fail: 0, last_error: 'Exception 2: illegal data address.' });
  });
});

describe('server channels', () => {
  it('decisions: a read task reads back what we serve, without I/O', async () => {
    const bench = await started(points(20), { conn_type: 1 });
    bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(0);
    expect(manual(bench)).toMatchObject({ state: 'idle', success: 20 });
    expect(bench.plant.exchanges).toHaveLength(0);
    expect(bench.channel.points.state(20)).toMatchObject({ quality: 'good', value: 1 });
  });
});

describe('unreadable points', () => {
  it('decisions: commands are selected only when point_types names them; then they fail without I/O', async () => {
    const bench = await started([point(1), point(2, { frame_type: FrameType.yk }), point(3, { frame_type: FrameType.yt })]);
    bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(50);
    expect(counters(bench, 'manual')).toEqual({ current: 1, total: 1, success: 1, fail: 0 });
    bench.channel.startTask('manual', taskConfig({ point_types: [0, 2] }));
    await bench.clock.advance(50);
    expect(counters(bench, 'manual')).toEqual({ current: 2, total: 2, success: 1, fail: 1 });
    expect(bench.plant.exchanges.flatMap((exchange) => exchange.pointIds)).toEqual([1, 1]);
  });
});
