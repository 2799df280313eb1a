import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiReply } from '#shared/client/client.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { modbusTcpDriver } from '../drivers/modbus/driver.ts';
import { Threads } from '../platform/threads.ts';
import { FakePlant } from '../runtime/testing/fake-driver.ts';
import { FakeModel } from '../runtime/testing/fake-model.ts';
import { type FakeModelDevice, fakeModelDriver } from '../runtime/testing/fake-model-driver.ts';
import { createDocumentThread } from './document-thread.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { type RunningCore, silentPeer, startCore, until } from './testing/running-core.ts';

const SETS = ['BCU1LD0/LLN0$dsMeas', 'BCU1LD0/LLN0$dsStatus'];

let plant: FakePlant;
let device: FakeModelDevice;
let peer: Awaited<ReturnType<typeof silentPeer>>;
let running: RunningCore;
let name = '';
let id = 0;
let count = 0;

beforeAll(async () => {
  plant = new FakePlant();
  plant.latencyMs = 0;
  device = { model: null };
  peer = await silentPeer();
  const drivers = createDriverRegistry([modbusTcpDriver, fakeModelDriver(plant, device)]);
  running = await startCore({}, { drivers, readDocument: createDocumentThread(new Threads(), null) });
});
afterAll(async () => {
  await running.close();
  await peer.close();
});

beforeEach(async () => {
  device.model = new FakeModel();
  plant.dataSets = SETS;
  plant.dataSetError = null;
  count += 1;
  name = `BCU ${count}`;
  const { data } = await running.api.call('addChannel', { name, protocol_type: 5, conn_type: 2, port: peer.port });
  id = data.id;
});

const get = (path: string, query: Record<string, string | number> = {}): Promise<ApiReply> =>
  running.send({
    method: 'GET',
    url: `/api/channel/${path}?${new URLSearchParams({ channel_id: String(id), ...query } as Record<string, string>)}`,
  });
const tree = (query: Record<string, string | number> = {}) =>
  get('iec61850-tree-data', query).then(({ body }) => (body as { data: Tree }).data);
const detail = (dataset: string) => get('iec61850-dataset-detail', { dataset }).then(({ body }) => (body as { data: Detail }).data);

interface Freshness {
  readonly last_updated_at: string | null;
  readonly stale: boolean;
  readonly last_error: string | null;
  readonly values: Readonly<Record<string, unknown>>;
}
interface Node {
  readonly name: string;
  readonly reference: string;
  readonly child_count?: number;
  readonly children?: readonly Node[];
}
interface Tree extends Freshness {
  readonly tree: readonly Node[];
}
interface Detail extends Freshness {
  readonly dataset: string;
  readonly members: readonly { reference: string }[];
}

/** Reads all data sets, or one, once. */
async function readOnce(item = ''): Promise<void> {
  await running.api.call('manualRead', { device_name: name, mode: 'dataset', item });
  await until(
    () => running.api.call('manualReadStatus', { device_name: name }),
    ({ data }) => data.state === 'idle',
  );
}

const upload = (mode: string, text: string, more = '', file = 'station.scd') =>
  running.send({
    method: 'POST',
    url: `/api/channel/document?channel_id=${id}&mode=${mode}${more}`,
    file: { name: file, bytes: new TextEncoder().encode(text) },
  });

