import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { english, quoted, say } from '#shared/messages/index.ts';
import type { ProtocolDriver } from '../drivers/spi/index.ts';
import { ChannelManager } from './channel-manager.ts';
import { type FakeConnection, FakePlant, fakeDriver } from './testing/fake-driver.ts';
import { type Bench, channelSettings, makeBench, point, points, taskConfig } from './testing/harness.ts';

async function started(...options: Parameters<typeof makeBench>): Promise<Bench> {
  const bench = makeBench(...options);
  await bench.channel.start();
  return bench;
}

/** A channel on whose link commands run beside the exchange that holds the lock. */
async function startedBeside(...options: Parameters<typeof makeBench>): Promise<Bench> {
  const bench = makeBench(...options);
  bench.plant.commandsBeside = true;
  await bench.channel.start();
  return bench;
}

const refused = () => new AppError('TRANSPORT_REFUSED', quoted('Nobody listens there.'));
const status = (bench: Bench) => bench.channel.state().status;
const statuses = (bench: Bench) =>
  bench.events
    .list({ limit: 100 })
    .filter((event) => event.kind === 'channel')
    .map((event) => event.text.split(':')[0]);
/** Settles to the code of the error, or `ok`. */
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error: unknown) => (error instanceof AppError ? error.code : `not an AppError: ${String(error)}`),
  );

describe('start', () => {
  it('decisions: answers when the connection stands', async () => {
    const bench = makeBench();
    bench.net.openMs = 100;
    const start = code(bench.channel.start());
    await bench.clock.advance(99);
    expect(bench.channel.state()).toMatchObject({ status: 'starting', lastError: null });
    await bench.clock.advance(1);
    expect(await start).toBe('ok');
    expect(bench.channel.state()).toMatchObject({ status: 'running', since: bench.clock.wallMs() });
    expect(statuses(bench)).toEqual(['starting', 'running']);
  });

  it.each([
    ['transport', 'TRANSPORT_REFUSED'],
    ['transport', 'TIMEOUT_CONNECT'],
    ['transport', 'TRANSPORT_UNREACHABLE'],
    ['driver', 'PROTOCOL_REFUSED'],
    ['driver', 'TIMEOUT_RESPONSE'],
  ] as const)('decisions: the %s says %s: thrown, status error with the reason, no retry behind, line closed', async (who, what) => {
    const bench = makeBench();
    if (who === 'transport') bench.net.opening = new AppError(what, quoted('The reason.'));
    else bench.plant.connecting = new AppError(what, quoted('The reason.'));
    expect(await code(bench.channel.start())).toBe(what);
    expect(bench.channel.state()).toMatchObject({ status: 'error', lastError: quoted('The reason.') });
    await bench.clock.advance(100_000);
    expect(bench.net.attempts).toBe(1);
    expect(bench.net.lines.some((line) => line.isOpen)).toBe(false);
    expect(bench.clock.pending).toBe(0);
  });

  it('decisions: two starts at once share one attempt; starting a running channel is no error', async () => {
    const bench = makeBench();
    bench.net.openMs = 50;
    const both = [code(bench.channel.start()), code(bench.channel.start())];
    await bench.clock.advance(50);
    expect(await Promise.all(both)).toEqual(['ok', 'ok']);
    expect(await code(bench.channel.start())).toBe('ok');
    expect(bench.net.attempts).toBe(1);
  });

  it('a failed start can be tried again', async () => {
    const bench = makeBench();
    bench.net.opening = refused();
    await code(bench.channel.start());
    bench.net.opening = 'good';
    expect(await code(bench.channel.start())).toBe('ok');
    expect(bench.channel.state()).toMatchObject({ status: 'running', lastError: null });
  });

  it.each(['transport', 'driver'] as const)('decisions: a stop while the %s still connects ends it at once', async (who) => {
    const bench = makeBench();
    if (who === 'transport') bench.net.opening = 'silent';
    else bench.plant.connecting = 'silent';
    const start = code(bench.channel.start());
    await bench.clock.advance(100);
    const stop = code(bench.channel.stop());
    await bench.clock.advance(0);
    expect(await Promise.all([start, stop])).toEqual(['CANCELLED', 'ok']);
    expect(bench.channel.state()).toMatchObject({ status: 'stopped', lastError: null });
    expect(bench.clock.pending).toBe(0);
  });

  it('the line ends while the protocol comes up: the start fails with the reason', async () => {
    const bench = makeBench();
    bench.plant.connecting = 'silent';
    const start = code(bench.channel.start());
    await bench.clock.advance(10);
    bench.net.lines[0]?.end({ kind: 'peer' });
    await bench.clock.advance(0);
    expect(await start).toBe('TRANSPORT_LOST');
    expect(bench.channel.state()).toMatchObject({ status: 'error', lastError: say('runtime.peer_closed') });
  });

  it('start, stop, start: the last word counts', async () => {
    const bench = makeBench();
    bench.net.openMs = 10;
    const results = [code(bench.channel.start()), code(bench.channel.stop()), code(bench.channel.start())];
    await bench.clock.advance(50);
    expect(await Promise.all(results)).toEqual(['CANCELLED', 'ok', 'ok']);
    expect(status(bench)).toBe('running');
  });

  it('decisions: a serial channel without com_port is a conflict', async () => {
    const bench = makeBench([], { conn_type: 0 });
    expect(await code(bench.channel.start())).toBe('STATE_CONFLICT');
    expect(status(bench)).toBe('error');
  });

  it('a wrong protocol setting is refused with its path', async () => {
    const bench = makeBench([], { protocol: { flavour: 5 } });
    await expect(bench.channel.start()).rejects.toMatchObject({ code: 'CONFIG_INVALID', data: [{ path: 'protocol.flavour' }] });
  });

  it('a protocol without a driver in this version is refused in plain words', async () => {
    const bench = makeBench([], { protocol_type: 3 });
    await expect(bench.channel.start()).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: 'This version has no driver for IEC 104.',
    });
  });
});

