import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '#shared/contract/index.ts';
import { iec61850Driver } from '../drivers/iec61850/driver.ts';
import { sclText } from '../drivers/iec61850/model/testing/files.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { freePort, type RunningCore, silentPeer, startCore, until } from './testing/running-core.ts';

type PointInput = InputOf<'addPoints'>['points'][number];

const STAT = 'BAY1LD0/LLN0$dsStat';
const points: PointInput[] = [
  { frame_type: 1, code: 'IND1', reference: 'BAY1LD0/GGIO1.Ind1' },
  { frame_type: 1, code: 'POS', reference: 'BAY1LD0/Q1CSWI1$ST$Pos$stVal' },
  { frame_type: 1, code: 'BEH', reference: 'BAY1LD0/GGIO1.Beh.stVal[ST]' },
  { frame_type: 0, code: 'P', reference: 'BAY1MEAS/MMXU1.TotW.mag.f(MX)', unit: 'kW' },
  { frame_type: 0, code: 'WH', reference: 'BAY1MEAS/MMTR1.TotWh.actVal[ST]' },
  { frame_type: 3, code: 'DELAY', reference: 'Protection/PTOC1.OpDlTmms.setVal' },
  { frame_type: 2, code: 'FAN', reference: 'BAY1LD0/GGIO1.SPCSO1' },
];

let running: RunningCore;
let servedId = 0;
let clientId = 0;
let port = 0;

const file = () => new File([sclText('bay.cid')], 'bay.cid');

beforeAll(async () => {
  running = await startCore({}, { drivers: createDriverRegistry([iec61850Driver]) });
  const { api } = running;
  port = await freePort();
  const type = { protocol_type: 5, port } as const;
  servedId = (await api.call('addChannel', { ...type, name: 'Bay', conn_type: 1 })).data.id;
  await api.call('storeDocument', { channel_id: servedId, mode: 'store', file: file() });
  await api.call('addPoints', { channel_id: servedId, points });
  await api.call('startDevice', { channel_id: servedId });
  clientId = (await api.call('addChannel', { ...type, name: 'Centre', conn_type: 2, timeout_ms: 10_000 })).data.id;
  await api.call('storeDocument', { channel_id: clientId, mode: 'store', file: file() });
  await api.call('addPoints', { channel_id: clientId, points });
  await api.call('startDevice', { channel_id: clientId });
  await known();
});
afterAll(() => running.close());

const model = async (channelId = clientId) => (await running.api.call('deviceModel', { channel_id: channelId })).data;
const known = () => until(model, ({ state }) => state === 'known');
const rows = async (channelId = clientId) =>
  (await running.api.call('pointTable', { channel_id: channelId, page: 1, page_size: 100 })).data.items;
async function row(code: string, channelId = clientId) {
  const found = (await rows(channelId)).find((item) => item.code === code);
  if (!found) throw new Error(`There is no point ${code}.`);
  return found;
}
const key = async (code: string, channelId = clientId) => {
  const { id, frame_type } = await row(code, channelId);
  return { point_id: id, frame_type };
};
const serve = async (code: string, value: number) => running.api.call('updatePoint', { ...(await key(code, servedId)), value });

async function manual(mode: 'batch' | 'single' | 'dataset', item = '') {
  await running.api.call('manualRead', { device_name: 'Centre', mode, item });
  return until(
    async () => (await running.api.call('manualReadStatus', { device_name: 'Centre' })).data,
    ({ state }) => state === 'idle' || state === 'failed',
  );
}

/** Octets that the client channel has sent and received. */
async function wireOctets(): Promise<number> {
  const { health } = (await running.api.call('listChannels', {})).data.find(({ id }) => id === clientId) ?? {};
  return (health?.tx_bytes ?? 0) + (health?.rx_bytes ?? 0);
}

const tree = async () => (await running.api.call('iec61850TreeData', { channel_id: clientId })).data;
const detail = async (dataset: string) => (await running.api.call('iec61850DatasetDetail', { channel_id: clientId, dataset })).data;

