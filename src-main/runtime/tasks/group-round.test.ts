import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { english, quoted } from '#shared/messages/index.ts';
import { ManualClock, settle } from '../../platform/manual-clock.ts';
import type { FakeConnection } from '../testing/fake-driver.ts';
import { type Bench, makeBench, point, points, taskConfig } from '../testing/harness.ts';

async function started(...options: Parameters<typeof makeBench>): Promise<Bench> {
  const bench = makeBench(...options);
  await bench.channel.start();
  return bench;
}

const manual = (bench: Bench) => bench.channel.taskSnapshot('manual');
const asked = (bench: Bench) => bench.plant.exchanges.map((exchange) => exchange.pointIds);

describe('mode batch', () => {
  it('4.5 rule 1, 4: after each finished group current, total, success and fail are cumulative', async () => {
    const bench = await started(points(25));
    bench.channel.startTask('manual', taskConfig());
    const seen: number[][] = [];
    for (let step = 0; step < 4; step++) {
      await bench.clock.advance(step === 0 ? 5 : 10);
      const { current, total, success, fail } = manual(bench);
      seen.push([current, total, success, fail]);
    }
    expect(seen).toEqual([
      [0, 25, 0, 0],
      [10, 25, 10, 0],
      [20, 25, 20, 0],
      [25, 25, 25, 0],
    ]);
  });

  it('applies each answer to the point store once a batch', async () => {
    const bench = await started();
    const before = bench.channel.points.valueRevision;
    bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(50);
    expect(bench.channel.points.valueRevision - before).toBe(2);
    expect(bench.channel.points.state(1)).toMatchObject({ value: 1, quality: 'good', rawHex: '01' });
  });

  it('decisions: request_interval_ms lies between requests, never after the last', async () => {
    const bench = await started();
    bench.channel.startTask('manual', taskConfig({ request_interval_ms: 200 }));
    await bench.clock.advance(220);
    expect(bench.plant.exchanges.map((exchange) => exchange.at)).toEqual([0, 210]);
    expect(manual(bench).state).toBe('idle');
  });

  it('decisions: a timed out group counts in fail, its points become stale and keep their value, the task goes on', async () => {
    const bench = await started([...points(2), point(3, { slave_id: 2 })]);
    bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(50);
    bench.plant.moods.set(1, 'timeout');
    bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(1050);
    expect(manual(bench)).toMatchObject({ state: 'idle', success: 1, fail: 2, last_error: 'Slave 1 did not answer in time.' });
    expect(bench.channel.points.state(1)).toMatchObject({ quality: 'stale', value: 1, error: quoted('Slave 1 did not answer in time.') });
  });

  it('decisions: a refusal counts in fail and makes points invalid, the task goes on', async () => {
    const bench = await started(points(3));
    bench.plant.moods.set(1, 'refuse');
    bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(50);
    expect(manual(bench)).toMatchObject({ state: 'idle', success: 0, fail: 3, cycle_count: 1 });
    expect(bench.channel.points.state(1)?.quality).toBe('invalid');
  });

  it('4.5 rule 2: an answer without a value for a point counts as fail', async () => {
    const bench = await started(points(3));
    bench.plant.moods.set(1, 'nothing');
    bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(50);
    expect(manual(bench)).toMatchObject({ current: 3, success: 0, fail: 3 });
    expect(english(bench.channel.points.state(2)?.error ?? '')).toContain('no value');
  });

  it('further batches of an answer belong to the same group, and progress counts the group once', async () => {
    const bench = await started(points(4));
    bench.plant.moods.set(1, 'split');
    bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(65);
    expect(asked(bench)).toEqual([[1, 2, 3, 4], [1, 2], [1], [2], [3, 4], [3], [4]]);
    expect(manual(bench)).toMatchObject({ current: 0, total: 4 });
    await bench.clock.advance(10);
    expect(manual(bench)).toMatchObject({ state: 'idle', current: 4, success: 4 });
  });

  it('keeps its plan while points and plan revision stay, and plans anew when one of them changes', async () => {
    const bench = await started();
    bench.plant.planRevision = 7;
    bench.channel.startTask('automatic', taskConfig({ cycle_interval_ms: 100 }));
    await bench.clock.advance(1050);
    expect(bench.plant.plans).toBe(1);
    bench.plant.planRevision = 8;
    await bench.clock.advance(100);
    expect(bench.plant.plans).toBe(2);
    bench.channel.points.remove([1]);
    await bench.clock.advance(100);
    expect(bench.plant.plans).toBe(3);
  });

  it('a driver without a plan revision plans before each round', async () => {
    const bench = await started();
    bench.channel.startTask('automatic', taskConfig({ cycle_interval_ms: 100 }));
    await bench.clock.advance(350);
    expect(bench.plant.plans).toBe(4);
  });
});

