import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TaskSnapshot } from '#shared/contract/tasks.ts';
import { freePort, type Pair, type RunningCore, startCore, startPair, until } from './testing/running-core.ts';

const NIL = '00000000-0000-0000-0000-000000000000';
let running: RunningCore;
let pair: Pair;
beforeAll(async () => {
  running = await startCore();
  const codes = Array.from({ length: 20 }, (_, index) => index);
  pair = await startPair(running, {
    served: codes.map((index) => ({ frame_type: 0, code: `P${index}`, address: index, decode: '0x20' })),
    read: [
      ...codes.map((index) => ({
        frame_type: 0 as const,
        code: `P${index}`,
        address: index,
        decode: '0x20',
        category: index < 5 ? 'first' : '',
      })),
      { frame_type: 0, code: 'HOLE', address: 5000, decode: '0x20', category: 'hole' },
    ],
  });
});
afterAll(() => running.close());

const send = (path: string, body: object) => running.send({ method: 'POST', url: `/api/devices/${path}`, body });
const task = (path: string, body: object = {}) => send(path, { device_name: pair.device, ...body });
const snapshotOf = (reply: { body: unknown }) => (reply.body as { data: TaskSnapshot }).data;
const statusOf = async (kind: 'auto' | 'manual') => snapshotOf(await task(`${kind}-read-status`));
const ended = (kind: 'auto' | 'manual') =>
  until(
    () => statusOf(kind),
    (status) => status.state !== 'running' && status.state !== 'stopping',
  );

describe('before a first task', () => {
  it.each(['auto-read-status', 'manual-read-status'])('%s is idle with the defaults', async (path) => {
    const port = await freePort();
    await running.api.call('addChannel', { name: `Fresh ${port}`, protocol_type: 1, conn_type: 2, port });
    expect(await send(path, { device_name: `Fresh ${port}` })).toMatchObject({
      status: 200,
      body: {
        data: {
          state: 'idle',
          task_id: NIL,
          mode: 'batch',
          config: {
            mode: 'batch',
            cycle_interval_ms: 1000,
            request_interval_ms: 0,
            slave_id: null,
            channel_id: null,
            category: '',
            item: '',
            point_types: [],
            dlt645_prefix: null,
            dlt645_settlement: null,
          },
          started_at: null,
          last_cycle_at: null,
          cycle_count: 0,
          current: 0,
          total: 0,
          success: 0,
          fail: 0,
          last_error: null,
        },
      },
    });
  });

  it('a stop request answers the idle status', async () => {
    expect(await task('stop-auto-read')).toMatchObject({ status: 200, body: { data: { state: 'idle' } } });
    expect(await task('stop-manual-read')).toMatchObject({ status: 200, body: { data: { state: 'idle' } } });
  });
});

describe('manual read', () => {
  it('reads the points that are named, and tells of unknown ones', async () => {
    const table = await running.send({ method: 'GET', url: `/api/device/table?channel_id=${pair.clientId}&page=1&page_size=3` });
    const ids = (table.body as { data: { items: { id: number }[] } }).data.items.map(({ id }) => id);
    const named = ids.map((id) => ({ frame_type: 0, id }));
    expect(await task('manual-read', { points: named })).toMatchObject({ status: 200, body: { data: { config: { points: named } } } });
    expect(await ended('manual')).toMatchObject({ state: 'idle', total: 3, success: 3 });
    expect(await task('manual-read', { points: [{ frame_type: 1, id: ids[0] }] })).toMatchObject({ status: 404 });
    expect(await task('manual-read', { points: [] })).toMatchObject({ status: 422 });
    expect(await task('start-auto-read', { points: [{ frame_type: 0, id: 0 }], item: 'none' })).toMatchObject({
      status: 200,
      body: { warnings: [{ path: 'points' }] },
    });
    await task('stop-auto-read');
  });

  it('runs one round in the background and counts', async () => {
    const started = await task('manual-read', { category: 'first' });
    expect(started).toMatchObject({ status: 200, body: { data: { mode: 'batch', config: { category: 'first' } } } });
    expect(await ended('manual')).toMatchObject({
      state: 'idle',
      total: 5,
      current: 5,
      success: 5,
      fail: 0,
      cycle_count: 1,
      last_error: null,
    });
  });

  it('mode single counts what failed and goes on', async () => {
    await task('manual-read', { mode: 'single' });
    expect(await ended('manual')).toMatchObject({ total: 21, success: 20, fail: 1, last_error: expect.any(String) });
  });

  it('no point matches: the round ends with total 0', async () => {
    await task('manual-read', { category: 'nothing' });
    expect(await ended('manual')).toMatchObject({ state: 'idle', total: 0, cycle_count: 1 });
  });

  it('is idempotent for the same configuration, 409 with the snapshot for another, and can be cancelled', async () => {
    const slow = { mode: 'single', request_interval_ms: 3_600_000 };
    const first = snapshotOf(await task('manual-read', slow));
    expect(snapshotOf(await task('manual-read', { ...slow, cycle_interval_ms: 1000 })).task_id).toBe(first.task_id);
    expect(await task('manual-read', { mode: 'batch' })).toMatchObject({
      status: 409,
      body: { code: 409, error: 'STATE_CONFLICT', data: { task_id: first.task_id, state: 'running' } },
    });
    expect(await task('start-auto-read')).toMatchObject({ status: 409, body: { error: 'STATE_CONFLICT' } });
    expect(await task('stop-manual-read')).toMatchObject({ status: 200, body: { data: { state: 'idle', last_error: null } } });
  });
});