describe('a client of a device', () => {
  it('runs once associated, and learns the model behind it', async () => {
    expect(await model()).toMatchObject({
      state: 'known',
      source: 'device',
      identity: { vendor: 'ACME', model: 'BC-7' },
      configuration_revision: 'rev-7',
      counts: { logical_devices: 3, logical_nodes: 10, data_sets: 2 },
      document: { name: 'bay.cid', choice: 'BAY1' },
    });
    const { data } = await running.api.call('modelDifferences', { channel_id: clientId });
    expect(data).toEqual({ comparable: true, items: [], more: 0 });
  });

  it('stores points under one spelling', async () => {
    expect((await rows()).map(({ reference }) => reference)).toEqual([
      'BAY1LD0/GGIO1.Ind1.stVal[ST]',
      'BAY1LD0/Q1CSWI1.Pos.stVal[ST]',
      'BAY1LD0/GGIO1.Beh.stVal[ST]',
      'BAY1MEAS/MMXU1.TotW.mag.f[MX]',
      'BAY1MEAS/MMTR1.TotWh.actVal[ST]',
      'Protection/PTOC1.OpDlTmms.setVal[SP]',
      'BAY1LD0/GGIO1.SPCSO1[CO]',
    ]);
  });

  it.each(['batch', 'single'] as const)('reads the table in mode %s; control objects are not selected', async (mode) => {
    await serve('P', mode === 'batch' ? 17.5 : 18.5);
    expect(await manual(mode)).toMatchObject({ state: 'idle', total: 6, success: 6, fail: 0, last_error: null });
    expect(await row('P')).toMatchObject({ value: mode === 'batch' ? 17.5 : 18.5, quality: 'good', source_time: expect.any(String) });
    expect(await row('BEH')).toMatchObject({ value: 1, value_text: 'on' });
    expect(await row('WH')).toMatchObject({ value_text: '9007199254740993' });
    expect(await row('FAN')).toMatchObject({ quality: 'never' });
  });

  it('control objects that are named by their type fail, a single read of one is refused', async () => {
    await running.api.call('manualRead', { device_name: 'Centre', mode: 'batch', point_types: [2] });
    const task = await until(
      async () => (await running.api.call('manualReadStatus', { device_name: 'Centre' })).data,
      ({ state }) => state === 'idle',
    );
    expect(task).toMatchObject({ total: 1, fail: 1 });
    const body = { channel_id: clientId, ...(await key('FAN')) };
    expect((await running.send({ method: 'POST', url: '/api/device/read_single_point', body })).status).toBe(422);
  });

  it('reads one point on demand', async () => {
    await serve('IND1', 0);
    const { data } = await running.api.call('readSinglePoint', { channel_id: clientId, ...(await key('IND1')) });
    expect(data).toMatchObject({ value: 0, quality: 'good', raw_hex: '830100' });
  });

  it('writes a setting, which is confirmed and read back', async () => {
    const { data } = await running.api.call('updatePoint', { ...(await key('DELAY')), value: 321 });
    expect(data).toMatchObject({ value: 321, quality: 'good' });
    expect(await row('DELAY', servedId)).toMatchObject({ value: 321 });
    const wrong = await running.send({ method: 'PUT', url: '/api/device/update_point', body: { ...(await key('DELAY')), value: 1e12 } });
    expect(wrong).toMatchObject({ status: 422 });
  });

  it('commands a control object, which the device shows as value and event, or refuses as its point is set', async () => {
    const body = async (value: number) => ({ ...(await key('FAN')), value });
    const send = async (value: number) => running.send({ method: 'PUT', url: '/api/device/update_point', body: await body(value) });
    expect(await send(1)).toMatchObject({ status: 200 });
    expect(await row('FAN', servedId)).toMatchObject({ value: 1, quality: 'good' });
    const { items } = (await running.api.call('listEvents', { channel_id: servedId })).data;
    expect(items.filter(({ code }) => code === 'FAN')).toMatchObject([{ value: 1 }]);
    const protocol = { control_fault: 'operate_refused', add_cause: 10 };
    await running.api.call('editPoint', { ...(await key('FAN', servedId)), protocol });
    const refused = await send(0);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([502, expect.stringContaining('blocked-by-interlocking (10)')]);
    await running.api.call('editPoint', { ...(await key('FAN', servedId)), protocol: {} });
    expect(await send(0)).toMatchObject({ status: 200 });
    expect(await row('FAN', servedId)).toMatchObject({ value: 0 });
  });

  it('operations by name', async () => {
    const run = (operation: string, params = {}) => running.api.call('deviceOperation', { channel_id: clientId, operation, params });
    expect((await run('identify')).data).toMatchObject({ outcome: 'accepted', result: { vendor: 'ACME' } });
    expect((await run('setting_groups')).data).toMatchObject({ outcome: 'accepted', result: { groups: [{ number_of_groups: 2 }] } });
    expect((await run('list_files')).data).toMatchObject({ outcome: 'accepted', result: { files: [{ name: 'bay.cid' }] } });
    const name = 'BAY1LD0/LLN0$dsMine';
    expect((await run('create_data_set', { name, members: ['BAY1LD0/GGIO1.Ind1[ST]'] })).data.outcome).toBe('accepted');
    expect((await model()).data_sets.map((set) => [set.name, set.is_deletable])).toContainEqual([name, true]);
    expect((await run('delete_data_set', { name })).data.outcome).toBe('accepted');
    await running.api.call('updateChannel', { channel_id: clientId, read_only: true });
    const body = { channel_id: clientId, operation: 'create_data_set', params: { name, members: ['BAY1LD0/GGIO1.Ind1[ST]'] } };
    expect((await running.send({ method: 'POST', url: '/api/device/operation', body })).status).toBe(409);
    expect((await run('identify')).data.outcome).toBe('accepted');
    await running.api.call('updateChannel', { channel_id: clientId, read_only: false });
  });

  it('frames are explained, and answers linked to what asked for them', async () => {
    const { items } = (await running.api.call('listFrames', { channel_id: clientId, limit: 500 })).data;
    const answer = items.findLast((frame) => frame.kind === 'rx' && frame.link !== null);
    const { data } = await running.api.call('explainFrame', { channel_id: clientId, seq: answer?.seq ?? 0 });
    expect(data.nodes.length).toBeGreaterThan(2);
  });
});