describe('stop', () => {
  it('decisions: stopping a stopped channel is no error', async () => {
    const bench = makeBench();
    expect(await code(bench.channel.stop())).toBe('ok');
    expect(status(bench)).toBe('stopped');
  });

  it('4.7 rule 1: tasks first, then the protocol, then the line; points become stale', async () => {
    const bench = await started();
    bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(15);
    const stop = bench.channel.stop();
    expect(bench.channel.taskSnapshot('automatic').state).toBe('stopping');
    expect(bench.plant.connections[0]?.isClosed).toBe(false);
    await bench.clock.advance(5);
    await stop;
    expect(bench.plant.connections[0]?.isClosed).toBe(true);
    expect(bench.net.lines[0]?.isOver).toBe(true);
    expect(bench.channel.taskSnapshot('automatic')).toMatchObject({ state: 'idle', last_error: null });
    expect(bench.channel.points.state(1)).toMatchObject({ quality: 'stale', value: 1, error: say('runtime.stopped') });
    expect(bench.channel.state()).toMatchObject({ status: 'stopped', lastError: null });
    expect(bench.clock.pending).toBe(0);
  });

  it('decisions: waits 6 s at most for its tasks, then closes the line and waits for them to end', async () => {
    const bench = await started();
    bench.plant.timeoutMs = 20_000;
    bench.plant.moods.set(1, 'timeout');
    bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(100);
    let stopped = false;
    void bench.channel.stop().then(() => {
      stopped = true;
    });
    await bench.clock.advance(5999);
    expect([stopped, status(bench), bench.channel.taskSnapshot('automatic').state]).toEqual([false, 'stopping', 'stopping']);
    await bench.clock.advance(1);
    expect([stopped, status(bench), bench.channel.taskSnapshot('automatic').state]).toEqual([true, 'stopped', 'idle']);
    expect(bench.clock.pending).toBe(0);
  });

  it('3.1 rule 2: a request that is cut off by the stop is no failure of its task', async () => {
    const bench = await started();
    bench.plant.timeoutMs = 20_000;
    bench.plant.moods.set(1, 'timeout');
    bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(100);
    const stop = bench.channel.stop();
    await bench.clock.advance(6000);
    await stop;
    expect(bench.channel.taskSnapshot('automatic')).toMatchObject({ state: 'idle', success: 0, fail: 0, last_error: null });
  });

  it('is bounded when an adapter was pulled and its close never returns', async () => {
    const bench = await started();
    bench.net.isCloseStuck = true;
    const stop = bench.channel.stop();
    await bench.clock.advance(3000);
    await stop;
    expect(status(bench)).toBe('stopped');
  });

  it('refuses new work while it goes on', async () => {
    const bench = await started();
    bench.plant.latencyMs = 100;
    const read = code(bench.channel.readSingle(1));
    await bench.clock.advance(10);
    const waiting = code(bench.channel.readSingle(2));
    const stop = bench.channel.stop();
    expect(await code(bench.channel.readSingle(3))).toBe('STATE_NOT_STARTED');
    expect(() => bench.channel.startTask('manual', taskConfig())).toThrow(/is stopping/);
    await bench.clock.advance(100);
    await stop;
    expect(await Promise.all([read, waiting])).toEqual(['ok', 'CANCELLED']);
  });

  it('a loss while stopping does not reconnect', async () => {
    const bench = await started();
    bench.plant.latencyMs = 5000;
    bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(10);
    const stop = bench.channel.stop();
    bench.net.lose();
    await bench.clock.advance(0);
    await stop;
    await bench.clock.advance(60_000);
    expect([status(bench), bench.net.attempts, bench.clock.pending]).toEqual(['stopped', 1, 0]);
  });
});

