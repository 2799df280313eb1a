import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';

const entry = join(import.meta.dirname, 'headless.ts');
const dirs: string[] = [];
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'loopcheck-headless-'));
  dirs.push(dir);
  return dir;
}

interface Run {
  readonly child: ChildProcess;
  /** Resolves with what was printed when the first line of standard output is there. */
  readonly firstLine: Promise<string>;
  readonly ended: Promise<{ code: number | null; out: string; err: string }>;
}

function run(args: readonly string[], env: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, [entry, ...args], { env: { ...process.env, LOOPCHECK_TOKEN: '', ...env } });
  children.push(child);
  let out = '';
  let err = '';
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const firstLine = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      out += chunk;
      if (out.includes('\n')) resolve(out.split('\n', 1)[0] ?? '');
    });
    child.once('close', () => reject(new Error(`Ended without a line: ${err}`)));
  });
  firstLine.catch(() => {});
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out, err }));
  return { child, firstLine, ended };
}

describe('headless', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('prints where it listens, and stops in order with exit code 0 on %s', async (signal) => {
    const dir = folder();
    const { child, firstLine, ended } = run(['--port', '0', '--data', dir]);
    const line = await firstLine;
    const url = /^Loopcheck is listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1];
    const reply = await fetch(`${url}/api/service/info`);
    expect(await reply.json()).toMatchObject({ code: 200, data: { name: 'Loopcheck', pid: child.pid, read_only: false } });
    expect(existsSync(join(dir, 'service.json'))).toBe(true);
    child.kill(signal);
    expect(await ended).toMatchObject({ code: 0, err: '' });
    expect(existsSync(join(dir, 'service.json'))).toBe(false);
    expect(readdirSync(dir).sort()).toEqual(['default.loopcheck', 'logs', 'recent.json']);
  });

  it('stops with exit code 0 when it is asked to over the API', async () => {
    const { firstLine, ended } = run(['--port', '0', '--data', folder()]);
    const url = (await firstLine).split(' ').at(-1);
    await fetch(`${url}/api/service/stop`, { method: 'POST' });
    expect(await ended).toMatchObject({ code: 0, err: '' });
  });

  it('ends at the second signal with exit code 1, where the first one waits for a device', async () => {
    // it takes a request and says nothing
    const device = createServer().listen(0, '127.0.0.1');
    await once(device, 'listening');
    const address = device.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const dir = folder();
    const { child, firstLine, ended } = run(['--port', '0', '--data', dir]);
    const url = (await firstLine).split(' ').at(-1);
    const post = async (path: string, body: object) => {
      const reply = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return ((await reply.json()) as { data: { id: number } }).data;
    };
    const { id } = await post('/api/channel/add', { name: 'Mute', protocol_type: 1, conn_type: 2, port, timeout_ms: 60_000 });
    const asked = once(device, 'connection').then(([socket]) => once(socket, 'data'));
    const point = { frame_type: 0, code: 'P', address: 1 };
    await post('/api/device/add_points', { channel_id: id, points: [point] });
    await post('/api/device/start', { channel_id: id });
    await post('/api/devices/manual-read', { device_name: 'Mute', mode: 'single' });
    await asked;
    child.kill('SIGTERM');
    await vi.waitFor(() => expect(existsSync(join(dir, 'service.json'))).toBe(false), { timeout: 60_000 });
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 1 });
    device.close();
  });

  it('takes the token from the environment, keeps it out of the log, and --read-only from the line', async () => {
    const dir = folder();
    const { child, firstLine, ended } = run(['--port', '0', '--data', dir, '--read-only'], { LOOPCHECK_TOKEN: 'very-secret' });
    const url = (await firstLine).split(' ').at(-1);
    expect((await fetch(`${url}/api/service/info`)).status).toBe(401);
    const reply = await fetch(`${url}/api/service/info`, { headers: { authorization: 'Bearer very-secret' } });
    expect(await reply.json()).toMatchObject({ data: { read_only: true } });
    child.kill('SIGTERM');
    await ended;
    for (const file of readdirSync(join(dir, 'logs'))) expect(readFileSync(join(dir, 'logs', file), 'utf8')).not.toContain('very-secret');
  });

  it('a taken port: says by whom and what to do, exit code 1', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { ended } = run(['--port', String(port), '--data', folder()]);
    const { code, err } = await ended;
    server.close();
    expect(code).toBe(1);
    expect(err).toContain(`Port ${port} of 127.0.0.1 is taken`);
    expect(err).toContain('--port 0');
    expect(err).not.toMatch(/\n\s+at /);
  });

  it('a port taken by another Loopcheck: names its process', async () => {
    const first = run(['--port', '0', '--data', folder()]);
    const port = (await first.firstLine).split(':').at(-1) ?? '';
    const { code, err } = await run(['--port', port, '--data', folder()]).ended;
    expect(code).toBe(1);
    expect(err).toContain(`another Loopcheck (process ${first.child.pid})`);
    first.child.kill('SIGTERM');
    await first.ended;
  });

  it.each([
    ['an unknown option', ['--prot', '1'], '(Did you mean --port?)'],
    ['a port that is none', ['--port', '99999'], 'whole number from 0 to 65535'],
    ['a word too many', ['--demo', 'serve'], 'too many arguments'],
    ['an open address without a token', ['--host', '0.0.0.0', '--port', '0'], 'a token is needed'],
    ['an address that is not ours', ['--host', '192.0.2.7', '--port', '0', '--token', 't'], 'no address of this computer'],
  ])('%s: says what is wrong, exit code 1', async (_what, args, message) => {
    const { code, out, err } = await run([...args, '--data', folder()]).ended;
    expect(code).toBe(1);
    expect(out).toBe('');
    expect(err).toContain(message);
    expect(err).not.toMatch(/\n\s+at /);
  });

  it.each([[['--prot', '1']], [['--port', '0', '--data=']], [['extra']]])(
    'makes nothing where the arguments %j are refused',
    async (args) => {
      const dir = join(folder(), 'data');
      expect(await run(['--data', dir, ...args]).ended).toMatchObject({ code: 1, out: '' });
      expect(existsSync(dir)).toBe(false);
    },
  );

  it('a bad project file: one clear message, exit code 1, and the file stays as it was', async () => {
    const dir = folder();
    const project = join(dir, 'bad.loopcheck');
    writeFileSync(project, 'no project');
    const { code, err } = await run(['--port', '0', '--data', dir, '--project', project]).ended;
    expect(code).toBe(1);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).toContain('bad.loopcheck');
    expect(readFileSync(project, 'utf8')).toBe('no project');
  });

  it('prints version and help, exit code 0', async () => {
    const version = await run(['--version']).ended;
    expect(version).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    const help = await run(['--help']).ended;
    expect(help).toMatchObject({ code: 0, out: expect.stringContaining('--read-only') });
  });
});