describe('service document 4.6: iec61850-tree-data', () => {
  it('answers the whole tree, nested, and says stale before the first read', async () => {
    const data = await tree();
    expect(data).toMatchObject({ last_updated_at: null, stale: true, last_error: null, values: {} });
    const first = data.tree[0]?.children?.[0]?.children?.[0];
    expect(data.tree.map((node) => [node.name, node.children?.length])).toEqual([['BCU1LD0', 4]]);
    expect(first).toMatchObject({ name: 'A1', kind: 'data-object', cdc: 'MV', frame_type: 0, description: '电流 A1' });
    expect(first?.children?.map((node) => node.name)).toEqual(['mag', 'q', 't', 'db', 'units']);
    const flat = (nodes: readonly Node[]): Node[] => nodes.flatMap((node) => [node, ...flat(node.children ?? [])]);
    expect(flat(data.tree)).toHaveLength(1 + 4 + 40 + 40 * 5 + 20);
    expect(flat(data.tree).find((node) => node.reference === 'BCU1LD0/MMXU1.A1.mag.f')).toEqual({
      name: 'f',
      kind: 'data-attribute',
      reference: 'BCU1LD0/MMXU1.A1.mag.f',
      key: 'BCU1LD0/MMXU1$MX$A1$mag$f',
      fc: 'MX',
      type: 'FLOAT32',
      frame_type: 0,
    });
  });

  it.each(['BCU1LD0/MMXU1', 'BCU1LD0/MMXU1$MX'])('answers a part of it: parent %s, depth 1', async (parent) => {
    const data = await tree({ parent, depth: 1 });
    expect(data.tree).toHaveLength(10);
    expect(data.tree[0]).toMatchObject({ reference: 'BCU1LD0/MMXU1.A1', child_count: 5 });
    expect(data.tree[0]).not.toHaveProperty('children');
  });

  it('has the values of all data sets, is stale when one of them is, and keeps values when a read fails', async () => {
    await running.api.call('startDevice', { channel_id: id });
    plant.value = 7;
    await readOnce();
    const fresh = await tree({ depth: 0 });
    expect(fresh).toMatchObject({ tree: [], stale: false, last_error: null });
    expect(Object.values(fresh.values)).toEqual([7, 7]);
    plant.dataSetError = new AppError('DEVICE_REJECTED', quoted('The device does not allow it.'));
    await readOnce('BCU1LD0/LLN0.dsMeas');
    expect(await tree({ depth: 0 })).toEqual({
      ...fresh,
      stale: true,
      last_error: 'The device does not allow it.',
      last_error_info: quoted('The device does not allow it.'),
    });
  });

  it('asks the device nothing, and answers on a stopped channel', async () => {
    await running.api.call('startDevice', { channel_id: id });
    await readOnce();
    const before = plant.exchanges.length;
    const asked = [await tree(), await detail(SETS[0] ?? '')];
    await running.api.call('stopDevice', { channel_id: id });
    expect([await tree(), await detail(SETS[0] ?? '')]).toEqual(asked);
    expect(plant.exchanges).toHaveLength(before);
  });

  it('has the values below a node only when one is named', async () => {
    await running.api.call('startDevice', { channel_id: id });
    plant.dataSets = [...SETS];
    await readOnce();
    expect(Object.keys((await tree({ depth: 0, parent: 'BCU1LD0/MMXU1' })).values)).toEqual([]);
    expect(Object.keys((await tree({ depth: 0, parent: 'BCU1LD0' })).values)).toHaveLength(2);
  });

  it('answers an empty tree while nothing is known, 404 for an unknown node or channel, 422 for another protocol', async () => {
    expect((await get('iec61850-tree-data', { parent: 'BCU1LD0/NONE1' })).status).toBe(404);
    expect((await get('iec61850-tree-data', { channel_id: 9999 })).status).toBe(404);
    device.model = null;
    expect(await tree()).toMatchObject({ tree: [], stale: true });
    const { data } = await running.api.call('addChannel', { name: `M ${count}`, protocol_type: 1, conn_type: 2 });
    const other = await get('iec61850-tree-data', { channel_id: data.id });
    expect([other.status, JSON.stringify(other.body)]).toEqual([
      422,
      expect.stringContaining('Modbus TCP, which has no information model'),
    ]);
  });
});

