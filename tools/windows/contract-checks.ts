/** Operations of the API, asked over HTTP, with answers held against the contract: what a script on another computer would see. */
import { responseChecker } from '../../src-main/http/response-checker.ts';
import { type OperationName, operations } from '../../src-shared/contract/index.ts';
import type { Operation } from '../../src-shared/contract/operation.ts';
import type { Api } from './api.ts';

/** What was asked, and what was wrong with the answer; null: nothing. */
export interface ContractCheck {
  readonly asked: string;
  readonly fault: string | null;
}

/** Values that queries of a channel are asked with. */
type Known = Readonly<Record<string, string | number>>;

/** Every query by GET that needs no more than a channel and a point, for a channel of each kind; then one channel's life from its making to its end. */
export async function* contractChecks(api: Api): AsyncGenerator<ContractCheck> {
  const { data: channels } = await api.client.call('listChannels', {});
  const asked = new Set<string>();
  const kinds = new Map(channels.map((channel) => [`${channel.protocol_type}/${channel.conn_type}`, channel]));
  for (const { id, protocol_type } of kinds.values()) {
    const { data: table } = await api.client.call('pointTable', { channel_id: id, page: 1, page_size: 1 });
    const [point] = table.items;
    const known: Known = {
      channel_id: id,
      page: 1,
      page_size: 100,
      protocol_type,
      address: 1,
      ...(point ? { point_id: point.id, frame_type: point.frame_type } : {}),
    };
    for (const name of Object.keys(operations) as OperationName[]) {
      const path = queryPath(operations[name], known);
      if (path === null || asked.has(path)) continue;
      asked.add(path);
      yield await checkQuery(api, name, path);
    }
  }
  yield* lifeOfAChannel(api);
}

/** Path of a query with everything it needs; null for what is no query, or needs more. */
function queryPath(operation: Operation, known: Known): string | null {
  if (operation.effect !== 'query' || operation.method !== 'GET') return null;
  const needed = Object.entries(operation.query.shape)
    .filter(([, schema]) => !schema.safeParse(undefined).success)
    .map(([key]) => key);
  if (!needed.every((key) => key in known)) return null;
  const query = new URLSearchParams(Object.fromEntries(needed.map((key) => [key, String(known[key])])));
  return needed.length === 0 ? operation.path : `${operation.path}?${query}`;
}

/** Protocols without a model or list refuse its query, which is an answer as well. */
const REFUSALS: readonly number[] = [404, 409, 422];

async function checkQuery(api: Api, name: OperationName, path: string): Promise<ContractCheck> {
  const { status, type, text } = await api.ask('GET', path);
  return { asked: `GET ${path}`, fault: faultOf(name, status, type, text) };
}

function faultOf(name: OperationName, status: number, type: string, text: string): string | null {
  const operation: Operation = operations[name];
  try {
    if (status !== 200) {
      const { error, message } = JSON.parse(text) as { error?: unknown; message?: unknown };
      return REFUSALS.includes(status) && typeof error === 'string' ? null : `${status} ${message}`;
    }
    if (operation.download) return text.length > 0 ? null : 'an empty file';
    if (!type.startsWith('application/json')) return `it came as ${type}`;
    responseChecker(name, operation)(JSON.stringify((JSON.parse(text) as { data: unknown }).data));
    return null;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

const TABLE = 'frame_type,code,address,decode,name\r\nYC,T1,0,0x20,温度\r\nYT,S1,1,0x20,Setpoint\r\n';
const WRITTEN = 4321;

/** Made, filled from a file, served, read by another one, written, exported, removed: what an engineer does in a day. */
async function* lifeOfAChannel(api: Api): AsyncGenerator<ContractCheck> {
  const { client } = api;
  const port = Number(new URL(api.url).port) + 1;
  const add = async (name: string, conn_type: 1 | 2) =>
    (await client.call('addChannel', { name, protocol_type: 1, conn_type, ip: '127.0.0.1', port })).data.id;
  const fill = async (id: number) => {
    const form = new FormData();
    form.append('file', new Blob([TABLE]), '点表.csv');
    const { text } = await api.ask('POST', `/api/channel/import_points?channel_id=${id}&mode=merge`, form);
    return text.includes('"added":2');
  };
  let server = 0;
  let reader = 0;
  let setpoint = { point_id: 0, frame_type: 3 as const };
  yield checked('add a server', async () => {
    server = await add('供热', 1);
    return server > 0;
  });
  yield checked('add a client', async () => {
    reader = await add('供热 客户端', 2);
    return reader > server;
  });
  yield checked('fill the server from a file', () => fill(server));
  yield checked('fill the client from a file', () => fill(reader));
  for (const channel_id of [server, reader]) {
    yield checked(`start channel ${channel_id}`, async () => Boolean(await client.call('startDevice', { channel_id })));
  }
  yield checked('write a setpoint', async () => {
    const { data } = await client.call('pointTable', { channel_id: reader, page: 1, page_size: 10, search: 'S1' });
    setpoint = { ...setpoint, point_id: data.items[0]?.id ?? 0 };
    return (await client.call('updatePoint', { ...setpoint, value: WRITTEN })).data.value === WRITTEN;
  });
  yield checked('read it back', async () => {
    const { data } = await client.call('readSinglePoint', { channel_id: reader, ...setpoint });
    return data.value === WRITTEN && data.quality === 'good';
  });
  yield checked('see it in the frames', async () => {
    const { data } = await client.call('listFrames', { channel_id: reader });
    return data.items.some(({ hex }) => /10 ?e1/i.test(hex));
  });
  yield checked('find it in the audit', async () => (await client.call('listAudit', {})).data.items.length > 0);
  yield checked('export the table', async () => {
    const { text } = await api.ask('GET', `/api/channel/export_points?channel_id=${reader}&format=xlsx`);
    return text.startsWith('PK');
  });
  for (const channel_id of [reader, server]) {
    yield checked(`remove channel ${channel_id}`, async () => Boolean(await client.call('deleteChannel', { channel_id })));
  }
}

async function checked(asked: string, step: () => Promise<boolean>): Promise<ContractCheck> {
  try {
    return { asked, fault: (await step()) ? null : 'the answer is another one' };
  } catch (thrown) {
    return { asked, fault: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
