import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Point } from '#shared/contract/points.ts';
import { freePort, type Pair, type RunningCore, startCore, startPair } from './testing/running-core.ts';

let running: RunningCore;
let pair: Pair;
let points: Point[];
beforeAll(async () => {
  running = await startCore();
  pair = await startPair(running, {
    served: [
      { frame_type: 0, code: 'P', address: 0, decode: '0x21' },
      { frame_type: 1, code: 'RUN', address: 10 },
      { frame_type: 2, code: 'SWITCH', address: 20 },
      { frame_type: 3, code: 'P_SET', address: 100, decode: '0x21' },
    ],
    read: [
      { frame_type: 0, code: 'P', name: 'Active power', address: 0, decode: '0x21', mul_coe: 0.1, min_limit: -50, max_limit: 50 },
      { frame_type: 1, code: 'RUN', address: 10, category: 'state' },
      { frame_type: 2, code: 'SWITCH', address: 20, related_code: 'RUN' },
      { frame_type: 3, code: 'P_SET', address: 100, decode: '0x21', mul_coe: 0.1, max_limit: 40, related_code: 'P' },
      { frame_type: 3, code: 'HOLE', address: 5000, decode: '0x21' },
    ],
  });
  points = (await running.api.call('pointTable', { channel_id: pair.clientId, page: 1, page_size: 100 })).data.items;
});
afterAll(() => running.close());

const post = (url: string, body: unknown) => running.send({ method: 'POST', url, body });
const put = (url: string, body: unknown) => running.send({ method: 'PUT', url, body });
const get = (url: string) => running.send({ method: 'GET', url });

/** A point of the client channel by code, as its key in a request. */
function key(code: string): { point_id: number; frame_type: 0 | 1 | 2 | 3 } {
  const point = points.find((row) => row.code === code);
  if (!point) throw new Error(`There is no point ${code}.`);
  return { point_id: point.id, frame_type: point.frame_type };
}

/** Sets what the device serves. */
async function serve(code: string, value: number): Promise<void> {
  const { data } = await running.api.call('pointTable', { channel_id: pair.serverId, page: 1, page_size: 100, search: code });
  const row = data.items.find((item) => item.code === code);
  if (row) await running.api.call('updatePoint', { point_id: row.id, frame_type: row.frame_type, value });
}

async function rowOf(code: string): Promise<Point> {
  const { data } = await running.api.call('pointTable', { channel_id: pair.clientId, page: 1, page_size: 100, search: code });
  const row = data.items.find((item) => item.code === code);
  if (!row) throw new Error(`There is no point ${code}.`);
  return row;
}

let empty = 0;
async function emptyChannel(): Promise<number> {
  const port = await freePort();
  empty += 1;
  return (await running.api.call('addChannel', { name: `Empty ${empty}`, protocol_type: 1, conn_type: 2, port })).data.id;
}

describe('GET /api/device/table', () => {
  it('has rows in id order with every field of the contract', async () => {
    const reply = await get(`/api/device/table?channel_id=${pair.clientId}&page=1&page_size=2`);
    expect(reply).toMatchObject({
      status: 200,
      body: {
        data: { total: 5, items: [{ code: 'P', name: 'Active power', decode: '0x21', func_code: 3, slave_id: 1 }, { code: 'RUN' }] },
      },
    });
  });

  it('a page past the end has no items and the right total', async () => {
    const reply = await get(`/api/device/table?channel_id=${pair.clientId}&page=9&page_size=2`);
    expect(reply).toMatchObject({ status: 200, body: { data: { total: 5, items: [] } } });
  });

  it.each([
    ['frame_type=3', ['P_SET', 'HOLE']],
    ['category=state', ['RUN']],
    ['search=p_', ['P_SET']],
    ['search=active', ['P']],
    ['slave_id=2', []],
    ['sort=code&order=desc', ['SWITCH', 'RUN', 'P_SET', 'P', 'HOLE']],
  ])('filters and sorts by %s', async (query, codes) => {
    const reply = await get(`/api/device/table?channel_id=${pair.clientId}&page=1&page_size=50&${query}`);
    const { items } = (reply.body as { data: { items: Point[] } }).data;
    expect(items.map((row) => row.code)).toEqual(codes);
  });

  it('answers 404 to an unknown channel and 422 without page', async () => {
    expect((await get('/api/device/table?channel_id=99999&page=1&page_size=2')).status).toBe(404);
    expect((await get(`/api/device/table?channel_id=${pair.clientId}&page_size=2`)).status).toBe(422);
  });

  it('causes no traffic', async () => {
    const before = await running.api.call('listFrames', { channel_id: pair.clientId });
    await get(`/api/device/table?channel_id=${pair.clientId}&page=1&page_size=50`);
    const after = await running.api.call('listFrames', { channel_id: pair.clientId });
    expect(after.data.last_seq).toBe(before.data.last_seq);
  });
});

