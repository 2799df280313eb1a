import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '#shared/contract/index.ts';
import type { Point } from '#shared/contract/points.ts';
import { iec104Driver } from '../drivers/iec104/driver.ts';
import { certificatePath } from '../transport/testing/certificates.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { freePort, type RunningCore, startCore, until } from './testing/running-core.ts';

type PointInput = InputOf<'addPoints'>['points'][number];

const monitored: PointInput[] = [
  { frame_type: 1, code: 'YX1', address: 1 },
  { frame_type: 1, code: 'YX2', address: 2, protocol: { type_id: 3 } },
  { frame_type: 0, code: 'YC1', address: 16_385, mul_coe: 0.1 },
  { frame_type: 0, code: 'YM1', address: 25_601, protocol: { type_id: 15 } },
  { frame_type: 1, code: 'YX_CA2', address: 1, slave_id: 2 },
];
const controls: PointInput[] = [
  { frame_type: 2, code: 'YK1', address: 24_577, related_code: 'YX1' },
  { frame_type: 2, code: 'YK2', address: 24_578, related_code: 'YX2', protocol: { type_id: 46, select_before_operate: true } },
  { frame_type: 3, code: 'YT1', address: 25_089, mul_coe: 0.1, related_code: 'YC1' },
];

let running: RunningCore;
let stationId = 0;
let clientId = 0;

beforeAll(async () => {
  running = await startCore({}, { drivers: createDriverRegistry([iec104Driver]) });
  const { api } = running;
  const port = await freePort();
  const type = { protocol_type: 3, port } as const;
  const station = await api.call('addChannel', { ...type, name: 'Station', conn_type: 1, protocol: { reaction_ms: 50 } });
  stationId = station.data.id;
  await api.call('addPoints', {
    channel_id: stationId,
    points: [...monitored, ...controls, { frame_type: 1, code: 'EXTRA', address: 99 }],
  });
  await api.call('startDevice', { channel_id: stationId });
  for (const [code, value] of [
    ['YX1', 1],
    ['YX2', 3],
    ['YC1', 220.5],
    ['YM1', 77],
  ] as const) {
    await api.call('updatePoint', { ...(await key(stationId, code)), value });
  }
  const client = await api.call('addChannel', { ...type, name: 'Centre', conn_type: 2, timeout_ms: 10_000 });
  clientId = client.data.id;
  await api.call('addPoints', { channel_id: clientId, points: [...monitored, ...controls] });
  await api.call('startDevice', { channel_id: clientId });
});
afterAll(() => running.close());

async function rows(channelId: number): Promise<Point[]> {
  return (await running.api.call('pointTable', { channel_id: channelId, page: 1, page_size: 100 })).data.items;
}

async function row(channelId: number, code: string): Promise<Point> {
  const found = (await rows(channelId)).find((item) => item.code === code);
  if (!found) throw new Error(`There is no point ${code}.`);
  return found;
}

async function key(channelId: number, code: string): Promise<{ point_id: number; frame_type: 0 | 1 | 2 | 3 }> {
  const { id, frame_type } = await row(channelId, code);
  return { point_id: id, frame_type };
}

const valuesOf = async () =>
  Object.fromEntries((await rows(clientId)).filter((item) => item.frame_type < 2).map((item) => [item.code, item.value]));

