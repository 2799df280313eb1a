import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, it } from 'vitest';
import type { InputOf } from '#shared/contract/index.ts';
import { ConnType, ProtocolType } from '#shared/domain/enums.ts';
import { createRandom } from '../platform/seeded-random.ts';
import { bayFile, loadBay } from './demo/bay.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';

/** `npm run soak` lets hours pass. */
const HOURS = Number(process.env.LOOPCHECK_HOURS ?? 0.1);
/** Pauses between attempts to connect double up to 30 s; a read follows. */
const BACK_MS = 45_000;
/** Heap at the end beside that at half the time, when logs are full. */
const MOST_GROWTH = 1.05;

type Points = InputOf<'addPoints'>['points'];

interface Kind {
  readonly protocol: ProtocolType;
  readonly mode: 'batch' | 'dataset';
  readonly served: Points;
  readonly read: Points;
  readonly hasDocument?: boolean;
}

const registers: Points = Array.from({ length: 20 }, (_, i) => ({ frame_type: 0, code: `R${i}`, address: 3 * i }));
const objects: Points = Array.from({ length: 20 }, (_, i) => ({ frame_type: 0, code: `M${i}`, address: 0x4001 + i }));
const energies: Points = Array.from({ length: 8 }, (_, i) => ({ frame_type: 0, code: `E${i}`, address: 256 * i, slave_id: 12 }));
const bay = loadBay();

const KINDS: readonly Kind[] = [
  { protocol: ProtocolType.modbusTcp, mode: 'batch', served: registers, read: registers },
  { protocol: ProtocolType.modbusRtu, mode: 'batch', served: registers, read: registers },
  { protocol: ProtocolType.iec104, mode: 'batch', served: objects, read: objects },
  { protocol: ProtocolType.dlt645, mode: 'batch', served: energies, read: energies },
  {
    protocol: ProtocolType.iec61850,
    mode: 'dataset',
    served: bay.map(({ point }) => point),
    read: bay.map(({ seen }) => seen),
    hasDocument: true,
  },
];

interface Pair {
  readonly server: number;
  readonly client: number;
}

let running: ManualCore | null = null;

afterEach(async () => {
  await running?.close();
  running = null;
});

/** Awaits while the clock goes on. */
async function finish<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  done.catch(() => undefined);
  while (!isDone) await running?.clock.advance(50);
  return done;
}

async function addPair({ core, network }: ManualCore, kind: Kind): Promise<Pair> {
  const { api } = core;
  const common = { protocol_type: kind.protocol, port: network.freePort() };
  const { data: server } = await api.call('addChannel', { ...common, name: `Device ${kind.protocol}`, conn_type: ConnType.tcpServer });
  const name = `Reader ${kind.protocol}`;
  const { data: client } = await api.call('addChannel', { ...common, name, conn_type: ConnType.tcpClient, timeout_ms: 500 });
  for (const [channel_id, points] of [
    [server.id, kind.served],
    [client.id, kind.read],
  ] as const) {
    if (kind.hasDocument) await api.call('storeDocument', { channel_id, mode: 'store', file: bayFile() });
    await api.call('addPoints', { channel_id, points });
    await finish(api.call('startDevice', { channel_id }));
  }
  await api.call('startAutoRead', { device_name: name, mode: kind.mode, cycle_interval_ms: 5000 });
  return { server: server.id, client: client.id };
}

/** Values of a client that are good and newer than `since`. */
async function freshValues({ core }: ManualCore, { client }: Pair, since: string): Promise<number> {
  const { data } = await core.api.call('pointTable', { channel_id: client, page: 1, page_size: 50, quality: 'good' });
  return data.items.filter(({ updated_at }) => updated_at !== null && updated_at > since).length;
}

async function comesBack(manual: ManualCore, pair: Pair): Promise<void> {
  const since = new Date(manual.clock.wallMs()).toISOString();
  for (let waited = 0; waited < BACK_MS; waited += 1000) {
    if ((await freshValues(manual, pair, since)) > 0) return;
    await manual.clock.advance(1000);
  }
  const { data } = await manual.core.api.call('listChannels', {});
  const { status, last_error } = data.find(({ id }) => id === pair.client) ?? {};
  throw new Error(`channel ${pair.client} (${status}, ${last_error}) reads nothing ${BACK_MS} ms after its device came back`);
}

function heap(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

it('reads again each time after devices went and lines broke, with flat memory', { timeout: 60_000 + HOURS * 600_000 }, async () => {
  running = await startManualCore();
  const { core, clock, network } = running;
  const random = createRandom(Number(process.env.LOOPCHECK_SEED ?? 7));
  const pairs: Pair[] = [];
  for (const kind of KINDS) pairs.push(await addPair(running, kind));
  const began = clock.monotonicMs();
  const total = HOURS * 3_600_000;
  let middle = 0;
  let comings = 0;
  while (clock.monotonicMs() - began < total) {
    if (middle === 0 && clock.monotonicMs() - began > total / 2) middle = heap();
    const going = pairs.filter(() => random() < 0.4);
    for (const { server } of going) await finish(core.api.call('stopDevice', { channel_id: server }));
    if (random() < 0.3) network.breakLines();
    network.isSilent = random() < 0.3;
    await clock.advance(random() < 0.5 ? 500 * random() : 60_000 * random());
    network.isSilent = false;
    for (const { server } of going) await finish(core.api.call('startDevice', { channel_id: server }));
    for (const pair of pairs) await comesBack(running, pair);
    comings += going.length;
    await clock.advance(20_000 * random());
  }
  const end = heap();
  if (process.env.LOOPCHECK_TELL) console.log(JSON.stringify({ hours: HOURS, comings, middle, end }));
  expect(comings).toBeGreaterThan(HOURS * 20);
  // of a short run the logs are not full yet
  if (HOURS >= 2) expect(end / middle).toBeLessThan(MOST_GROWTH);
});
