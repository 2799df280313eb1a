import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { type ApiClient, createClient } from '#shared/client/client.ts';
import { createRandom } from '../platform/seeded-random.ts';
import { verifyRecord } from '../services/check/verify.ts';
import { builtInDrivers } from './built-in-drivers.ts';

const ENTRY = join(import.meta.dirname, '..', 'headless.ts');
/** A run of some seconds; `npm run soak -- check-kills` asks for a hundred. */
const KILLS = Number(process.env.LOOPCHECK_CHECK_KILLS ?? 3);
const POINTS = 20;
const OPERATORS = ['Li', 'Wang'];
/** A kill comes behind so many confirmed results at most. */
const MOST_RESULTS = 40;

const dir = mkdtempSync(join(tmpdir(), 'loopcheck-check-kill-'));
let service: ChildProcess | null = null;
afterAll(() => {
  service?.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

/** Starts a service of its own on the project, and a client for it. */
async function start(): Promise<{ readonly child: ChildProcess; readonly api: ApiClient; readonly url: string }> {
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
  return { child, api, url };
}

async function makeSession(api: ApiClient): Promise<number> {
  const { id: channel } = (await api.call('addChannel', { name: 'PCS', protocol_type: 1, conn_type: 2, port: 1 })).data;
  const points = Array.from({ length: POINTS }, (_, at) => ({ frame_type: 0 as const, code: `U${at}`, address: at, decode: '0x21' }));
  await api.call('addPoints', { channel_id: channel, points });
  const { id } = (await api.call('addCheck', { name: 'Visit' })).data;
  await api.call('addCheckItems', { session_id: id, channel_id: channel });
  return id;
}

describe('a kill of the service in the middle of a check', () => {
  it(`loses no result that was confirmed, and its record is whole, ${KILLS} times`, { timeout: 60_000 + KILLS * 10_000 }, async () => {
    const random = createRandom(20260404);
    const confirmed = new Map<string, { readonly part: string; readonly seq: number }>();
    let { child, api, url } = await start();
    const id = await makeSession(api);
    const items = (await api.call('checkItems', { session_id: id })).data.items.map(({ item }) => item);
    for (let kill = 0; kill < KILLS; kill++) {
      const until = confirmed.size + 1 + Math.floor(random() * MOST_RESULTS);
      const exited = once(child, 'exit');
      const killed = child;
      const present = api;
      /** Appends results until the service is gone. */
      const append = async (operator: string) => {
        for (;;) {
          const item = items[Math.floor(random() * POINTS)] ?? '';
          const asked = { session_id: id, item, verdict: random() < 0.5 ? 'failed' : 'blocked', operator } as const;
          const result = await present.call('enterCheckResult', asked).catch(() => null);
          if (result === null) return;
          confirmed.set(result.data.digest, { part: result.data.part, seq: result.data.seq });
          if (confirmed.size >= until) killed.kill('SIGKILL');
        }
      };
      await Promise.all(OPERATORS.map(append));
      expect((await exited)[1]).toBe('SIGKILL');

      ({ child, api, url } = await start());
      const there = new Set<string>();
      for (const item of items) {
        for (let page = 1, left = true; left; page++) {
          const { data } = await api.call('checkHistory', { session_id: id, item, page, page_size: 100 });
          for (const { digest } of data.items) there.add(digest);
          left = page * 100 < data.total;
        }
      }
      const lost = [...confirmed].filter(([digest]) => !there.has(digest));
      // a result per operator may be on the disk whose confirmation the kill came before
      expect({ kill, lost, more: there.size - confirmed.size <= OPERATORS.length * (kill + 1) }).toEqual({ kill, lost: [], more: true });
    }
    const record = await fetch(`${url}/api/check/record?session_id=${id}`);
    const path = join(dir, 'record.json');
    writeFileSync(path, new Uint8Array(await record.arrayBuffer()));
    expect(await verifyRecord(path, { frames: [], drivers: builtInDrivers })).toMatchObject({ is_whole: true, parts: KILLS });
    child.kill('SIGTERM');
    await once(child, 'exit');
    console.log(`${KILLS} kills, ${confirmed.size} confirmed results`);
    expect(confirmed.size).toBeGreaterThan(KILLS);
  });
});
