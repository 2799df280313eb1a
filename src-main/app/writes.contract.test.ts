import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '#shared/contract/events.ts';
import type { Point } from '#shared/contract/points.ts';
import { modbusTcpDriver } from '../drivers/modbus/driver.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { freePort, type Pair, type RunningCore, silentPeer, startCore, startPair, until } from './testing/running-core.ts';

let running: RunningCore;
let pair: Pair;
let points: Point[];
beforeAll(async () => {
  running = await startCore();
  pair = await startPair(running, {
    served: [
      { frame_type: 2, code: 'SWITCH', address: 20 },
      { frame_type: 3, code: 'P_SET', address: 100, decode: '0x21' },
    ],
    read: [
      { frame_type: 0, code: 'P', address: 100, decode: '0x21', mul_coe: 0.1 },
      { frame_type: 1, code: 'RUN', address: 20 },
      { frame_type: 2, code: 'SWITCH', address: 20, related_code: 'RUN' },
      { frame_type: 3, code: 'P_SET', address: 100, decode: '0x21', mul_coe: 0.1, max_limit: 40, related_code: 'P' },
      { frame_type: 3, code: 'HOLE', address: 5000, decode: '0x21' },
    ],
  });
  points = (await running.api.call('pointTable', { channel_id: pair.clientId, page: 1, page_size: 100 })).data.items;
});
afterAll(() => running.close());

const put = (body: unknown) => running.send({ method: 'PUT', url: '/api/device/update_point', body });
/** A command; the related point is watched for a short time only where the test does not say otherwise. */
const command = (body: object) => {
  const options = { reaction_timeout_ms: 50 };
  return running.send({
    method: 'POST',
    url: '/api/device/command',
    body: { channel_id: pair.clientId, step: 'operate', options, ...body },
  });
};

function key(code: string): { point_id: number; frame_type: 0 | 1 | 2 | 3 } {
  const point = points.find((row) => row.code === code);
  if (!point) throw new Error(`There is no point ${code}.`);
  return { point_id: point.id, frame_type: point.frame_type };
}

async function lastAudit(): Promise<AuditEntry | undefined> {
  return (await running.api.call('listAudit', { page_size: 1 })).data.items[0];
}

async function lastSeq(): Promise<number> {
  return (await running.api.call('listFrames', { channel_id: pair.clientId, limit: 1 })).data.last_seq;
}

