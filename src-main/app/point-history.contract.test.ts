import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '#shared/contract/index.ts';
import type { Point } from '#shared/contract/points.ts';
import { freePort, type RunningCore, startCore, startPair } from './testing/running-core.ts';

let running: RunningCore;
beforeAll(async () => {
  running = await startCore();
});
afterAll(() => running.close());

const post = (url: string, body: unknown) => running.send({ method: 'POST', url, body });
const bulk = (channelId: number, changes: InputOf<'bulkPoints'>['changes']) => post('/api/points/bulk', { channel_id: channelId, changes });
const undo = (channel_id: number, step_id?: number) =>
  post('/api/points/undo', { channel_id, ...(step_id === undefined ? {} : { step_id }) });
const redo = (channel_id: number) => post('/api/points/redo', { channel_id });
const history = async (channel_id: number) => (await running.api.call('pointHistory', { channel_id })).data;

async function table(channelId: number, of = running): Promise<readonly Point[]> {
  return (await of.api.call('pointTable', { channel_id: channelId, page: 1, page_size: 10_000 })).data.items;
}

/** Settings of all points, without what was read. */
const content = async (channelId: number) =>
  (await table(channelId)).map(({ id, code, name, address, unit, related_code }) => ({ id, code, name, address, unit, related_code }));

const key = ({ id, frame_type }: Point) => ({ point_id: id, frame_type });

let channels = 0;
async function channel(codes: readonly string[] = ['A1', 'A2', 'A3'], of = running): Promise<{ id: number; points: readonly Point[] }> {
  channels += 1;
  const added = await of.api.call('addChannel', { name: `Channel ${channels}`, protocol_type: 1, conn_type: 2, port: await freePort() });
  const { id } = added.data;
  if (codes.length > 0) {
    await of.api.call('addPoints', {
      channel_id: id,
      points: codes.map((code, index) => ({ frame_type: 0 as const, code, address: index * 2 })),
    });
  }
  return { id, points: await table(id, of) };
}

