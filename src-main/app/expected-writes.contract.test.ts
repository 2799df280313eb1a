import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClient, SESSION_HEADER } from '#shared/client/client.ts';
import type { Point, WriteExpectation } from '#shared/contract/points.ts';
import { makeBridge } from '../http/bridge.ts';
import { type Pair, type RunningCore, startCore, startPair } from './testing/running-core.ts';

let running: RunningCore;
let pair: Pair;
let point: Point;
let agreed: WriteExpectation;
beforeEach(async () => {
  running = await startCore();
  pair = await startPair(running, {
    served: [{ frame_type: 3, code: 'P_SET', address: 100, decode: '0x21' }],
    read: [{ frame_type: 3, code: 'P_SET', address: 100, decode: '0x21' }],
  });
  [point] = (await running.api.call('pointTable', { channel_id: pair.clientId, page: 1, page_size: 1 })).data.items as [Point];
  const { code, address, reference, slave_id, bit } = point;
  agreed = { code, address, reference, slave_id, bit, project_session: await session() };
});
afterEach(() => running.close());

const session = async () => (await running.api.call('serviceInfo', {})).data.project_session;

/** A write by either of the two operations. */
const DOORS = {
  update_point: (expected: unknown) =>
    running.send({
      method: 'PUT',
      url: '/api/device/update_point',
      body: { point_id: point.id, frame_type: 3, value: 7, expect: expected },
    }),
  command: (expected: unknown) =>
    running.send({
      method: 'POST',
      url: '/api/device/command',
      body: { channel_id: point.channel_id, point_id: point.id, frame_type: 3, step: 'operate', value: 7, expect: expected },
    }),
} as const;

async function traces(): Promise<readonly [frames: number, audit: number]> {
  const frames = (await running.api.call('listFrames', { channel_id: pair.clientId, limit: 1 })).data.last_seq;
  return [frames, (await running.api.call('listAudit', { page_size: 1 })).data.total];
}

describe.each(['update_point', 'command'] as const)('`expect` of %s', (door) => {
  const write = DOORS[door];

  it('lets the write go where the point is what was agreed to, told in full or in part', async () => {
    const [, before] = await traces();
    const { code, address, reference } = agreed;
    expect((await write(agreed)).status).toBe(200);
    expect((await write({ code, address, reference })).status).toBe(200);
    expect((await traces())[1]).toBe(before + 2);
  });

  it.each([
    ['code', 'Q_SET', 'its code is "P_SET", not "Q_SET"'],
    ['address', 101, 'its address is 100, not 101'],
    ['reference', 'LD0/GGIO1', 'its reference is "", not "LD0/GGIO1"'],
    ['slave_id', 2, 'its slave is 1, not 2'],
    ['bit', 3, 'its bit is –, not 3'],
  ])('refuses another %s with 409 and sends nothing', async (field, value, words) => {
    const before = await traces();
    expect(await write({ ...agreed, [field]: value })).toMatchObject({
      status: 409,
      body: {
        error: 'STATE_CONFLICT',
        message: expect.stringContaining(`was changed meanwhile: ${words}. Nothing was sent`),
        data: [{ path: `expect.${field}`, message: words }],
      },
    });
    expect(await traces()).toEqual(before);
  });

  it('refuses what was edited after somebody agreed, and tells all of it', async () => {
    await running.api.call('editPoint', { point_id: point.id, frame_type: 3, code: 'Q_SET', address: 200 });
    const before = await traces();
    expect(await write(agreed)).toMatchObject({ status: 409, body: { data: [{ path: 'expect.code' }, { path: 'expect.address' }] } });
    expect(await traces()).toEqual(before);
  });

  it('refuses the same point of another project, however alike it is', async () => {
    await running.api.call('openProject', { path: join(running.dir, 'other.loopcheck'), create: true });
    await running.api.call('openProject', { path: join(running.dir, 'test.loopcheck') });
    for (const channel_id of [pair.serverId, pair.clientId]) await running.api.call('startDevice', { channel_id });
    expect(await session()).not.toBe(agreed.project_session);
    const before = await traces();
    expect(await write(agreed)).toMatchObject({
      status: 409,
      body: { data: [{ path: 'expect.project_session' }], message: expect.stringContaining('nothing was sent') },
    });
    expect(await traces()).toEqual(before);
  });

  it.each([
    [{ code: 'P_SET', adress: 100, reference: '' }, 'expect.address'],
    [{ code: 'P_SET', address: '100', reference: '' }, 'expect.address'],
    ['P_SET', 'expect'],
  ])('answers 422 to %j, which says no point', async (expected, path) => {
    const before = await traces();
    expect(await write(expected)).toMatchObject({ status: 422, body: { data: [{ path }] } });
    expect(await traces()).toEqual(before);
  });
});

it('the project that is open has the same session until another one is opened, and the session says nothing of its path', async () => {
  const first = await session();
  await running.api.call('openProject', { path: join(running.dir, 'test.loopcheck') });
  expect(await session()).toBe(first);
  expect(first).not.toContain('test');
});

describe('x-project-session', () => {
  const edit = (meant: string) =>
    running.send(
      { method: 'PUT', url: '/api/device/edit_point', body: { point_id: point.id, frame_type: 3, name: 'Sent' } },
      { [SESSION_HEADER]: meant },
    );
  const nameNow = async () =>
    (await running.api.call('pointTable', { channel_id: pair.clientId, page: 1, page_size: 1 })).data.items[0]?.name;

  it('lets through what is meant for the open project', async () => {
    expect((await edit(await session())).status).toBe(200);
    expect(await nameNow()).toBe('Sent');
  });

  it('refuses what was meant for another one, by either door, and changes nothing', async () => {
    const meant = await session();
    await running.api.call('openProject', { path: join(running.dir, 'other.loopcheck'), create: true });
    await running.api.call('openProject', { path: join(running.dir, 'test.loopcheck') });
    const refused = { status: 409, body: { error: 'STATE_CONFLICT', message: expect.stringContaining('nothing was done in it') } };
    expect(await edit(meant)).toMatchObject(refused);
    const inside = createClient(makeBridge(running.core.fastify), { session: () => meant });
    await expect(inside.call('editPoint', { point_id: point.id, frame_type: 3, name: 'Sent' })).rejects.toMatchObject({ status: 409 });
    expect(await nameNow()).not.toBe('Sent');
    // what only reads says what is there now
    expect((await inside.call('listChannels', {})).data).toHaveLength(2);
  });
});