describe('PUT /api/device/update_point on a client', () => {
  it('sends the value once, reads it back and answers the point', async () => {
    const before = await lastSeq();
    expect(await put({ ...key('P_SET'), value: 12.34 })).toMatchObject({
      status: 200,
      body: { data: { code: 'P_SET', value: 12.3, quality: 'good' } },
    });
    const sent = (await running.api.call('listFrames', { channel_id: pair.clientId, after_seq: before })).data.items.filter(
      (item) => item.kind === 'tx',
    );
    expect(sent.map((item) => item.hex.slice(21))).toEqual([
      expect.stringMatching(/^06 00 64 00 7B|^10 00 64/),
      expect.stringMatching(/^03 00 64/),
    ]);
    expect(await lastAudit()).toMatchObject({
      channel_name: pair.device,
      code: 'P_SET',
      step: 'operate',
      value: 12.34,
      source: 'api',
      outcome: 'accepted',
      closed_at: expect.any(String),
    });
  });

  it('rounds, never truncates', async () => {
    expect(await put({ ...key('P_SET'), value: 0.3 })).toMatchObject({
      body: { data: { raw_hex: '0003', value: expect.closeTo(0.3, 9) } },
    });
  });

  it('warns beyond the limits and sends', async () => {
    expect(await put({ ...key('P_SET'), value: 41 })).toMatchObject({
      status: 200,
      body: { warnings: [{ path: 'value', message: 'is above max_limit 40 of P_SET' }] },
    });
  });

  it('refuses beyond the raw range with 422, and nothing is sent', async () => {
    const before = await lastSeq();
    expect(await put({ ...key('P_SET'), value: 4000 })).toMatchObject({
      status: 422,
      body: { error: 'CONFIG_RANGE', data: [{ path: 'value', message: expect.stringContaining('must be between') }] },
    });
    expect(await lastSeq()).toBe(before);
  });

  it.each(['P', 'RUN'])('refuses %s, which is only read, with 422', async (code) => {
    const before = await lastSeq();
    expect(await put({ ...key(code), value: 1 })).toMatchObject({ status: 422, body: { data: [{ path: 'frame_type' }] } });
    expect(await lastSeq()).toBe(before);
  });

  it('answers 502 with kind and detail when the device refuses, and the table keeps its value', async () => {
    expect(await put({ ...key('HOLE'), value: 5 })).toMatchObject({
      status: 502,
      body: { error: 'DEVICE_REJECTED', data: { kind: expect.any(String), detail: expect.any(String) } },
    });
    expect(await lastAudit()).toMatchObject({ code: 'HOLE', outcome: 'rejected' });
    const { data } = await running.api.call('pointTable', { channel_id: pair.clientId, page: 1, page_size: 9, search: 'HOLE' });
    expect(data.items[0]).toMatchObject({ value: 0 });
  });

  it('answers 404 to an unknown point and to another type, 422 to a value that is none', async () => {
    expect((await put({ point_id: 999_999, frame_type: 3, value: 1 })).status).toBe(404);
    expect((await put({ ...key('P_SET'), frame_type: 2, value: 1 })).status).toBe(404);
    expect((await put({ ...key('P_SET'), value: '1' })).status).toBe(422);
    expect((await put({ ...key('P_SET'), value: null })).status).toBe(422);
  });

  it('answers 504 when the device says nothing; the audit says unknown', async () => {
    const peer = await silentPeer();
    const { data: channel } = await running.api.call('addChannel', {
      name: 'Silent',
      protocol_type: 1,
      conn_type: 2,
      port: peer.port,
      timeout_ms: 50,
    });
    const { data } = await running.api.call('addPoints', {
      channel_id: channel.id,
      points: [{ frame_type: 3, code: 'S', address: 0, decode: '0x21' }],
    });
    await running.api.call('startDevice', { channel_id: channel.id });
    const reply = await put({ point_id: data.items[0]?.id, frame_type: 3, value: 1 });
    expect(reply).toMatchObject({ status: 504, body: { error: 'TIMEOUT_RESPONSE', data: null } });
    const detail = expect.stringMatching(/^sent: .*; unanswered: Slave 1 did not answer function 6 within 50 ms\.$/);
    expect(await lastAudit()).toMatchObject({ code: 'S', outcome: 'unknown', detail });
    const body = { channel_id: channel.id, point_id: data.items[0]?.id, frame_type: 3 };
    expect(await running.send({ method: 'POST', url: '/api/device/read_single_point', body })).toMatchObject({ status: 504 });
    await running.api.call('deleteChannel', { channel_id: channel.id });
    await peer.close();
  });
});

describe('without a connection', () => {
  it('reads and writes answer 503 while the channel is reconnecting; the audit says that nothing was sent', async () => {
    await running.api.call('stopDevice', { channel_id: pair.serverId });
    await until(
      () => running.api.call('listChannels', {}),
      ({ data }) => data.find((channel) => channel.id === pair.clientId)?.status === 'reconnecting',
    );
    const noConnection = { status: 503, body: { code: 503, error: expect.stringContaining('TRANSPORT_'), data: null } };
    expect(await put({ ...key('P_SET'), value: 1 })).toMatchObject(noConnection);
    expect(await lastAudit()).toMatchObject({ code: 'P_SET', outcome: 'failed', closed_at: expect.any(String) });
    expect(await command({ ...key('SWITCH'), value: 1 })).toMatchObject(noConnection);
    const body = { channel_id: pair.clientId, ...key('P') };
    expect(await running.send({ method: 'POST', url: '/api/device/read_single_point', body })).toMatchObject(noConnection);
    await running.api.call('startDevice', { channel_id: pair.serverId });
    await running.api.call('startDevice', { channel_id: pair.clientId });
  });
});

