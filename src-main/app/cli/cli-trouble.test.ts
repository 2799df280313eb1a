/** The command line where a service is away, foreign, slow, gone in between; and without one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { fingerprintOf, makeCertificate } from '../certificate.ts';
import { freePort, type RunningCore, startCore, until } from '../testing/running-core.ts';
import { CommandInPlace, run } from './testing/command-in-place.ts';
import { type Plant, startPlant } from './testing/plant.ts';

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'loopcheck-cli-'));
  closings.push(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

async function plant(...config: Parameters<typeof startPlant>): Promise<Plant> {
  const started = await startPlant(...config);
  closings.push(() => started.running.close());
  return started;
}

/** Something that answers over HTTP; its address. */
async function stranger(answer: (request: IncomingMessage, reply: ServerResponse) => void): Promise<string> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closings.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Readers of the stream that a service has. */
async function readers({ url }: RunningCore): Promise<number> {
  const text = await (await fetch(`${url}/api/metrics`)).text();
  return Number(/^loopcheck_stream_readers (\d+)$/m.exec(text)?.[1]);
}

describe('a service over HTTPS', () => {
  const NOW = Date.UTC(2026, 4, 6);
  async function overHttps() {
    const made = makeCertificate('Loopcheck', ['127.0.0.1'], NOW);
    const fingerprint = fingerprintOf(made.cert);
    const started = await plant({ certificate: { ...made, fingerprint } });
    return { ...started, fingerprint, url: started.running.url };
  }

  it('is read where the fingerprint is given, or stands in its service file', async () => {
    const { url, fingerprint, running } = await overHttps();
    const digits = fingerprint.replaceAll(':', '').toLowerCase();
    expect((await run(['scan', '--url', url, '--fingerprint', digits])).code).toBe(0);
    expect((await run(['scan', '--url', url], { env: { LOOPCHECK_FINGERPRINT: fingerprint } })).code).toBe(0);
    expect((await run(['scan', '--data', running.dir])).code).toBe(0);
  });

  it.each([
    ['en', 'shows another certificate than the one that was named; its fingerprint is', 'Compare the fingerprint'],
    ['zh', '所示证书与指定的不同', '处理：请在服务本机上核对指纹'],
  ])('has changed its certificate: nothing is sent, in %s: exit code 5', async (language, words, next) => {
    const { url, fingerprint } = await overHttps();
    const other = `${'00:'.repeat(31)}00`;
    const { code, err } = await run(['scan', '--url', url, '--fingerprint', other, '--language', language]);
    expect([code, err]).toEqual([5, expect.stringContaining(words)]);
    expect(err).toContain(fingerprint);
    expect(err).toContain(next);
  });

  it('is trusted by nobody here: exit code 5, and what to give', async () => {
    const { url } = await overHttps();
    expect(await run(['scan', '--url', url])).toMatchObject({ code: 5, err: expect.stringContaining('--fingerprint') });
  });

  it.each([
    ['is not valid yet', Date.UTC(2045, 0, 1)],
    ['has expired', Date.UTC(1960, 0, 1)],
  ])('has a certificate that %s, by one of the two clocks: exit code 5, and the fingerprint does', async (_, begins) => {
    const made = makeCertificate('Loopcheck', ['127.0.0.1'], begins);
    const fingerprint = fingerprintOf(made.cert);
    const { running } = await plant({ certificate: { ...made, fingerprint } });
    expect(await run(['scan', '--url', running.url])).toMatchObject({ code: 5, err: expect.stringContaining('--fingerprint') });
    expect((await run(['scan', '--url', running.url, '--fingerprint', fingerprint])).code).toBe(0);
  });

  it.each(['AB', 'xx'.repeat(32)])('a fingerprint that is none (%s): exit code 2', async (text) => {
    expect(await run(['scan', '--url', 'https://127.0.0.1:1', '--fingerprint', text])).toMatchObject({
      code: 2,
      err: expect.stringContaining('64 hexadecimal digits'),
    });
  });
});