describe('a controlling station on our controlled one', () => {
  it('has the state of all objects after the interrogation of the start, without any task', async () => {
    const good = await until(
      () => rows(clientId),
      (items) => items.filter((item) => item.frame_type < 2 && item.quality === 'good').length === 4,
    );
    expect(good.find((item) => item.code === 'YM1')?.quality).toBe('never');
    expect(await valuesOf()).toMatchObject({ YX1: 1, YX2: 3, YC1: 220.5, YX_CA2: 0 });
  });

  it.each(['batch', 'single'] as const)('reads everything in mode %s, the counters as well', async (mode) => {
    await running.api.call('manualRead', { device_name: 'Centre', mode });
    const task = await until(
      async () => (await running.api.call('manualReadStatus', { device_name: 'Centre' })).data,
      ({ state }) => state === 'idle',
    );
    expect(task).toMatchObject({ total: 5, success: 5, fail: 0, last_error: null });
    expect(await valuesOf()).toMatchObject({ YM1: 77 });
  });

  it('a change arrives by itself, with quality and time, and enters the event log', async () => {
    const { last_seq } = (await running.api.call('listEvents', { limit: 1 })).data;
    const { status } = await running.send({
      method: 'POST',
      url: '/api/device/command',
      body: {
        channel_id: stationId,
        ...(await key(stationId, 'YX_CA2')),
        step: 'operate',
        value: 1,
        options: { flags: ['SB'], read_back: false },
      },
    });
    expect(status).toBe(200);
    const changed = await until(
      () => row(clientId, 'YX_CA2'),
      ({ value }) => value === 1,
    );
    expect(changed).toMatchObject({ quality: 'good', flags: ['SB'], source_time: expect.stringMatching(/Z$/), raw_hex: '21' });
    const { items } = (await running.api.call('listEvents', { channel_id: clientId, after_seq: last_seq })).data;
    expect(items).toMatchObject([{ kind: 'change', code: 'YX_CA2', value: 1, flags: ['SB'], device_time: changed.source_time }]);
  });

  it.each([
    ['YK1', 0, 'YX1', ['sent', 'confirmed', 'terminated']],
    ['YK2', 1, 'YX2', ['select_sent', 'selected', 'sent', 'confirmed', 'terminated']],
    ['YT1', 50.5, 'YC1', ['sent', 'confirmed', 'terminated']],
  ])('command %s is confirmed, terminated, and its related point follows', async (code, value, related, stages) => {
    const { data } = await running.api.call('command', { channel_id: clientId, ...(await key(clientId, code)), step: 'operate', value });
    expect(data).toMatchObject({ outcome: 'accepted', reaction: { code: related, after: value, delay_ms: expect.any(Number) } });
    expect(data.stages.map((stage) => stage.name)).toEqual(stages);
    expect(await row(stationId, code)).toMatchObject({ value });
    expect(await row(clientId, code)).toMatchObject({ value, quality: 'good' });
  });

  it('a refusal is the answer of a command, and a 502 of update_point', async () => {
    const wrong = { channel_id: stationId, ...(await key(stationId, 'YK1')), protocol: { locked: true } } as const;
    await running.api.call('editPoint', { point_id: wrong.point_id, frame_type: wrong.frame_type, protocol: wrong.protocol });
    const press = { channel_id: clientId, ...(await key(clientId, 'YK1')), step: 'operate', value: 0 } as const;
    expect((await running.api.call('command', press)).data).toMatchObject({
      outcome: 'rejected',
      stages: [{ name: 'sent' }, { name: 'rejected' }],
    });
    await running.api.call('editPoint', { point_id: wrong.point_id, frame_type: wrong.frame_type, protocol: {} });
  });

  it('execute without a selection: 409, and nothing leaves', async () => {
    const { last_seq } = (await running.api.call('listFrames', { channel_id: clientId, limit: 1 })).data;
    const execute = { channel_id: clientId, ...(await key(clientId, 'YK2')), step: 'execute', value: 1 } as const;
    await expect(running.api.call('command', execute)).rejects.toMatchObject({ code: 'STATE_CONFLICT', status: 409 });
    const { items } = (await running.api.call('listFrames', { channel_id: clientId, after_seq: last_seq })).data;
    expect(items.filter((entry) => entry.kind === 'tx' && entry.hex.split(' ')[6] === '2D')).toEqual([]);
  });

  it('a window that is too wide is taken with a warning', async () => {
    const add = (protocol: Record<string, unknown>) =>
      running.api.call('addChannel', { name: `Window ${JSON.stringify(protocol)}`, protocol_type: 3, conn_type: 2, protocol });
    expect((await add({ k: 12, w: 13 })).warnings).toMatchObject([{ path: 'protocol.w' }]);
    expect((await add({ k: 12, w: 9 })).warnings).toHaveLength(1);
    expect((await add({ k: 12, w: 8 })).warnings).toEqual([]);
  });

  it('the qualifier of a call goes out in its command', async () => {
    const { last_seq } = (await running.api.call('listFrames', { channel_id: clientId, limit: 1 })).data;
    const write = { channel_id: clientId, ...(await key(clientId, 'YK1')), step: 'operate', value: 0, options: { qualifier: 2 } } as const;
    const { data, warnings } = await running.api.call('command', write);
    expect([data.outcome, warnings]).toEqual(['accepted', []]);
    const { items } = (await running.api.call('listFrames', { channel_id: clientId, after_seq: last_seq })).data;
    const sent = items.filter((entry) => entry.kind === 'tx' && entry.hex.split(' ')[6] === '2D').map((entry) => entry.hex.slice(-2));
    // SCO: off, long pulse (QU 2 in bits 2 to 6), execute
    expect(sent).toEqual(['08']);
  });

  it('an object that is not in the table is listed, ready to be added', async () => {
    const { data } = await running.api.call('unknownObjects', { channel_id: clientId });
    expect(data).toMatchObject({ total: 1, dropped: 0, items: [{ slave_id: 1, address: 99, frame_type: 1, protocol: { type_id: 1 } }] });
    const [unknown] = data.items;
    const added: PointInput = {
      frame_type: 1,
      code: 'EXTRA',
      slave_id: unknown?.slave_id,
      address: unknown?.address,
      protocol: unknown?.protocol,
    };
    await running.api.call('addPoints', { channel_id: clientId, points: [added] });
    expect((await running.api.call('unknownObjects', { channel_id: clientId })).data.total).toBe(0);
  });

  it('operations by name: interrogation, freeze, clock, test', async () => {
    const run = (operation: string, params = {}) => running.api.call('deviceOperation', { channel_id: clientId, operation, params });
    for (const [operation, params] of [
      ['general_interrogation', { common_address: 1 }],
      ['counter_interrogation', {}],
      ['counter_freeze', { action: 'freeze' }],
      ['clock_synchronization', { common_address: 2 }],
      ['test', {}],
    ] as const) {
      expect((await run(operation, params)).data.outcome).toBe('accepted');
    }
    expect(await row(clientId, 'EXTRA')).toMatchObject({ quality: 'good' });
    const refused = { method: 'POST', url: '/api/device/operation' } as const;
    const wrong = await running.send({ ...refused, body: { channel_id: clientId, operation: 'browse' } });
    expect(wrong).toMatchObject({ status: 422, body: { data: [{ path: 'operation' }] } });
    const served = await running.send({ ...refused, body: { channel_id: stationId, operation: 'test' } });
    expect(served.status).toBe(422);
    const params = await running.send({
      ...refused,
      body: { channel_id: clientId, operation: 'general_interrogation', params: { group: 17 } },
    });
    expect(params).toMatchObject({ status: 422, body: { data: [{ path: 'params.group' }] } });
  });

  it('an operation that changes the station is in the audit with its parameters and its outcome, whether it was sent or not', async () => {
    const run = (operation: string, params = {}) => running.api.call('deviceOperation', { channel_id: clientId, operation, params });
    const audit = async () => (await running.api.call('listAudit', { channel_id: clientId, page_size: 1 })).data;
    const before = (await audit()).total;
    expect((await run('test')).data).not.toHaveProperty('audit_id');
    expect((await audit()).total).toBe(before);
    const { data } = await run('counter_freeze', { common_address: 1, action: 'freeze_reset' });
    expect((await audit()).items).toEqual([
      {
        id: data.audit_id,
        at: expect.any(String),
        closed_at: expect.any(String),
        channel_id: clientId,
        channel_name: expect.any(String),
        point_id: null,
        frame_type: null,
        code: '',
        operation: { name: 'counter_freeze', params: { common_address: 1, group: 0, action: 'freeze_reset' } },
        step: 'operate',
        value: null,
        source: 'api',
        outcome: 'accepted',
        detail: 'done: Common address 1: confirmed',
        detail_message: { code: 'service.stage', params: expect.anything() },
      },
    ]);
    await run('clock_synchronization', { common_address: 99 });
    expect((await audit()).items).toMatchObject([
      { operation: { name: 'clock_synchronization' }, outcome: 'rejected', detail: expect.stringContaining('46 (unknown common address') },
    ]);
  });

  it('a read-only channel refuses what changes the device, and lets the rest be asked', async () => {
    await running.api.call('updateChannel', { channel_id: clientId, read_only: true });
    const run = (operation: string) =>
      running.send({ method: 'POST', url: '/api/device/operation', body: { channel_id: clientId, operation } });
    const { total } = (await running.api.call('listAudit', {})).data;
    expect([(await run('clock_synchronization')).status, (await run('test')).status]).toEqual([409, 200]);
    expect((await running.api.call('listAudit', {})).data.total).toBe(total);
    await running.api.call('updateChannel', { channel_id: clientId, read_only: false });
  });

  it('the frames are explained, and answers linked to what asked for them', async () => {
    const { items } = (await running.api.call('listFrames', { channel_id: clientId, limit: 500 })).data;
    const request = items.find((frame) => frame.kind === 'tx' && frame.hex.startsWith('68 0E') && frame.hex.includes(' 64 01 06 '));
    const { data } = await running.api.call('explainFrame', { channel_id: clientId, seq: request?.seq ?? 0 });
    expect(JSON.stringify(data.nodes)).toContain('C_IC_NA_1');
    expect(items.some((frame) => frame.kind === 'rx' && frame.link === request?.seq)).toBe(true);
  });

  it('tells the operations and settings of the protocol', async () => {
    const { data } = await running.api.call('listProtocols', {});
    expect(data[0]).toMatchObject({ key: 'iec104', modes: ['batch', 'single'], commands: ['operate', 'select', 'execute', 'cancel'] });
    expect(data[0]?.operations?.map((item) => item.name)).toContain('clock_synchronization');
    expect(data[0]?.channel_schema).toMatchObject({ properties: { k: { default: 12 }, t1_s: { default: 15 } } });
  });

  it('a station that goes away makes the values stale; it is back after a reconnect', async () => {
    await running.api.call('stopDevice', { channel_id: stationId });
    const body = { channel_id: clientId, operation: 'clock_synchronization' };
    expect((await running.send({ method: 'POST', url: '/api/device/operation', body })).status).toBe(503);
    const { items } = (await running.api.call('listAudit', { channel_id: clientId, page_size: 1 })).data;
    expect(items).toMatchObject([{ operation: { name: 'clock_synchronization' }, outcome: 'failed', closed_at: expect.any(String) }]);
    await until(
      () => row(clientId, 'YX1'),
      ({ quality }) => quality === 'stale',
    );
    const refused = await running.send({
      method: 'POST',
      url: '/api/device/command',
      body: { channel_id: clientId, ...(await key(clientId, 'YK1')), step: 'operate', value: 1, options: { reaction_timeout_ms: 0 } },
    });
    expect(refused.status).toBe(503);
    await running.api.call('startDevice', { channel_id: stationId });
    await until(
      () => row(clientId, 'YX1'),
      ({ quality }) => quality === 'good',
    );
    expect(await row(stationId, 'YK1')).toMatchObject({ value: 0 });
  });
});