describe('POST /api/device/add_points', () => {
  it('fills in defaults by type and answers in request order', async () => {
    const channel_id = await emptyChannel();
    const codes = [0, 1, 2, 3].map((frame_type) => ({ frame_type, code: `T${frame_type}`, address: frame_type }));
    const reply = await post('/api/device/add_points', { channel_id, points: codes.toReversed() });
    const { items } = (reply.body as { data: { items: Point[] } }).data;
    expect(items.map((row) => [row.code, row.name, row.func_code, row.decode, row.slave_id, row.quality, row.value])).toEqual([
      ['T3', 'T3', 16, '0x41', 1, 'never', 0],
      ['T2', 'T2', 5, '0x20', 1, 'never', 0],
      ['T1', 'T1', 1, '0x20', 1, 'never', 0],
      ['T0', 'T0', 3, '0x41', 1, 'never', 0],
    ]);
  });

  it('answers all of many points, whose rows go out in several pieces, with every character of their names', async () => {
    const channel_id = await emptyChannel();
    const names = Array.from({ length: 2_500 }, (_, index) => `${'逆变器𠮷é'.repeat(1 + (index % 5))} ${index}`);
    const reply = await post('/api/device/add_points', {
      channel_id,
      points: names.map((name, index) => ({ frame_type: 0, code: `P${index}`, name, address: index })),
    });
    const { items } = (reply.body as { data: { items: Point[] } }).data;
    expect(items.map(({ name }) => name)).toEqual(names);
  });

  it('adds all or none', async () => {
    const channel_id = await emptyChannel();
    const good = { frame_type: 0, code: 'A', address: 1 };
    const reply = await post('/api/device/add_points', {
      channel_id,
      points: [good, { frame_type: 0, code: 'B', address: 70_000 }, { frame_type: 0, code: 'C' }],
    });
    expect(reply).toMatchObject({ status: 422, body: { data: [{ path: 'points.1.address' }, { path: 'points.2.address' }] } });
    expect(await get(`/api/device/table?channel_id=${channel_id}&page=1&page_size=9`)).toMatchObject({ body: { data: { total: 0 } } });
  });

  it('refuses a code twice in the request with 422, one that is there with 409', async () => {
    const channel_id = await emptyChannel();
    const point = { frame_type: 0, code: 'A', address: 1 };
    expect(await post('/api/device/add_points', { channel_id, points: [point, point] })).toMatchObject({
      status: 422,
      body: { data: [{ path: 'points.1.code' }] },
    });
    expect((await post('/api/device/add_points', { channel_id, points: [point] })).status).toBe(200);
    expect(await post('/api/device/add_points', { channel_id, points: [point] })).toMatchObject({
      status: 409,
      body: { error: 'STATE_CONFLICT', message: expect.stringContaining('"A"') },
    });
  });

  it('warns of a related code without a point', async () => {
    const channel_id = await emptyChannel();
    const reply = await post('/api/device/add_points', {
      channel_id,
      points: [{ frame_type: 2, code: 'A', address: 1, related_code: 'NONE' }],
    });
    expect(reply).toMatchObject({ status: 200, body: { warnings: [{ path: 'related_code' }] } });
  });

  it('answers 404 to an unknown channel, but 422 first', async () => {
    const point = { frame_type: 0, code: 'A', address: 1 };
    expect((await post('/api/device/add_points', { channel_id: 99_999, points: [point] })).status).toBe(404);
    expect((await post('/api/device/add_points', { channel_id: 99_999, points: [] })).status).toBe(422);
  });
});