describe('mode single', () => {
  it('4.5 rule 2: reads one by one with the slave of each point, pausing between points but not after the last', async () => {
    const bench = await started([point(1, { slave_id: 7 }), point(2, { slave_id: 9 }), point(3, { slave_id: 7 })]);
    bench.channel.startTask('manual', taskConfig({ mode: 'single', request_interval_ms: 100 }));
    await bench.clock.advance(230);
    expect(bench.plant.exchanges.map(({ at, slaveId }) => [at, slaveId])).toEqual([
      [0, 7],
      [110, 7],
      [220, 9],
    ]);
    expect(manual(bench)).toMatchObject({ state: 'idle', current: 3, success: 3 });
  });

  it('4.5 rule 2: progress is reported after each point', async () => {
    const bench = await started(points(3));
    bench.channel.startTask('manual', taskConfig({ mode: 'single' }));
    await bench.clock.advance(15);
    expect(manual(bench)).toMatchObject({ current: 1, total: 3, success: 1 });
  });
});

describe('filters', () => {
  const table = [
    point(1, { slave_id: 1, category: 'a', item: 'x' }),
    point(2, { slave_id: 2, category: 'a', item: 'y' }),
    point(3, { slave_id: 2, category: 'b', item: 'y', frame_type: FrameType.yx }),
    point(4, { slave_id: 2, category: 'a', item: 'y', frame_type: FrameType.yx, address: 0x02010100 }),
    point(5, { slave_id: 2, category: 'a', item: 'y', frame_type: FrameType.yx, address: 0xfe0101ff }),
  ];
  it.each([
    [{ slave_id: 2 }, [2, 3, 4, 5]],
    [{ channel_id: 1 }, [1, 2, 3, 4, 5]],
    [{ category: 'a', item: 'y' }, [2, 4, 5]],
    [{ point_types: [1] }, [3, 4, 5]],
    [{ category: 'a', point_types: [1], slave_id: 2 }, [4, 5]],
    [{ dlt645_prefix: 2 }, [4]],
    [{ dlt645_prefix: 0xfe }, [5]],
    [{ dlt645_settlement: 0 }, [4]],
    [{ dlt645_settlement: 255, dlt645_prefix: 2 }, []],
    [{ dlt645_prefix: 0, slave_id: 1 }, [1]],
  ] as const)('decisions: filters combine with AND: %j selects %j', async (filter, expected) => {
    const bench = await started(table);
    bench.plant.groupSize = 1;
    bench.channel.startTask('manual', taskConfig({ ...filter, point_types: [...('point_types' in filter ? filter.point_types : [])] }));
    await bench.clock.advance(100);
    expect(asked(bench).flat().sort()).toEqual([...expected]);
  });
});

describe('long rounds without I/O', () => {
  /** Time passes while the program works: a little at each look at the clock. */
  class BusyClock extends ManualClock {
    #looks = 0;

    override monotonicMs(): number {
      this.#looks += 1;
      return super.monotonicMs() + this.#looks / 2;
    }
  }

  it('give other work its turn every few milliseconds', async () => {
    const bench = await started(points(1000), { conn_type: 1 }, new BusyClock());
    bench.channel.startTask('manual', taskConfig());
    await settle();
    expect(bench.clock.pending).toBe(1);
    expect(manual(bench).current).toBeGreaterThan(0);
    expect(manual(bench).current).toBeLessThan(200);
    await bench.clock.advance(0);
    expect(manual(bench)).toMatchObject({ current: 1000, success: 1000 });
  });
});