describe('PUT /api/device/update_point on a server', () => {
  it('sets what is served for as long as the program runs, also over a stop and a change of the connection', async () => {
    const { data: channel } = await running.api.call('addChannel', {
      name: 'Kept',
      protocol_type: 1,
      conn_type: 1,
      port: await freePort(),
    });
    const points = [{ frame_type: 0 as const, code: 'U', address: 0, decode: '0x42' }];
    const { data } = await running.api.call('addPoints', { channel_id: channel.id, points });
    const point = { point_id: data.items[0]?.id ?? 0, frame_type: 0 as const };
    const read = async () => (await running.api.call('readSinglePoint', { channel_id: channel.id, ...point })).data.value;
    await running.api.call('startDevice', { channel_id: channel.id });
    expect(await read()).toBe(0);
    await put({ ...point, value: 1234.5 });
    await running.api.call('stopDevice', { channel_id: channel.id });
    await running.api.call('startDevice', { channel_id: channel.id });
    expect(await read()).toBe(1234.5);
    await running.api.call('updateChannel', { channel_id: channel.id, port: await freePort() });
    expect(await read()).toBe(1234.5);
    await running.api.call('deleteChannel', { channel_id: channel.id });
  });

  it('sets what is served, also a YC or YX', async () => {
    const { data } = await running.api.call('addPoints', {
      channel_id: pair.serverId,
      points: [{ frame_type: 0, code: 'YC', address: 300 }],
    });
    expect(await put({ point_id: data.items[0]?.id, frame_type: 0, value: -7 })).toMatchObject({
      status: 200,
      body: { data: { value: -7, quality: 'good' } },
    });
  });

  it('answers 409 while the channel is stopped', async () => {
    const { data: channel } = await running.api.call('addChannel', { name: 'Stopped server', protocol_type: 1, conn_type: 1 });
    const { data } = await running.api.call('addPoints', { channel_id: channel.id, points: [{ frame_type: 0, code: 'A', address: 0 }] });
    const reply = await put({ point_id: data.items[0]?.id, frame_type: 0, value: 1 });
    expect(reply).toMatchObject({ status: 409, body: { error: 'STATE_NOT_STARTED' } });
  });
});

describe('POST /api/device/command', () => {
  it('answers the outcome, the stages, the reaction of the related point and the audit entry', async () => {
    await command({ ...key('SWITCH'), value: 0 });
    const reply = await command({ ...key('SWITCH'), value: 1 });
    expect(reply).toMatchObject({
      status: 200,
      body: {
        data: {
          outcome: 'accepted',
          reaction: { code: 'RUN', frame_type: 1, before: 0, after: 1, delay_ms: expect.any(Number) },
          audit_id: expect.any(Number),
        },
      },
    });
    const { stages } = (reply.body as { data: { stages: { name: string }[] } }).data;
    expect(stages.at(-1)).toMatchObject({ name: 'read_back', value: 1, equal: true, detail: 'read back on (1)' });
    expect(await lastAudit()).toMatchObject({ id: (reply.body as { data: { audit_id: number } }).data.audit_id, outcome: 'accepted' });
  });

  it('says so when the related point does not move, and watches no longer than asked', async () => {
    await command({ ...key('SWITCH'), value: 1 });
    const reply = await command({ ...key('SWITCH'), value: 1, options: { reaction_timeout_ms: 1 } });
    expect(reply).toMatchObject({ body: { data: { outcome: 'accepted', reaction: { before: 1, after: 1, delay_ms: null } } } });
  });

  it('watches nothing and reads nothing back when not asked to', async () => {
    const before = await lastSeq();
    const reply = await command({ ...key('SWITCH'), value: 0, options: { reaction_timeout_ms: 0, read_back: false } });
    expect(reply.body).not.toHaveProperty('warnings');
    expect(reply).toMatchObject({ body: { data: { outcome: 'accepted', reaction: null } } });
    expect((await lastSeq()) - before).toBe(2);
  });

  it('warns of an option that neither the service nor the protocol knows, and does not use it', async () => {
    const reply = await command({ ...key('SWITCH'), value: 0, options: { reaction_timeout_ms: 0, read_bak: false, qualifier: 1 } });
    expect(reply).toMatchObject({
      status: 200,
      body: {
        data: { outcome: 'accepted' },
        warnings: [
          { path: 'options.read_bak', message: expect.stringContaining('did you mean read_back?') },
          { path: 'options.qualifier', message: expect.stringContaining('not a known field') },
        ],
      },
    });
  });

  it('a refusal is the news: 200 and rejected', async () => {
    const reply = await command({ ...key('HOLE'), value: 1 });
    const rejected = { name: 'rejected', detail: expect.stringMatching(/Illegal Data Address/i) };
    expect(reply).toMatchObject({ status: 200, body: { code: 200, data: { outcome: 'rejected', reaction: null } } });
    const { stages } = (reply.body as { data: { stages: { name: string }[] } }).data;
    expect(stages.at(-1)).toMatchObject(rejected);
    expect(stages.filter((stage) => stage.name === 'rejected')).toHaveLength(1);
  });

  it.each([
    [{ step: 'operate' }, 'value'],
    [{ step: 'select', value: 1 }, 'step'],
    [{ step: 'toggle', value: 1 }, 'step'],
    [{ value: 1, options: { reaction_timeout_ms: -1 } }, 'options.reaction_timeout_ms'],
    [{ value: 1, options: { read_back: 'yes' } }, 'options.read_back'],
    [{ value: 1, options: [] }, 'options'],
  ])('refuses %j with 422', async (fields, path) => {
    expect(await command({ ...key('SWITCH'), ...fields })).toMatchObject({ status: 422, body: { data: [{ path }] } });
  });

  it('answers 422 to a value no bit can take, 404 to a point of another channel', async () => {
    expect((await command({ ...key('SWITCH'), value: 5 })).status).toBe(422);
    expect((await command({ ...key('SWITCH'), value: 1, channel_id: pair.serverId })).status).toBe(404);
  });

  it('answers 409 on a stopped channel, before the related point is read', async () => {
    await running.api.call('stopDevice', { channel_id: pair.clientId });
    expect(await command({ ...key('SWITCH'), value: 1 })).toMatchObject({ status: 409, body: { error: 'STATE_NOT_STARTED' } });
    expect((await command({ ...key('P_SET'), value: 4000 })).status).toBe(422);
    await running.api.call('startDevice', { channel_id: pair.clientId });
  });
});

