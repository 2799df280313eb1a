/** Starts the service from a package, as a person with only that package would, and reads a value from it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractAll } from '@electron/asar';
import { createClient } from '../../src-shared/client/client.ts';

const START_LIMIT_MS = 30_000;
const VALUE_LIMIT_MS = 20_000;
const STOP_LIMIT_MS = 15_000;
const POLL_MS = 200;

/** Value that was read, with its unit. */
export interface PackageReading {
  readonly url: string;
  readonly text: string;
}

/**
 * Unpacks the package to a folder outside the repository (so that no module of the repository can stand in for a missing one), and tries
 * its headless entry as `tryService` does.
 */
export async function tryHeadless(packageFolder: string): Promise<PackageReading> {
  const folder = mkdtempSync(join(tmpdir(), 'loopcheck-package-'));
  try {
    const program = join(folder, 'app');
    extractAll(join(packageFolder, 'resources/app.asar'), program);
    return await tryService(process.execPath, [join(program, 'out/main/headless.js')], folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts a service with the demo plant in a folder and without the tools of this one, waits for a good value, stops it, and wants exit code 0. */
export async function tryService(program: string, args: readonly string[], folder: string): Promise<PackageReading> {
  const own = [...args, '--demo', '--port', '0', '--data', join(folder, 'data')];
  const child = spawn(program, own, { cwd: folder, env: { PATH: '/usr/bin:/bin', HOME: folder }, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  try {
    const url = await within(START_LIMIT_MS, listening(child, exited), 'The service did not start.');
    const text = await within(VALUE_LIMIT_MS, goodValue(url), 'The demo plant gave no value.');
    child.kill('SIGTERM');
    const code = await within(STOP_LIMIT_MS, exited, 'The service did not stop.');
    if (code !== 0) throw new Error(`The service ended with code ${code} instead of 0.`);
    return { url, text };
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}

async function listening(child: ChildProcess, exited: Promise<number | null>): Promise<string> {
  const announced = new Promise<string>((resolve) => {
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += String(chunk);
      const match = /listening on (http:\/\/\S+)/.exec(output);
      if (match?.[1]) resolve(match[1]);
    });
  });
  const url = await Promise.race([announced, exited]);
  if (typeof url !== 'string') throw new Error(`The service ended with code ${url} before it listened.`);
  return url;
}

async function goodValue(url: string): Promise<string> {
  const client = createClient(async ({ method, url: path }) => {
    const response = await fetch(url + path, { method });
    return { status: response.status, body: await response.json() };
  });
  for (;;) {
    const { data: channels } = await client.call('listChannels', {});
    const channel = channels.find((item) => item.name === 'Demo PCS');
    if (channel) {
      const query = { channel_id: channel.id, page: 1, page_size: 1, search: 'PCS_UDC' };
      const { data: table } = await client.call('pointTable', query);
      const point = table.items[0];
      if (point?.quality === 'good' && point.value > 0) return `${point.code} = ${point.value} ${point.unit}`;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function within<Value>(limitMs: number, wanted: Promise<Value>, otherwise: string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${otherwise} (${limitMs / 1000} s)`)), limitMs);
  });
  try {
    return await Promise.race([wanted, late]);
  } finally {
    clearTimeout(timer);
  }
}