describe('a service that is not there', () => {
  it.each([
    ['en', 'No running Loopcheck was found', 'What to do: Start Loopcheck'],
    ['zh', '未找到正在运行的 Loopcheck', '处理：启动 Loopcheck'],
  ])('no service file, in %s: exit code 4', async (language, words, next) => {
    const { code, err } = await run(['read', 'P', '--data', folder(), '--language', language]);
    expect(code).toBe(4);
    expect(err).toContain(words);
    expect(err).toContain(next);
  });

  it('nobody at the address: exit code 4, also where a killed service left its file', async () => {
    const [dir, url] = [folder(), `http://127.0.0.1:${await freePort()}`];
    writeFileSync(join(dir, 'service.json'), JSON.stringify({ url, pid: 1, token_file: null }));
    for (const place of [
      ['--url', url],
      ['--data', dir],
    ]) {
      expect(await run(['read', 'P', ...place])).toMatchObject({
        code: 4,
        out: '',
        err: expect.stringContaining(`The service at ${url} does not answer`),
      });
    }
  });

  it.each(['not json', '{"pid":1}', '{"url":"x","token_file":null}'])('a service file that is %s: exit code 4', async (text) => {
    const dir = folder();
    writeFileSync(join(dir, 'service.json'), text);
    expect(await run(['read', 'P', '--data', dir])).toMatchObject({
      code: 4,
      err: expect.stringContaining('is not as a service writes it'),
    });
  });

  it.each(['ftp://x', '127.0.0.1:8991', 'http://u:p@127.0.0.1:1', 'http://127.0.0.1:1/api'])('--url %s: exit code 2', async (url) => {
    expect(await run(['read', 'P', '--url', url])).toMatchObject({ code: 2, err: expect.stringContaining('--url must be an address') });
  });
});