describe('automatic read', () => {
  it('repeats, is idempotent for the same configuration, 409 for another, excludes a manual one, and stops', async () => {
    const config = { cycle_interval_ms: 100, point_types: [0, 1] };
    const first = snapshotOf(await task('start-auto-read', config));
    expect(first).toMatchObject({
      state: 'running',
      config: { cycle_interval_ms: 100, point_types: [0, 1] },
      started_at: expect.any(String),
    });
    expect(snapshotOf(await task('start-auto-read', { ...config, point_types: [1, 0] })).task_id).toBe(first.task_id);
    expect(await task('start-auto-read', { ...config, cycle_interval_ms: 200 })).toMatchObject({
      status: 409,
      body: { data: { task_id: first.task_id } },
    });
    expect(await task('manual-read')).toMatchObject({ status: 409, body: { error: 'STATE_CONFLICT' } });
    await until(
      () => statusOf('auto'),
      (status) => status.cycle_count >= 2,
    );
    expect(await task('stop-auto-read')).toMatchObject({ status: 200, body: { data: { state: 'idle', task_id: first.task_id } } });
  });

  it('values reach the table without a read by the caller', async () => {
    const { data: served } = await running.api.call('pointTable', { channel_id: pair.serverId, page: 1, page_size: 1 });
    const row = served.items[0];
    await running.api.call('updatePoint', { point_id: row?.id ?? 0, frame_type: 0, value: 4711 });
    await task('start-auto-read', { cycle_interval_ms: 100 });
    const table = () => running.api.call('pointTable', { channel_id: pair.clientId, page: 1, page_size: 1 });
    await until(table, ({ data }) => data.items[0]?.value === 4711 && data.items[0].quality === 'good');
    await task('stop-auto-read');
  });

  it('starts again by itself on a reload, with the same configuration and a new id', async () => {
    const before = snapshotOf(await task('start-auto-read', { cycle_interval_ms: 150 }));
    await running.api.call('reloadDevice', { channel_id: pair.clientId });
    const after = await statusOf('auto');
    expect(after).toMatchObject({ state: 'running', config: before.config });
    expect(after.task_id).not.toBe(before.task_id);
    await task('stop-auto-read');
  });

  it('a device stop ends it, and it does not come back', async () => {
    await task('start-auto-read', { cycle_interval_ms: 100 });
    await running.api.call('stopDevice', { channel_id: pair.clientId });
    expect(await statusOf('auto')).toMatchObject({ state: 'idle' });
    await running.api.call('startDevice', { channel_id: pair.clientId });
    expect(await statusOf('auto')).toMatchObject({ state: 'idle' });
  });
});

describe('order of checks', () => {
  it('422 before 404 before 409', async () => {
    await running.api.call('startAutoRead', { device_name: pair.device, cycle_interval_ms: 1000 });
    expect((await send('start-auto-read', { device_name: 'nobody', cycle_interval_ms: 99 })).status).toBe(422);
    expect((await send('start-auto-read', { device_name: 'nobody' })).status).toBe(404);
    expect((await task('start-auto-read', { channel_id: pair.serverId })).status).toBe(404);
    expect(await task('start-auto-read', { mode: 'dataset' })).toMatchObject({ status: 422, body: { data: [{ path: 'mode' }] } });
    expect((await task('start-auto-read', { channel_id: pair.clientId })).status).toBe(409);
    expect((await task('start-auto-read', { cycle_interval_ms: 1000 })).status).toBe(200);
    await task('stop-auto-read');
  });

  it.each(['auto-read-status', 'stop-auto-read', 'manual-read-status', 'stop-manual-read', 'manual-read'])(
    '%s answers 404 to an unknown device and 422 without one',
    async (path) => {
      expect(await send(path, { device_name: 'nobody' })).toMatchObject({ status: 404, body: { error: 'CONFIG_NOT_FOUND', data: null } });
      expect(await send(path, {})).toMatchObject({ status: 422, body: { data: [{ path: 'device_name' }] } });
    },
  );

  it('a stopped channel refuses a task with 409 and changes nothing', async () => {
    const port = await freePort();
    await running.api.call('addChannel', { name: `Off ${port}`, protocol_type: 1, conn_type: 2, port });
    expect(await send('start-auto-read', { device_name: `Off ${port}` })).toMatchObject({
      status: 409,
      body: { error: 'STATE_NOT_STARTED' },
    });
    expect(snapshotOf(await send('auto-read-status', { device_name: `Off ${port}` }))).toMatchObject({ state: 'idle', task_id: NIL });
  });

  it('unknown fields are warned of, also misspelled intervals', async () => {
    const reply = await task('manual-read', { cycle_intervall_ms: 5, category: 'nothing' });
    expect(reply).toMatchObject({
      status: 200,
      body: { warnings: [{ path: 'cycle_intervall_ms', message: expect.stringContaining('cycle_interval_ms') }] },
    });
    await ended('manual');
  });
});
