import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConnType, ProtocolType } from '#shared/domain/enums.ts';
import { dlt645Driver } from '../drivers/dlt645/driver.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { freePort, type RunningCore, startCore, until } from './testing/running-core.ts';

let core: RunningCore;
beforeEach(async () => {
  core = await startCore({}, { drivers: createDriverRegistry([dlt645Driver]) });
});
afterEach(() => core.close());

const METER = 12_345_678;
const yc = (code: string, address: number, fields: object = {}) => ({ frame_type: 0 as const, code, address, slave_id: METER, ...fields });
const POINTS = [
  yc('EP', 0x00010000),
  yc('EP1', 0x00010100),
  yc('EP_LAST', 0x00010001),
  yc('UA', 0x02010100),
  yc('UB', 0x02010200),
  { ...yc('TRIPPED', 0x04000503), frame_type: 1 as const, bit: 4 },
];

/** Simulated meters and a master at them. */
async function startPair(): Promise<{ readonly client: number; readonly server: number }> {
  const port = await freePort();
  const type = { protocol_type: ProtocolType.dlt645, port };
  const server = (await core.api.call('addChannel', { name: 'meters', ...type, conn_type: ConnType.tcpServer })).data;
  await core.api.call('addPoints', { channel_id: server.id, points: POINTS });
  await core.api.call('startDevice', { channel_id: server.id });
  const client = (await core.api.call('addChannel', { name: 'line', ...type, conn_type: ConnType.tcpClient, timeout_ms: 5000 })).data;
  await core.api.call('addPoints', { channel_id: client.id, points: [...POINTS, yc('SILENT', 0x02010100, { slave_id: 5 })] });
  await core.api.call('startDevice', { channel_id: client.id });
  return { client: client.id, server: server.id };
}

const table = async (channel_id: number) => (await core.api.call('pointTable', { channel_id, page: 1, page_size: 100 })).data.items;

describe('meters over the API', () => {
  it('are read by tasks, with the filters of the protocol', async () => {
    const { client } = await startPair();
    await core.api.call('manualRead', { device_name: 'line', mode: 'batch', dlt645_prefix: 0, dlt645_settlement: 0 });
    await until(
      async () => (await core.api.call('manualReadStatus', { device_name: 'line' })).data,
      (task) => task.state === 'idle',
    );
    const read = (await table(client)).filter((point) => point.quality === 'good').map((point) => point.code);
    expect(read).toEqual(['EP', 'EP1']);
  });

  it('answer a single read, and a meter that is not there times out', async () => {
    const { client, server } = await startPair();
    const points = await table(client);
    const byCode = (code: string) => points.find((point) => point.code === code)?.id ?? 0;
    const served = (await table(server)).find((point) => point.code === 'UA');
    await core.api.call('updatePoint', { point_id: served?.id ?? 0, frame_type: 0, value: 231.7 });
    const { data } = await core.api.call('readSinglePoint', { channel_id: client, point_id: byCode('UA'), frame_type: 0 });
    expect(data).toMatchObject({ value: 231.7, unit: 'V', name: 'A相电压', raw_hex: '1723', quality: 'good', slave_id: METER });
    await core.api.call('stopDevice', { channel_id: client });
    await core.api.call('updateChannel', { channel_id: client, timeout_ms: 200 });
    await core.api.call('startDevice', { channel_id: client });
    const reply = await core.send({
      method: 'POST',
      url: '/api/device/read_single_point',
      body: { channel_id: client, point_id: byCode('SILENT'), frame_type: 0 },
    });
    expect(reply.status).toBe(504);
  });

  it('explain their frames', async () => {
    const { client } = await startPair();
    const [first] = await table(client);
    await core.api.call('readSinglePoint', { channel_id: client, point_id: first?.id ?? 0, frame_type: 0 });
    const { items } = (await core.api.call('listFrames', { channel_id: client })).data;
    expect(items.map((item) => item.text)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/meter 000012345678, read: 00010000 Forward active energy total, current = \d+\.\d\d kWh/),
      ]),
    );
  });
});

