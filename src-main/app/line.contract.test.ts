import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LinePlan, LineStats } from '#shared/contract/line.ts';
import { modbusTcpDriver } from '../drivers/modbus/driver.ts';
import { modbusRtuDriver } from '../drivers/modbus/rtu/driver.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { freePort, type RunningCore, startCore } from './testing/running-core.ts';

let running: RunningCore;
let server: number;
let client: number;

const get = (url: string) => running.send({ method: 'GET', url });
const post = (url: string, body: unknown) => running.send({ method: 'POST', url, body });

/** A server with two units, and a client that has a third one in its table as well; 4 of its 6 points lie in a row. */
beforeAll(async () => {
  running = await startCore({}, { drivers: createDriverRegistry([modbusTcpDriver, modbusRtuDriver]) });
  const port = await freePort();
  const { api } = running;
  server = (await api.call('addChannel', { name: 'Server', protocol_type: 1, conn_type: 1, port })).data.id;
  client = (await api.call('addChannel', { name: 'Client', protocol_type: 1, conn_type: 2, port, timeout_ms: 50 })).data.id;
  const at = (code: string, slave_id: number, address: number) => ({ frame_type: 0 as const, code, slave_id, address, decode: '0x20' });
  const points = [at('A', 1, 0), at('B', 1, 1), at('C', 1, 2), at('D', 1, 10), at('E', 2, 0)];
  await api.call('addPoints', { channel_id: server, points });
  await api.call('addPoints', { channel_id: client, points: [...points, at('F', 3, 0)] });
});
afterAll(() => running.close());

async function stats(): Promise<LineStats> {
  return (await running.api.call('lineStats', { channel_id: client })).data;
}

async function readOnce(): Promise<void> {
  await running.api.call('manualRead', { device_name: 'Client' });
  await expect
    .poll(async () => (await running.api.call('manualReadStatus', { device_name: 'Client' })).data.state, { timeout: 120_000 })
    .toBe('idle');
}

describe('GET /api/channel/line_plan', () => {
  it('tells what a round asks before the channel is started, and which gap would save requests', async () => {
    const { data } = await running.api.call('linePlan', { channel_id: client });
    expect(data).toEqual({
      mode: 'batch',
      max_gap: 0,
      requests: 4,
      octets: 4 * 12 + 4 * 9 + 2 * 6,
      predicted_cycle_ms: null,
      points: 6,
      excluded: 0,
      slaves: [
        { slave_id: 1, requests: 2, octets: 24 + 18 + 8, predicted_ms: null, turn_round_ms: null, is_measured: false },
        { slave_id: 2, requests: 1, octets: 23, predicted_ms: null, turn_round_ms: null, is_measured: false },
        { slave_id: 3, requests: 1, octets: 23, predicted_ms: null, turn_round_ms: null, is_measured: false },
      ],
      larger_gaps: [{ max_gap: 8, requests: 3, octets: 12 + 9 + 22 + 2 * 23, predicted_cycle_ms: null }],
    } satisfies LinePlan);
    expect((await running.api.call('linePlan', { channel_id: client, mode: 'single' })).data).toMatchObject({
      requests: 6,
      larger_gaps: [],
    });
  });

  it('422: a server asks nobody; a mode without single requests', async () => {
    expect(await get(`/api/channel/line_plan?channel_id=${server}`)).toMatchObject({
      status: 422,
      body: { data: [{ path: 'channel_id' }] },
    });
    expect(await get(`/api/channel/line_plan?channel_id=${client}&mode=dataset`)).toMatchObject({ status: 422 });
  });
});

describe('a serial channel that was never started', () => {
  it('tells the line time of a round, what a larger gap gains, and the predicted cycle in the status of its tasks', async () => {
    const { api } = running;
    const line = { protocol_type: 2, conn_type: 0, com_port: 'COM98', parity: 'E' } as const;
    const { id } = (await api.call('addChannel', { name: 'Serial', ...line })).data;
    const point = { frame_type: 0, decode: '0x41', slave_id: 1 } as const;
    await api.call('addPoints', { channel_id: id, points: [0, 4].map((address) => ({ ...point, code: `S${address}`, address })) });
    const { data } = await api.call('linePlan', { channel_id: id });
    expect(data).toMatchObject({ requests: 2, octets: 34, predicted_cycle_ms: 75, points: 2 });
    expect(data.slaves).toEqual([{ slave_id: 1, requests: 2, octets: 34, predicted_ms: 75, turn_round_ms: 10, is_measured: false }]);
    expect(data.larger_gaps).toEqual([{ max_gap: 2, requests: 1, octets: 25, predicted_cycle_ms: 46.7 }]);
    const status = await api.call('autoReadStatus', { device_name: 'Serial' });
    expect(status.data).toMatchObject({ state: 'idle', started_at: null, predicted_cycle_ms: 75 });
    expect((await api.call('lineStats', { channel_id: id })).data).toMatchObject({ load_percent: 0, character_ms: 11_000 / 9600 });
    await api.call('updateChannel', { channel_id: id, max_gap: 2 });
    expect((await api.call('autoReadStatus', { device_name: 'Serial' })).data.predicted_cycle_ms).toBe(46.7);
  });
});

describe('line statistics', () => {
  it('404 without a channel', async () => {
    expect(await get('/api/channel/line_stats?channel_id=99')).toMatchObject({ status: 404 });
    expect(await get('/api/channel/line_plan?channel_id=99')).toMatchObject({ status: 404 });
    expect(await post('/api/channel/reset_line_stats', { channel_id: 99 })).toMatchObject({ status: 404 });
  });

  it('count by slave and function, without a load on TCP; a queried line is not touched', async () => {
    await post('/api/device/start', { channel_id: server });
    await post('/api/device/start', { channel_id: client });
    expect(await stats()).toMatchObject({ requests: 0, latency_ms: null, slaves: [], is_complete: true });
    await readOnce();
    const found = await stats();
    expect(found).toMatchObject({ requests: 4, responses: 3, timeouts: 1, exceptions: 0, load_percent: null, character_ms: null });
    expect(found.latency_ms?.count).toBe(3);
    expect(found.busy_percent).toBeGreaterThan(0);
    expect(found.slaves).toMatchObject([
      { slave_id: 1, requests: 2, timeouts: 0, load_percent: null, turn_round_ms: null, is_suspended: false },
      { slave_id: 2, requests: 1, timeouts: 0, functions: [{ function_code: 3, requests: 1, responses: 1 }] },
      { slave_id: 3, requests: 1, responses: 0, timeouts: 1, latency_ms: null },
    ]);
    expect((await stats()).requests).toBe(4);
  });

  it('begin anew on request, without the health counters', async () => {
    const before = await stats();
    const { data } = await running.api.call('resetLineStats', { channel_id: client });
    expect(data).toMatchObject({ requests: 0, busy_percent: 0, slaves: [] });
    expect(Date.parse(data.since)).toBeGreaterThanOrEqual(Date.parse(before.since));
    const health = (await running.api.call('listChannels', {})).data.find((channel) => channel.id === client)?.health;
    expect(health?.requests).toBe(4);
  });

  it('name a suspended slave, and outlive a stop', async () => {
    await running.api.call('startAutoRead', { device_name: 'Client', cycle_interval_ms: 100 });
    await expect.poll(async () => (await stats()).slaves[2]?.is_suspended, { timeout: 120_000 }).toBe(true);
    await post('/api/device/stop', { channel_id: client });
    const found = await stats();
    expect(found.slaves[2]).toMatchObject({ slave_id: 3, responses: 0, timeouts: 3 });
  });
});
