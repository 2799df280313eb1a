import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Pair, type RunningCore, startCore, startPair } from './testing/running-core.ts';

const WRITTEN = { frame_type: 3, decode: '0x21' } as const;
/** The device has 50, 60 and 70 in its registers; nothing at 5000. */
const READ = [
  { ...WRITTEN, code: 'A', address: 100, mul_coe: 0.1, unit: 'kW' },
  { ...WRITTEN, code: 'B', address: 101 },
  { ...WRITTEN, code: 'C', address: 102 },
  { ...WRITTEN, code: 'HOLE', address: 5000 },
];

let running: RunningCore;
let pair: Pair;
let ids: Record<string, number>;

beforeEach(async () => {
  running = await startCore();
  const served = READ.slice(0, 3).map((point) => ({ ...point, mul_coe: 1 }));
  pair = await startPair(running, { served, read: READ });
  ids = Object.fromEntries((await rows()).map(({ code, id }) => [code, id]));
  const device = (await running.api.call('pointTable', { channel_id: pair.serverId, page: 1, page_size: 9 })).data.items;
  for (const [index, { id }] of device.entries()) {
    await running.api.call('updatePoint', { point_id: id, frame_type: 3, value: 50 + 10 * index });
  }
});
afterEach(() => running.close());

async function rows(channel = pair.clientId) {
  return (await running.api.call('pointTable', { channel_id: channel, page: 1, page_size: 9 })).data.items;
}
const idOf = (code: string) => ids[code] ?? 0;
const write = (code: string, value: number) => running.api.call('updatePoint', { point_id: idOf(code), frame_type: 3, value });
const read = (code: string) => running.api.call('readSinglePoint', { channel_id: pair.clientId, point_id: idOf(code), frame_type: 3 });
const touched = async () => (await running.api.call('touchedSetpoints', { channel_id: pair.clientId })).data.items;
const restore = (...codes: string[]) =>
  running.api.call('restoreSetpoints', { channel_id: pair.clientId, point_ids: codes.map(idOf) }).then(({ data }) => data);
/** What the device has in its registers. */
const inDevice = async () => (await rows(pair.serverId)).map(({ value }) => value);