describe('a connection lost', () => {
  it('decisions: reconnecting after 0.5 s doubling to 30 s, running again by itself', async () => {
    const bench = await started();
    bench.net.opening = refused();
    bench.net.lose();
    expect(bench.channel.state()).toMatchObject({ status: 'reconnecting', lastError: quoted('The cable was pulled.') });
    const attempts: number[] = [];
    const begin = bench.clock.monotonicMs();
    for (let count = bench.net.attempts; bench.clock.monotonicMs() - begin < 130_000; ) {
      await bench.clock.advance(500);
      if (bench.net.attempts > count) attempts.push(bench.clock.monotonicMs() - begin);
      count = bench.net.attempts;
    }
    expect(attempts).toEqual([500, 1500, 3500, 7500, 15_500, 31_500, 61_500, 91_500, 121_500]);
    expect(bench.channel.state()).toMatchObject({ status: 'reconnecting', lastError: quoted('Nobody listens there.') });
    bench.net.opening = 'good';
    await bench.clock.advance(30_000);
    expect(bench.channel.state()).toMatchObject({ status: 'running', lastError: null, health: { reconnects: 1 } });
  });

  it('points become stale with the reason at once', async () => {
    const bench = await started();
    bench.channel.startTask('manual', taskConfig());
    await bench.clock.advance(50);
    bench.net.lose();
    expect(bench.channel.points.state(1)).toMatchObject({ quality: 'stale', error: quoted('The cable was pulled.') });
  });

  it('a line that drops at once again goes on doubling the pauses', async () => {
    const bench = await started();
    const gaps: number[] = [];
    for (let times = 0; times < 4; times++) {
      bench.net.lose();
      const lostAt = bench.clock.monotonicMs();
      while (status(bench) !== 'running') await bench.clock.advance(100);
      gaps.push(bench.clock.monotonicMs() - lostAt);
    }
    expect(gaps).toEqual([500, 1000, 2000, 4000]);
    await bench.clock.advance(10_000);
    bench.net.lose();
    await bench.clock.advance(500);
    expect(status(bench)).toBe('running');
  });

  it('decisions: without auto_reconnect the channel goes to error and its task is failed', async () => {
    const bench = await started(points(20), { auto_reconnect: false });
    bench.channel.startTask('automatic', taskConfig({ cycle_interval_ms: 60_000 }));
    await bench.clock.advance(100);
    bench.net.lose();
    await bench.clock.advance(0);
    expect(bench.channel.state()).toMatchObject({ status: 'error', lastError: quoted('The cable was pulled.') });
    expect(bench.channel.taskSnapshot('automatic')).toMatchObject({ state: 'failed', last_error: 'The cable was pulled.', cycle_count: 1 });
    await bench.clock.advance(100_000);
    expect([bench.net.attempts, bench.clock.pending]).toEqual([1, 0]);
    expect(await code(bench.channel.start())).toBe('ok');
  });

  it('a request under way fails the task only after it has returned', async () => {
    const bench = await started(points(20), { auto_reconnect: false });
    bench.plant.moods.set(1, 'hang');
    bench.net.isCloseStuck = true;
    bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(100);
    bench.net.lose();
    await bench.clock.advance(2999);
    expect([status(bench), bench.channel.taskSnapshot('automatic').state]).toEqual(['error', 'running']);
    await bench.clock.advance(1);
    expect(bench.channel.taskSnapshot('automatic').state).toBe('failed');
  });

  it('the protocol may end it: its words are the reason, the line is closed', async () => {
    const bench = await started();
    bench.plant.connections[0]?.io.sink.lost(new AppError('PROTOCOL_MALFORMED', quoted('The stream is out of step.')));
    expect(bench.channel.state()).toMatchObject({ status: 'reconnecting', lastError: quoted('The stream is out of step.') });
    await bench.clock.advance(500);
    expect(bench.net.lines.map((line) => line.isOpen)).toEqual([false, true]);
  });

  it('a driver that throws on received octets ends its channel, not the process', async () => {
    const bench = await started();
    bench.net.lines[0]?.receive(new Uint8Array([0xff]));
    expect(bench.channel.state()).toMatchObject({ status: 'error' });
    expect(bench.channel.state().lastError?.params.detail).toContain('broken receiver');
    await bench.clock.advance(60_000);
    expect([status(bench), bench.net.attempts]).toEqual(['error', 1]);
  });

  it('a stop while reconnecting ends it at once', async () => {
    const bench = await started();
    bench.net.lose();
    await bench.clock.advance(100);
    await bench.channel.stop();
    await bench.clock.advance(100_000);
    expect([status(bench), bench.net.attempts, bench.clock.pending]).toEqual(['stopped', 1, 0]);
  });

  it('a start while reconnecting tries at once and answers how that went', async () => {
    const bench = await started();
    bench.net.opening = refused();
    bench.net.lose();
    await bench.clock.advance(600);
    expect(await code(bench.channel.start())).toBe('TRANSPORT_REFUSED');
    expect(status(bench)).toBe('reconnecting');
    bench.net.opening = 'good';
    expect(await code(bench.channel.start())).toBe('ok');
    expect([status(bench), bench.clock.pending]).toEqual(['running', 0]);
  });

  it('a start while the old line is still closing tries as soon as it is closed', async () => {
    const bench = await started();
    bench.net.isCloseStuck = true;
    bench.plant.connections[0]?.io.sink.lost(refused());
    const start = code(bench.channel.start());
    await bench.clock.advance(2999);
    expect(bench.net.attempts).toBe(1);
    await bench.clock.advance(1);
    expect([await start, bench.net.attempts]).toEqual(['ok', 2]);
  });

  it('a start after error waits until the old line is closed', async () => {
    const bench = await started([], { auto_reconnect: false });
    bench.net.isCloseStuck = true;
    bench.plant.connections[0]?.io.sink.lost(refused());
    const start = code(bench.channel.start());
    await bench.clock.advance(2999);
    expect([bench.channel.state().status, bench.net.attempts]).toEqual(['starting', 1]);
    await bench.clock.advance(1);
    expect(await start).toBe('ok');
  });

  it('a stop ends such a start at once', async () => {
    const bench = await started();
    bench.net.opening = 'silent';
    bench.net.lose();
    const start = code(bench.channel.start());
    await bench.clock.advance(10);
    const stop = code(bench.channel.stop());
    await bench.clock.advance(0);
    expect(await Promise.all([start, stop])).toEqual(['CANCELLED', 'ok']);
    expect([status(bench), bench.clock.pending]).toEqual(['stopped', 0]);
  });

  it('what an ended connection still says is not heard', async () => {
    const bench = await started();
    const old = bench.plant.connections[0] as FakeConnection;
    bench.net.lose();
    await bench.clock.advance(500);
    const before = bench.events.lastSeq;
    old.io.sink.values([value(1, 9)], true);
    old.io.sink.lost(refused());
    old.io.sink.notice(quoted('late'));
    expect([bench.channel.points.state(1)?.quality, status(bench), bench.events.lastSeq]).toEqual(['never', 'running', before]);
  });
});

/** What happens at any point between two steps of the program: `count` promise callbacks after something began. */
const MOMENTS = Array.from({ length: 30 }, (_, count) => count);
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
}

