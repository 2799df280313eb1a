import { afterEach, describe, expect, it } from 'vitest';
import type { DataOf, InputOf } from '#shared/contract/index.ts';
import { startManualCore } from './testing/manual-core.ts';
import { type Pair, type RunningCore, startCore, startPair, until } from './testing/running-core.ts';

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

const YC = { frame_type: 0, decode: '0x21' } as const;
const YT = { frame_type: 3, decode: '0x21' } as const;
const SERVED = [
  { ...YC, code: 'sP', address: 0 },
  { ...YT, code: 'sA', address: 10 },
  { ...YT, code: 'sC', address: 11 },
];

/** A device and its reader. `B` lies where the device has nothing, so it refuses a write there. */
async function pair(): Promise<{ running: RunningCore; device: Pair; served: (code: string) => number }> {
  const running = await startCore();
  closings.push(() => running.close());
  const read = [
    { ...YC, code: 'P', address: 0 },
    { ...YT, code: 'A', address: 10 },
    { ...YT, code: 'B', address: 50 },
    { ...YT, code: 'C', address: 11, mul_coe: 0.1 },
  ];
  const device = await startPair(running, { served: SERVED, read }, { name: 'Dev' });
  const table = running.core.channel(device.serverId)?.points;
  return { running, device, served: (code) => table?.state(table.byCode(code) ?? 0)?.value ?? Number.NaN };
}

const read = async ({ api }: RunningCore, input: InputOf<'readPoints'>): Promise<DataOf<'readPoints'>> =>
  (await api.call('readPoints', input)).data;
const write = async ({ api }: RunningCore, input: InputOf<'writePoints'>): Promise<DataOf<'writePoints'>> =>
  (await api.call('writePoints', input)).data;
const audits = async ({ api }: RunningCore) => (await api.call('listAudit', {})).data.total;

describe('points read by code', () => {
  it('come in the order they were asked for, from memory, with or without their device', async () => {
    const { running, device } = await pair();
    const sent = async () => (await running.api.call('listChannels', {})).data.reduce((sum, { health }) => sum + health.tx_bytes, 0);
    const before = await sent();
    const points = [{ code: 'C' }, { code: 'P', device_name: 'Dev' }, { code: 'sA', channel_id: device.serverId }, { code: 'P' }];
    const { items, task } = await read(running, { points });
    expect([items.map(({ code, quality }) => [code, quality]), task]).toEqual([
      [
        ['C', 'never'],
        ['P', 'never'],
        ['sA', expect.any(String)],
        ['P', 'never'],
      ],
      null,
    ]);
    expect(await sent()).toBe(before);
  });

  it('that nobody has, or several channels, are refused with their names', async () => {
    const { running, device } = await pair();
    await expect(read(running, { points: [{ code: 'P' }, { code: 'X' }, { code: 'Y' }] })).rejects.toMatchObject({
      status: 404,
      message: /X, Y/,
    });
    await expect(read(running, { device_name: 'Nobody', points: [{ code: 'P' }] })).rejects.toMatchObject({ status: 404 });
    await expect(read(running, { device_name: 'Dev', channel_id: device.serverId, points: [{ code: 'P' }] })).rejects.toMatchObject({
      status: 422,
    });
    await running.api.call('addPoints', { channel_id: device.serverId, points: [{ ...YC, code: 'P', address: 77 }] });
    await expect(read(running, { points: [{ code: 'sP' }, { code: 'P' }] })).rejects.toMatchObject({
      status: 422,
      data: [{ path: 'points.1.code', message: /several channels: Served \d+, Dev/ }],
    });
    expect((await read(running, { device_name: 'Dev', points: [{ code: 'P' }] })).items).toHaveLength(1);
    await expect(read(running, { points: [] })).rejects.toMatchObject({ status: 422 });
  });

  it('fresh ask the device by one manual task', async () => {
    const { running, device } = await pair();
    await running.api.call('updatePoint', { point_id: 1, frame_type: 0, value: 42 });
    const { items, task } = await read(running, { device_name: 'Dev', points: [{ code: 'P' }, { code: 'P' }], fresh: true });
    expect([items[0]?.value, items[0]?.quality, task?.state, task?.success, task?.total]).toEqual([42, 'good', 'idle', 1, 1]);
    await expect(read(running, { points: [{ code: 'P' }, { code: 'sP' }], fresh: true })).rejects.toMatchObject({
      status: 422,
      data: [{ path: 'fresh' }],
    });
    await running.api.call('startAutoRead', { device_name: 'Dev' });
    await expect(read(running, { points: [{ code: 'P' }], fresh: true })).rejects.toMatchObject({ status: 409 });
    await running.api.call('stopDevice', { channel_id: device.clientId });
    await expect(read(running, { points: [{ code: 'P' }], fresh: true })).rejects.toMatchObject({ status: 409 });
  });

  it('fresh of a device that is silent answer when the time is over, with the task as it stands', async () => {
    const bench = await startManualCore();
    closings.push(() => bench.close());
    const { api } = bench.core;
    const listener = bench.network.listener({ kind: 'tcp-listen', host: '127.0.0.1', port: 1600 } as never);
    await listener.listen((peer) => peer.start({ onData() {}, onClosed() {} }));
    await api.call('addChannel', { name: 'Dev', protocol_type: 1, conn_type: 2, port: 1600, timeout_ms: 60_000 });
    await api.call('addPoints', { channel_id: 1, points: [{ ...YC, code: 'P', address: 0 }] });
    const started = api.call('startDevice', { channel_id: 1 });
    await bench.clock.advance(100);
    await started;
    const answer = api.call('readPoints', { points: [{ code: 'P' }], fresh: true, timeout_ms: 2000 });
    await bench.clock.advance(2100);
    expect((await answer).data).toMatchObject({ items: [{ quality: 'never' }], task: { state: 'running', total: 1, current: 0 } });
  });
});

