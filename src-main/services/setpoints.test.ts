import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import type { ProjectStore } from '../persistence/repositories.ts';
import { openTestProject, testChannel, testPoint } from '../persistence/test-project.ts';
import { silentLogger } from '../platform/logger.ts';
import { type Bench, makeBench, point } from '../runtime/testing/harness.ts';
import { ChangeCounter } from '../runtime/values/change-counter.ts';
import type { CallContext } from './handlers.ts';
import { CommandJournal } from './live/command-journal.ts';
import type { ServiceDeps } from './ports.ts';
import { obstacleAs, setpointHandlers } from './setpoints.ts';
import { sendOnce } from './writes.ts';

const CODES = ['A', 'B'] as const;
const setpoints = CODES.map((code, index) => point(index + 1, { code, frame_type: FrameType.yt }));
const context: CallContext<'command'> = { source: 'api', effect: 'command', warn() {} };

let folder: string;
let store: ProjectStore;
let bench: Bench;
let deps: ServiceDeps;
let handlers: ReturnType<typeof setpointHandlers>;

/** A started channel with two setpoints that were read as 5, over a project on the disk. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loopcheck-setpoints-'));
  store = openTestProject(join(folder, 'p.loopcheck'));
  store.channels.add(testChannel('PCS 1'));
  store.points.add(
    1,
    CODES.map((code) => ({ ...testPoint(code), frame_type: FrameType.yt })),
  );
  bench = makeBench(setpoints, { retries: 0, read_only: false });
  bench.plant.readsSetpoints = true;
  bench.plant.value = 5;
  const { clock, manager } = bench;
  const session = { store, channels: manager, commands: new CommandJournal(new ChangeCounter()) };
  const facts = { forcedReadOnly: false };
  deps = { clock, logger: silentLogger, facts, projects: { current: () => session } } as unknown as ServiceDeps;
  handlers = setpointHandlers(deps);
  await bench.channel.start();
  for (const { id } of setpoints) await inTime(bench.channel.readSingle(id));
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function inTime<Value>(work: Promise<Value>, ms = 100): Promise<Value> {
  const [ended] = await Promise.allSettled([work, bench.clock.advance(ms)]);
  if (ended.status === 'rejected') throw ended.reason;
  return ended.value;
}

function write(id: number, value: number) {
  const of = bench.channel.points.config(id);
  if (!of) throw new Error('no point');
  return sendOnce(deps, { channel: bench.channel, point: of }, { step: 'operate', value, options: {} }, context);
}

const list = () => handlers.touchedSetpoints({}, { ...context, effect: 'query' }) as { items: { code: string; obstacle: string | null }[] };
const restore = (...ids: number[]) =>
  Promise.resolve(handlers.restoreSetpoints({ channel_id: 1, point_ids: ids }, context)) as Promise<{ items: unknown[]; left: number }>;
const keep = (channelId: number, ...ids: number[]) =>
  handlers.keepSetpoints({ channel_id: channelId, point_ids: ids }, { ...context, effect: 'repeatable' });

describe('setpoints of a channel that is none', () => {
  it('are not listed, restored or kept', async () => {
    const none = expect.objectContaining({ code: 'CONFIG_NOT_FOUND', said: expect.objectContaining({ code: 'service.no_channel' }) });
    expect(() => handlers.touchedSetpoints({ channel_id: 9 }, { ...context, effect: 'query' })).toThrow(none);
    expect(() => keep(9, 1)).toThrow(none);
    await expect(handlers.restoreSetpoints({ channel_id: 9, point_ids: [1] }, context)).rejects.toEqual(none);
  });
});

describe('setpoints that are right as they are', () => {
  it('leave the list, each once', async () => {
    for (const id of [1, 2]) await inTime(write(id, 7));
    expect([await keep(1, 2, 9), await keep(1, 2)]).toEqual([{ kept: 1 }, { kept: 0 }]);
    expect(list().items).toMatchObject([{ code: 'A' }]);
  });
});

describe('a setpoint that was not written', () => {
  it('is told by its number and not restored', async () => {
    await expect(restore(2)).rejects.toMatchObject({
      code: 'CONFIG_NOT_FOUND',
      said: { code: 'service.setpoint_untouched', params: { point: 2 } },
    });
  });
});

describe('while setpoints are written back', () => {
  it('a second request for the channel is refused, and one behind them is not', async () => {
    for (const id of [1, 2]) await inTime(write(id, 7));
    const first = restore(1);
    await expect(restore(2)).rejects.toMatchObject({ code: 'STATE_CONFLICT', said: { code: 'service.setpoints_restoring' } });
    expect(await inTime(first)).toMatchObject({ items: [{ point_id: 1, outcome: 'accepted', is_equal: true }], left: 0 });
    expect(await inTime(restore(2))).toMatchObject({ items: [{ point_id: 2, outcome: 'accepted', is_equal: true }], left: 0 });
    expect(list().items).toEqual([]);
  });

  it('one that somebody writes again is left as it is', async () => {
    for (const id of [1, 2]) await inTime(write(id, 7));
    const restoring = restore(1, 2);
    // behind the command for A, before A is read back
    await inTime(write(2, 8), 25);
    const sent = bench.plant.commands;
    expect(await inTime(restoring)).toMatchObject({
      items: [
        { point_id: 1, outcome: 'accepted' },
        {
          point_id: 2,
          value: 5,
          outcome: 'failed',
          detail_message: { code: 'service.setpoint_written_again', params: { point: 'B' } },
          audit_id: null,
          is_equal: null,
        },
      ],
      left: 0,
    });
    expect(bench.plant.commands).toBe(sent);
    expect(list().items).toMatchObject([{ code: 'B', value: 8 }]);
  });

  it('one that somebody has begun to write is left to that write, which has not ended', async () => {
    for (const id of [1, 2]) await inTime(write(id, 7));
    const restoring = restore(1, 2);
    // A is being read back; the other write has its turn behind that, as the next one to be restored would have
    await bench.clock.advance(15);
    const other = write(2, 8);
    expect(list().items).toMatchObject([{ code: 'A' }, { code: 'B', value: 8, outcome: 'open' }]);
    const [{ items }] = await inTime(Promise.all([restoring, other]));
    expect(items).toMatchObject([
      { point_id: 1, outcome: 'accepted', is_equal: true },
      { point_id: 2, outcome: 'failed', detail_message: { code: 'service.setpoint_written_again' }, audit_id: null },
    ]);
    expect(list().items).toMatchObject([{ code: 'B', value: 8, outcome: 'accepted' }]);
  });

  it('one whose other write was refused meanwhile is restored', async () => {
    for (const id of [1, 2]) await inTime(write(id, 7));
    const refused = write(2, 8);
    bench.plant.command = 'rejected';
    const restoring = restore(1, 2);
    await bench.clock.advance(12);
    bench.plant.command = 'accepted';
    const [{ items, left }] = await inTime(Promise.all([restoring, refused]));
    expect(left).toBe(0);
    expect(items).toMatchObject([{ outcome: 'accepted' }, { outcome: 'accepted', is_equal: true }]);
  });

  it('one that is edited is left as it is', async () => {
    for (const id of [1, 2]) await inTime(write(id, 7));
    const restoring = restore(1, 2);
    bench.channel.points.update(point(2, { code: 'B', frame_type: FrameType.yt, address: 77 }));
    expect(await inTime(restoring)).toMatchObject({
      items: [{ outcome: 'accepted' }, { outcome: 'failed', detail_message: { code: 'service.setpoint_edited' } }],
    });
    expect(bench.plant.commands).toBe(3);
  });

  it.each([
    ['rejected', { command: 'rejected' }, 'rejected'],
    ['silent', { command: 'silent' }, 'unknown'],
    ['lost within this program', { command: 'accepted', mood: 'internal' }, 'unknown'],
  ] as const)('one whose write is %s is not read back and stays in the list, and the next is not sent', async (_, device, outcome) => {
    for (const id of [1, 2]) await inTime(write(id, 7));
    bench.plant.command = device.command;
    if ('mood' in device) bench.plant.moods.set(0, device.mood);
    const reads = bench.plant.exchanges.length - bench.plant.commands;
    expect(await inTime(restore(1, 2), 10_000)).toMatchObject({ items: [{ point_id: 1, outcome, is_equal: null }], left: 1 });
    expect(bench.plant.exchanges.length - bench.plant.commands).toBe(reads);
    expect(bench.plant.commands).toBe(3);
    expect(list().items).toMatchObject([{ code: 'A' }, { code: 'B' }]);
  });

  it('one that may no more be written is not sent and has failed', async () => {
    for (const id of [1, 2]) await inTime(write(id, 7));
    const restoring = restore(1, 2);
    store.settings.write('read_only', true);
    expect(await inTime(restoring)).toMatchObject({
      items: [
        { outcome: 'accepted', is_equal: true },
        { point_id: 2, value: 5, outcome: 'failed', detail_message: { code: 'service.service_read_only' }, audit_id: null },
      ],
      left: 0,
    });
    expect(bench.plant.commands).toBe(3);
    expect(list().items).toMatchObject([{ code: 'B' }]);
  });
});

describe('a setpoint that was written at two places', () => {
  it('is brought back at the present one, and what is left is told of the other', async () => {
    await inTime(write(1, 7));
    bench.channel.points.update(point(1, { code: 'A', frame_type: FrameType.yt, address: 77 }));
    bench.plant.value = 6;
    await inTime(bench.channel.readSingle(1));
    await inTime(write(1, 8));
    expect(list().items.map(({ obstacle }) => obstacle)).toEqual(['edited', null]);
    expect(await inTime(restore(1))).toMatchObject({ items: [{ value: 6, outcome: 'accepted', is_equal: true }] });
    expect(list().items).toMatchObject([{ before: 5, value: 7, obstacle: 'edited' }]);
    await expect(restore(1)).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      said: { code: 'service.setpoint_edited', params: { point: 'A' } },
    });
  });
});

describe('what keeps a setpoint from being brought back', () => {
  it('is that its channel or its point is gone, in whatever state it was', async () => {
    await inTime(write(1, 7));
    const [touched] = store.setpoints.list(1);
    if (!touched) throw new Error('no setpoint');
    expect(obstacleAs(undefined, touched, setpoints[0])).toBe('deleted');
    expect(obstacleAs(bench.channel, touched, undefined)).toBe('deleted');
    expect(obstacleAs(bench.channel, touched, setpoints[0])).toBeNull();
    expect(obstacleAs(bench.channel, { ...touched, before: null }, setpoints[0])).toBe('not_known');
    expect(obstacleAs(bench.channel, { ...touched, device: 'other', place: 'other' }, setpoints[0])).toBe('other_device');
    expect(obstacleAs(bench.channel, { ...touched, place: 'other' }, setpoints[0])).toBe('edited');
    await bench.manager.remove(1);
    expect(list().items).toMatchObject([{ code: 'A', obstacle: 'deleted' }]);
  });
});