describe('at every moment', () => {
  it.each(MOMENTS)('a stop %i turns after a start leaves nothing open', async (count) => {
    const bench = makeBench();
    const start = code(bench.channel.start());
    await turns(count);
    const stop = code(bench.channel.stop());
    await bench.clock.advance(0);
    expect(['ok', 'CANCELLED']).toContain(await start);
    expect([await stop, status(bench), bench.clock.pending]).toEqual(['ok', 'stopped', 0]);
    expect(bench.net.lines.some((line) => line.isOpen)).toBe(false);
  });

  it.each(MOMENTS)('a loss %i turns after a start fails the start or reconnects', async (count) => {
    const bench = makeBench();
    const start = code(bench.channel.start());
    await turns(count);
    bench.net.lose();
    await bench.clock.advance(0);
    const expected = { ok: ['running', 'reconnecting'], TRANSPORT_LOST: ['error'] }[await start];
    expect(expected).toContain(status(bench));
    expect(bench.net.lines.filter((line) => line.isOpen)).toHaveLength(status(bench) === 'running' ? 1 : 0);
  });

  it.each(MOMENTS)('a stop %i turns after a reload leaves nothing open and no task', async (count) => {
    const bench = await started();
    bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(50);
    const reload = code(bench.channel.reload());
    await turns(count);
    const stop = code(bench.channel.stop());
    await bench.clock.advance(10);
    expect(['ok', 'CANCELLED']).toContain(await reload);
    expect([await stop, status(bench), bench.clock.pending]).toEqual(['ok', 'stopped', 0]);
    expect(bench.channel.taskSnapshot('automatic').state).toBe('idle');
    expect(bench.net.lines.some((line) => line.isOpen)).toBe(false);
  });

  it.each(MOMENTS)('stop, start and %i turns later stop ends stopped', async (count) => {
    const bench = await started();
    const stop = code(bench.channel.stop());
    const start = code(bench.channel.start());
    await turns(count);
    const last = code(bench.channel.stop());
    await bench.clock.advance(0);
    expect(['ok', 'CANCELLED']).toContain(await start);
    expect([await stop, await last, status(bench)]).toEqual(['ok', 'ok', 'stopped']);
    expect(bench.net.lines.some((line) => line.isOpen)).toBe(false);
  });

  it.each(MOMENTS)('a loss %i turns after a reconnect began is made good', async (count) => {
    const bench = await started();
    bench.net.lose();
    await bench.clock.advance(499);
    const start = code(bench.channel.start());
    await turns(count);
    bench.net.lose();
    await bench.clock.advance(10_000);
    expect(['ok', 'TRANSPORT_LOST']).toContain(await start);
    expect(status(bench)).toBe('running');
    expect(bench.net.lines.filter((line) => line.isOpen)).toHaveLength(1);
  });
});

function value(pointId: number, number: number) {
  const raw = new Uint8Array([number]);
  return { kind: 'value', pointId, value: number, valueText: '', raw, quality: 'good', flags: [], sourceTime: 1234 } as const;
}