describe('service document 2.5 and 4.6: the data set snapshot', () => {
  it('mode dataset fills it and the point table; any spelling finds the same entry (rule 1)', async () => {
    await serve('IND1', 1);
    expect(await manual('dataset', 'BAY1LD0/LLN0.dsStat')).toMatchObject({ mode: 'dataset', total: 1, success: 1, fail: 0 });
    expect(await row('IND1')).toMatchObject({ value: 1, quality: 'good' });
    const [dollar, dot] = [await detail(STAT), await detail('BAY1LD0/LLN0.dsStat')];
    expect(dot).toEqual(dollar);
    expect(dollar).toMatchObject({
      dataset: STAT,
      stale: false,
      last_error: null,
      values: { 'BAY1LD0/GGIO1$ST$Ind1$stVal': true, 'BAY1LD0/GGIO1$ST$Ind1$q': 'good', 'BAY1LD0/Q1CSWI1$ST$Pos$stVal': 'on' },
    });
    expect(dollar.members.map(({ reference }) => reference)).toEqual([
      'BAY1LD0/GGIO1$ST$Ind1',
      'BAY1LD0/GGIO1$ST$Ind2',
      'BAY1LD0/Q1CSWI1$ST$Pos$stVal',
      'BAY1LD0/Q1CSWI1$ST$Pos$q',
    ]);
  });

  it('the channel of the simulated device reads back what it serves, without I/O', async () => {
    await serve('P', 44.25);
    await running.api.call('manualRead', { device_name: 'Bay', mode: 'dataset' });
    const task = await until(
      async () => (await running.api.call('manualReadStatus', { device_name: 'Bay' })).data,
      ({ state }) => state === 'idle',
    );
    expect(task).toMatchObject({ total: 2, success: 2, fail: 0, last_error: null });
    const { data } = await running.api.call('iec61850DatasetDetail', { channel_id: servedId, dataset: 'BAY1LD0/LLN0.dsMeas' });
    expect(data).toMatchObject({ stale: false, values: { 'BAY1MEAS/MMXU1$MX$TotW$mag$f': 44.25 } });
    expect(data.members[0]).toMatchObject({ reference: 'BAY1MEAS/MMXU1$MX$TotW' });
    expect(await row('P', servedId)).toMatchObject({ value: 44.25, quality: 'good' });
    await serve('P', 18.5);
  });

  it('without an item all data sets are read', async () => {
    expect(await manual('dataset')).toMatchObject({ total: 2, success: 2 });
    const { values, stale } = await tree();
    expect([stale, values['BAY1MEAS/MMXU1$MX$TotW$mag$f']]).toEqual([false, 18.5]);
  });

  it('batch mode does not touch it', async () => {
    const before = await detail(STAT);
    await serve('IND1', 0);
    await manual('batch');
    expect(await row('IND1')).toMatchObject({ value: 0 });
    expect(await detail(STAT)).toEqual(before);
  });

  it('tree-data and dataset-detail come from memory only: not one octet on the wire', async () => {
    const before = await wireOctets();
    for (let times = 0; times < 20; times++) {
      const whole = await tree();
      expect(whole.tree.map(({ name }) => name)).toEqual(['BAY1LD0', 'BAY1MEAS', 'Protection']);
      await detail(STAT);
      await model();
      await running.api.call('modelNodes', { channel_id: clientId, parent: 'BAY1MEAS/MMXU1' });
      await running.api.call('suggestPoints', { channel_id: clientId, references: ['BAY1MEAS/MMXU1.TotW'] });
    }
    expect(await wireOctets()).toBe(before);
    await running.api.call('readSinglePoint', { channel_id: clientId, ...(await key('P')) });
    expect(await wireOctets()).toBeGreaterThan(before);
  });

  it('a failed read keeps the values, and says that they are stale (rule 2)', async () => {
    const before = await detail(STAT);
    await running.api.call('stopDevice', { channel_id: servedId });
    await until(
      async () => (await running.api.call('listChannels', {})).data.find(({ id }) => id === clientId)?.status,
      (status) => status === 'reconnecting',
    );
    expect(await manual('dataset', STAT)).toMatchObject({ state: 'idle', success: 0, fail: 1 });
    const after = await detail(STAT);
    expect(after).toMatchObject({
      stale: true,
      last_error: expect.any(String),
      last_updated_at: before.last_updated_at,
      values: before.values,
    });
    expect((await tree()).stale).toBe(true);
    await running.api.call('startDevice', { channel_id: servedId });
    await running.api.call('startDevice', { channel_id: clientId });
    await until(model, ({ state, source }) => state === 'known' && source === 'cache');
    expect(await manual('dataset', STAT)).toMatchObject({ success: 1 });
    expect((await detail(STAT)).stale).toBe(false);
  });

  it('a stopped channel answers from memory', async () => {
    const before = [await tree(), await detail(STAT)];
    await running.api.call('stopDevice', { channel_id: clientId });
    expect([await tree(), await detail(STAT)]).toEqual(before);
    expect(await model()).toMatchObject({ state: 'known', counts: { logical_nodes: 10 } });
  });

  it('a model that was learnt before is only checked at the next start, and learnt anew where the association is another', async () => {
    await running.api.call('startDevice', { channel_id: clientId });
    await until(model, ({ state, source }) => state === 'known' && source === 'cache');
    const { protocol } = (await running.api.call('listChannels', {})).data.find(({ id }) => id === clientId) ?? { protocol: {} };
    await running.api.call('updateChannel', { channel_id: clientId, protocol: { ...protocol, max_outstanding: 4 } });
    await until(model, ({ state, source }) => state === 'known' && source === 'device');
    await running.api.call('updateChannel', { channel_id: clientId, protocol });
    await until(model, ({ state, source }) => state === 'known' && source === 'device');
  });

  it('decisions: an item that names no data set has total 0', async () => {
    expect(await manual('dataset', 'BAY1LD0/LLN0$none')).toMatchObject({ total: 0, fail: 0, cycle_count: 1, last_error: null });
  });
});