describe('service document 4.6: iec61850-dataset-detail', () => {
  it.each(['BCU1LD0/LLN0$dsMeas', 'BCU1LD0/LLN0.dsMeas'])(
    'finds %s: members in order, freshness of this data set alone',
    async (spelling) => {
      await running.api.call('startDevice', { channel_id: id });
      expect(await detail(spelling)).toMatchObject({ dataset: SETS[0], stale: true, last_updated_at: null, values: {} });
      plant.value = 3;
      await readOnce(spelling);
      const data = await detail(spelling);
      expect(data.members).toEqual([
        { reference: 'BCU1LD0/MMXU1$MX$A1', fc: 'MX', description: '电流 A1', cdc: 'MV', type: '' },
        { reference: 'BCU1LD0/MMXU1$MX$A2$mag$f', fc: 'MX', description: '电流 A2', cdc: '', type: 'FLOAT32' },
      ]);
      expect(data).toMatchObject({ stale: false, last_error: null, values: { 'BCU1LD0/LLN0$dsMeas$MX$A': 3 } });
      expect(await detail(SETS[1] ?? '')).toMatchObject({ stale: true, last_updated_at: null, values: {} });
    },
  );

  it('keeps values and time when a read fails', async () => {
    await running.api.call('startDevice', { channel_id: id });
    await readOnce();
    const before = await detail(SETS[0] ?? '');
    plant.dataSetError = new AppError('TIMEOUT_RESPONSE', quoted('The device did not answer in time.'));
    await readOnce();
    expect(await detail(SETS[0] ?? '')).toEqual({
      ...before,
      stale: true,
      last_error: 'The device did not answer in time.',
      last_error_info: quoted('The device did not answer in time.'),
    });
  });

  it('knows data sets that only a read has met, and answers 404 for others', async () => {
    device.model = null;
    await running.api.call('startDevice', { channel_id: id });
    await readOnce();
    expect(await detail('BCU1LD0/LLN0.dsMeas')).toMatchObject({ dataset: SETS[0], members: [{ reference: 'BCU1LD0/LLN0$dsMeas$MX$A' }] });
    const unknown = await get('iec61850-dataset-detail', { dataset: 'BCU1LD0/LLN0$dsX' });
    expect([unknown.status, JSON.stringify(unknown.body)]).toEqual([404, expect.stringContaining('there are: BCU1LD0/LLN0$dsMeas')]);
  });
});

describe('the model', () => {
  it('says how far it is known, and its data sets with their freshness', async () => {
    const { data } = await running.api.call('deviceModel', { channel_id: id });
    expect(data).toMatchObject({
      state: 'known',
      source: 'device',
      identity: { vendor: 'Example' },
      configuration_revision: '3',
      counts: { logical_devices: 1, logical_nodes: 4, data_objects: 40, attributes: 220, data_sets: 2 },
      data_sets: [{ name: SETS[0], member_count: 2, is_deletable: false, stale: true }, { name: SETS[1] }],
      document: null,
    });
    device.model = null;
    expect((await running.api.call('deviceModel', { channel_id: id })).data).toMatchObject({ state: 'unknown', data_sets: [] });
  });

  it('is paged node by node and searched by every word', async () => {
    const page = await running.api.call('modelNodes', { channel_id: id, parent: 'BCU1LD0/GGIO1', page: 2, page_size: 4 });
    expect([page.data.total, page.data.more, page.data.items.map((node) => node.name)]).toEqual([
      10,
      true,
      ['Ind5', 'Ind6', 'Ind7', 'Ind8'],
    ]);
    const found = await running.api.call('modelNodes', { channel_id: id, search: 'ggio 遥信 ind3', page_size: 1 });
    expect([found.data.more, found.data.items.map((node) => node.reference)]).toEqual([true, ['BCU1LD0/GGIO1.Ind3']]);
    expect((await running.api.call('modelNodes', { channel_id: id, search: 'nothing' })).data).toMatchObject({ total: 0, items: [] });
  });

  it('makes points of ticked nodes, with free codes, that can be added as they are', async () => {
    const ask = () =>
      running.api.call('suggestPoints', {
        channel_id: id,
        references: ['BCU1LD0/MMXU1.A1', 'BCU1LD0/MMXU1$MX$A1', 'BCU1LD0/GGIO1.Ind1.q', 'BCU1LD0/X'],
      });
    const { items } = (await ask()).data;
    expect(items.map((item) => item.point?.code ?? item.reason)).toEqual([
      'MMXU1_A1',
      'MMXU1_A1_2',
      'q has no value for a point.',
      'The model has no such node.',
    ]);
    const points = items.flatMap(({ point }) => (point ? [point] : [])).slice(0, 1);
    await running.api.call('addPoints', { channel_id: id, points });
    const again = (await ask()).data.items;
    expect(again.map((item) => [item.point?.code, item.present_code])).toEqual([
      ['MMXU1_A1_2', 'MMXU1_A1'],
      ['MMXU1_A1_3', 'MMXU1_A1'],
      [undefined, null],
      [undefined, null],
    ]);
    device.model = null;
    await expect(ask()).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
  });

  it('tells the differences of file and device, or that there is nothing to compare', async () => {
    const differ = () => running.api.call('modelDifferences', { channel_id: id });
    expect((await differ()).data).toEqual({ comparable: false, items: [], more: 0 });
    if (device.model) device.model.found = { items: [{ kind: 'type', reference: 'a', file: 'INT32', device: 'FLOAT32' }], more: 4 };
    expect((await differ()).data).toEqual({
      comparable: true,
      items: [{ kind: 'type', reference: 'a', file: 'INT32', device: 'FLOAT32' }],
      more: 4,
    });
  });
});