describe('over TLS', () => {
  const files = (name: string) => ({
    tls: true,
    tls_certificate: certificatePath(name),
    tls_key: certificatePath(`${name}.key`),
    tls_ca: certificatePath('ca'),
  });

  it('works for who shows a certificate that is trusted, and tells why for who does not', async () => {
    const { api } = running;
    const port = await freePort();
    const type = { protocol_type: 3, port } as const;
    const station = await api.call('addChannel', { ...type, name: 'TLS station', conn_type: 1, protocol: files('station') });
    await api.call('addPoints', { channel_id: station.data.id, points: monitored });
    await api.call('startDevice', { channel_id: station.data.id });
    const protocol = { ...files('centre'), tls_server_name: 'station.test' } as const;
    const client = await api.call('addChannel', { ...type, name: 'TLS centre', conn_type: 2, protocol });
    await api.call('addPoints', { channel_id: client.data.id, points: monitored });
    await api.call('startDevice', { channel_id: client.data.id });
    await until(
      () => row(client.data.id, 'YX1'),
      ({ quality }) => quality === 'good',
    );
    await api.call('stopDevice', { channel_id: client.data.id });
    await api.call('updateChannel', { channel_id: client.data.id, protocol: { ...protocol, tls_server_name: 'other.test' } });
    const wrong = await running.send({ method: 'POST', url: '/api/device/start', body: { channel_id: client.data.id } });
    expect([wrong.status >= 400, JSON.stringify(wrong.body)]).toEqual([true, expect.stringMatching(/certificate/)]);
    await api.call('stopDevice', { channel_id: station.data.id });
  });

  it('a key in the settings is refused: it would travel with the project', async () => {
    const key = `-----BEGIN ${'PRIVATE'} KEY-----`;
    const body = { channel_id: clientId, protocol: { tls_key: key } };
    expect(await running.send({ method: 'PUT', url: '/api/channel/update', body })).toMatchObject({
      status: 422,
      body: { data: [{ path: 'protocol.tls_key' }] },
    });
  });
});

