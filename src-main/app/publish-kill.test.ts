import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { type ApiClient, createClient } from '#shared/client/client.ts';
import { createRandom } from '../platform/seeded-random.ts';

const ENTRY = join(import.meta.dirname, '..', 'headless.ts');
/** A run of some seconds; `LOOPCHECK_PUBLISH_KILLS=100` asks for more. */
const KILLS = Number(process.env.LOOPCHECK_PUBLISH_KILLS ?? 3);

const dir = mkdtempSync(join(tmpdir(), 'loopcheck-publish-kill-'));
let service: ChildProcess | null = null;
/** What came by sequence: the values that were given under it. */
const got = new Map<number, Set<string>>();
const sessions = new Set<string>();
let status = 204;
const target = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  // what it takes stays with it; now and then it says nothing of that
  const { session, items } = JSON.parse(Buffer.concat(parts).toString()) as { session: string; items: Item[] };
  if (status !== 503 && items.length > 0) sessions.add(session);
  if (status !== 503) for (const item of items) note(item);
  if (status === 0) response.destroy();
  else response.writeHead(status).end();
});

interface Item {
  readonly sequence: number;
  readonly code: string;
  readonly value: number;
  readonly time: string;
}

function note({ sequence, code, value, time }: Item): void {
  const said = got.get(sequence) ?? new Set();
  said.add(`${code} ${value} ${time}`);
  got.set(sequence, said);
}

afterAll(() => {
  service?.kill('SIGKILL');
  target.closeAllConnections();
  target.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Starts a service of its own on the project, and a client for it. */
async function start(): Promise<{ readonly child: ChildProcess; readonly api: ApiClient }> {
  const env = { ...process.env, LOOPCHECK_TOKEN: '' };
  const child = spawn(process.execPath, [ENTRY, '--port', '0', '--data', dir], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  service = child;
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const url = line.split(' ').at(-1) ?? '';
  const api = createClient(async ({ method, url: path, body }) => {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(url + path, { method, ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }) });
    return { status: reply.status, body: await reply.json() };
  });
  return { child, api };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

describe('a kill of the service while records wait for their target', () => {
  it(`loses none that has a sequence, and gives it to no other value, ${KILLS} times`, { timeout: 60_000 + KILLS * 15_000 }, async () => {
    const random = createRandom(20260630);
    target.listen(0, '127.0.0.1');
    await once(target, 'listening');
    const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
    let { child, api } = await start();
    const { id: channel } = (await api.call('addChannel', { name: 'Bay', protocol_type: 1, conn_type: 1, port: await freePort() })).data;
    const points = Array.from({ length: 20 }, (_, at) => ({ frame_type: 3 as const, code: `P${at}`, address: at * 2, decode: '0x43' }));
    const items = (await api.call('addPoints', { channel_id: channel, points })).data.items.map(({ id }) => id);
    await api.call('startDevice', { channel_id: channel });
    await api.call('setPublisher', {
      name: 'Kept',
      enabled: true,
      target: { kind: 'webhook', url, every_ms: 100 },
      devices: [],
      frame_types: [],
      codes: [],
      keep: { mb: 10, hours: 24 },
    });
    let value = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const until = value + 100 + Math.floor(random() * 150);
      while (value < until) {
        const dice = random();
        if (dice < 0.08) status = dice < 0.03 ? 204 : dice < 0.05 ? 503 : 0;
        await api.call('updatePoint', { point_id: items[value % items.length] ?? 0, frame_type: 3, value: ++value });
      }
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      expect((await exited)[1]).toBe('SIGKILL');
      ({ child, api } = await start());
      await api.call('startDevice', { channel_id: channel }).catch(() => undefined);
    }
    status = 204;
    const publisher = async () => (await api.call('publishers', {})).data.items[0] ?? expect.fail('there is none');
    const isDone = async () => {
      const { state, waiting, buffer } = await publisher();
      return state === 'running' && waiting === 0 && buffer !== null;
    };
    await expect.poll(isDone, { timeout: 60_000, interval: 100 }).toBe(true);
    const last = await publisher();
    expect(last).toMatchObject({ state: 'running', waiting: 0, lost: 0, buffer: { records: 0, dropped: 0 } });
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect([...sessions]).toEqual([last.session]);
    const missing = Array.from({ length: last.sequence }, (_, index) => index + 1).filter((sequence) => !got.has(sequence));
    const doubled = [...got].filter(([, said]) => said.size > 1);
    expect({ missing, doubled }).toEqual({ missing: [], doubled: [] });
    console.log(`${KILLS} kills, ${last.sequence} records`);
    expect(last.sequence).toBeGreaterThan(KILLS * 20);
  });
});
