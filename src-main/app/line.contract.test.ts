import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LinePlan, LineStats } from '#shared/contract/line.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';

let plant: ManualCore;
let server: number;
let client: number;

const TIMEOUT_MS = 50;

/** Starts or stops a channel while its time passes. */
async function turn(channel_id: number, operation: 'startDevice' | 'stopDevice'): Promise<void> {
  await Promise.all([plant.core.api.call(operation, { channel_id }), plant.clock.advance(TIMEOUT_MS)]);
}

/** A server with two units, and a client that has a third one in its table as well; 4 of its 6 points lie in a row. */
beforeAll(async () => {
  plant = await startManualCore();
  const port = plant.network.freePort();
  const { api } = plant.core;
  server = (await api.call('addChannel', { name: 'Server', protocol_type: 1, conn_type: 1, port })).data.id;
  client = (await api.call('addChannel', { name: 'Client', protocol_type: 1, conn_type: 2, port, timeout_ms: TIMEOUT_MS })).data.id;
  const at = (code: string, slave_id: number, address: number) => ({ frame_type: 0 as const, code, slave_id, address, decode: '0x20' });
  const points = [at('A', 1, 0), at('B', 1, 1), at('C', 1, 2), at('D', 1, 10), at('E', 2, 0)];
  await api.call('addPoints', { channel_id: server, points });
  await api.call('addPoints', { channel_id: client, points: [...points, at('F', 3, 0)] });
});
afterAll(() => plant.close());

async function stats(): Promise<LineStats> {
  return (await plant.core.api.call('lineStats', { channel_id: client })).data;
}

async function readOnce(): Promise<void> {
  await plant.core.api.call('manualRead', { device_name: 'Client' });
  await plant.clock.advance(1000);
  expect((await plant.core.api.call('manualReadStatus', { device_name: 'Client' })).data.state).toBe('idle');
}

describe('GET /api/channel/line_plan', () => {
  it('tells what a round asks before the channel is started, and which gap would save requests', async () => {
    const { data } = await plant.core.api.call('linePlan', { channel_id: client });
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
    expect((await plant.core.api.call('linePlan', { channel_id: client, mode: 'single' })).data).toMatchObject({
      requests: 6,
      larger_gaps: [],
    });
  });

  it('422: a server asks nobody; a mode without single requests', async () => {
    const { api } = plant.core;
    await expect(api.call('linePlan', { channel_id: server })).rejects.toMatchObject({ status: 422, data: [{ path: 'channel_id' }] });
    await expect(api.call('linePlan', { channel_id: client, mode: 'dataset' as 'batch' })).rejects.toMatchObject({ status: 422 });
  });
});

describe('a serial channel that was never started', () => {
  it('tells the line time of a round, what a larger gap gains, and the predicted cycle in the status of its tasks', async () => {
    const { api } = plant.core;
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
    for (const operation of ['lineStats', 'linePlan', 'resetLineStats'] as const) {
      await expect(plant.core.api.call(operation, { channel_id: 99 })).rejects.toMatchObject({ status: 404 });
    }
  });

  it('count by slave and function, without a load on TCP; a queried line is not touched', async () => {
    await turn(server, 'startDevice');
    await turn(client, 'startDevice');
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
    const { data } = await plant.core.api.call('resetLineStats', { channel_id: client });
    expect(data).toMatchObject({ requests: 0, busy_percent: 0, slaves: [] });
    expect(Date.parse(data.since)).toBeGreaterThanOrEqual(Date.parse(before.since));
    const health = (await plant.core.api.call('listChannels', {})).data.find((channel) => channel.id === client)?.health;
    expect(health?.requests).toBe(4);
  });

  it('name a suspended slave, and outlive a stop', async () => {
    await plant.core.api.call('startAutoRead', { device_name: 'Client', cycle_interval_ms: 100 });
    await plant.clock.advance(500);
    expect((await stats()).slaves[2]?.is_suspended).toBe(true);
    await turn(client, 'stopDevice');
    const found = await stats();
    expect(found.slaves[2]).toMatchObject({ slave_id: 3, responses: 0, timeouts: 3 });
  });
});
