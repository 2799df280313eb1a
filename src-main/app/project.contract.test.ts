import { existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { openProject } from '../persistence/index.ts';
import { Threads } from '../platform/threads.ts';
import { createProjectOpener } from './project-thread.ts';
import { freePort, type RunningCore, startCore } from './testing/running-core.ts';

const running: RunningCore[] = [];
afterEach(async () => {
  for (const core of running.splice(0)) await core.close();
});

async function start(...parameters: Parameters<typeof startCore>): Promise<RunningCore> {
  const core = await startCore(...parameters);
  running.push(core);
  return core;
}

const open = (core: RunningCore, path: string, create = false) =>
  core.send({ method: 'POST', url: '/api/project/open', body: { path, create } });

/** A project file with one channel, closed again. */
function makeProject(path: string): void {
  const store = openProject(path, { create: true, holder: 'test', wallMs: () => 0 });
  store.close();
}

describe('POST /api/project/open', () => {
  it('continues with another file: its channels come, the others go', async () => {
    const core = await start();
    const port = await freePort();
    await core.api.call('addChannel', { name: 'Old', protocol_type: 1, conn_type: 1, port });
    await core.api.call('startDevice', { channel_id: 1 });
    const other = join(core.dir, 'other.loopcheck');
    expect(await open(core, other, true)).toMatchObject({
      status: 200,
      body: { data: { path: other, name: 'other', channels: 0, points: 0 } },
    });
    expect((await core.api.call('listChannels', {})).data).toEqual([]);
    // The port is free again: the old project was stopped.
    await core.api.call('addChannel', { name: 'New', protocol_type: 1, conn_type: 1, port });
    await core.api.call('startDevice', { channel_id: 1 });
    expect(await open(core, join(core.dir, 'test.loopcheck'))).toMatchObject({ status: 200, body: { data: { channels: 1 } } });
    expect((await core.api.call('listChannels', {})).data[0]).toMatchObject({ name: 'Old', status: 'stopped' });
  });

  it('starts the channels that are to start with the service', async () => {
    const core = await start();
    await core.api.call('addChannel', { name: 'Auto', protocol_type: 1, conn_type: 1, port: await freePort(), auto_start: true });
    await open(core, join(core.dir, 'other.loopcheck'), true);
    await open(core, join(core.dir, 'test.loopcheck'));
    const { data } = await core.api.call('startDevice', { channel_id: 1 });
    expect(data.status).toBe('running');
  });

  it('the file that is open already is no change', async () => {
    const core = await start();
    await core.api.call('addChannel', { name: 'Kept', protocol_type: 1, conn_type: 1, port: await freePort() });
    await core.api.call('startDevice', { channel_id: 1 });
    expect((await open(core, join(core.dir, '.', 'test.loopcheck'))).status).toBe(200);
    expect((await core.api.call('listChannels', {})).data[0]).toMatchObject({ status: 'running' });
  });

  const bad: [string, (path: string) => unknown, number, string][] = [
    ['missing', () => {}, 404, 'CONFIG_NOT_FOUND'],
    ['empty', (path) => writeFileSync(path, ''), 409, 'STATE_STORE'],
    ['a text', (path) => writeFileSync(path, 'This is no project. '.repeat(200)), 409, 'STATE_STORE'],
    ['a folder', (path) => void mkdirSync(path), 409, 'STATE_STORE'],
    [
      'another database',
      (path) => {
        new Database(path).exec('CREATE TABLE t (x)').close();
      },
      409,
      'STATE_STORE',
    ],
    [
      'truncated',
      (path) => {
        makeProject(path);
        truncateSync(path, 5000);
      },
      409,
      'STATE_STORE',
    ],
    [
      'newer',
      (path) => {
        makeProject(path);
        const db = new Database(path);
        db.pragma('user_version = 9999');
        db.close();
      },
      409,
      'STATE_STORE',
    ],
    [
      'locked',
      (path) => {
        const store = openProject(path, { create: true, holder: 'The other program', wallMs: () => 0 });
        return () => store.close();
      },
      409,
      'STATE_STORE',
    ],
  ];
  it.each(bad)('a file that is %s is refused, and nothing changes', async (_what, make, status, error) => {
    const core = await start();
    await core.api.call('addChannel', { name: 'Kept', protocol_type: 1, conn_type: 1, port: await freePort() });
    await core.api.call('startDevice', { channel_id: 1 });
    const path = join(core.dir, 'bad.loopcheck');
    const release = make(path);
    const reply = await open(core, path);
    expect(reply).toMatchObject({ status, body: { code: status, error, data: null, message: expect.stringContaining('bad.loopcheck') } });
    expect(JSON.stringify(reply.body)).not.toMatch(/\n\s+at /);
    expect((await core.api.call('listChannels', {})).data[0]).toMatchObject({ name: 'Kept', status: 'running' });
    if (typeof release === 'function') release();
  });

  it.each(['relative.loopcheck', '/tmp/no-ending', '/tmp/wrong.sqlite', ''])('refuses the path "%s" with 422', async (path) => {
    const core = await start();
    expect(await open(core, path)).toMatchObject({ status: 422, body: { data: [{ path: 'path' }] } });
  });

  it('goes on with the present project while the other one is read, and opens one at a time', async () => {
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const real = createProjectOpener(new Threads(), 'test', () => 0);
    const core = await start(
      {},
      {
        async openProject(path, options) {
          if (options.beside) {
            reached.resolve();
            await goOn.promise;
          }
          return real(path, options);
        },
      },
    );
    const opening = open(core, join(core.dir, 'other.loopcheck'), true);
    await reached.promise;
    await core.api.call('addChannel', { name: 'Meanwhile', protocol_type: 1, conn_type: 1, port: await freePort() });
    await core.api.call('startDevice', { channel_id: 1 });
    expect(await open(core, join(core.dir, 'third.loopcheck'), true)).toMatchObject({ status: 409, body: { error: 'STATE_CONFLICT' } });
    goOn.resolve();
    expect(await opening).toMatchObject({ status: 200, body: { data: { name: 'other', channels: 0 } } });
    expect(await open(core, join(core.dir, 'test.loopcheck'))).toMatchObject({ status: 200, body: { data: { channels: 1 } } });
  });

  it('that is not finished at the end of the service leaves no project open', async () => {
    const goOn = Promise.withResolvers<void>();
    const real = createProjectOpener(new Threads(), 'test', () => 0);
    const core = await start(
      {},
      {
        async openProject(path, options) {
          if (options.beside) await goOn.promise;
          return real(path, options);
        },
      },
    );
    const path = join(core.dir, 'other.loopcheck');
    const opening = core.core.api.call('openProject', { path, create: true });
    const refused = expect(opening).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    const closing = core.core.close();
    goOn.resolve();
    await Promise.all([refused, closing]);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('other requests are refused while the project changes, not answered from a closed one', async () => {
    const core = await start();
    const opening = open(core, join(core.dir, 'other.loopcheck'), true);
    const replies = await Promise.all(Array.from({ length: 20 }, () => core.send({ method: 'GET', url: '/api/channel/list' })));
    for (const reply of replies) expect([200, 409]).toContain(reply.status);
    expect((await opening).status).toBe(200);
  });
});

describe('POST /api/project/backup', () => {
  it('writes a copy that can be opened, and never over a file', async () => {
    const core = await start();
    await core.api.call('addChannel', { name: 'Copied', protocol_type: 1, conn_type: 2 });
    const path = join(core.dir, 'copy.loopcheck');
    const backup = () => core.send({ method: 'POST', url: '/api/project/backup', body: { path } });
    const written = await backup();
    expect(written).toMatchObject({ status: 200, body: { data: { path, size_bytes: statSync(path).size } } });
    expect(await backup()).toMatchObject({ status: 409, body: { error: 'STATE_CONFLICT' } });
    await open(core, path);
    expect((await core.api.call('listChannels', {})).data[0]?.name).toBe('Copied');
  });
});

describe('a start', () => {
  it('brings back channels, points, settings and audit, not values and tasks', async () => {
    const first = await startCore();
    await first.api.call('addChannel', { name: 'Kept', protocol_type: 1, conn_type: 1, port: await freePort() });
    await first.api.call('addPoints', { channel_id: 1, points: [{ frame_type: 3, code: 'A', address: 0 }] });
    await first.api.call('startDevice', { channel_id: 1 });
    await first.api.call('updatePoint', { point_id: 1, frame_type: 3, value: 5 });
    await first.api.call('startAutoRead', { device_name: 'Kept' });
    await first.api.call('updateSettings', { read_only: true, frame_log_bytes: 100_000 });
    await first.core.close();

    const again = await start({ dataDir: first.dir });
    expect((await again.api.call('listChannels', {})).data[0]).toMatchObject({ name: 'Kept', status: 'stopped', point_count: 1 });
    const { data } = await again.api.call('pointTable', { channel_id: 1, page: 1, page_size: 5 });
    expect(data.items[0]).toMatchObject({ code: 'A', quality: 'never', value: 0 });
    expect((await again.api.call('autoReadStatus', { device_name: 'Kept' })).data.state).toBe('idle');
    expect((await again.api.call('getSettings', {})).data).toMatchObject({ read_only: true, frame_log_bytes: 100_000 });
    expect((await again.api.call('listAudit', {})).data.items[0]).toMatchObject({ code: 'A', value: 5, outcome: 'accepted' });
  });

  it('refuses the project another service has open, naming its holder', async () => {
    const core = await start();
    await expect(startCore({ dataDir: core.dir })).rejects.toMatchObject({ code: 'STATE_STORE', message: expect.stringContaining('test') });
  });
});

describe('the end', () => {
  it('is in order, and twice is no error', async () => {
    const core = await startCore();
    await core.api.call('addChannel', { name: 'A', protocol_type: 1, conn_type: 1, port: await freePort() });
    await core.api.call('startDevice', { channel_id: 1 });
    await core.api.call('startAutoRead', { device_name: 'A' });
    await Promise.all([core.core.close(), core.core.close()]);
    await expect(core.send({ method: 'GET', url: '/api/channel/list' })).rejects.toThrow();
    makeProject(join(core.dir, 'test.loopcheck'));
    await core.close();
  });

  it('can be asked for over the API, which answers first', async () => {
    const core = await startCore();
    expect(await core.send({ method: 'POST', url: '/api/service/stop' })).toMatchObject({
      status: 200,
      body: { data: { stopping: true } },
    });
    await core.core.stopRequested;
    await core.close();
  });
});

describe('service.json', () => {
  it('says where the service is while it runs, and is gone afterwards', async () => {
    const core = await startCore();
    const file = join(core.dir, 'service.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ url: core.url, pid: process.pid, token_file: null, fingerprint: null });
    await core.core.close();
    expect(existsSync(file)).toBe(false);
    await core.close();
  });

  it('names a token file that only its owner reads', async () => {
    const core = await startCore({ token: 'secret' });
    const { token_file } = JSON.parse(readFileSync(join(core.dir, 'service.json'), 'utf8'));
    expect(readFileSync(token_file, 'utf8').trim()).toBe('secret');
    if (process.platform !== 'win32') expect(statSync(token_file).mode & 0o777).toBe(0o600);
    expect((await core.send({ method: 'GET', url: '/api/service/info' })).status).toBe(401);
    expect((await core.send({ method: 'GET', url: '/api/service/info' }, { authorization: 'Bearer secret' })).status).toBe(200);
    await core.core.close();
    expect(existsSync(token_file)).toBe(false);
    await core.close();
  });

  it('names an address that can be called when the service listens on all of them', async () => {
    const core = await startCore({ host: '0.0.0.0', token: 'secret' });
    expect(new URL(core.url).hostname).toBe('127.0.0.1');
    expect(JSON.parse(readFileSync(join(core.dir, 'service.json'), 'utf8'))).toMatchObject({ url: core.url });
    await core.close();
  });

  it('of another process is left alone', async () => {
    const core = await startCore();
    const file = join(core.dir, 'service.json');
    writeFileSync(file, '{"url":"http://127.0.0.1:1","pid":1,"token_file":null}');
    await core.core.close();
    expect(existsSync(file)).toBe(true);
    await core.close();
  });
});