describe('a read by data sets right behind the start, before the model is learnt', () => {
  it.each(['', STAT])('waits for the model, and reads what was asked for (item "%s")', async (item) => {
    const { api } = running;
    const name = `Second ${item}`;
    const { id } = (await api.call('addChannel', { name, protocol_type: 5, conn_type: 2, port, timeout_ms: 10_000 })).data;
    await api.call('startDevice', { channel_id: id });
    expect((await model(id)).state).not.toBe('known');
    await api.call('manualRead', { device_name: name, mode: 'dataset', item });
    const ended = await until(
      async () => (await api.call('manualReadStatus', { device_name: name })).data,
      ({ state }) => state === 'idle' || state === 'failed',
    );
    const total = item === '' ? 2 : 1;
    expect(ended).toMatchObject({ state: 'idle', total, success: total, fail: 0, cycle_count: 1, last_error: null });
    await api.call('deleteChannel', { channel_id: id });
  });
});

describe('bad input', () => {
  const add = (point: PointInput) =>
    running.send({ method: 'POST', url: '/api/device/add_points', body: { channel_id: clientId, points: [point] } });

  it.each([
    ['no reference', { frame_type: 0, code: 'X' }, /is needed: LD\/LN\.DO\.DA\[FC\]/],
    ['a reference that is none', { frame_type: 0, code: 'X', reference: 'BAY1LD0/GGIO1..stVal' }, /is no reference/],
    ['a logical node', { frame_type: 0, code: 'X', reference: 'BAY1LD0/GGIO1' }, /names no data object/],
    ['a class without a value', { frame_type: 0, code: 'X', reference: 'BAY1MEAS/MMXU1.PhV' }, /has no value by its class WYE/],
    ['a setting under two constraints', { frame_type: 3, code: 'X', reference: 'Protection/PTOC1.StrVal.setMag.f' }, /lies under SG, SE/],
    ['a measurement as a state', { frame_type: 1, code: 'X', reference: 'BAY1MEAS/MMXU1.TotW.mag.f' }, /is a FLOAT32, which is no state/],
    ['a state as a measurement', { frame_type: 0, code: 'X', reference: 'BAY1LD0/GGIO1.Ind1' }, /is a BOOLEAN, which is a state/],
    ['a status that is written', { frame_type: 2, code: 'X', reference: 'BAY1LD0/GGIO1.Ind1.stVal[ST]' }, /nothing is written under ST/],
    ['a text that is set', { frame_type: 3, code: 'X', reference: 'BAY1LD0/LLN0.NamPlt.vendor[DC]' }, /a YT sets a number/],
    ['a factor of 0', { frame_type: 0, code: 'X', reference: 'BAY1MEAS/MMXU1.Hz', mul_coe: 0 }, /must not be 0/],
  ] as const)('a point with %s', async (_name, point, words) => {
    const { status, body } = await add(point);
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringMatching(words)]);
  });

  it('a reference that the model has not is taken with a warning; its read says why', async () => {
    const { status, body } = await add({ frame_type: 0, code: 'GONE', reference: 'BAY1MEAS/MMXU7.TotW.mag.f' });
    expect([status, JSON.stringify(body)]).toEqual([
      200,
      expect.stringContaining('the model of the device has no BAY1MEAS/MMXU7.TotW.mag.f'),
    ]);
    const read = await running.send({
      method: 'POST',
      url: '/api/device/read_single_point',
      body: { channel_id: clientId, ...(await key('GONE')) },
    });
    expect([read.status, JSON.stringify(read.body)]).toEqual([502, expect.stringContaining('object-non-existent (10)')]);
  });

  it.each([
    [{ remote_transport_selector: '1' }, 'remote_transport_selector'],
    [{ remote_session_selector: '0x01' }, 'remote_session_selector'],
    [{ local_ap_title: '1.2.' }, 'local_ap_title'],
    [{ tpdu_size: 1000 }, 'tpdu_size'],
    [{ max_pdu_size: 10 }, 'max_pdu_size'],
    [{ max_outstanding: 0 }, 'max_outstanding'],
  ])('settings %j', async (protocol, field) => {
    const body = { channel_id: clientId, protocol };
    expect(await running.send({ method: 'PUT', url: '/api/channel/update', body })).toMatchObject({
      status: 422,
      body: { data: [{ path: `protocol.${field}` }] },
    });
  });

  it('a file that is no SCL, or lacks the device', async () => {
    const send = (text: string, query = '') =>
      running.send({
        method: 'POST',
        url: `/api/channel/document?channel_id=${clientId}&mode=preview${query}`,
        file: { name: 'x.cid', bytes: new TextEncoder().encode(text) },
      });
    expect(await send('hello')).toMatchObject({ status: 422, body: { message: expect.stringContaining('line 1: this is no XML') } });
    expect(await send('<Project/>')).toMatchObject({ status: 422, body: { message: expect.stringContaining('no SCL') } });
    expect(await send(sclText('bay.cid'), '&choice=BAY9')).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('BAY9') },
    });
  });

  it('a server that never answers, and none at all', async () => {
    const silent = await silentPeer();
    const { data } = await running.api.call('addChannel', { name: 'Nobody', protocol_type: 5, conn_type: 2, port: await freePort() });
    const start = () => running.send({ method: 'POST', url: '/api/device/start', body: { channel_id: data.id } });
    expect((await start()).status).toBe(503);
    await running.api.call('updateChannel', { channel_id: data.id, port: silent.port });
    const started = start();
    await new Promise((resolve) => setImmediate(resolve));
    await silent.close();
    expect([502, 503]).toContain((await started).status);
    await running.api.call('deleteChannel', { channel_id: data.id });
  });
});