describe('point tables with references', () => {
  it.each(['xlsx', 'csv'] as const)('come back from a %s file as they were', async (format) => {
    const points = [
      { frame_type: 0 as const, code: 'A', reference: 'BCU1LD0/MMXU1.A1.mag.f[MX]', unit: 'A' },
      { frame_type: 1 as const, code: 'B', reference: 'BCU1LD0/GGIO1.Ind1.stVal[ST]', name: '断路器' },
    ];
    await running.api.call('addPoints', { channel_id: id, points });
    const exported = (await running.api.call('exportPoints', { channel_id: id, format })).data;
    const file = new File([new Uint8Array(exported.bytes)], exported.name);
    const same = (await running.api.call('importPoints', { channel_id: id, mode: 'preview', file })).data;
    expect(same).toMatchObject({ errors: [], warnings: [], counts: { merge: { added: 0, changed: 0, unchanged: 2 } } });
    await running.api.call('addChannel', { name: `Copy ${count}`, protocol_type: 5, conn_type: 2 });
    const copy = (await running.api.call('listChannels', {})).data.find((channel) => channel.name === `Copy ${count}`)?.id ?? 0;
    const done = (await running.api.call('importPoints', { channel_id: copy, mode: 'replace', file })).data;
    expect(done.changes.map(({ code, reference }) => [code, reference])).toEqual(points.map(({ code, reference }) => [code, reference]));
    const rows = (await running.api.call('pointTable', { channel_id: copy, page: 1, page_size: 10 })).data.items;
    expect(rows).toMatchObject(points);
  });

  it('offer a column for the reference in their template', async () => {
    const { bytes } = (await running.api.call('pointsTemplate', { channel_id: id, format: 'csv' })).data;
    expect(new TextDecoder().decode(bytes)).toContain('对象引用');
  });
});