describe('PUT /api/device/edit_point', () => {
  it('changes settings, keeps the value, and writes nothing to the device', async () => {
    await serve('P', 123);
    await post('/api/device/read_single_point', { channel_id: pair.clientId, ...key('P') });
    const before = await running.api.call('listFrames', { channel_id: pair.clientId });
    const reply = await put('/api/device/edit_point', { ...key('P'), name: 'Renamed', unit: 'kW', value: 7 });
    expect(reply).toMatchObject({
      status: 200,
      body: { data: { name: 'Renamed', unit: 'kW', value: 12.3, quality: 'good', mul_coe: 0.1 }, warnings: [{ path: 'value' }] },
    });
    const after = await running.api.call('listFrames', { channel_id: pair.clientId });
    expect(after.data.last_seq).toBe(before.data.last_seq);
  });

  it('takes zero and null as values, not as absent', async () => {
    expect(await put('/api/device/edit_point', { ...key('P'), min_limit: 0, max_limit: null })).toMatchObject({
      body: { data: { min_limit: 0, max_limit: null } },
    });
    await put('/api/device/edit_point', { ...key('P'), min_limit: -50, max_limit: 50 });
  });

  it('refuses what does not fit the protocol, taken codes, unknown points and another type', async () => {
    expect(await put('/api/device/edit_point', { ...key('P'), decode: '0x99' })).toMatchObject({
      status: 422,
      body: { data: [{ path: 'decode' }] },
    });
    expect((await put('/api/device/edit_point', { ...key('P'), code: 'RUN' })).status).toBe(409);
    expect((await put('/api/device/edit_point', { point_id: 999_999, frame_type: 0 })).status).toBe(404);
    expect(await put('/api/device/edit_point', { ...key('P'), frame_type: 3 })).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining('is YC (0), not YT (3)') },
    });
  });
});

describe('POST /api/device/delete_points', () => {
  it('deletes all or none', async () => {
    const channel_id = await emptyChannel();
    const added = await running.api.call('addPoints', {
      channel_id,
      points: [0, 1, 2].map((n) => ({ frame_type: 0 as const, code: `D${n}`, address: n })),
    });
    const ids = added.data.items.map((row) => row.id);
    expect(await post('/api/device/delete_points', { channel_id, point_ids: [...ids, key('P').point_id] })).toMatchObject({ status: 404 });
    expect(await post('/api/device/delete_points', { channel_id, point_ids: [ids[0], ids[0], ids[1]] })).toMatchObject({
      status: 200,
      body: { data: { deleted: 2 } },
    });
    expect(await get(`/api/device/table?channel_id=${channel_id}&page=1&page_size=9`)).toMatchObject({ body: { data: { total: 1 } } });
  });
});

