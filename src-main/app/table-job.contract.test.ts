/** The table of a channel tried at stations and devices that speak by themselves, or by names. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InputOf } from '#shared/contract/index.ts';
import type { TableJob } from '#shared/contract/table-job.ts';
import { ConnType, ProtocolType } from '#shared/domain/enums.ts';
import { bayFile, loadBay } from './demo/bay.ts';
import { finish as finishOn, type ManualCore, startManualCore } from './testing/manual-core.ts';

type Points = InputOf<'addPoints'>['points'];

let plant: ManualCore;
beforeEach(async () => {
  plant = await startManualCore();
});
afterEach(() => plant.close());

/** Awaits while the clock goes on. */
const finish = <Value>(work: Promise<Value>) => finishOn(plant.clock, work, 50);

async function pairOf(
  protocol_type: ProtocolType,
  served: Points,
  read: Points,
  protocol: Record<string, unknown> = {},
  file?: () => File,
) {
  const { api } = plant.core;
  const common = { protocol_type, port: plant.network.freePort() };
  const { id: server } = (await api.call('addChannel', { ...common, name: 'Served', conn_type: ConnType.tcpServer })).data;
  const { id: client } = (
    await api.call('addChannel', { ...common, name: 'Reader', conn_type: ConnType.tcpClient, timeout_ms: 500, protocol })
  ).data;
  for (const [channel_id, points] of [
    [server, served],
    [client, read],
  ] as const) {
    if (file) await api.call('storeDocument', { channel_id, mode: 'store', file: file() });
    await api.call('addPoints', { channel_id, points });
    await finish(api.call('startDevice', { channel_id }));
  }
  return { server, client };
}

async function start(channel_id: number, more: Partial<InputOf<'startTableJob'>> = {}): Promise<string> {
  return (await plant.core.api.call('startTableJob', { channel_id, ...more })).data.id;
}

async function ended(job_id: string): Promise<TableJob> {
  for (let waited = 0; waited < 600; waited++) {
    await plant.clock.advance(100);
    const { data } = await plant.core.api.call('jobStatus', { job_id });
    if (data.state !== 'running' && data.kind === 'table') return data;
  }
  throw new Error('the job did not end');
}

const rows = async (job_id: string) => (await plant.core.api.call('tableJobRows', { job_id, page: 1, page_size: 1000 })).data.items;
const outcomes = async (job_id: string) => (await rows(job_id)).map(({ code, outcome }) => `${code} ${outcome}`);

/** Type identifications of the numbered messages that the client has sent. */
async function typesSent(channel_id: number): Promise<number[]> {
  const { items } = (await plant.core.api.call('listFrames', { channel_id, limit: 1000 })).data;
  const sent = items.filter(({ kind }) => kind === 'tx').map(({ hex }) => hex.split(' ').map((octet) => Number.parseInt(octet, 16)));
  return [...new Set(sent.flatMap((octets) => (((octets[2] ?? 1) & 1) === 0 && octets.length > 6 ? (octets[6] ?? []) : [])))];
}

describe('IEC 104', () => {
  const M = (code: string, address: number, more: object = {}) => ({ frame_type: 0, code, address, ...more }) as Points[number];
  const SERVED = [M('U', 16_385), M('I', 16_386), M('P', 16_387), { frame_type: 1, code: 'Q', address: 1 } as const];

  it('by one interrogation: what came, what is not among it, what comes as another type; commands are not asked', async () => {
    const read = [
      ...SERVED.slice(0, 1),
      M('I', 16_386, { protocol: { type_id: 9 } }),
      M('NONE', 16_400),
      { frame_type: 2, code: 'K', address: 24_577 } as const,
      M('OTHER', 16_385, { slave_id: 7 }),
    ];
    const { client } = await pairOf(ProtocolType.iec104, SERVED, read, { general_interrogation: false });
    const id = await start(client);
    const done = await ended(id);
    expect(done).toMatchObject({ state: 'done', requests: 2 });
    expect(await outcomes(id)).toEqual(['U answers', 'I answers', 'NONE missing', 'K not_asked', 'OTHER refused']);
    const [u, i] = await rows(id);
    expect([u?.hint, i?.hint_message?.code]).toEqual(['', 'iec104.type_differs']);
    // interrogation alone
    expect(await typesSent(client)).toEqual([100]);
    const { items } = (await plant.core.api.call('pointTable', { channel_id: client, page: 1, page_size: 10 })).data;
    expect(items.map(({ quality }) => quality)).toEqual(['good', 'good', 'never', 'never', 'invalid']);
  });

  it('watched: what the station sends by itself is a change, also when it is as before at the end', async () => {
    const { server, client } = await pairOf(ProtocolType.iec104, SERVED, SERVED, { general_interrogation: false });
    const served = (await plant.core.api.call('pointTable', { channel_id: server, page: 1, page_size: 10 })).data.items;
    const set = (code: string, value: number) => {
      const point = served.find((each) => each.code === code);
      return plant.core.api.call('updatePoint', { point_id: point?.id ?? 0, frame_type: point?.frame_type ?? 0, value });
    };
    const id = await start(client, { watch_s: 20 });
    await plant.clock.advance(5_000);
    await set('U', 7);
    await plant.clock.advance(3_000);
    await set('U', 0);
    await set('I', 3);
    const done = await ended(id);
    expect(done.counts).toMatchObject({ answers: 4, changed: 2, constant: 2 });
    expect((await rows(id)).filter(({ changed }) => changed).map(({ code }) => code)).toEqual(['U', 'I']);
    expect(await typesSent(client)).toEqual([100]);
  });
});

describe('IEC 61850', () => {
  it('by reads of what can be read: no control object is asked, and a reference that the device has not is refused', async () => {
    const bay = loadBay();
    const read: Points = bay.map(({ seen }) => seen);
    const wrong = { frame_type: 0, code: 'WRONG', reference: `${read[0]?.reference?.split('/')[0]}/MMXU9.TotW.mag.f[MX]` } as const;
    const { client } = await pairOf(
      ProtocolType.iec61850,
      bay.map(({ point }) => point),
      [...read, wrong],
      {},
      bayFile,
    );
    const id = await start(client);
    const done = await ended(id);
    const controls = read.filter(({ reference }) => reference?.includes('[CO]') || reference?.includes('$CO$')).length;
    expect(controls).toBeGreaterThan(0);
    expect(done).toMatchObject({ state: 'done', counts: { answers: read.length - controls, not_asked: controls } });
    expect((await rows(id)).at(-1)).toMatchObject({ code: 'WRONG', outcome: expect.stringMatching(/refused|missing/) });
  });
});