describe('points written by code', () => {
  it('go one by one, audited and read back, and the first that is refused is the last one sent', async () => {
    const { running, served } = await pair();
    const before = await audits(running);
    const points = [
      { code: 'A', value: 7 },
      { code: 'C', value: 1.5 },
      { code: 'B', value: 1 },
      { code: 'A', value: 9 },
    ];
    const { items, complete } = await write(running, { device_name: 'Dev', points });
    expect(items.map(({ code, outcome, is_equal }) => [code, outcome, is_equal])).toEqual([
      ['A', 'accepted', true],
      ['C', 'accepted', true],
      ['B', 'rejected', null],
      ['A', 'not_sent', null],
    ]);
    expect([complete, served('sA'), served('sC')]).toEqual([false, 7, 15]);
    expect(items[3]).toMatchObject({ audit_id: null, detail: 'Not sent: one before it was not accepted.' });
    expect(await audits(running)).toBe(before + 3);
    expect(await write(running, { points: [{ code: 'A', value: 8 }] })).toMatchObject({ complete: true, items: [{ outcome: 'accepted' }] });
  });

  it('are all checked first: a wrong one, a read-only channel, and nothing is sent', async () => {
    const { running, device, served } = await pair();
    const before = await audits(running);
    const good = { code: 'A', value: 5 };
    await expect(write(running, { points: [good, { code: 'B', value: 70_000 }] })).rejects.toMatchObject({
      status: 422,
      data: [{ path: 'points.1.value' }],
    });
    await expect(write(running, { points: [good, { code: 'P', value: 1 }] })).rejects.toMatchObject({ status: 422 });
    await expect(write(running, { points: [good, { code: 'NONE', value: 1 }] })).rejects.toMatchObject({ status: 404 });
    await running.api.call('updateChannel', { channel_id: device.clientId, read_only: true });
    await expect(write(running, { points: [good] })).rejects.toMatchObject({ code: 'STATE_READ_ONLY' });
    await running.api.call('updateChannel', { channel_id: device.clientId, read_only: false });
    await running.api.call('stopDevice', { channel_id: device.clientId });
    await expect(write(running, { points: [good] })).rejects.toMatchObject({ status: 409 });
    expect([await audits(running), served('sA')]).toEqual([before, 0]);
  });

  it('stop at a point that somebody edited since the list was checked', async () => {
    const { running, device } = await pair();
    const points = running.core.channel(device.clientId)?.points;
    const [a, c] = [points?.byCode('A') ?? 0, points?.byCode('C') ?? 0];
    const config = points?.config(c);
    const channel = running.core.channel(device.clientId);
    if (!config || !channel) throw new Error('no channel');
    const execute = channel.execute.bind(channel);
    channel.execute = async (command) => {
      const done = await execute(command);
      if (command.point.id === a) points?.update({ ...config, address: 12 });
      return done;
    };
    const { items } = await write(running, {
      points: [
        { code: 'A', value: 1 },
        { code: 'C', value: 2 },
        { code: 'A', value: 3 },
      ],
    });
    expect(items.map(({ outcome, audit_id }) => [outcome, audit_id !== null])).toEqual([
      ['accepted', true],
      ['failed', false],
      ['not_sent', false],
    ]);
    expect(items[1]?.detail).toMatch(/changed meanwhile: its address is 12, not 11/);
  });
});