describe('POST /api/device/read_single_point', () => {
  it('asks the device and answers with the point as read', async () => {
    await serve('P', -251);
    expect(await post('/api/device/read_single_point', { channel_id: pair.clientId, ...key('P') })).toMatchObject({
      status: 200,
      body: { data: { value: -25.1, raw_hex: 'FF05', quality: 'good', alarm: '', error: null } },
    });
  });

  it('marks a value beyond its limits', async () => {
    await serve('P', 501);
    expect(await post('/api/device/read_single_point', { channel_id: pair.clientId, ...key('P') })).toMatchObject({
      body: { data: { alarm: 'high' } },
    });
    await serve('P', 0);
  });

  it('answers 502 with kind and detail when the device refuses, and the row says why', async () => {
    expect(await post('/api/device/read_single_point', { channel_id: pair.clientId, ...key('HOLE') })).toMatchObject({
      status: 502,
      body: { code: 502, error: 'DEVICE_EXCEPTION', data: { kind: expect.any(String), detail: expect.any(String) } },
    });
    expect(await rowOf('HOLE')).toMatchObject({ quality: 'invalid', value: 0, error: expect.any(String) });
  });

  it('answers 404 for another channel or type, 409 on a stopped channel', async () => {
    expect((await post('/api/device/read_single_point', { channel_id: pair.serverId, ...key('P') })).status).toBe(404);
    expect((await post('/api/device/read_single_point', { channel_id: pair.clientId, ...key('P'), frame_type: 1 })).status).toBe(404);
    const channel_id = await emptyChannel();
    const added = await running.api.call('addPoints', { channel_id, points: [{ frame_type: 0, code: 'A', address: 0 }] });
    const reply = await post('/api/device/read_single_point', { channel_id, point_id: added.data.items[0]?.id, frame_type: 0 });
    expect(reply).toMatchObject({ status: 409, body: { error: 'STATE_NOT_STARTED', data: null } });
  });
});

describe('GET /api/frames/list', () => {
  it('shows the true octets of request and answer, linked and explained', async () => {
    await post('/api/frames/clear', { channel_id: pair.clientId });
    await post('/api/device/read_single_point', { channel_id: pair.clientId, ...key('P') });
    const { data } = await running.api.call('listFrames', { channel_id: pair.clientId });
    const [request, answer] = data.items;
    expect(request).toMatchObject({
      kind: 'tx',
      hex: expect.stringMatching(/^[0-9A-F]{2} [0-9A-F]{2} 00 00 00 06 01 03 00 00 00 01$/),
      length: 12,
    });
    expect(answer).toMatchObject({ kind: 'rx', link: request?.seq, text: expect.stringContaining('slave 1') });
    const explained = await running.api.call('explainFrame', { channel_id: pair.clientId, seq: answer?.seq ?? 0 });
    expect(explained.data.nodes.length).toBeGreaterThan(1);
    const later = await running.api.call('listFrames', { channel_id: pair.clientId, after_seq: answer?.seq });
    expect(later.data.items).toEqual([]);
  });

  it('answers 404 to an entry that is not kept', async () => {
    expect(await get(`/api/frames/explain?channel_id=${pair.clientId}&seq=999999`)).toMatchObject({ status: 404 });
    expect((await get('/api/frames/list?channel_id=999999')).status).toBe(404);
  });
});

