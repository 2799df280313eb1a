import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { ManualClock } from '../platform/manual-clock.ts';
import { ClockWatch } from './clock-watch.ts';
import { channelSettings, makeBench, point, points, taskConfig } from './testing/harness.ts';

const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

describe('channels of a project', () => {
  it('are found by id and by name, listed in id order', () => {
    const { manager, channel } = makeBench();
    manager.add(channelSettings({ id: 7, name: 'meter' }));
    manager.add(channelSettings({ id: 3, name: 'BMS' }), points(2));
    expect([manager.get(1), manager.byName('PCS 1'), manager.get(9), manager.byName('pcs 1')]).toEqual([
      channel,
      channel,
      undefined,
      undefined,
    ]);
    expect(manager.list().map((item) => [item.id, item.points.size])).toEqual([
      [1, 20],
      [3, 2],
      [7, 0],
    ]);
  });

  it('are found by their new name after a change of it', async () => {
    const { manager, channel } = makeBench();
    await channel.reconfigure(channelSettings({ name: 'PCS 2' }));
    expect([manager.byName('PCS 1'), manager.byName('PCS 2')]).toEqual([undefined, channel]);
  });

  it('4.7 rule 2: deleting while reading stops the tasks first; the removed one can not be started any more', async () => {
    const { manager, channel, clock, plant } = makeBench();
    await channel.start();
    channel.startTask('automatic', taskConfig());
    await clock.advance(5);
    const removing = manager.remove(1);
    await clock.advance(5);
    expect(await removing).toBe(channel);
    expect([channel.state().status, channel.taskSnapshot('automatic').state]).toEqual(['stopped', 'idle']);
    expect([manager.list(), manager.get(1), clock.pending]).toEqual([[], undefined, 0]);
    expect(await code(channel.start())).toBe('CONFIG_NOT_FOUND');
    await clock.advance(5000);
    expect(plant.exchanges).toHaveLength(1);
    expect(await manager.remove(1)).toBeUndefined();
  });

  it('another project drops everything that runs and starts nothing', async () => {
    const { manager, channel, clock } = makeBench();
    await channel.start();
    channel.startTask('automatic', taskConfig());
    await clock.advance(100);
    const stored = [channelSettings({ id: 5, name: 'new', auto_start: true })];
    await manager.load(
      {
        channels: { unknown: () => [], list: () => stored, add: never, update: never, remove: never },
        points: {
          iterate: (id) => [point(50, { channel_id: id })].values(),
          count: () => 1,
          add: never,
          update: never,
          remove: never,
          change: never,
          prepare: never,
          lastId: () => 0,
          settle: async () => {},
          accept: never,
        },
      },
      async () => {},
    );
    expect(channel.state().status).toBe('stopped');
    expect(manager.list().map((item) => [item.id, item.state().status, item.points.size])).toEqual([[5, 'stopped', 1]]);
    await manager.startAutoStart();
    expect(manager.get(5)?.state().status).toBe('running');
    expect(manager.get(5)?.taskSnapshot('automatic').state).toBe('idle');
    await manager.stopAll();
    expect(manager.get(5)?.state().status).toBe('stopped');
    expect(clock.pending).toBe(0);
  });

  it('auto_start: only those channels; one that does not start is in error and keeps nobody from starting', async () => {
    const { manager, net } = makeBench();
    manager.add(channelSettings({ id: 2, name: 'b', auto_start: true }));
    manager.add(channelSettings({ id: 3, name: 'c', auto_start: true, protocol: { flavour: 1 } }));
    await manager.startAutoStart();
    expect(manager.list().map((channel) => channel.state().status)).toEqual(['stopped', 'running', 'error']);
    expect(net.attempts).toBe(1);
  });
});

describe('ports', () => {
  it.each([
    ['listen port', { conn_type: 1, ip: '127.0.0.1', port: 1502 }, { conn_type: 1, ip: '0.0.0.0', port: 1502 }],
    ['serial port', { conn_type: 0, com_port: 'COM3' }, { conn_type: 3, com_port: 'com3' }],
  ] as const)('decisions: a %s in use is a 409 that names the other channel', async (_, first, second) => {
    const { manager, channel } = makeBench([], first);
    const other = manager.add(channelSettings({ id: 2, name: 'meter', ...second }));
    await channel.start();
    const error = await other.start().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'TRANSPORT_PORT_TAKEN', status: 409 });
    expect((error as AppError).message).toContain('"PCS 1"');
    expect(other.state().status).toBe('error');
    await channel.stop();
    expect([await code(other.start()), other.heldPort, channel.heldPort]).toEqual(['ok', expect.any(String), null]);
  });

  it('a reconnecting channel keeps its serial port', async () => {
    const { manager, channel, net } = makeBench([], { conn_type: 0, com_port: 'COM3' });
    const other = manager.add(channelSettings({ id: 2, name: 'meter', conn_type: 0, com_port: 'COM3' }));
    await channel.start();
    net.opening = new AppError('TRANSPORT_PORT_MISSING', quoted('COM3 is not there.'));
    net.lose();
    expect(await code(other.start())).toBe('TRANSPORT_PORT_TAKEN');
  });

  it('clients of one device do not collide', async () => {
    const { manager, channel } = makeBench();
    const other = manager.add(channelSettings({ id: 2, name: 'second' }));
    await channel.start();
    expect(await code(other.start())).toBe('ok');
  });
});