describe('what answers', () => {
  it('is another program: exit code 4', async () => {
    for (const text of ['<html>', '[]', '{}']) {
      const url = await stranger((_, reply) => reply.end(text));
      expect(await run(['read', 'P', '--url', url])).toMatchObject({
        code: 4,
        err: expect.stringContaining(`What answers at ${url} is not Loopcheck`),
      });
    }
  });

  it('is a service of another version: exit code 1, and what differs', async () => {
    const url = await stranger((_, reply) => reply.end(JSON.stringify({ code: 200, data: { name: 'Loopcheck', version: 9 } })));
    const { code, err } = await run(['read', 'P', '--url', url]);
    expect(code).toBe(1);
    expect(err).toMatch(/answers \/api\/service\/info otherwise than this program expects \(version: [\s\S]*same version as the service/);
  });

  it('breaks off while it writes: not known, exit code 3, and it was asked once', async () => {
    const { running } = await plant();
    let writes = 0;
    const url = await stranger(async (request, reply) => {
      if (request.url === '/api/points/write') {
        writes += 1;
        request.socket.destroy();
        return;
      }
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const method = request.method ?? '';
      const type: Record<string, string> = parts.length > 0 ? { 'content-type': 'application/json' } : {};
      const answer = await fetch(running.url + request.url, {
        method,
        headers: type,
        body: parts.length > 0 ? Buffer.concat(parts) : null,
      });
      reply.end(await answer.text());
    });
    const { code, out, err } = await run(['write', 'PCS 1/S=1', '--yes', '--url', url]);
    expect([code, out, writes]).toEqual([3, '', 1]);
    expect(err).toMatch(/Whether it was written is not known[\s\S]*What to do: Look at the points and at the audit/);
  });
});

describe('a token', () => {
  it('comes from the environment, a file or the service file; a wrong one is exit code 5', async () => {
    const { running, place } = await plant({ token: 'right-token' });
    const url = ['--url', running.url, '--data', folder()];
    const file = join(folder(), 'token');
    writeFileSync(file, ' right-token\n');
    expect((await run(['scan', ...place])).code).toBe(0);
    expect((await run(['scan', ...url], { env: { LOOPCHECK_TOKEN: 'right-token' } })).code).toBe(0);
    expect((await run(['scan', ...url, '--token-file', file])).code).toBe(0);
    const none = await run(['scan', ...url]);
    expect([none.code, none.err]).toEqual([5, expect.stringContaining('What to do: Give the token by LOOPCHECK_TOKEN')]);
    const wrong = await run(['scan', ...place, '--language', 'zh'], { env: { LOOPCHECK_TOKEN: 'wrong-token' } });
    expect([wrong.code, wrong.err]).toEqual([5, expect.stringMatching(/错误：.*[\u4e00-\u9fff]/)]);
    expect(wrong.err).not.toContain('wrong-token');
    const invalid = await run(['scan', ...url], { env: { LOOPCHECK_TOKEN: 'two words' } });
    expect([invalid.code, invalid.err]).toEqual([2, expect.stringContaining('LOOPCHECK_TOKEN holds no valid token')]);
    expect(await run(['scan', ...url, '--token-file', '/none'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--token-file cannot be read'),
    });
  });

  it('of the service file goes to no other address', async () => {
    const { place } = await plant({ token: 'right-token' });
    let header: string | undefined = 'not asked';
    const url = await stranger((request, reply) => {
      header = request.headers.authorization;
      reply.end('{}');
    });
    await run(['scan', '--url', url, ...place]);
    expect(header).toBeUndefined();
  });
});

describe('watch', () => {
  it('tells values as they are and as they change, each once, until the wanted number', async () => {
    const { running, pair, place, serve } = await plant();
    const device = `Served ${pair.port}`;
    const table = new CommandInPlace(['watch', `${device}/P`, `${device}/Q`, '--count', '4', ...place]);
    const json = new CommandInPlace(['watch', '--device', device, '--json', ...place]);
    await Promise.all([table.until(({ lines }) => lines.length === 2), json.until(({ lines }) => lines.length === 3)]);
    await serve('P', 10);
    await table.until(({ lines }) => lines.length === 3);
    await serve('S', 1);
    await serve('P', 11);
    expect(await table.ended).toBe(0);
    const readings = table.lines.map((line) => line.slice(25).trim().split(/ {2,}/).slice(1));
    expect(readings.slice(2)).toEqual([
      ['P', '10', 'kW', 'Good'],
      ['P', '11', 'kW', 'Good'],
    ]);
    await json.until(({ lines }) => lines.length === 6);
    expect(json.lines.slice(3).map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ device_name: device, code: 'P', value: 11, unit: 'kW', quality: 'good' }),
    );
    json.interrupt('SIGINT');
    expect(await json.ended).toBe(0);
    await until(
      () => readers(running),
      (count) => count === 0,
    );
  });

  it('ends when nobody reads its output any more, and by Ctrl+C before its number with 130', async () => {
    const { running, pair, place } = await plant();
    const closed = new CommandInPlace(['watch', '--device', `Served ${pair.port}`, ...place], { lines: 1 });
    expect(await closed.ended).toBe(0);
    expect(closed.lines).toHaveLength(1);
    const counted = new CommandInPlace(['watch', 'ONLY', '--count', '5', ...place]);
    await until(
      () => readers(running),
      (count) => count === 1,
    );
    counted.interrupt('SIGINT');
    expect(await counted.ended).toBe(130);
  });

  it('goes on when the service was started again, and tells nothing twice', async () => {
    const [dataDir, port] = [folder(), await freePort()];
    const first = await startPlant({ dataDir, port });
    const device = `Served ${first.pair.port}`;
    const watch = new CommandInPlace(['watch', `${device}/P`, 'ONLY', '--json', ...first.place]);
    closings.push(() => watch.interrupt('SIGINT'));
    await first.serve('P', 1);
    await watch.until(({ out }) => out.includes('"value":1,'));
    await watch.until(({ out }) => out.includes('"ONLY"'));
    await first.running.close();
    await watch.until(({ err }) => err.includes('trying again'));
    const again = await startCore({ dataDir, port });
    closings.push(() => again.close());
    await until(
      () => readers(again),
      (count) => count === 1,
    );
    await watch.until(({ err }) => err.includes('there again'));
    const { items } = (await again.api.call('readPoints', { points: [{ code: 'P', device_name: device }] })).data;
    await again.api.call('startDevice', { channel_id: first.pair.serverId });
    await again.api.call('updatePoint', { point_id: items[0]?.id ?? 0, frame_type: 0, value: 2 });
    await watch.until(({ out }) => out.includes('"value":2,'));
    // it was never read, in neither run of the service
    expect(watch.lines.filter((line) => line.includes('"ONLY"'))).toHaveLength(1);
    watch.interrupt('SIGINT');
    expect(await watch.ended).toBe(0);
  });

  it.each([
    [['NONE'], 'NONE'],
    [['P'], 'is a code of several channels'],
    [[], 'Name the points: loopcheck watch'],
    [['ONLY', '--count', '0'], '--count must be a whole number from 1'],
  ])('%j is wrong use, exit code 2', async (args, words) => {
    const { place } = await plant();
    expect(await run(['watch', ...args, ...place])).toMatchObject({ code: 2, out: '', err: expect.stringContaining(words) });
  });
});