describe('points of IEC 104', () => {
  const add = (point: PointInput) =>
    running.send({ method: 'POST', url: '/api/device/add_points', body: { channel_id: clientId, points: [point] } });

  it('get the defaults of their type', async () => {
    const points = await rows(clientId);
    const typeOf = (code: string) => points.find((item) => item.code === code)?.protocol;
    expect(typeOf('YC1')).toEqual({ type_id: 13 });
    expect(typeOf('YX1')).toEqual({ type_id: 1 });
    expect(typeOf('YK1')).toEqual({ type_id: 45, select_before_operate: false, qualifier: 0 });
    expect(typeOf('YT1')).toEqual({ type_id: 50, select_before_operate: false, qualifier: 0 });
  });

  it.each([
    ['a type of another kind', { frame_type: 1, code: 'X', address: 5, protocol: { type_id: 13 } }, 'protocol.type_id'],
    ['no address', { frame_type: 1, code: 'X' }, 'address'],
    ['object address 0', { frame_type: 1, code: 'X', address: 0 }, 'address'],
    ['a common address for all', { frame_type: 1, code: 'X', address: 5, slave_id: 65_535 }, 'slave_id'],
    ['a qualifier out of range', { frame_type: 2, code: 'X', address: 5, protocol: { qualifier: 32 } }, 'protocol.qualifier'],
    [
      'a selection of a bitstring',
      { frame_type: 3, code: 'X', address: 5, protocol: { type_id: 51, select_before_operate: true } },
      'protocol.select_before_operate',
    ],
    ['a packed type without a bit', { frame_type: 1, code: 'X', address: 5, protocol: { type_id: 7 } }, 'bit'],
    ['a bit of a single point', { frame_type: 1, code: 'X', address: 5, bit: 1 }, 'bit'],
    ['a factor of 0', { frame_type: 0, code: 'X', address: 5, mul_coe: 0 }, 'mul_coe'],
  ] as const)('refuse %s', async (_name, point, path) => {
    expect(await add(point)).toMatchObject({ status: 422, body: { data: [{ path: `points.0.${path}` }] } });
  });

  it('settings that contradict each other are refused', async () => {
    const body = { channel_id: clientId, protocol: { t1_s: 5, t2_s: 10 } };
    expect(await running.send({ method: 'PUT', url: '/api/channel/update', body })).toMatchObject({
      status: 422,
      body: { data: [{ path: 'protocol.t2_s' }] },
    });
    const zone = { channel_id: clientId, protocol: { time_zone: 'Mars/Olympus' } };
    expect(await running.send({ method: 'PUT', url: '/api/channel/update', body: zone })).toMatchObject({
      status: 422,
      body: { data: [{ path: 'protocol.time_zone' }] },
    });
  });
});