describe('sleep and resume', () => {
  it.each([true, false])(
    'every line is dropped and opened anew, work under way fails, nothing is sent again (auto_reconnect %s)',
    async (auto) => {
      const { manager, channel, clock, net, plant } = makeBench(points(10), { auto_reconnect: auto });
      await channel.start();
      channel.startTask('automatic', taskConfig());
      await clock.advance(1005);
      const resumed = manager.connectionsSuspect(quoted('The computer was asleep.'));
      expect(channel.state()).toMatchObject({ status: 'reconnecting', lastError: quoted('The computer was asleep.') });
      await resumed;
      await clock.advance(0);
      expect(channel.state()).toMatchObject({ status: 'running', health: { reconnects: 1 } });
      expect(net.lines.map((line) => line.isOpen)).toEqual([false, true]);
      expect(channel.taskSnapshot('automatic')).toMatchObject({ state: 'running', success: 0, fail: 10 });
      expect(plant.exchanges).toHaveLength(2);
      await clock.advance(1010);
      expect(channel.taskSnapshot('automatic')).toMatchObject({ success: 10, fail: 0 });
    },
  );

  it('without auto_reconnect it is one attempt; then error, and the task is failed', async () => {
    const { manager, channel, clock, net } = makeBench(points(10), { auto_reconnect: false });
    await channel.start();
    channel.startTask('automatic', taskConfig());
    net.opening = new AppError('TRANSPORT_REFUSED', quoted('Nobody listens.'));
    await manager.connectionsSuspect(quoted('The computer was asleep.'));
    await clock.advance(60_000);
    expect([channel.state().status, channel.taskSnapshot('automatic').state, net.attempts]).toEqual(['error', 'failed', 2]);
    expect(clock.pending).toBe(0);
  });

  it('a channel that is reconnecting tries at once; stopped ones stay stopped; servers listen anew', async () => {
    const { manager, channel, clock, net } = makeBench();
    const server = manager.add(channelSettings({ id: 2, name: 'server', conn_type: 1 }));
    manager.add(channelSettings({ id: 3, name: 'idle' }));
    await channel.start();
    await server.start();
    net.lose();
    await clock.advance(100);
    await manager.connectionsSuspect(quoted('The computer was asleep.'));
    await clock.advance(0);
    expect(manager.list().map((item) => item.state().status)).toEqual(['running', 'running', 'stopped']);
    expect(net.listeners.map((listener) => listener.boundPort)).toEqual([null, 502]);
  });

  it('before sleep every line is closed and stays so until the wake-up, or half a minute when there is no sleep', async () => {
    const { manager, channel, clock, net } = makeBench(points(10), { auto_reconnect: false });
    const server = manager.add(channelSettings({ id: 2, name: 'server', conn_type: 1 }));
    await channel.start();
    await server.start();
    channel.startTask('automatic', taskConfig());
    await clock.advance(100);
    for (const wake of [() => manager.connectionsSuspect(quoted('The computer was asleep.')), () => clock.advance(1)]) {
      await manager.connectionsSuspect(quoted('The computer goes to sleep.'), 30_000);
      const { length } = net.lines;
      await clock.advance(29_999);
      expect([net.lines.length, net.lines.some((line) => line.isOpen)]).toEqual([length, false]);
      expect(manager.list().map((item) => item.state().status)).toEqual(['reconnecting', 'reconnecting']);
      await wake();
      await clock.advance(0);
      expect(manager.list().map((item) => item.state().status)).toEqual(['running', 'running']);
    }
    expect(channel.taskSnapshot('automatic').state).toBe('running');
  });

  it('a channel that is reconnecting goes on with that before sleep', async () => {
    const { manager, channel, clock, net } = makeBench();
    await channel.start();
    net.lose();
    await manager.connectionsSuspect(quoted('The computer goes to sleep.'), 30_000);
    await clock.advance(1000);
    expect(channel.state().status).toBe('running');
  });

  it('the clock watch of the manager opens all lines anew', async () => {
    const { manager, channel, clock } = makeBench();
    await channel.start();
    manager.watchClock(true);
    await clock.advance(10_000);
    clock.sleep(60_000, 'stands');
    await clock.advance(3000);
    expect(channel.state()).toMatchObject({ status: 'running', health: { reconnects: 1 } });
    manager.watchClock(false);
    expect(clock.pending).toBe(0);
  });
});

describe('ClockWatch', () => {
  it.each(['stands', 'runs'] as const)('sees sleep when the monotonic clock %s, once', async (monotonic) => {
    const clock = new ManualClock();
    const jumps: number[] = [];
    const watch = new ClockWatch(clock, (ms) => jumps.push(ms));
    watch.start();
    watch.start();
    await clock.advance(61_000);
    expect(jumps).toEqual([]);
    clock.sleep(60_000, monotonic);
    await clock.advance(10_000);
    expect(jumps).toHaveLength(1);
    expect(Math.abs((jumps[0] ?? 0) - 60_000)).toBeLessThanOrEqual(2000);
    watch.stop();
    expect(clock.pending).toBe(0);
  });

  it.each([3_600_000, -3_600_000, 16_000])('takes a wall clock that was set by %i ms for no sleep', async (ms) => {
    const clock = new ManualClock();
    const jumps: number[] = [];
    const watch = new ClockWatch(clock, (away) => jumps.push(away));
    watch.start();
    await clock.advance(5000);
    clock.setWall(ms);
    await clock.advance(60_000);
    expect(jumps).toEqual([]);
    clock.sleep(20_000, 'stands');
    await clock.advance(5000);
    expect(jumps).toHaveLength(1);
    watch.stop();
  });

  it('takes a busy event loop or a small correction of the clock for no sleep', async () => {
    const clock = new ManualClock();
    const jumps: number[] = [];
    const watch = new ClockWatch(clock, (ms) => jumps.push(ms));
    watch.start();
    for (const monotonic of ['stands', 'runs'] as const) {
      clock.sleep(10_000, monotonic);
      await clock.advance(5000);
    }
    expect(jumps).toEqual([]);
  });
});

function never(): never {
  throw new Error('not needed here');
}
