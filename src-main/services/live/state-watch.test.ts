import { beforeEach, describe, expect, it } from 'vitest';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import { taskConfig } from '../../runtime/testing/harness.ts';
import { JobBench } from '../jobs/testing/job-bench.ts';
import type { ProjectSession } from '../ports.ts';
import { StateWatch } from './state-watch.ts';

let bench: JobBench;
let session: ProjectSession;
let watch: StateWatch;
beforeEach(() => {
  bench = new JobBench([modbusTcpDriver]);
  session = bench.deps.projects.current();
  watch = new StateWatch(session);
});

/** What is new at a look: channels and tasks, each with what a reader shows of it. */
function news() {
  const before = session.changes.next();
  watch.look();
  return {
    channels: watch.channelsSince(before).map(({ channel_id, device_name, status }) => [channel_id, device_name, status]),
    tasks: watch.tasksSince(before).map(({ channel_id, kind, task }) => [channel_id, kind, task.state]),
  };
}
const NOTHING = { channels: [], tasks: [] };

describe('channels and tasks', () => {
  it('are all new at the first look, and nothing is at the next one', () => {
    bench.client(502);
    bench.client(503);
    expect(news()).toEqual({
      channels: [
        [1, 'Channel 1', 'stopped'],
        [2, 'Channel 2', 'stopped'],
      ],
      tasks: [
        [1, 'automatic', 'idle'],
        [1, 'manual', 'idle'],
        [2, 'automatic', 'idle'],
        [2, 'manual', 'idle'],
      ],
    });
    expect(news()).toEqual(NOTHING);
  });

  it('are told again to a reader that was away, as they are now', () => {
    bench.client(502);
    watch.look();
    watch.look();
    expect(watch.channelsSince(0)).toHaveLength(1);
    expect(watch.tasksSince(0)).toHaveLength(2);
  });
});

describe('a channel', () => {
  it('is news when it runs and when it fails, with the reason as text and as data', async () => {
    const port = await bench.device(() => {});
    const running = bench.client(port);
    const failing = bench.client(1);
    news();
    await running.start();
    expect(news().channels).toEqual([[1, 'Channel 1', 'running']]);
    const before = session.changes.next();
    await expect(failing.start()).rejects.toThrow();
    watch.look();
    const [told, ...more] = watch.channelsSince(before);
    expect(more).toEqual([]);
    expect(told).toMatchObject({ channel_id: 2, status: 'error', last_error_info: { code: expect.any(String) } });
    expect(told?.last_error).not.toBe('');
    expect(told?.since).toMatch(/^2026-01-01T00:00:.*Z$/);
  });

  it('has no reason while nothing is wrong', () => {
    bench.client(502);
    watch.look();
    const [told] = watch.channelsSince(0);
    expect(told).toMatchObject({ last_error: null });
    expect(told).not.toHaveProperty('last_error_info');
  });

  it('is news with its tasks when it has another name', async () => {
    const channel = bench.client(502);
    news();
    await channel.reconfigure({ ...channel.settings, name: 'Feeder 7' });
    expect(news()).toEqual({
      channels: [[1, 'Feeder 7', 'stopped']],
      tasks: [
        [1, 'automatic', 'idle'],
        [1, 'manual', 'idle'],
      ],
    });
  });

  it('that goes is told once as gone, and its tasks no more; another one with its number is news again', async () => {
    bench.client(502);
    bench.client(503);
    news();
    await bench.manager.remove(2);
    expect(news()).toEqual({ channels: [[2, null, null]], tasks: [] });
    expect(news()).toEqual(NOTHING);
    expect(watch.tasksSince(0).map(({ channel_id }) => channel_id)).toEqual([1, 1]);
    bench.client(504);
    expect(news()).toMatchObject({ channels: [[2, 'Channel 2', 'stopped']], tasks: [{ 0: 2 }, { 0: 2 }] });
  });
});

describe('a task', () => {
  it('is news when it starts, with each round, and when it ends; the other task of the channel is not', async () => {
    const silent = await bench.device(() => {});
    const channel = bench.client(silent, [{ code: 'U' }]);
    await channel.start();
    news();
    channel.startTask('automatic', taskConfig({ cycle_interval_ms: 1000 }));
    expect(news().tasks).toEqual([[1, 'automatic', 'running']]);
    await bench.clock.advance(500);
    const { total, fail } = channel.taskSnapshot('automatic');
    expect([total, fail]).toEqual([1, 1]);
    expect(news().tasks).toEqual([[1, 'automatic', 'running']]);
    const stopped = channel.stopTask('automatic');
    await bench.clock.advance(1000);
    await stopped;
    expect(news().tasks).toEqual([[1, 'automatic', 'idle']]);
  });
});