describe('PUT /api/device/edit_points', () => {
  /** A channel with points `A1`, `A2` … at the addresses 1, 2 …, as keys of requests. */
  async function numbered(count: number) {
    const channel_id = await emptyChannel();
    const codes = Array.from({ length: count }, (_, index) => `A${index + 1}`);
    const points = codes.map((code, index) => ({ frame_type: 0 as const, code, address: index + 1 }));
    const { items } = (await running.api.call('addPoints', { channel_id, points })).data;
    return { channel_id, keys: items.map(({ id, frame_type }) => ({ point_id: id, frame_type })) };
  }
  const edit = (channel_id: number, list: readonly object[]) => put('/api/device/edit_points', { channel_id, points: list });
  const tableOf = async (channel_id: number) =>
    (await running.api.call('pointTable', { channel_id, page: 1, page_size: 10_000 })).data.items;

  it('changes each point by what its entry says, and leaves the rest', async () => {
    const { channel_id, keys } = await numbered(3);
    const reply = await edit(channel_id, [
      { ...keys[2], address: 103, unit: 'V' },
      { ...keys[0], address: 101, min_limit: -5 },
    ]);
    expect(reply).toMatchObject({
      status: 200,
      body: {
        data: {
          items: [
            { code: 'A3', address: 103, unit: 'V' },
            { code: 'A1', address: 101 },
          ],
        },
      },
    });
    expect((await tableOf(channel_id)).map(({ code, address, min_limit }) => [code, address, min_limit])).toEqual([
      ['A1', 101, -5],
      ['A2', 2, null],
      ['A3', 103, null],
    ]);
  });

  it.each([3, 700])('lets codes move on from point to point: %i points', async (count) => {
    const { channel_id, keys } = await numbered(count);
    const reply = await edit(
      channel_id,
      keys.map((each, index) => ({ ...each, code: `A${index + 2}` })),
    );
    expect(reply.status).toBe(200);
    const codes = Array.from({ length: count }, (_, index) => `A${index + 2}`);
    expect((await tableOf(channel_id)).map(({ code }) => code)).toEqual(codes);
    // a search by the new code finds the point that has it now
    const found = await running.api.call('pointTable', { channel_id, page: 1, page_size: 10, search: `A${count + 1}` });
    expect(found.data.items.map(({ address }) => address)).toEqual([count]);
  });

  it('refuses codes that go round, and says what would do', async () => {
    const { channel_id, keys } = await numbered(2);
    expect(
      await edit(channel_id, [
        { ...keys[0], code: 'A2' },
        { ...keys[1], code: 'A1' },
      ]),
    ).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('in two steps') },
    });
  });

  it('changes nothing when one entry is wrong, and names its place', async () => {
    const { channel_id, keys } = await numbered(3);
    const before = await tableOf(channel_id);
    const wrong = await edit(channel_id, [
      { ...keys[0], name: 'First' },
      { ...keys[1], decode: '0x99' },
    ]);
    expect(wrong).toMatchObject({ status: 422, body: { data: [{ path: 'points.1.decode' }] } });
    expect(
      await edit(channel_id, [
        { ...keys[0], code: 'X' },
        { ...keys[1], code: 'X' },
      ]),
    ).toMatchObject({
      status: 422,
      body: { data: [{ path: 'points.1.code' }] },
    });
    expect((await edit(channel_id, [{ ...keys[0], code: 'A3' }])).status).toBe(409);
    expect(
      await edit(channel_id, [
        { ...keys[0], name: 'a' },
        { ...keys[0], name: 'b' },
      ]),
    ).toMatchObject({
      status: 422,
      body: { data: [{ path: 'points.1.point_id' }] },
    });
    expect(
      (
        await edit(channel_id, [
          { ...keys[0], name: 'First' },
          { point_id: 999_999, frame_type: 0 },
        ])
      ).status,
    ).toBe(404);
    expect((await edit(channel_id, [{ ...keys[0], frame_type: 3 }])).status).toBe(404);
    expect(await tableOf(channel_id)).toEqual(before);
  });

  it('tells of relations that a code leaves behind, within the request and outside, and of new ones that lead nowhere', async () => {
    const { channel_id, keys } = await numbered(4);
    await edit(channel_id, [
      { ...keys[1], related_code: 'A1' },
      { ...keys[2], related_code: 'A1' },
    ]);
    const reply = await edit(channel_id, [
      { ...keys[0], code: 'B1' },
      { ...keys[1], unit: 'V' },
      { ...keys[3], related_code: 'A1' },
    ]);
    expect(reply).toMatchObject({
      status: 200,
      body: { warnings: [{ path: 'points.2.related_code' }, { path: 'points', message: expect.stringContaining('"A2", "A3"') }] },
    });
    // what was wrong before is not told again for another change
    expect(await edit(channel_id, [{ ...keys[1], unit: 'A' }])).toMatchObject({ status: 200, body: { data: {} } });
  });

  it('takes 100,000 entries of a usual length', async () => {
    const points = Array.from({ length: 100_000 }, (_, index) => ({ point_id: 1_000_000 + index, frame_type: 0, address: index }));
    // a body that is too large would be a 413
    expect((await edit(pair.clientId, points)).status).toBe(404);
  });
});