describe('the document of a channel', () => {
  const model = async () => (await running.api.call('deviceModel', { channel_id: id })).data;
  const settings = async () => (await running.api.call('listChannels', {})).data.find((channel) => channel.id === id)?.protocol;

  it('is looked at without a change, then kept with the device that is chosen', async () => {
    device.model = null;
    const preview = await upload('preview', 'SCL BCU1 BCU2');
    expect(preview).toMatchObject({ status: 200, body: { data: { title: 'SCL 2007B4', choice: '', stored: false } } });
    expect((await model()).document).toBeNull();
    const open = await upload('store', 'SCL BCU1 BCU2');
    expect([open.status, JSON.stringify(open.body)]).toEqual([422, expect.stringContaining('is missing; it has: BCU1, BCU2')]);
    expect((await upload('store', 'SCL BCU1 BCU2', '&choice=BCU9')).status).toBe(422);
    expect(await upload('store', 'SCL BCU1 BCU2', '&choice=BCU2')).toMatchObject({
      status: 200,
      body: { data: { stored: true, choice: 'BCU2' } },
    });
    expect(await settings()).toEqual({ ied_name: 'BCU2' });
    expect(await model()).toMatchObject({
      source: 'file',
      document: { name: 'station.scd', octets: 13, title: 'SCL 2007B4', choice: 'BCU2', choices: [{ value: 'BCU1' }, { value: 'BCU2' }] },
    });
    expect((await tree({ depth: 1 })).tree).toMatchObject([{ name: 'BCU2LD0' }]);
    expect(await upload('store', 'SCL BCU7')).toMatchObject({ body: { data: { choice: 'BCU7' } } });
    expect((await tree({ depth: 1 })).tree).toMatchObject([{ name: 'BCU7LD0' }]);
  });

  it('reaches the driver, and a change rebuilds a started channel and its automatic task', async () => {
    await upload('store', 'SCL BCU1');
    await running.api.call('startDevice', { channel_id: id });
    const first = plant.connections.at(-1);
    expect(first?.io.document).toEqual({ name: 'station.scd', text: 'SCL BCU1' });
    const task = await running.api.call('startAutoRead', { device_name: name, mode: 'dataset' });
    await upload('store', 'SCL BCU1 BCU2', '', 'other.cid');
    expect([first?.isClosed, plant.connections.at(-1)?.io.document?.name]).toEqual([true, 'other.cid']);
    const after = await running.api.call('autoReadStatus', { device_name: name });
    expect([after.data.state, after.data.config, after.data.task_id === task.data.task_id]).toEqual(['running', task.data.config, false]);
    expect((await running.api.call('deleteDocument', { channel_id: id })).data).toEqual({ deleted: true });
    expect(plant.connections.at(-1)?.io.document).toBeNull();
    expect((await running.api.call('deleteDocument', { channel_id: id })).data).toEqual({ deleted: false });
    expect((await model()).document).toBeNull();
  });

  it('is refused in words: no SCL, too large, no text of its encoding, an unknown encoding, another protocol', async () => {
    const refusals: [Promise<ApiReply>, number, string][] = [
      [upload('store', '<html/>'), 422, 'line 1: the file does not begin with SCL'],
      [upload('store', `SCL ${'x'.repeat(10_000)}`), 413, 'at most 10000 are taken'],
      [upload('preview', '<?xml version="1.0" encoding="klingon"?>'), 422, 'klingon, which is no known encoding'],
      [running.send({ method: 'POST', url: `/api/channel/document?channel_id=${id}&mode=store` }), 422, 'must be a file'],
      [
        running.send({
          method: 'POST',
          url: `/api/channel/document?channel_id=${id}&mode=store`,
          file: { name: 'a.scd', bytes: new Uint8Array([0x53, 0x43, 0x4c, 0x20, 0xd6]) },
        }),
        422,
        'is no text in utf-8',
      ],
    ];
    for (const [reply, status, words] of refusals) {
      const { status: found, body } = await reply;
      expect([found, JSON.stringify(body)]).toEqual([status, expect.stringContaining(words)]);
    }
    const { data } = await running.api.call('addChannel', { name: `N ${count}`, protocol_type: 1, conn_type: 2 });
    id = data.id;
    expect((await upload('preview', 'SCL BCU1')).status).toBe(422);
  });

  it('goes with its channel', async () => {
    await upload('store', 'SCL BCU1');
    await running.api.call('deleteChannel', { channel_id: id });
    expect((await upload('preview', 'SCL BCU1')).status).toBe(404);
  });
});