describe('lost connection', () => {
  it('decisions: a round without connection fails its points at once, the next cycle finds the connection again', async () => {
    const bench = await started(points(100));
    bench.net.opening = new AppError('TRANSPORT_REFUSED', quoted('Nobody listens.'));
    bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(25);
    bench.net.lose();
    await bench.clock.advance(0);
    expect(bench.channel.taskSnapshot('automatic')).toMatchObject({
      state: 'running',
      current: 100,
      success: 20,
      fail: 80,
      cycle_count: 1,
    });
    await bench.clock.advance(1000);
    expect(bench.channel.state().status).toBe('reconnecting');
    expect(bench.channel.taskSnapshot('automatic')).toMatchObject({
      state: 'running',
      current: 100,
      success: 0,
      fail: 100,
      cycle_count: 2,
    });
    expect(bench.channel.taskSnapshot('automatic').last_error).toContain('Nobody listens.');
    bench.net.opening = 'good';
    await bench.clock.advance(3500);
    expect(bench.channel.taskSnapshot('automatic')).toMatchObject({ state: 'running', success: 100, fail: 0 });
  });

  it('a plan made for the old connection is never used on the new one', async () => {
    const bench = await started(points(40));
    bench.plant.latencyMs = 300;
    bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(100);
    bench.net.lose();
    await bench.clock.advance(2000);
    expect(bench.channel.state().status).toBe('running');
    expect(manual(bench)).toMatchObject({ state: 'idle', current: 40, fail: 40 });
    expect(bench.plant.exchanges.every((exchange) => exchange.connection === 1)).toBe(true);
  });
});

describe('late results of an old task', () => {
  it('3.1 rule 3: an answer that comes after its line was closed and a newer task runs touches neither task nor points', async () => {
    const bench = await started(points(10));
    bench.plant.moods.set(1, 'hang');
    const old = bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(10);
    const stopping = bench.channel.stop();
    await bench.clock.advance(5999);
    expect(bench.channel.taskSnapshot('automatic')).toMatchObject({ state: 'stopping', task_id: old.task_id });
    await bench.clock.advance(1);
    await stopping;
    expect(bench.channel.taskSnapshot('automatic')).toMatchObject({ state: 'idle', task_id: old.task_id });
    await bench.channel.start();
    const fresh = bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(10);
    const before = [bench.channel.taskSnapshot('automatic'), bench.channel.points.valueRevision];
    for (const answer of (bench.plant.connections[0] as FakeConnection).late) answer();
    await bench.clock.advance(0);
    expect([bench.channel.taskSnapshot('automatic'), bench.channel.points.valueRevision]).toEqual(before);
    expect(bench.channel.taskSnapshot('automatic').task_id).toBe(fresh.task_id);
  });
});