describe('read-only', () => {
  const writes = async () => [(await put({ ...key('P_SET'), value: 1 })).status, (await command({ ...key('SWITCH'), value: 1 })).status];

  it('as a setting of the channel refuses every write with 409', async () => {
    await running.api.call('updateChannel', { channel_id: pair.clientId, read_only: true });
    expect(await writes()).toEqual([409, 409]);
    expect((await put({ ...key('P_SET'), value: 4000 })).status).toBe(422);
    await running.api.call('updateChannel', { channel_id: pair.clientId, read_only: false });
    expect(await writes()).toEqual([200, 200]);
  });

  it('as a setting of the service as well, and can be lifted', async () => {
    expect((await running.api.call('updateSettings', { read_only: true })).data.read_only).toBe(true);
    expect((await running.api.call('serviceInfo', {})).data.read_only).toBe(true);
    expect(await put({ ...key('P_SET'), value: 1 })).toMatchObject({ status: 409, body: { error: 'STATE_READ_ONLY' } });
    await running.api.call('updateSettings', { read_only: false });
    expect(await writes()).toEqual([200, 200]);
  });

  it('is known to the drivers at each moment, as they send some things by themselves', async () => {
    for (const readOnly of [false, true]) {
      let mayWrite: (() => boolean) | undefined;
      const serve: typeof modbusTcpDriver.serve = (io) => {
        mayWrite = () => io.mayWrite?.() ?? true;
        return modbusTcpDriver.serve(io);
      };
      const own = await startCore({ readOnly }, { drivers: createDriverRegistry([{ ...modbusTcpDriver, serve }]) });
      const port = await freePort();
      const { data } = await own.api.call('addChannel', { name: 'A', protocol_type: 1, conn_type: 1, port });
      await own.api.call('startDevice', { channel_id: data.id });
      expect(mayWrite?.()).toBe(!readOnly);
      if (!readOnly) await own.api.call('updateSettings', { read_only: true });
      expect(mayWrite?.()).toBe(false);
      await own.close();
    }
  });

  it('by --read-only cannot be lifted', async () => {
    const strict = await startCore({ readOnly: true });
    expect((await strict.api.call('getSettings', {})).data.read_only).toBe(true);
    await expect(strict.api.call('updateSettings', { read_only: false })).rejects.toMatchObject({ code: 'STATE_READ_ONLY' });
    const { data: channel } = await strict.api.call('addChannel', { name: 'A', protocol_type: 1, conn_type: 1 });
    const { data } = await strict.api.call('addPoints', { channel_id: channel.id, points: [{ frame_type: 0, code: 'A', address: 0 }] });
    const body = { point_id: data.items[0]?.id, frame_type: 0, value: 1 };
    expect(await strict.send({ method: 'PUT', url: '/api/device/update_point', body })).toMatchObject({
      status: 409,
      body: { error: 'STATE_READ_ONLY' },
    });
    await strict.close();
  });
});