describe('rebuild', () => {
  it.each(['reload', 'reconfigure'] as const)('4.7 rule 3: %s starts the automatic task again, same configuration, new id', async (how) => {
    const bench = await started();
    const config = taskConfig({ cycle_interval_ms: 300 });
    const old = bench.channel.startTask('automatic', config);
    await bench.clock.advance(5);
    const rebuild = how === 'reload' ? bench.channel.reload() : bench.channel.reconfigure(channelSettings({ port: 503 }));
    await bench.clock.advance(5);
    await rebuild;
    const fresh = bench.channel.taskSnapshot('automatic');
    expect(fresh).toMatchObject({ state: 'running', config });
    expect(fresh.task_id).not.toBe(old.task_id);
    await bench.clock.advance(50);
    expect(new Set(bench.plant.exchanges.map((exchange) => exchange.connection))).toEqual(new Set([1, 2]));
    expect(bench.net.lines[1]?.label).toBe(how === 'reload' ? 'test → 192.0.2.10:502' : 'test → 192.0.2.10:503');
  });

  it('4.7 rule 3: the task starts only once the new instance has started', async () => {
    const bench = await started();
    bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(50);
    bench.net.openMs = 500;
    const reload = bench.channel.reload();
    await bench.clock.advance(499);
    expect([status(bench), bench.channel.taskSnapshot('automatic').state]).toEqual(['starting', 'idle']);
    await bench.clock.advance(1);
    await reload;
    expect([status(bench), bench.channel.taskSnapshot('automatic').state]).toEqual(['running', 'running']);
  });

  it('decisions: when the new instance does not start, the task is failed with its configuration in the snapshot', async () => {
    const bench = await started();
    const config = taskConfig({ cycle_interval_ms: 300 });
    bench.channel.startTask('automatic', config);
    await bench.clock.advance(50);
    bench.net.opening = refused();
    expect(await code(bench.channel.reload())).toBe('TRANSPORT_REFUSED');
    expect(status(bench)).toBe('error');
    expect(bench.channel.taskSnapshot('automatic')).toMatchObject({ state: 'failed', config, last_error: 'Nobody listens there.' });
  });

  it('4.7 rule 2: a manual task is stopped and not started again', async () => {
    const bench = await started();
    const { task_id } = bench.channel.startTask('manual', taskConfig({ mode: 'single', request_interval_ms: 1000 }));
    await bench.clock.advance(50);
    await bench.channel.reload();
    expect(bench.channel.taskSnapshot('manual')).toMatchObject({ state: 'idle', task_id, cycle_count: 0 });
  });

  it.each([
    ['stopped', 'stopped'],
    ['error', 'running'],
  ] as const)('reload of a channel in %s leaves it %s', async (before, after) => {
    const bench = makeBench();
    if (before === 'error') {
      bench.net.opening = refused();
      await code(bench.channel.start());
      bench.net.opening = 'good';
    }
    await bench.channel.reload();
    expect(status(bench)).toBe(after);
  });

  it('a stop during the rebuild wins: stopped, and the task stays idle', async () => {
    const bench = await started();
    bench.channel.startTask('automatic', taskConfig());
    bench.net.opening = 'silent';
    const reload = code(bench.channel.reload());
    await bench.clock.advance(100);
    const stop = code(bench.channel.stop());
    await bench.clock.advance(10);
    expect(await Promise.all([reload, stop])).toEqual(['CANCELLED', 'ok']);
    expect([status(bench), bench.channel.taskSnapshot('automatic').state]).toEqual(['stopped', 'idle']);
  });

  it('a stop of the automatic task during the rebuild keeps it from coming back', async () => {
    const bench = await started();
    bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(50);
    bench.net.openMs = 500;
    const reload = bench.channel.reload();
    await bench.clock.advance(100);
    await bench.channel.stopTask('automatic');
    await bench.clock.advance(400);
    await reload;
    expect([status(bench), bench.channel.taskSnapshot('automatic').state]).toEqual(['running', 'idle']);
  });

  it.each([
    ['name and note', { name: 'PCS 2', note: 'moved' }, 1],
    ['auto_start and read_only', { auto_start: true, read_only: true }, 1],
    ['the same values', {}, 1],
    ['ip', { ip: '192.0.2.11' }, 2],
    ['timeout_ms', { timeout_ms: 2000 }, 2],
    ['max_gap', { max_gap: 5 }, 2],
    ['protocol', { protocol: { flavour: 'other' } }, 2],
  ] as const)('decisions: a change of %s leads to %3$s connections', async (_, changes, connections) => {
    const bench = await started();
    await bench.channel.reconfigure(channelSettings(changes));
    expect(bench.plant.connections).toHaveLength(connections);
    expect(bench.channel.settings).toEqual(channelSettings(changes));
    expect(status(bench)).toBe('running');
  });

  it('a connection knows at each moment whether it may write: the word of the channel, and that of the service', async () => {
    let isReadOnly = false;
    const { ports } = makeBench();
    const plant = new FakePlant();
    const driver = fakeDriver(plant);
    const drivers = { all: [driver], find: () => driver };
    const channel = new ChannelManager({ ...ports, drivers, isReadOnly: () => isReadOnly }).add(channelSettings(), []);
    await channel.start();
    const mayWrite = () => plant.connections[0]?.io.mayWrite?.();
    expect(mayWrite()).toBe(true);
    isReadOnly = true;
    expect(mayWrite()).toBe(false);
    isReadOnly = false;
    await channel.reconfigure(channelSettings({ read_only: true }));
    expect([mayWrite(), plant.connections.length]).toEqual([false, 1]);
    await channel.reconfigure(channelSettings());
    expect(mayWrite()).toBe(true);
    await channel.stop();
  });

  it('settings of a stopped channel are taken over without starting it', async () => {
    const bench = makeBench();
    await bench.channel.reconfigure(channelSettings({ port: 503 }));
    expect([status(bench), bench.net.attempts]).toEqual(['stopped', 0]);
    await bench.channel.start();
    expect(bench.net.lines[0]?.label).toContain('503');
  });

  it('two changes at once end with the last one, rebuilt once', async () => {
    const bench = await started();
    await Promise.all([
      bench.channel.reconfigure(channelSettings({ port: 503 })),
      bench.channel.reconfigure(channelSettings({ port: 504 })),
    ]);
    expect(bench.net.lines.map((line) => line.label.split(':')[1])).toEqual(['502', '504']);
  });

  it('a wrong protocol setting changes nothing', async () => {
    const bench = await started();
    expect(await code(bench.channel.reconfigure(channelSettings({ port: 503, protocol: { flavour: 1 } })))).toBe('CONFIG_INVALID');
    expect([bench.channel.settings.port, status(bench), bench.plant.connections.length]).toEqual([502, 'running', 1]);
  });
});

describe('single read', () => {
  it('4.5 rule 5: asks the device under the lock, ahead of the automatic task, and stores the value', async () => {
    const bench = await started(points(100));
    bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(5);
    const read = bench.channel.readSingle(55);
    await bench.clock.advance(10);
    expect(bench.plant.exchanges[1]).toMatchObject({ pointIds: [55], at: 10, retries: 2 });
    await bench.clock.advance(5);
    await read;
    expect(bench.channel.points.state(55)?.quality).toBe('good');
    expect(bench.plant.mostOutstanding).toBe(1);
  });

  it.each([
    ['timeout', 'TIMEOUT_RESPONSE', 'never'],
    ['refuse', 'DEVICE_EXCEPTION', 'invalid'],
    ['garbled', 'FRAME_CHECKSUM', 'never'],
    ['nothing', 'PROTOCOL_MALFORMED', 'never'],
  ] as const)('a device that says %s: %s is thrown, the point that never had a value is %s', async (mood, what, quality) => {
    const bench = await started();
    bench.plant.moods.set(1, mood);
    const read = code(bench.channel.readSingle(1));
    await bench.clock.advance(1000);
    expect(await read).toBe(what);
    expect(bench.channel.points.state(1)?.quality).toBe(quality);
  });

  it('fails with the reason when the line is lost meanwhile', async () => {
    const bench = await started();
    const both = [code(bench.channel.readSingle(1)), code(bench.channel.readSingle(2))];
    await bench.clock.advance(5);
    bench.net.lose();
    await bench.clock.advance(0);
    expect(await Promise.all(both)).toEqual(['TRANSPORT_LOST', 'TRANSPORT_LOST']);
    expect(await code(bench.channel.readSingle(1))).toBe('TRANSPORT_NOT_CONNECTED');
  });

  it('unknown points, commands and stopped channels are refused', async () => {
    const bench = makeBench([point(1), point(2, { frame_type: FrameType.yk })]);
    expect(await code(bench.channel.readSingle(9))).toBe('CONFIG_NOT_FOUND');
    expect(await code(bench.channel.readSingle(1))).toBe('STATE_NOT_STARTED');
    await bench.channel.start();
    expect(await code(bench.channel.readSingle(2))).toBe('CONFIG_INVALID');
    expect(bench.plant.exchanges).toHaveLength(0);
  });
});