describe('suspension', () => {
  const table = [point(1, { slave_id: 1 }), point(2, { slave_id: 2 })];
  const asksOf = (bench: Bench, slave: number) => bench.plant.exchanges.filter((exchange) => exchange.slaveId === slave);

  async function silent(): Promise<Bench> {
    const bench = await started(table);
    bench.plant.moods.set(2, 'timeout');
    bench.plant.timeoutMs = 90;
    bench.channel.startTask('automatic', taskConfig({ cycle_interval_ms: 100 }));
    await bench.clock.advance(350);
    return bench;
  }

  it('decisions: a slave that times out 3 times in a row is left out; its points fail without I/O, others go on', async () => {
    const bench = await silent();
    expect(asksOf(bench, 2)).toHaveLength(3);
    const others = asksOf(bench, 1).length;
    await bench.clock.advance(1000);
    expect(asksOf(bench, 2)).toHaveLength(3);
    expect(asksOf(bench, 1).length).toBe(others + 10);
    expect(bench.channel.taskSnapshot('automatic')).toMatchObject({ current: 2, success: 1, fail: 1 });
    expect(bench.channel.points.state(2)).toMatchObject({ quality: 'never' });
    expect(bench.channel.state().health.suspended).toMatchObject([{ slave_id: 2, timeouts: 3 }]);
  });

  it('decisions: one probe per pause, without repeats, 5 s doubling to 60 s', async () => {
    const bench = await silent();
    await bench.clock.advance(200_000);
    const probes = asksOf(bench, 2).slice(2);
    expect(probes.slice(1).every((probe) => probe.retries === 0)).toBe(true);
    const pauses = probes.slice(1).map((probe, index) => Math.round((probe.at - (probes[index]?.at ?? 0)) / 1000));
    expect(pauses).toEqual([5, 10, 20, 40, 60, 60]);
  });

  it('a suspended slave costs the others 2 % of the line at most, from its suspension to any later time', async () => {
    const bench = await started(table, { retries: 0 });
    bench.plant.moods.set(2, 'timeout');
    bench.channel.startTask('automatic', taskConfig({ cycle_interval_ms: 100 }));
    await bench.clock.advance(3500);
    const [, , third] = asksOf(bench, 2);
    const suspendedAt = (third?.at ?? 0) + 1000;
    expect(bench.channel.state().health.suspended).toHaveLength(1);
    await bench.clock.advance(400_000);
    const probes = asksOf(bench, 2).slice(3);
    expect(probes.length).toBeGreaterThan(7);
    let spentMs = 0;
    for (const [index, probe] of probes.entries()) {
      const others = asksOf(bench, 1).find((ask) => ask.at > probe.at);
      const costMs = (others?.at ?? 0) - probe.at;
      spentMs += costMs;
      expect(spentMs / (probe.at + costMs - suspendedAt)).toBeLessThanOrEqual(0.02);
      const next = probes[index + 1];
      if (next) expect(costMs / (next.at - probe.at)).toBeLessThanOrEqual(0.02);
    }
    expect(spentMs).toBeGreaterThan(4000);
  });

  it('decisions: a good answer to a probe lifts it within the same round', async () => {
    const bench = await silent();
    bench.plant.moods.clear();
    await bench.clock.advance(5300);
    expect(bench.channel.taskSnapshot('automatic')).toMatchObject({ success: 2, fail: 0 });
    expect(bench.channel.state().health.suspended).toEqual([]);
  });

  it('decisions: manual and single reads always ask; a good answer lifts it', async () => {
    const bench = await silent();
    await bench.channel.stopTask('automatic');
    const before = asksOf(bench, 2).length;
    bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(200);
    expect(asksOf(bench, 2).length).toBe(before + 1);
    expect(bench.channel.state().health.suspended).toHaveLength(1);
    bench.plant.moods.clear();
    const read = bench.channel.readSingle(2);
    await bench.clock.advance(10);
    await read;
    expect(bench.channel.state().health.suspended).toEqual([]);
  });

  it('decisions: lost connections do not count, and a reconnect lifts it', async () => {
    const bench = await silent();
    bench.net.lose();
    await bench.clock.advance(700);
    expect(bench.channel.state().status).toBe('running');
    expect(asksOf(bench, 2).filter((exchange) => exchange.connection === 2).length).toBeGreaterThan(0);
  });

  it('a probe that was cancelled before it was sent is no probe', async () => {
    const bench = await started([point(1, { slave_id: 2 })]);
    bench.plant.moods.set(2, 'timeout');
    bench.plant.timeoutMs = 50;
    bench.channel.startTask('automatic', taskConfig({ cycle_interval_ms: 100 }));
    await bench.clock.advance(5200);
    bench.plant.timeoutMs = 1000;
    const read = bench.channel.readSingle(1).catch(() => undefined);
    await bench.clock.advance(500);
    await bench.channel.stopTask('automatic');
    await bench.clock.advance(500);
    await read;
    const before = bench.plant.exchanges.length;
    bench.channel.startTask('automatic', taskConfig({ cycle_interval_ms: 100 }));
    await bench.clock.advance(10);
    expect(bench.plant.exchanges.length).toBe(before + 1);
  });

  it('single mode of an automatic task suspends too', async () => {
    const bench = await started(table);
    bench.plant.moods.set(2, 'timeout');
    bench.channel.startTask('automatic', taskConfig({ mode: 'single', cycle_interval_ms: 100 }));
    await bench.clock.advance(4500);
    expect(asksOf(bench, 2)).toHaveLength(3);
  });

  it('a garbled answer is no silence', async () => {
    const bench = await started(table);
    bench.plant.moods.set(2, 'garbled');
    bench.channel.startTask('automatic', taskConfig({ cycle_interval_ms: 100 }));
    await bench.clock.advance(2000);
    expect(asksOf(bench, 2)).toHaveLength(20);
  });

  it('a task that is started again probes suspended slaves at once', async () => {
    const bench = await silent();
    await bench.channel.stopTask('automatic');
    const before = asksOf(bench, 2).length;
    bench.channel.startTask('automatic', taskConfig({ cycle_interval_ms: 100 }));
    await bench.clock.advance(1000);
    expect(asksOf(bench, 2).length).toBe(before + 1);
  });
});