describe('Ctrl+C', () => {
  it('ends a search in the service too, tells what was found, exit code 130', async () => {
    const { running, pair, place } = await plant();
    const args = ['--ip', `127.0.0.1:${pair.port}`, '--protocol', 'modbus-tcp'];
    const search = new CommandInPlace(['scan', ...args, '--json', ...place]);
    const jobs = async () => (await running.api.call('listJobs', {})).data;
    await until(jobs, ([job]) => job !== undefined);
    search.interrupt('SIGINT');
    const code = await search.ended;
    const [job] = await jobs();
    // a search of this computer may be faster than the signal
    expect([code, job?.state]).toEqual(job?.state === 'done' ? [0, 'done'] : [130, 'cancelled']);
    expect(search.json).toMatchObject({ kind: 'find', state: job?.state });
  });

  it('ends a check in the service too, exit code 130', async () => {
    const { running, pair, place } = await plant();
    // its one round is over before the check begins, so the check waits
    await running.api.call('startAutoRead', { device_name: 'PCS 1', cycle_interval_ms: 3_600_000 });
    const rounds = async () => (await running.api.call('autoReadStatus', { device_name: 'PCS 1' })).data.cycle_count;
    await until(rounds, (count) => count === 1);
    const check = new CommandInPlace([
      'check',
      'FAT',
      '--add',
      'PCS 1',
      '--reference',
      `Served ${pair.port}`,
      '--timeout',
      '3600',
      ...place,
    ]);
    const state = async () => (await running.api.call('checkRun', {})).data.run?.state;
    await until(state, (now) => now === 'running');
    check.interrupt('SIGINT');
    expect(await check.ended).toBe(130);
    expect(await state()).toBe('ended');
    expect(check.err).toContain('The check was stopped');
  });
});

describe('without a running service', () => {
  it('reads, writes and watches a project, and leaves it closed', async () => {
    const other = await plant();
    const dir = folder();
    const prepared = await startCore({ dataDir: dir });
    const channel = { name: 'Reader', protocol_type: 1, conn_type: 2, port: other.pair.port } as const;
    const { id } = (await prepared.api.call('addChannel', channel)).data;
    const points = [
      { frame_type: 0, code: 'P', address: 0, decode: '0x21' },
      { frame_type: 3, code: 'S', address: 2, decode: '0x21' },
    ] as const;
    await prepared.api.call('addPoints', { channel_id: id, points: [...points] });
    await prepared.close();
    await other.serve('P', 42);
    const place = ['--project', join(dir, 'test.loopcheck'), '--data', dir];
    const read = await run(['read', 'P', '--json', ...place]);
    expect([read.code, read.err, read.command.json]).toEqual([
      0,
      '',
      expect.objectContaining({ items: [expect.objectContaining({ value: 42, quality: 'good' })] }),
    ]);
    expect(await run(['write', 'S=9', '--yes', ...place])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/S +9 +accepted +same value/),
    });
    const watch = new CommandInPlace(['watch', 'P', '--json', ...place]);
    await watch.until(({ lines }) => lines.some((line) => line.includes('"value":42,')));
    await other.serve('P', 43);
    await watch.until(({ lines }) => lines.some((line) => line.includes('"value":43,')));
    watch.interrupt('SIGTERM');
    expect(await watch.ended).toBe(0);
    expect((await run(['export', 'Reader', '--out', '-', '--format', 'csv', ...place])).code).toBe(0);
  });

  it('runs the demo plant', async () => {
    const { code, out, err } = await run(['read', 'Demo PCS/PCS_P_SET', '--demo', '--data', folder()]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^Demo PCS +PCS_P_SET +Active power setpoint +\S+ +kW +Good/m);
  });

  it('says that a project is not there, or open elsewhere', async () => {
    const { running } = await plant();
    const missing = join(running.dir, 'none.loopcheck');
    expect(await run(['read', 'P', '--project', missing])).toMatchObject({
      code: 2,
      err: expect.stringContaining('There is no project file'),
    });
    const open = await run(['read', 'P', '--project', join(running.dir, 'test.loopcheck'), '--data', folder()]);
    expect([open.code, open.out]).toEqual([1, '']);
    expect(open.err).toMatch(/test\.loopcheck[\s\S]*What to do: /);
  });
});