describe('the model as a file', () => {
  it('is what the file of the channel says of the device, with the address of the channel', async () => {
    const { data } = await running.api.call('exportModel', { channel_id: clientId });
    const text = new TextDecoder().decode(data.bytes);
    expect([data.name, data.mediaType]).toEqual(['BAY1.iid', 'application/xml']);
    expect(text).toContain(`<P type="MMS-Port">${port}</P>`);
    const stored = await running.api.call('storeDocument', { channel_id: clientId, mode: 'preview', file: new File([text], data.name) });
    expect(stored.data).toMatchObject({ choices: [{ value: 'BAY1' }], warnings: [] });
  });

  it('of a device that nothing is known of is none', async () => {
    const { data } = await running.api.call('addChannel', { name: 'Unseen', protocol_type: 5, conn_type: 2, port });
    expect((await running.send({ method: 'GET', url: `/api/channel/model_export?channel_id=${data.id}` })).status).toBe(404);
    await running.api.call('deleteChannel', { channel_id: data.id });
  });
});

describe('report control blocks that the settings of a channel name', () => {
  const blocks = ['BAY1LD0/LLN0.urcbStat01[RP]', 'BAY1LD0/LLN0$BR$brcbMeas'];
  const add = async (name: string, protocol: Record<string, unknown>, more: Record<string, unknown> = {}) =>
    running.send({ method: 'POST', url: '/api/channel/add', body: { name, protocol_type: 5, conn_type: 2, port, protocol, ...more } });
  const audit = async (channelId: number) => (await running.api.call('listAudit', { channel_id: channelId })).data.items;

  it('stand in the audit once a start, as a command of the channel', async () => {
    const { body } = await add('Reports', { reports_at_start: blocks });
    const { id } = (body as { data: { id: number } }).data;
    await running.api.call('startDevice', { channel_id: id });
    const [entry, ...more] = await until(
      () => audit(id),
      (items) => items[0]?.closed_at !== undefined && items[0].closed_at !== null,
    );
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      channel_name: 'Reports',
      point_id: null,
      operation: { name: 'enable_report', params: { blocks: ['BAY1LD0/LLN0$RP$urcbStat01', 'BAY1LD0/LLN0$BR$brcbMeas'] } },
      source: 'channel',
    });
    expect(['accepted', 'rejected']).toContain(entry?.outcome);
    await running.api.call('stopDevice', { channel_id: id });
    await running.api.call('deleteChannel', { channel_id: id });
  });

  it('are neither enabled nor audited by a read-only channel, and the event log says so', async () => {
    const { body } = await add('Reader', { reports_at_start: blocks }, { read_only: true });
    const { id } = (body as { data: { id: number } }).data;
    await running.api.call('startDevice', { channel_id: id });
    const events = async () => (await running.api.call('listEvents', { channel_id: id })).data.items.map(({ text }) => text);
    await until(events, (texts) => texts.some((text) => text.includes('2 report control blocks that the settings of the channel name')));
    expect(await audit(id)).toEqual([]);
    await running.api.call('stopDevice', { channel_id: id });
    await running.api.call('deleteChannel', { channel_id: id });
  });

  it('that are no blocks are refused with the setting', async () => {
    const answer = await add('Wrong', { reports_at_start: ['BAY1LD0/LLN0.urcbStat01'] });
    expect(answer).toMatchObject({ status: 422, body: { data: [{ path: 'protocol.reports_at_start.0' }] } });
  });
});