describe('commands', () => {
  const yk = point(30, { frame_type: FrameType.yk });
  const operate = { point: yk, step: 'operate', value: 1, options: {} } as const;

  it('decisions: a command waits for one exchange at most and is sent once', async () => {
    const bench = await started([...points(100), yk]);
    bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(5);
    const single = bench.channel.readSingle(50);
    const command = bench.channel.execute(operate);
    await bench.clock.advance(30);
    expect(await command).toMatchObject({ outcome: 'accepted' });
    await single;
    expect(bench.plant.exchanges.slice(1, 3)).toMatchObject([
      { kind: 'command', at: 10, retries: 0 },
      { kind: 'read', pointIds: [50], at: 20 },
    ]);
    expect(bench.plant.commands).toBe(1);
  });

  it('decisions: beside an exchange where the link allows it, one at a time among themselves', async () => {
    const bench = await startedBeside([...points(10), yk]);
    bench.plant.latencyMs = 1000;
    bench.plant.commandLatencyMs = 100;
    bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(5);
    const commands = [bench.channel.execute(operate), bench.channel.execute(operate)];
    await bench.clock.advance(200);
    expect(await Promise.all(commands)).toMatchObject([{ outcome: 'accepted' }, { outcome: 'accepted' }]);
    expect(bench.plant.exchanges).toMatchObject([{ kind: 'read' }, { kind: 'command', at: 5 }, { kind: 'command', at: 105 }]);
    expect(bench.plant.outstanding).toBe(1);
  });

  it('a cancel does not wait for the command that it ends, where the protocol has it so; one cancel at a time', async () => {
    const bench = makeBench([yk]);
    bench.plant.commandsBeside = true;
    bench.plant.cancelsUnderWay = true;
    await bench.channel.start();
    bench.plant.commandLatencyMs = 1000;
    const command = bench.channel.execute(operate);
    await bench.clock.advance(5);
    const cancels = [1, 2].map(() => bench.channel.execute({ ...operate, step: 'cancel' }));
    await bench.clock.advance(3000);
    await Promise.all([command, ...cancels]);
    expect(bench.plant.exchanges.map(({ at }) => at)).toEqual([0, 5, 1005]);
  });

  it('a cancel waits its turn in any other protocol', async () => {
    const bench = await startedBeside([yk]);
    bench.plant.commandLatencyMs = 1000;
    const command = bench.channel.execute(operate);
    await bench.clock.advance(5);
    const cancel = bench.channel.execute({ ...operate, step: 'cancel' });
    await bench.clock.advance(2000);
    await Promise.all([command, cancel]);
    expect(bench.plant.exchanges.map(({ at }) => at)).toEqual([0, 1000]);
  });

  it('a cancel that still waited for its turn ends with the connection, and a stop waits for one under way', async () => {
    const bench = makeBench([yk]);
    bench.plant.cancelsUnderWay = true;
    await bench.channel.start();
    bench.plant.commandLatencyMs = 1000;
    const first = bench.channel.execute({ ...operate, step: 'cancel' });
    const second = code(bench.channel.execute({ ...operate, step: 'cancel' }));
    await bench.clock.advance(10);
    const stopped = bench.channel.stop();
    await bench.clock.advance(980);
    expect(status(bench)).toBe('stopping');
    await bench.clock.advance(20);
    await stopped;
    expect([(await first).outcome, await second, bench.plant.commands]).toEqual(['accepted', 'CANCELLED', 1]);
  });

  it('a command beside an exchange that still waited is not sent on the next connection', async () => {
    const bench = await startedBeside([yk]);
    bench.plant.latencyMs = 1000;
    const first = bench.channel.execute(operate);
    const second = code(bench.channel.execute(operate));
    await bench.clock.advance(10);
    bench.net.lose();
    await bench.clock.advance(5000);
    expect([(await first).outcome, await second, bench.plant.commands]).toEqual(['unknown', 'TRANSPORT_LOST', 1]);
  });

  it('a stop waits for a command beside an exchange as it does for any other', async () => {
    const bench = await startedBeside([yk]);
    bench.plant.latencyMs = 1000;
    const command = bench.channel.execute(operate);
    await bench.clock.advance(10);
    const stopped = bench.channel.stop();
    await bench.clock.advance(980);
    expect(status(bench)).toBe('stopping');
    await bench.clock.advance(20);
    await stopped;
    expect([(await command).outcome, status(bench)]).toEqual(['accepted', 'stopped']);
  });

  it('a refusal by the device is a value', async () => {
    const bench = await started([yk]);
    bench.plant.command = 'rejected';
    const command = bench.channel.execute(operate);
    await bench.clock.advance(10);
    expect(await command).toMatchObject({ outcome: 'rejected', refusal: { kind: 'refused' } });
  });

  it('decisions: a connection that ends meanwhile leaves it unknown, and nothing is sent again', async () => {
    const bench = await started([yk]);
    bench.plant.moods.set(0, 'hang');
    const command = bench.channel.execute(operate);
    await bench.clock.advance(10);
    bench.net.lose();
    await bench.clock.advance(5000);
    expect(await command).toMatchObject({ outcome: 'unknown', failure: { code: 'TRANSPORT_LOST' } });
    expect([status(bench), bench.plant.commands]).toEqual(['running', 1]);
  });

  it('one that still waited for the line is not sent on the next connection', async () => {
    const bench = await started([...points(10), yk]);
    bench.plant.latencyMs = 1000;
    const read = code(bench.channel.readSingle(1));
    const command = code(bench.channel.execute(operate));
    await bench.clock.advance(10);
    bench.net.lose();
    await bench.clock.advance(5000);
    expect(await Promise.all([read, command])).toEqual(['TRANSPORT_LOST', 'TRANSPORT_LOST']);
    expect(bench.plant.commands).toBe(0);
  });
});