describe('multiplexed links', () => {
  it('3.1 rule 5: one request that raises ends the task only when the others have returned', async () => {
    const bench = makeBench([point(1, { slave_id: 1 }), point(2, { slave_id: 2 })]);
    bench.plant.window = 2;
    bench.plant.moods.set(1, 'internal').set(2, 'timeout');
    await bench.channel.start();
    bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(999);
    expect([manual(bench).state, bench.plant.outstanding]).toEqual(['running', 1]);
    await bench.clock.advance(1);
    expect([manual(bench).state, bench.plant.outstanding]).toEqual(['failed', 0]);
  });

  it('4.5 rule 1: a pause between requests means one request at a time', async () => {
    const bench = makeBench(points(30));
    bench.plant.window = 4;
    await bench.channel.start();
    bench.channel.startTask('manual', taskConfig({ request_interval_ms: 100 }));
    await bench.clock.advance(300);
    expect(bench.plant.exchanges.map((exchange) => exchange.at)).toEqual([0, 110, 220]);
  });

  it('decisions: the holder keeps up to a window of requests outstanding', async () => {
    const bench = makeBench(points(100));
    bench.plant.window = 4;
    await bench.channel.start();
    bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(30);
    expect(bench.plant.mostOutstanding).toBe(4);
    expect(manual(bench)).toMatchObject({ state: 'idle', current: 100, success: 100 });
  });

  it('decisions: a command waits for what is outstanding only, and is alone on the line', async () => {
    const bench = makeBench([...points(100), point(200, { frame_type: FrameType.yk })]);
    bench.plant.window = 4;
    await bench.channel.start();
    bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(5);
    const target = bench.channel.points.config(200);
    if (!target) throw new Error('point 200 is in the table');
    const command = bench.channel.execute({ point: target, step: 'operate', value: 1, options: {} });
    await bench.clock.advance(30);
    expect((await command).outcome).toBe('accepted');
    const sent = bench.plant.exchanges.find((exchange) => exchange.kind === 'command');
    expect(sent?.at).toBe(10);
    expect(bench.plant.exchanges.filter((exchange) => exchange.at < 20)).toHaveLength(5);
  });

  it('3.1 rule 5: after a stop the state is idle only when all outstanding requests have returned', async () => {
    const bench = makeBench(points(100));
    bench.plant.window = 4;
    await bench.channel.start();
    bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(5);
    const stopping = bench.channel.stopTask('manual');
    await bench.clock.advance(0);
    expect([manual(bench).state, bench.plant.outstanding]).toEqual(['stopping', 4]);
    await bench.clock.advance(5);
    await stopping;
    expect(manual(bench)).toMatchObject({ state: 'idle', current: 40 });
  });
});
