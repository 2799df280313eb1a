import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { iec61850Driver } from '../drivers/iec61850/driver.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { freePort, type RunningCore, startCore, until } from './testing/running-core.ts';

const FILE = 'bay.cid';
const SET = 'BAY1MEAS/LLN0$dsMeas';
const VALUE = 'BAY1MEAS/MMXU1$MX$TotW$mag$f';

/** A simulated device from the file of the demo and a client of it, over real sockets. */
let running: RunningCore;
let server = 0;
let client = 0;

beforeAll(async () => {
  running = await startCore({}, { drivers: createDriverRegistry([iec61850Driver]) });
  const { api } = running;
  const port = await freePort();
  const common = { protocol_type: 5, port, timeout_ms: 10_000 } as const;
  server = (await api.call('addChannel', { ...common, name: 'Bay', conn_type: 1 })).data.id;
  client = (await api.call('addChannel', { ...common, name: 'Client', conn_type: 2 })).data.id;
  const text = readFileSync(new URL(`../../resources/demo/${FILE}`, import.meta.url));
  await api.call('storeDocument', { channel_id: server, mode: 'store', file: new File([text], FILE) });
  const point = { frame_type: 0 as const, code: 'P', reference: 'BAY1MEAS/MMXU1.TotW' };
  const { items } = (await api.call('addPoints', { channel_id: server, points: [point] })).data;
  await api.call('addPoints', { channel_id: client, points: [point] });
  for (const channel_id of [server, client]) await api.call('startDevice', { channel_id });
  await api.call('updatePoint', { point_id: items[0]?.id ?? 0, frame_type: 0, value: 12.5 });
  await until(
    () => api.call('deviceModel', { channel_id: client }),
    ({ data }) => data.state === 'known',
  );
});
afterAll(() => running.close());

async function octets(): Promise<readonly number[]> {
  const channels = (await running.api.call('listChannels', {})).data;
  return channels.flatMap(({ health }) => [health.tx_bytes, health.rx_bytes]);
}

async function readOnce(): Promise<void> {
  await running.api.call('manualRead', { device_name: 'Client', mode: 'dataset', item: 'BAY1MEAS/LLN0.dsMeas' });
  await until(
    () => running.api.call('manualReadStatus', { device_name: 'Client' }),
    ({ data }) => data.state === 'idle',
  );
}

async function askEverything() {
  const { api } = running;
  const asked = { channel_id: client };
  return Promise.all([
    api.call('iec61850TreeData', asked),
    api.call('iec61850TreeData', { ...asked, parent: 'BAY1MEAS/MMXU1$MX', depth: 2 }),
    api.call('iec61850DatasetDetail', { ...asked, dataset: SET }),
    api.call('iec61850DatasetDetail', { ...asked, dataset: 'BAY1MEAS/LLN0.dsMeas' }),
    api.call('deviceModel', asked),
    api.call('modelNodes', { ...asked, search: 'totw' }),
    api.call('suggestPoints', { ...asked, references: ['BAY1MEAS/MMXU1.TotW'] }),
    api.call('modelDifferences', asked),
    api.call('pointTable', { ...asked, page: 1, page_size: 10 }),
    api.call('autoReadStatus', { device_name: 'Client' }),
  ]);
}

it('queries of tree, data sets and model put no octet on the line', async () => {
  await readOnce();
  const before = await octets();
  for (let round = 0; round < 3; round++) await askEverything();
  expect(await octets()).toEqual(before);
});

it('a round of mode dataset fills the snapshot and the points that are members; batch leaves the snapshot alone', async () => {
  await readOnce();
  const [tree, part, detail, dotted, , , , , table] = await askEverything();
  expect(tree.data).toMatchObject({ stale: false, last_error: null, values: { [VALUE]: 12.5 } });
  expect(Object.keys(part.data.values)).toContain(VALUE);
  expect(detail.data).toMatchObject({ dataset: SET, stale: false, values: { [VALUE]: 12.5, 'BAY1MEAS/MMXU1$MX$TotW$q': 'good' } });
  expect(dotted.data).toEqual(detail.data);
  expect(detail.data.members[0]).toMatchObject({ reference: 'BAY1MEAS/MMXU1$MX$TotW', fc: 'MX', cdc: 'MV' });
  expect(table.data.items[0]).toMatchObject({ value: 12.5, quality: 'good' });
  await running.api.call('manualRead', { device_name: 'Client', mode: 'batch' });
  await until(
    () => running.api.call('manualReadStatus', { device_name: 'Client' }),
    ({ data }) => data.state === 'idle',
  );
  const again = await running.api.call('iec61850DatasetDetail', { channel_id: client, dataset: SET });
  expect(again.data.last_updated_at).toBe(detail.data.last_updated_at);
});

it('a failed read keeps the values and says why; a stopped channel answers the same', async () => {
  await readOnce();
  const { api } = running;
  const ask = async () => (await api.call('iec61850DatasetDetail', { channel_id: client, dataset: SET })).data;
  const good = await ask();
  await api.call('stopDevice', { channel_id: server });
  await readOnce();
  const failed = await ask();
  expect(failed).toEqual({
    ...good,
    stale: true,
    last_error: expect.any(String),
    last_error_info: expect.objectContaining({ code: 'runtime.reopening' }),
  });
  expect((await api.call('iec61850TreeData', { channel_id: client })).data).toMatchObject({ stale: true, values: { [VALUE]: 12.5 } });
  await api.call('stopDevice', { channel_id: client });
  expect(await ask()).toEqual(failed);
  const tree = (await api.call('iec61850TreeData', { channel_id: client, depth: 1 })).data.tree;
  expect(tree.map((node) => node.name).sort()).toEqual(['BAY1CTRL', 'BAY1LD0', 'BAY1MEAS', 'BAY1PROT']);
});