describe('waiting for a point', () => {
  const set = ({ api }: RunningCore, value: number) => api.call('updatePoint', { point_id: 1, frame_type: 0, value });
  const wait = ({ api }: RunningCore, input: Partial<InputOf<'waitForPoint'>>, signal?: AbortSignal) =>
    api.call('waitForPoint', { code: 'sP', condition: 'equal', ...input }, signal).then(({ data }) => data);

  it('answers when the condition holds, and with met false when the time is over', async () => {
    const { running } = await pair();
    await set(running, 3);
    const waiting = wait(running, { value: 8, tolerance: 0.5, timeout_ms: 60_000 });
    await set(running, 7.6);
    expect(await waiting).toMatchObject({ met: true, point: { code: 'sP', value: 8 } });
    expect(await wait(running, { value: 9, timeout_ms: 60 })).toMatchObject({ met: false, point: { value: 8 } });
    expect((await wait(running, { condition: 'greater', value: 7, timeout_ms: 0 })).met).toBe(true);
  });

  it.each([
    ['equal', 5, true],
    ['not_equal', 5, false],
    ['less', 5, false],
    ['less', 6, true],
    ['at_most', 5, true],
    ['greater', 5, false],
    ['greater', 4, true],
    ['at_least', 5, true],
    ['good', undefined, true],
    ['not_good', undefined, false],
    ['changed', undefined, false],
  ] as const)('knows %s %s', async (condition, value, met) => {
    const bench = await startManualCore();
    closings.push(() => bench.close());
    const { api } = bench.core;
    await api.call('addChannel', { name: 'One', protocol_type: 1, conn_type: 1, port: 1502 });
    await api.call('addPoints', { channel_id: 1, points: SERVED });
    await api.call('startDevice', { channel_id: 1 });
    await api.call('updatePoint', { point_id: 1, frame_type: 0, value: 5 });
    const ask = () => api.call('waitForPoint', { code: 'sP', condition, value, timeout_ms: 0 });
    expect((await ask()).data.met).toBe(met);
    await api.call('stopDevice', { channel_id: 1 });
    // a value that is no good one fulfils nothing that is said of it
    expect((await ask()).data.met).toBe(condition === 'not_good');
  });

  it('sees a change, and one that has to hold', async () => {
    const bench = await startManualCore();
    closings.push(() => bench.close());
    const { api } = bench.core;
    await api.call('addChannel', { name: 'One', protocol_type: 1, conn_type: 1, port: 1502 });
    await api.call('addPoints', { channel_id: 1, points: SERVED });
    await api.call('startDevice', { channel_id: 1 });
    const value = (given: number) => api.call('updatePoint', { point_id: 1, frame_type: 0, value: given });
    await value(1);
    const changed = api.call('waitForPoint', { code: 'sP', condition: 'changed' });
    const held = api.call('waitForPoint', { code: 'sP', condition: 'at_least', value: 2, hold_ms: 1000, timeout_ms: 60_000 });
    await bench.clock.advance(500);
    await value(2);
    await bench.clock.advance(500);
    expect((await changed).data).toMatchObject({ met: true, waited_ms: 550 });
    await value(1);
    await bench.clock.advance(500);
    await value(3);
    await bench.clock.advance(1100);
    expect((await held).data).toMatchObject({ met: true, waited_ms: 2550 });
  });

  it('refuses what cannot be waited for, and ends with the point, the project and the caller', async () => {
    const { running } = await pair();
    await expect(wait(running, {})).rejects.toMatchObject({ status: 422, data: [{ path: 'value' }] });
    await expect(wait(running, { code: 'NONE', value: 1 })).rejects.toMatchObject({ status: 404 });
    await expect(wait(running, { value: 1, timeout_ms: 600_001 })).rejects.toMatchObject({ status: 422 });
    const ofPoint = wait(running, { value: 99, timeout_ms: 600_000 });
    ofPoint.catch(() => {});
    await running.api.call('deletePoints', { channel_id: 1, point_ids: [1] });
    await expect(ofPoint).rejects.toMatchObject({ status: 409, message: /sP was deleted/ });
    const leaving = new AbortController();
    const url = `${running.url}/api/points/wait`;
    const body = JSON.stringify({ code: 'sA', condition: 'equal', value: 99, timeout_ms: 600_000 });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal: leaving.signal };
    const all = Array.from({ length: 200 }, () => fetch(url, init).catch(() => null));
    const further = () => running.send({ method: 'POST', url: '/api/points/wait', body: { code: 'sA', condition: 'good', timeout_ms: 0 } });
    await until(further, ({ status }) => status === 429);
    leaving.abort();
    await Promise.all(all);
    await until(further, ({ status }) => status === 200);
  });
});