describe('POST /api/points/bulk', () => {
  it('adds, edits and deletes in one step, and answers in request order', async () => {
    const { id, points } = await channel();
    const [a1, a2, a3] = points as [Point, Point, Point];
    const reply = await bulk(id, [
      { op: 'add', point: { frame_type: 3, code: 'A1', address: 50 } },
      { op: 'delete', ...key(a3) },
      { op: 'edit', ...key(a1), code: 'A3', unit: 'V' },
      { op: 'edit', ...key(a2), name: 'Two' },
    ]);
    expect(reply).toMatchObject({
      status: 200,
      body: {
        data: {
          added: 1,
          edited: 2,
          deleted: 1,
          moved: 0,
          items: [{ code: 'A1', frame_type: 3 }, null, { id: a1.id, code: 'A3', unit: 'V' }, { id: a2.id, name: 'Two' }],
        },
      },
    });
    expect((await content(id)).map(({ code }) => code)).toEqual(['A3', 'A2', 'A1']);
    expect((await history(id)).items.map(({ name }) => name)).toEqual(['Change 4 points', 'Add 3 points']);
  });

  it('does all or nothing, and names each wrong change by its place', async () => {
    const { id, points } = await channel();
    const [a1, a2] = points as [Point, Point];
    const before = await content(id);
    const wrong = await bulk(id, [
      { op: 'edit', ...key(a1), unit: 'V' },
      { op: 'add', point: { frame_type: 0, code: 'N', address: 70_000 } },
      { op: 'edit', ...key(a2), decode: '0x99' },
    ]);
    expect(wrong).toMatchObject({ status: 422, body: { data: [{ path: 'changes.1.point.address' }, { path: 'changes.2.decode' }] } });
    const twice = [{ op: 'edit', ...key(a1), unit: 'V' } as const, { op: 'delete', ...key(a1) } as const];
    expect(await bulk(id, twice)).toMatchObject({
      status: 422,
      body: { data: [{ path: 'changes.1.point_id', message: expect.stringContaining('changes.0') }] },
    });
    expect((await bulk(id, [{ op: 'edit', ...key(a1), code: 'A2' }])).status).toBe(409);
    expect((await bulk(id, [{ op: 'delete', point_id: 999_999, frame_type: 0 }])).status).toBe(404);
    expect((await bulk(id, [{ op: 'delete', point_id: a1.id, frame_type: 3 }])).status).toBe(404);
    expect((await post('/api/points/bulk', { channel_id: id, changes: [{ op: 'turn' }] })).status).toBe(422);
    expect(await content(id)).toEqual(before);
    expect((await history(id)).items).toHaveLength(1);
  });

  it('warns of fields that no change of this kind has', async () => {
    const { id, points } = await channel(['A']);
    const changes = [{ op: 'edit', ...key(points[0] as Point), nmae: 'x' }];
    expect(await post('/api/points/bulk', { channel_id: id, changes })).toMatchObject({ body: { warnings: [{ path: 'changes.0.nmae' }] } });
  });

  it('moves points to another channel of the protocol, and back with their ids', async () => {
    const from = await channel();
    const to = await channel(['B1']);
    const [a1, a2] = from.points as [Point, Point];
    const before = [await content(from.id), await content(to.id)];
    const reply = await bulk(from.id, [
      { op: 'move', ...key(a1), channel_id: to.id },
      { op: 'move', ...key(a2), channel_id: to.id, code: 'B2' },
    ]);
    expect(reply).toMatchObject({ status: 200, body: { data: { moved: 2, items: [{ channel_id: to.id, code: 'A1' }, { code: 'B2' }] } } });
    expect((await content(to.id)).map(({ code }) => code)).toEqual(['B1', 'A1', 'B2']);
    expect((await history(to.id)).undo?.name).toMatch(/^Move 2 points to "Channel/);
    // from either side
    expect((await undo(to.id)).status).toBe(200);
    expect([await content(from.id), await content(to.id)]).toEqual(before);
    expect((await redo(from.id)).status).toBe(200);
    expect((await content(from.id)).map(({ code }) => code)).toEqual(['A3']);
  });

  it('moves both ways at once wait for each other, and neither for ever', async () => {
    const [x, y] = [await channel(['X1', 'X2']), await channel(['Y1', 'Y2'])];
    const cross = (from: typeof x, to: typeof x) =>
      bulk(
        from.id,
        from.points.map((point) => ({ op: 'move' as const, ...key(point), channel_id: to.id })),
      );
    const replies = await Promise.all([cross(x, y), cross(y, x), undo(x.id), cross(x, y)]);
    expect(replies.slice(0, 2).map(({ status }) => status)).toEqual([200, 200]);
    const codes = [...(await content(x.id)), ...(await content(y.id))].map(({ code }) => code);
    expect(codes.toSorted()).toEqual(['X1', 'X2', 'Y1', 'Y2']);
  });

  it('a channel that is removed while a large request is prepared leaves no half of it', async () => {
    const from = await channel([]);
    const to = await channel([]);
    const points = Array.from({ length: 3_000 }, (_, index) => ({ frame_type: 0 as const, code: `P${index}`, address: index }));
    await running.api.call('addPoints', { channel_id: from.id, points });
    const before = await content(from.id);
    const moves = (await table(from.id)).map((point) => ({ op: 'move' as const, ...key(point), channel_id: to.id }));
    const moving = bulk(from.id, moves);
    const removed = await running.api.call('deleteChannel', { channel_id: to.id });
    expect(removed.data.id).toBe(to.id);
    const { status } = await moving;
    expect([200, 404, 409]).toContain(status);
    expect(await content(from.id)).toEqual(status === 200 ? [] : before);
  });

  it('refuses a move into the same channel, another protocol and a taken code', async () => {
    const from = await channel();
    const to = await channel(['A1']);
    const other = await running.api.call('addChannel', { name: 'Modbus server', protocol_type: 1, conn_type: 1, port: await freePort() });
    const [a1] = from.points as [Point];
    expect(await bulk(from.id, [{ op: 'move', ...key(a1), channel_id: from.id }])).toMatchObject({
      status: 422,
      body: { data: [{ path: 'changes.0.channel_id' }] },
    });
    expect((await bulk(from.id, [{ op: 'move', ...key(a1), channel_id: 999 }])).status).toBe(404);
    expect(await bulk(from.id, [{ op: 'move', ...key(a1), channel_id: to.id }])).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('"A1"') },
    });
    expect((await bulk(from.id, [{ op: 'move', ...key(a1), channel_id: other.data.id }])).status).toBe(200);
  });
});