describe('point tables of meters', () => {
  const HEADER = '测点类型,测点编码,从机地址,寄存器地址,解析码,乘系数';
  const channel = async () =>
    (await core.api.call('addChannel', { name: 'line', protocol_type: ProtocolType.dlt645, conn_type: ConnType.tcpClient })).data.id;

  it('import with the meter as twelve digits, the identifier in hex, and a warning for the old style', async () => {
    const channel_id = await channel();
    const rows = ['遥测,A,000012345678,0x00010000,,', '遥测,B,000012345678,0x00010000,0x41,0.01', '遥测,C,202611000001,0x02010100,0x41,1'];
    const file = new File([[HEADER, ...rows].join('\n')], 'table.csv');
    const report = (await core.api.call('importPoints', { channel_id, mode: 'merge', file })).data;
    expect(report.errors).toEqual([]);
    expect(report.warnings.map((warning) => warning.message).join('\n')).toMatch(/1234\.56 gives 1234\.56 kWh[\s\S]*345\.6 gives 3456 V/);
    expect((await table(channel_id)).map((point) => [point.code, point.slave_id, point.unit])).toEqual([
      ['A', METER, 'kWh'],
      ['B', METER, 'kWh'],
      ['C', 202_611_000_001, 'V'],
    ]);
  });

  it.each([
    ['eleven digits', '20261100001', /"20261100001" has 11 characters and is no meter number; write all 12 digits/],
    ['a zero in front of too few', '012345678', /has 9 characters/],
    ['what a spreadsheet made of it', '2.02611E+11', /"2\.02611E\+11" has 11 characters/],
    ['thirteen digits', '2026110000010', /has 13 characters/],
  ])('refuse a meter number of %s', async (_, meter, message) => {
    const channel_id = await channel();
    const file = new File([[HEADER, `遥测,A,${meter},0x00010000,,`].join('\n')], 'table.csv');
    const reply = core.api.call('importPoints', { channel_id, mode: 'preview', file });
    const { errors } = (await reply).data;
    expect(errors.map((error) => error.message).join('\n')).toMatch(message);
  });

  it('refuse an identifier that nobody knows, without a format', async () => {
    const channel_id = await channel();
    const body = { channel_id, points: [yc('X', 0xee000001), yc('Y', 0x02010100, { protocol: { meter_address: '00001234567' } })] };
    const reply = await core.send({ method: 'POST', url: '/api/device/add_points', body });
    expect(reply.status).toBe(422);
    expect(JSON.stringify(reply.body)).toMatch(/EE000001 is not in the dictionary[\s\S]*12 digits/);
  });
});

describe('a point whose meter is a wildcard', () => {
  it('is that of a number that is given anew, and asks nobody else any more', async () => {
    const port = await freePort();
    const line = { name: 'one meter', protocol_type: ProtocolType.dlt645, conn_type: ConnType.tcpClient, port };
    const channel_id = (await core.api.call('addChannel', line)).data.id;
    const wildcard = { frame_type: 0 as const, code: 'E', address: 0x00010000, protocol: { meter_address: 'AAAAAAAAAAAA' } };
    await core.api.call('addPoints', { channel_id, points: [wildcard] });
    const [point] = await table(channel_id);
    if (!point) throw new Error('there is no point');
    await core.api.call('editPoint', { point_id: point.id, frame_type: 0, unit: 'MWh' });
    expect((await table(channel_id))[0]?.protocol).toMatchObject({ meter_address: 'AAAAAAAAAAAA' });
    await core.api.call('editPoint', { point_id: point.id, frame_type: 0, slave_id: 5 });
    const [edited] = await table(channel_id);
    expect([edited?.slave_id, edited?.protocol.meter_address]).not.toContain('AAAAAAAAAAAA');
    expect(edited?.slave_id).toBe(5);
  });
});
