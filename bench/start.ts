import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createClient } from '../src-shared/client/client.ts';
import { buildIfNeeded } from '../tools/lib/build.ts';
import { inRoot } from '../tools/lib/paths.ts';
import { type BenchResult, median, ratioAtMost, valueAtMost } from './result.ts';

const PAIRS = 5;
/** Processor time of an empty start beside a service with one route. */
const MOST_RATIO = 2;
/** The first start makes the project, and finds nothing compiled. */
const MOST_FIRST = 3;
const MOST_MEGABYTES = 100;
const MOST_DEMO_S = 1;
/** The service gives back what its start left behind within this time, when nobody asks anything. */
const REST_MS = 3000;
/** Clock ticks of /proc in a second; the same on every Linux that Node runs on. */
const TICKS = 100;

interface Started {
  readonly url: string;
  readonly child: ChildProcess;
  /** Seconds from the start of the process until it listened. */
  readonly seconds: number;
}

/** What a start costs, as built: processor time beside a service with one route, memory at rest, time from `--demo` to values. Reads /proc, so on Linux alone. */
export async function* run(): AsyncIterable<BenchResult> {
  await buildIfNeeded();
  const folder = mkdtempSync(join(tmpdir(), 'loopcheck-bench-'));
  try {
    const empty = ['--port', '0', '--data', join(folder, 'empty')];
    // The first start makes the project and what is kept compiled; the second is the usual one.
    const first = await cost(inRoot('out/main/headless.js'), empty);
    const ours: number[] = [];
    const hello: number[] = [];
    let megabytes = 0;
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const usual = await cost(inRoot('out/main/headless.js'), empty);
      ours.push(usual.ms);
      megabytes = Math.max(megabytes, usual.megabytes);
      hello.push((await cost(inRoot('bench/peers/hello-fastify.ts'), [])).ms);
    }
    yield ratioAtMost('start: processor time of an empty start beside hello-world Fastify', median(ours), 'ms', median(hello), MOST_RATIO);
    yield ratioAtMost('start: processor time of the very first start', first.ms, 'ms', median(hello), MOST_FIRST);
    yield valueAtMost('start: memory at rest', megabytes, 'MB', MOST_MEGABYTES);
    yield valueAtMost('start: from --demo to values', await secondsToDemo(join(folder, 'demo')), 's', MOST_DEMO_S);
    yield valueAtMost('start: from --demo to values, the next time', await secondsToDemo(join(folder, 'demo')), 's', MOST_DEMO_S);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function start(script: string, args: readonly string[]): Promise<Started> {
  const began = performance.now();
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /listening on (http\S+)/.exec(line)?.[1];
    if (url === undefined) continue;
    child.stdout.resume();
    return { url, child, seconds: (performance.now() - began) / 1000 };
  }
  throw new Error(`${script} did not listen.`);
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Processor time until it listens, and memory when it has rested. */
async function cost(script: string, args: readonly string[]): Promise<{ ms: number; megabytes: number }> {
  const { child } = await start(script, args);
  // behind the name in parentheses, which may hold blanks, begins field 3
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const ms = ((Number(fields[11]) + Number(fields[12])) / TICKS) * 1000;
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
  await end(child);
  return { ms, megabytes: (Number(resident) * 1024) / 1e6 };
}

async function secondsToDemo(data: string): Promise<number> {
  const began = performance.now();
  const { url, child } = await start(inRoot('out/main/headless.js'), ['--demo', '--port', '0', '--data', data]);
  const { call } = createClient(async ({ method, url: path }) => {
    const response = await fetch(url + path, { method });
    return { status: response.status, body: await response.json() };
  });
  for (;;) {
    const { data: channels } = await call('listChannels', {});
    const channel_id = channels.find(({ name }) => name === 'Demo PCS')?.id;
    const table = channel_id && (await call('pointTable', { channel_id, page: 1, page_size: 1, search: 'PCS_UDC' }));
    if (table && table.data.items[0]?.quality === 'good') break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const seconds = (performance.now() - began) / 1000;
  await end(child);
  return seconds;
}
