/**
 * The built service with its demo plant, whose devices come and go for as long as LOOPCHECK_SOAK_MINUTES says (30): they are stopped and started
 * again at random, alone and together, and every client must read good values again each time. At the end the memory must be flat. Exit code 1
 * when a device stays lost, the service ends, or memory grows.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../src-main/platform/seeded-random.ts';
import { type ApiClient, createClient } from '../../src-shared/client/client.ts';
import { AppError } from '../../src-shared/domain/errors.ts';
import { overFetch } from '../lib/over-fetch.ts';
import { inRoot } from '../lib/paths.ts';

/** Served devices of the demo, and who reads them. */
const DEVICES: Readonly<Record<string, readonly string[]>> = {
  'Demo plant': ['Demo PCS', 'Demo BMS', 'Demo meter'],
  'Demo 645 meters': ['Demo 645 line'],
  'Demo 104 station': ['Demo 104 master'],
  'Demo 61850 bay': ['Demo 61850 client'],
};
/** Pauses between attempts to connect double up to 30 s. */
const BACK_MS = 60_000;
/** Resident memory at the end beside that at a third of the time: logs are as small as they may be, so that they are full by then. */
const MOST_GROWTH = 1.1;

const minutes = Number(process.env.LOOPCHECK_SOAK_MINUTES ?? 30);
const seed = Number(process.env.LOOPCHECK_SEED ?? Math.floor(2 ** 31 * Math.random()));
const random = createRandom(seed);
const folder = mkdtempSync(join(tmpdir(), 'loopcheck-soak-'));
const args = ['--expose-gc', inRoot('out/main/headless.js'), '--demo', '--port', '0', '--data', folder];
const service = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
const exited = once(service, 'exit');
let hasEnded = false;
service.once('exit', () => {
  hasEnded = true;
});
const api = createClient(overFetch(await listeningAt()));
const problems: string[] = [];
const memory: number[] = [];
let comings = 0;

await api.call('updateSettings', { frame_log_bytes: 65_536, events_kept: 1000 });
const began = performance.now();
const endsAt = began + minutes * 60_000;
while (!hasEnded && (await channelsByName(api)).get('Demo 61850 client')?.status !== 'running') await sleep(200);
while (performance.now() < endsAt && !hasEnded && problems.length === 0) {
  const names = Object.keys(DEVICES).filter(() => random() < 0.4);
  const channels = await channelsByName(api);
  await Promise.all(names.map((name) => api.call('stopDevice', { channel_id: idOf(channels, name) })));
  await sleep(random() < 0.5 ? 500 * random() : 8000 * random());
  for (const name of names) await startAgain(idOf(channels, name));
  for (const name of names) for (const reader of DEVICES[name] ?? []) await comesBack(reader);
  comings += names.length;
  await sleep(2000 * random());
  memory.push(residentMiB());
}

service.kill('SIGTERM');
const [code] = await exited;
rmSync(folder, { recursive: true, force: true });
if (code !== 0) problems.push(`the service ended with ${code}`);
const early = median(memory.slice(Math.floor(memory.length / 3), Math.floor(memory.length / 2)));
const late = median(memory.slice(-Math.ceil(memory.length / 6)));
if (late > early * MOST_GROWTH) problems.push(`memory grew from ${early.toFixed(0)} to ${late.toFixed(0)} MiB`);
const took = ((performance.now() - began) / 60_000).toFixed(1);
console.log(`devices: ${comings} comings and goings in ${took} min, memory ${early.toFixed(0)} then ${late.toFixed(0)} MiB, seed ${seed}`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 && comings > 0 ? 0 : 1;

/** Starts a device. While it was away its port was free: another program may have it for a while. */
async function startAgain(channelId: number): Promise<void> {
  const until = performance.now() + 120_000;
  for (;;) {
    try {
      await api.call('startDevice', { channel_id: channelId });
      return;
    } catch (thrown) {
      const isTaken = thrown instanceof AppError && thrown.code === 'TRANSPORT_PORT_TAKEN';
      if (!isTaken || performance.now() > until) throw thrown;
      await sleep(500);
    }
  }
}

/** Waits until a client reads good values that are newer than now. */
async function comesBack(name: string): Promise<void> {
  const since = new Date().toISOString();
  const deadline = performance.now() + BACK_MS;
  while (performance.now() < deadline && !hasEnded) {
    const channel = (await channelsByName(api)).get(name);
    if (channel?.status === 'running') {
      const { data } = await api.call('pointTable', { channel_id: channel.id, page: 1, page_size: 20, quality: 'good' });
      if (data.items.some(({ updated_at }) => updated_at !== null && updated_at > since)) return;
    }
    await sleep(200);
  }
  problems.push(`${name} did not read a good value within ${BACK_MS / 1000} s of the return of its device`);
}

async function channelsByName(client: ApiClient) {
  return new Map((await client.call('listChannels', {})).data.map((channel) => [channel.name, channel]));
}

function idOf(channels: Awaited<ReturnType<typeof channelsByName>>, name: string): number {
  const channel = channels.get(name);
  if (!channel) throw new Error(`The demo has no channel ${name}.`);
  return channel.id;
}

function residentMiB(): number {
  const found = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'));
  return Number(found?.[1]) / 1024;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function listeningAt(): Promise<string> {
  for await (const line of createInterface({ input: service.stdout })) {
    const url = /is listening on (http:\S+)/.exec(line)?.[1];
    if (url === undefined) continue;
    service.stdout.resume();
    return url;
  }
  throw new Error('the service did not come up');
}