/** A device that answers every write as a device does, and has the value that it holds. */
async function heldDevice() {
  const device = { holds: 5, writes: 0, port: 0, close: async () => undefined as unknown };
  const server = createServer((socket) =>
    socket.on('data', (request) => {
      if (request[7] === 6) device.writes += 1;
      socket.write(request[7] === 6 ? request : Buffer.from([...request.subarray(0, 5), 5, request[6] ?? 1, 3, 2, 0, device.holds]));
    }),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  device.port = (server.address() as AddressInfo).port;
  device.close = () => new Promise((resolve) => server.close(resolve));
  return device;
}

describe('setpoints that were written', () => {
  it('are listed with the value that was read before the first of them', async () => {
    await read('A');
    await write('A', 8);
    await write('A', 9);
    expect(await touched()).toEqual([
      {
        channel_id: pair.clientId,
        point_id: idOf('A'),
        code: 'A',
        name: 'A',
        unit: 'kW',
        before: 5,
        before_at: expect.any(String),
        value: 9,
        sent_at: expect.any(String),
        outcome: 'accepted',
        audit_id: expect.any(Number),
        obstacle: null,
      },
    ]);
    expect((await running.api.call('touchedSetpoints', {})).data.items).toHaveLength(1);
    expect((await running.api.call('touchedSetpoints', { channel_id: pair.serverId })).data.items).toEqual([]);
  });

  it('are written back in the given order, audited and read back, and leave the list', async () => {
    for (const code of ['A', 'B', 'C']) await read(code);
    for (const code of ['A', 'B', 'C']) await write(code, 7);
    expect(await inDevice()).toEqual([70, 7, 7]);
    const { items, left } = await restore('C', 'A', 'C');
    expect(items).toMatchObject([
      { point_id: idOf('C'), value: 70, outcome: 'accepted', is_equal: true },
      { point_id: idOf('A'), value: 5, outcome: 'accepted', is_equal: true },
    ]);
    expect(left).toBe(0);
    expect(await inDevice()).toEqual([50, 7, 70]);
    expect(await touched()).toMatchObject([{ code: 'B' }]);
    const audit = (await running.api.call('listAudit', { page_size: 2 })).data.items;
    expect(audit).toMatchObject([
      { id: items[1]?.audit_id, code: 'A', value: 5, outcome: 'accepted' },
      { id: items[0]?.audit_id, code: 'C', value: 70, outcome: 'accepted' },
    ]);
  });

  it('outlast the end of the program', async () => {
    await read('B');
    await write('B', 7);
    const projectPath = `${running.dir}/copy.loopcheck`;
    await running.api.call('backupProject', { path: projectPath });
    const again = await startCore({ dataDir: running.dir, projectPath });
    expect((await again.api.call('touchedSetpoints', {})).data.items).toMatchObject([{ code: 'B', before: 60, value: 7, obstacle: null }]);
    await again.close();
  });

  it('without a value that was read have none to bring back: nothing is sent for the others either', async () => {
    await read('A');
    await write('A', 8);
    await write('B', 7);
    expect(await touched()).toMatchObject([
      { code: 'A', before: 5 },
      { code: 'B', before: null, before_at: null, obstacle: 'not_known' },
    ]);
    await expect(restore('A', 'B')).rejects.toMatchObject({ code: 'STATE_CONFLICT', status: 409, message: expect.stringContaining('B') });
    expect(await inDevice()).toEqual([80, 7, 70]);
  });

  it('a value from before an earlier write is none of the device any more', async () => {
    await read('A');
    const command = { channel_id: pair.clientId, point_id: idOf('A'), frame_type: 3, step: 'operate' } as const;
    // its value is not read back, so the table still shows what was there before
    await running.api.call('command', { ...command, value: 8, options: { read_back: false } });
    await running.api.call('keepSetpoints', { channel_id: pair.clientId, point_ids: [idOf('A')] });
    await running.api.call('command', { ...command, value: 9, options: { read_back: false } });
    expect(await touched()).toMatchObject([{ code: 'A', before: null, obstacle: 'not_known' }]);
  });

  it('that the device refuses are not among them', async () => {
    await expect(write('HOLE', 1)).rejects.toMatchObject({ status: 502 });
    expect(await touched()).toEqual([]);
  });

  it('are not written to another place: an edited or deleted point is told', async () => {
    for (const code of ['A', 'B', 'C']) await read(code);
    for (const code of ['A', 'B', 'C']) await write(code, 7);
    await running.api.call('editPoint', { point_id: idOf('A'), frame_type: 3, address: 102 });
    await running.api.call('editPoint', { point_id: idOf('B'), frame_type: 3, name: 'Only its name', max_limit: 5 });
    await running.api.call('deletePoints', { channel_id: pair.clientId, point_ids: [idOf('C')] });
    expect((await touched()).map(({ code, obstacle }) => [code, obstacle])).toEqual([
      ['A', 'edited'],
      ['B', null],
      ['C', 'deleted'],
    ]);
    await expect(restore('A')).rejects.toMatchObject({ status: 409 });
    await expect(restore('C')).rejects.toMatchObject({ status: 409 });
    expect(await inDevice()).toEqual([70, 7, 7]);
    await restore('B');
    expect(await inDevice()).toEqual([70, 60, 7]);
  });

  it('are not written to another device: what was read of the one before is told, and never taken for a value of the present one', async () => {
    for (const code of ['A', 'B']) await read(code);
    await write('A', 7);
    const other = await startPair(running, { served: [{ ...WRITTEN, code: 'A', address: 100 }], read: READ.slice(0, 1) });
    await running.api.call('updateChannel', { channel_id: pair.clientId, port: other.port });
    await running.api.call('startDevice', { channel_id: pair.clientId });
    expect(await touched()).toMatchObject([{ code: 'A', before: 5, obstacle: 'other_device' }]);
    await expect(restore('A')).rejects.toMatchObject({ status: 409, message: expect.stringContaining('leads elsewhere') });
    // not read since: what the table shows is of the device before
    const command = { channel_id: pair.clientId, point_id: idOf('A'), frame_type: 3, step: 'operate', value: 8 } as const;
    await running.api.call('command', { ...command, options: { read_back: false } });
    expect((await touched()).map(({ before, obstacle }) => [before, obstacle])).toEqual([
      [5, 'other_device'],
      [null, 'not_known'],
    ]);
  });

  it('that the device takes and does not change stay in the list, and the ones behind are not sent', async () => {
    const device = await heldDevice();
    const { data: channel } = await running.api.call('addChannel', { name: 'Held', protocol_type: 1, conn_type: 2, port: device.port });
    const points = [
      { ...WRITTEN, code: 'X', address: 1, func_code: 6 },
      { ...WRITTEN, code: 'Y', address: 2, func_code: 6 },
    ];
    const { items: added } = (await running.api.call('addPoints', { channel_id: channel.id, points })).data;
    const point_ids = added.map(({ id }) => id);
    await running.api.call('startDevice', { channel_id: channel.id });
    for (const point_id of point_ids) await running.api.call('readSinglePoint', { channel_id: channel.id, point_id, frame_type: 3 });
    device.holds = 9;
    for (const point_id of point_ids) await running.api.call('updatePoint', { point_id, frame_type: 3, value: 9 });
    const writes = device.writes;
    const { items, left } = (await running.api.call('restoreSetpoints', { channel_id: channel.id, point_ids })).data;
    expect(items).toMatchObject([{ value: 5, outcome: 'accepted', is_equal: false }]);
    expect([left, device.writes - writes]).toEqual([1, 1]);
    const after = (await running.api.call('touchedSetpoints', { channel_id: channel.id })).data.items;
    expect(after.map(({ code, before, value }) => [code, before, value])).toEqual([
      ['X', 5, 5],
      ['Y', 5, 9],
    ]);
    // once it takes the value the list is empty
    device.holds = 5;
    await running.api.call('restoreSetpoints', { channel_id: channel.id, point_ids });
    expect((await running.api.call('touchedSetpoints', { channel_id: channel.id })).data.items).toEqual([]);
    await running.api.call('deleteChannel', { channel_id: channel.id });
    await device.close();
  });

  it('behind the first that is not accepted nothing is sent', async () => {
    for (const code of ['A', 'B']) await read(code);
    for (const code of ['A', 'B']) await write(code, 7);
    const device = await rows(pair.serverId);
    await running.api.call('deletePoints', { channel_id: pair.serverId, point_ids: [device[0]?.id ?? 0] });
    const { items, left } = await restore('A', 'B');
    expect(items).toMatchObject([{ point_id: idOf('A'), outcome: 'rejected', detail: expect.stringMatching(/./), is_equal: null }]);
    expect(left).toBe(1);
    expect((await touched()).map(({ code }) => code)).toEqual(['A', 'B']);
  });

  it('without a connection nothing is sent, and that is told', async () => {
    await read('A');
    await write('A', 7);
    await running.api.call('stopDevice', { channel_id: pair.clientId });
    await expect(restore('A')).rejects.toMatchObject({ code: 'STATE_NOT_STARTED', status: 409 });
    await expect(restore('B')).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND', status: 404 });
    expect(await touched()).toHaveLength(1);
  });
});