describe('the state before a command', () => {
  const yk = point(30, { frame_type: FrameType.yk });

  it('is asked under the lock, behind the exchange that holds it, and commands nothing', async () => {
    const bench = await started([...points(10), yk]);
    const single = bench.channel.readSingle(1);
    const state = bench.channel.commandState(yk, { test: true });
    await bench.clock.advance(20);
    await single;
    expect(await state).toMatchObject({ items: [{ name: 'Beh', remark: quoted('refused') }] });
    expect(bench.plant.exchanges.map(({ kind, at }) => [kind, at])).toEqual([
      ['read', 0],
      ['read', 10],
    ]);
  });

  it('fails with the reason when the line is lost meanwhile, and on a stopped channel', async () => {
    const bench = await started([yk]);
    bench.plant.latencyMs = 1000;
    const state = code(bench.channel.commandState(yk, {}));
    await bench.clock.advance(10);
    bench.net.lose();
    await bench.clock.advance(5000);
    expect(await state).toBe('TRANSPORT_LOST');
    await bench.channel.stop();
    expect(await code(bench.channel.commandState(yk, {}))).toBe('STATE_NOT_STARTED');
  });
});

describe('what the device sends by itself', () => {
  it('enters the point store, and as an event the event log', async () => {
    const bench = await started();
    const { sink } = (bench.plant.connections[0] as FakeConnection).io;
    sink.values([value(1, 5)], false);
    expect(bench.channel.points.state(1)).toMatchObject({ value: 5, quality: 'good' });
    const before = bench.events.lastSeq;
    sink.values([value(2, 6), { kind: 'failure', pointId: 3, error: refused() }, value(99, 7)], true);
    const entries = bench.events.list({ afterSeq: before, limit: 10 });
    expect(entries).toMatchObject([{ kind: 'change', channelId: 1, pointId: 2, code: 'P2', value: 6, deviceTime: 1234 }]);
    sink.notice(quoted('an unknown object arrived'));
    expect(bench.events.list({ limit: 1 })).toMatchObject([{ kind: 'channel', text: 'an unknown object arrived' }]);
  });

  it('that is no value of a point enters the event log alone', async () => {
    const bench = await started();
    const { sink } = (bench.plant.connections[0] as FakeConnection).io;
    const detail = { cause: { code: 47, name: 'unknown information object address' }, negative: true };
    const before = bench.events.lastSeq;
    sink.values([{ ...value(2, 6), detail }], 'only');
    expect(bench.channel.points.state(2)).toMatchObject({ value: 0, quality: 'never', detail: null });
    expect(bench.events.list({ afterSeq: before, limit: 10 })).toMatchObject([{ kind: 'change', pointId: 2, value: 6, detail }]);
  });
});

describe('what a driver offers beside reads and commands', () => {
  it('its memory lasts over reconnects, and is empty after a start', async () => {
    const bench = await started();
    const memoryOf = (at: number) => bench.plant.connections.at(at)?.io.memory;
    memoryOf(0)?.set('seen', 1);
    bench.net.lose();
    await bench.clock.advance(5000);
    expect(memoryOf(1)?.get('seen')).toBe(1);
    await bench.channel.stop();
    await bench.channel.start();
    expect(memoryOf(2)?.size).toBe(0);
  });

  it('what of its memory is of the line lasts over starts and other settings, and no longer than the channel leads there', async () => {
    const { ports } = makeBench();
    const plant = new FakePlant();
    const driver: ProtocolDriver = {
      ...fakeDriver(plant),
      keepOfLine: (memory) => new Map([...memory].filter(([name]) => name === 'owed')),
    };
    const channel = new ChannelManager({ ...ports, drivers: { all: [driver], find: () => driver } }).add(channelSettings(), []);
    const kept = () => [...(plant.connections.at(-1)?.io.memory?.keys() ?? [])];
    const note = () => plant.connections.at(-1)?.io.memory?.set('owed', 1).set('learnt', 2);
    await channel.start();
    note();
    await channel.reconfigure(channelSettings({ timeout_ms: 3000 }));
    expect(kept()).toEqual(['owed']);
    note();
    await channel.reconfigure(channelSettings({ timeout_ms: 3000, protocol: { flavour: 'other' } }));
    expect(kept()).toEqual(['owed']);
    note();
    await channel.stop();
    await channel.reconfigure(channelSettings({ protocol: { flavour: 'third' } }));
    await channel.start();
    expect(kept()).toEqual(['owed']);
    await channel.reconfigure(channelSettings({ ip: '192.0.2.9' }));
    expect(kept()).toEqual([]);
    await channel.stop();
  });

  it('a named operation runs under the device lock, ahead of the automatic task', async () => {
    const bench = await started(points(100));
    bench.channel.startTask('automatic', taskConfig());
    await bench.clock.advance(5);
    const done = bench.channel.operate('test', { group: 1 });
    await bench.clock.advance(20);
    expect(await done).toEqual({ outcome: 'accepted', stages: [], result: { name: 'test', group: 1 } });
    expect(bench.plant.exchanges.slice(0, 3).map((exchange) => exchange.kind)).toEqual(['read', 'command', 'read']);
  });

  it('an operation of a stopped channel is refused, and one whose connection ends says so', async () => {
    const bench = await started();
    const cut = code(bench.channel.operate('test', {}));
    await bench.clock.advance(1);
    bench.net.lose();
    await bench.clock.advance(5000);
    expect(await cut).toBe('TRANSPORT_LOST');
    await bench.channel.stop();
    expect(await code(bench.channel.operate('test', {}))).toBe('STATE_NOT_STARTED');
  });

  it('an operation that changes the device is unknown when its connection ends meanwhile, and not sent again', async () => {
    const bench = await started();
    bench.plant.moods.set(0, 'hang');
    const reset = bench.channel.operate('reset', {});
    const look = code(bench.channel.operate('test', {}));
    await bench.clock.advance(1);
    bench.net.lose();
    await bench.clock.advance(10_000);
    expect(await reset).toMatchObject({ outcome: 'unknown', stages: [{ name: 'lost' }] });
    expect([await look, bench.plant.commands]).toEqual(['TRANSPORT_LOST', 1]);
  });

  it('unknown objects are those of the driver; none where it has none', async () => {
    const bench = await started();
    expect(bench.channel.unknownObjects()).toEqual({ items: [], dropped: 0 });
  });
});