describe('undo and redo', () => {
  it('take back every kind of change exactly, one by one, and do them again', async () => {
    const { id, points } = await channel();
    const [a1, a2, a3] = points as [Point, Point, Point];
    const states = [await content(id)];
    const steps: (() => Promise<unknown>)[] = [
      () => running.api.call('editPoint', { ...key(a1), name: 'One', unit: 'V' }),
      () =>
        running.api.call('editPoints', {
          channel_id: id,
          points: [
            { ...key(a1), code: 'A2' },
            { ...key(a2), code: 'X' },
          ],
        }),
      () => running.api.call('deletePoints', { channel_id: id, point_ids: [a3.id, a1.id] }),
      () => running.api.call('addPoints', { channel_id: id, points: [{ frame_type: 3, code: 'A1', address: 9, related_code: 'X' }] }),
      () =>
        running.api.call('importPoints', {
          channel_id: id,
          mode: 'replace',
          file: new File(['测点类型,测点编码,寄存器地址\n遥测,X,9\n遥测,Z,11\n'], 'neu.csv'),
        }),
    ];
    for (const step of steps) {
      await step();
      states.push(await content(id));
    }
    expect((await history(id)).items.map(({ name }) => name)).toEqual([
      'Replace all by "neu.csv"',
      'Add "A1"',
      'Delete 2 points',
      'Edit 2 points',
      'Edit "A1"',
      'Add 3 points',
    ]);
    for (const state of states.slice(0, -1).toReversed()) {
      expect(await undo(id)).toMatchObject({ status: 200, body: { data: { undone: true } } });
      expect(await content(id)).toEqual(state);
    }
    for (const state of states.slice(1)) {
      expect(await redo(id)).toMatchObject({ status: 200, body: { data: { undone: false } } });
      expect(await content(id)).toEqual(state);
    }
    expect(await redo(id)).toMatchObject({ status: 409, body: { error: 'STATE_CONFLICT' } });
  });

  it('a step that is not the last any more is refused by name: nobody takes back the import of a colleague', async () => {
    const { id, points } = await channel();
    const mine = (await history(id)).undo?.id ?? 0;
    await running.api.call('importPoints', {
      channel_id: id,
      mode: 'merge',
      file: new File(['测点类型,测点编码,寄存器地址\n遥测,N,90\n'], 'n.csv'),
    });
    expect(await undo(id, mine)).toMatchObject({ status: 409, body: { message: expect.stringContaining('Import "n.csv"') } });
    expect(await table(id)).toHaveLength(points.length + 1);
  });

  it('a new change forgets what was undone; nothing to undo is said', async () => {
    const { id } = await channel([]);
    expect(await undo(id)).toMatchObject({ status: 409, body: { message: expect.stringContaining('no change of its points') } });
    await running.api.call('addPoints', { channel_id: id, points: [{ frame_type: 0, code: 'A', address: 0 }] });
    await undo(id);
    await running.api.call('addPoints', { channel_id: id, points: [{ frame_type: 0, code: 'B', address: 0 }] });
    expect(await history(id)).toMatchObject({ items: [{ name: 'Add "B"' }], redo: null });
    expect((await undo(999)).status).toBe(404);
  });

  it('a move waits for what came after it in the other channel, and cannot be taken back without that', async () => {
    const from = await channel();
    const to = await channel(['B1']);
    await bulk(from.id, [{ op: 'move', ...key(from.points[0] as Point), channel_id: to.id }]);
    await running.api.call('addPoints', { channel_id: to.id, points: [{ frame_type: 0, code: 'B9', address: 90 }] });
    expect(await undo(from.id)).toMatchObject({ status: 409, body: { message: expect.stringContaining('Add "B9"') } });
    await running.api.call('deleteChannel', { channel_id: to.id });
    expect(await undo(from.id)).toMatchObject({ status: 409, body: { message: expect.stringContaining('no longer there') } });
  });

  it('two at once take two steps, not one twice', async () => {
    const { id } = await channel(['A']);
    await running.api.call('addPoints', { channel_id: id, points: [{ frame_type: 0, code: 'B', address: 4 }] });
    const replies = await Promise.all([undo(id), undo(id), undo(id)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 409]);
    expect(await table(id)).toEqual([]);
  });

  it('works on a running channel, whose task reads the points that come back', async () => {
    const pair = await startPair(running, {
      served: [{ frame_type: 0, code: 'P', address: 0, decode: '0x21' }],
      read: [{ frame_type: 0, code: 'P', address: 0, decode: '0x21' }],
    });
    const [point] = (await table(pair.clientId)) as [Point];
    await running.api.call('deletePoints', { channel_id: pair.clientId, point_ids: [point.id] });
    await undo(pair.clientId);
    const read = await running.api.call('readSinglePoint', { channel_id: pair.clientId, ...key(point) });
    expect(read.data).toMatchObject({ id: point.id, quality: 'good' });
  });

  it('takes back a large change in parts, and what comes back among many', async () => {
    const { id } = await channel([]);
    const points = Array.from({ length: 12_000 }, (_, index) => ({ frame_type: 0 as const, code: `P${index}`, address: index }));
    await running.api.call('addPoints', { channel_id: id, points });
    const before = await content(id);
    const all = await table(id);
    await running.api.call('deletePoints', { channel_id: id, point_ids: [0, 5_000, 9_999].map((index) => all[index]?.id ?? 0) });
    await undo(id);
    expect(await content(id)).toEqual(before);
    await running.api.call('editPoints', { channel_id: id, points: all.slice(0, 3_000).map((each) => ({ ...key(each), unit: 'kV' })) });
    await undo(id);
    expect(await content(id)).toEqual(before);
    await undo(id);
    expect(await table(id)).toEqual([]);
    await redo(id);
    expect(await content(id)).toEqual(before);
  });

  it('is there after the service came back', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'loopcheck-history-'));
    try {
      const first = await startCore({ dataDir, projectPath: join(dataDir, 'p.loopcheck') });
      const { id, points } = await channel(['A', 'B'], first);
      await first.api.call('deletePoints', { channel_id: id, point_ids: [points[0]?.id ?? 0] });
      await first.close();
      const second = await startCore({ dataDir, projectPath: join(dataDir, 'p.loopcheck') });
      try {
        const done = await second.api.call('undoPoints', { channel_id: id });
        expect(done.data).toMatchObject({ name: 'Delete "A"', source: 'api', removed: 1, undone: true });
        expect((await table(id, second)).map((point) => [point.id, point.code])).toEqual(points.map((point) => [point.id, point.code]));
      } finally {
        await second.close();
      }
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

describe('the step of a request', () => {
  it('is told by everything that changes many points, and is what undo takes', async () => {
    const { id, points } = await channel();
    const [a1, a2] = points as [Point, Point, Point];
    const { api } = running;
    const own = async (stepId: number | null) => {
      expect((await history(id)).undo?.id).toBe(stepId);
      expect(stepId).toEqual(expect.any(Number));
    };
    await own((await api.call('addPoints', { channel_id: id, points: [{ frame_type: 0, code: 'B1', address: 40 }] })).data.step_id);
    await own((await api.call('editPoints', { channel_id: id, points: [{ ...key(a1), unit: 'V' }] })).data.step_id);
    await own((await api.call('bulkPoints', { channel_id: id, changes: [{ op: 'edit', ...key(a1), unit: 'A' }] })).data.step_id);
    const { step_id } = (await api.call('deletePoints', { channel_id: id, point_ids: [a2.id] })).data;
    await own(step_id);
    expect((await undo(id, step_id ?? 0)).status).toBe(200);
  });

  it('is told by a large one as well', async () => {
    const { id } = await channel([]);
    const points = Array.from({ length: 800 }, (_, at) => ({ frame_type: 0 as const, code: `L${at}`, address: at * 2 }));
    const { data } = await running.api.call('addPoints', { channel_id: id, points });
    expect((await history(id)).undo?.id).toBe(data.step_id);
  });
});