describe('server channels', () => {
  it('decisions: running when the listener listens; peers are counted, numbered and logged', async () => {
    const bench = await started(points(3), { conn_type: 1, port: 1502 });
    expect(bench.channel.state()).toMatchObject({ status: 'running', boundPort: 1502, health: { clients: 0 } });
    const [first, second] = [bench.net.listeners[0]?.accept('peer A'), bench.net.listeners[0]?.accept('peer B')];
    expect(bench.channel.state().health.clients).toBe(2);
    second?.receive(new Uint8Array([1, 2, 3]));
    first?.end({ kind: 'peer' });
    expect(bench.channel.state().health).toMatchObject({ clients: 1, rx_bytes: 3, tx_bytes: 3 });
    expect(bench.channel.frames.list({ limit: 10 }).map(({ kind, connection, peer, link }) => [kind, connection, peer, link])).toEqual([
      ['opened', 2, 'peer A', null],
      ['opened', 3, 'peer B', null],
      ['rx', 3, 'peer B', null],
      ['tx', 3, 'peer B', 3],
      ['closed', 2, 'peer A', null],
    ]);
    await bench.channel.stop();
    expect(bench.channel.state()).toMatchObject({ status: 'stopped', boundPort: null, health: { clients: 0 } });
  });

  it('a port the system has given away: thrown, status error', async () => {
    const bench = makeBench([], { conn_type: 1 });
    bench.net.opening = new AppError('TRANSPORT_PORT_TAKEN', quoted('Port 502 is in use.'));
    expect(await code(bench.channel.start())).toBe('TRANSPORT_PORT_TAKEN');
    expect(bench.channel.state()).toMatchObject({ status: 'error', lastError: quoted('Port 502 is in use.') });
    expect(bench.channel.heldPort).toBeNull();
  });

  it('a slave on a serial line serves it, and reconnects when the adapter is pulled', async () => {
    const bench = await started(points(3), { conn_type: 3, com_port: 'COM3' });
    expect([status(bench), bench.channel.heldPort]).toEqual(['running', 'serial COM3']);
    bench.net.lose();
    expect(status(bench)).toBe('reconnecting');
    await bench.clock.advance(500);
    expect(status(bench)).toBe('running');
  });

  it('points that change reach the driver', async () => {
    const bench = await started(points(3), { conn_type: 1 });
    bench.channel.points.add([point(4)]);
    bench.channel.pointsChanged();
    expect(bench.plant.connections[0]?.points).toHaveLength(4);
  });

  it('points that came while the protocol was brought up reach the driver', async () => {
    const bench = makeBench(points(3));
    bench.plant.connecting = 'silent';
    const starting = bench.channel.start();
    await bench.clock.advance(1_000);
    bench.channel.points.add([point(4)]);
    bench.channel.pointsChanged();
    await bench.clock.advance(100_000);
    await starting;
    expect(bench.plant.connections[0]?.points).toHaveLength(4);
  });

  it('a large table reaches the driver whole', async () => {
    const bench = await started(points(4_321));
    expect(bench.plant.connections[0]?.points.at(-1)?.id).toBe(4_321);
  });

  it('a client that needs no points gets none, and is told of no change; a server gets them', async () => {
    for (const [conn_type, count] of [
      [2, 0],
      [1, 4],
    ] as const) {
      const bench = makeBench(points(3), { conn_type });
      bench.plant.clientNeedsPoints = false;
      await bench.channel.start();
      bench.channel.points.add([point(4)]);
      bench.channel.pointsChanged();
      expect(bench.plant.connections[0]?.points).toHaveLength(count);
    }
  });
});

describe('frame log and health', () => {
  it('logs opened and closed with end points and connection number', async () => {
    const bench = await started();
    bench.net.lines[0]?.receive(new Uint8Array([1]));
    bench.net.lose();
    await bench.clock.advance(500);
    await bench.channel.stop();
    expect(bench.channel.frames.list({ limit: 10 }).map(({ kind, connection, text }) => [kind, connection, english(text)])).toEqual([
      ['opened', 1, 'test → 192.0.2.10:502'],
      ['rx', 1, ''],
      ['closed', 1, 'The cable was pulled.'],
      ['opened', 2, 'test → 192.0.2.10:502'],
      ['closed', 2, 'This side closed the connection.'],
    ]);
  });

  it('counts since the last start, with the median latency of the last 256 exchanges', async () => {
    const bench = await started();
    const { health } = (bench.plant.connections[0] as FakeConnection).io;
    expect(bench.channel.state().health.latency_ms).toBeNull();
    for (let count = 1; count <= 300; count++) {
      health.request();
      health.response(count);
    }
    health.timeout();
    health.refusal();
    health.fault();
    health.late();
    // The median of 45 to 300.
    expect(bench.channel.state().health).toMatchObject({
      requests: 300,
      responses: 300,
      timeouts: 1,
      refusals: 1,
      faults: 1,
      late: 1,
      latency_ms: 172.5,
    });
    await bench.channel.stop();
    expect(bench.channel.state().health.requests).toBe(300);
    await bench.channel.start();
    expect(bench.channel.state().health).toMatchObject({ requests: 0, latency_ms: null });
  });
});
