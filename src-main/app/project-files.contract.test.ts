import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { say } from '#shared/messages/index.ts';
import { dlt645Driver } from '../drivers/dlt645/driver.ts';
import { modbusTcpDriver } from '../drivers/modbus/driver.ts';
import { openProject } from '../persistence/index.ts';
import { storeError } from '../persistence/store-error.ts';
import { Threads } from '../platform/threads.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { createProjectOpener } from './project-thread.ts';
import { freePort, type RunningCore, startCore } from './testing/running-core.ts';

/** Memory that looks like a drive of its own, or the disk where the tests themselves have their files in memory; undefined when there is neither. */
const otherDrive = ['/dev/shm', '/var/tmp'].find((place) => existsSync(place) && statSync(place).dev !== statSync(tmpdir()).dev);

const running: RunningCore[] = [];
afterEach(async () => {
  for (const core of running.splice(0)) await core.close();
});

async function start(...parameters: Parameters<typeof startCore>): Promise<RunningCore> {
  const core = await startCore(...parameters);
  running.push(core);
  return core;
}

function makeProject(path: string): void {
  openProject(path, { create: true, holder: 'test', wallMs: () => 0 }).close();
}

const recentOf = async (core: RunningCore) =>
  (await core.api.call('recentProjects', {})).data.items.map(({ name, state }) => [name, state]);
const namesOf = async (core: RunningCore) => (await core.api.call('listChannels', {})).data.map(({ name }) => name);
const open = (core: RunningCore, path: string, create = false) =>
  core.send({ method: 'POST', url: '/api/project/open', body: { path, create } });
const rename = (core: RunningCore, path: string) => core.send({ method: 'POST', url: '/api/project/rename', body: { path } });
const upload = (core: RunningCore, name: string, bytes: Uint8Array) =>
  core.send({ method: 'PUT', url: '/api/project/file', file: { name, bytes } });

describe('GET /api/project/recent', () => {
  it('names what was open, the last one first, and what has become of each', async () => {
    const core = await start();
    for (const name of ['a', 'b', 'c']) await open(core, join(core.dir, `${name}.loopcheck`), true);
    writeFileSync(join(core.dir, 'a.loopcheck'), 'no project');
    const db = new Database(join(core.dir, 'b.loopcheck'));
    db.pragma('user_version = 9999');
    db.close();
    expect(await recentOf(core)).toEqual([
      ['c', 'open'],
      ['b', 'newer'],
      ['a', 'refused'],
      ['test', 'ready'],
    ]);
    const { data } = await core.api.call('recentProjects', {});
    expect(data.items[1]?.reason).toMatch(/version 9999.*open it with a newer Loopcheck/);
    expect(data.items[2]?.reason_message).toMatchObject({ code: 'store.file' });
    expect(data.folder).toBe(join(core.dir, 'projects'));
  });

  it('lasts over a start, and forgets by name without touching the file', async () => {
    const first = await startCore();
    await open(first, join(first.dir, 'other.loopcheck'), true);
    await first.core.close();
    const core = await start({ dataDir: first.dir });
    expect(await recentOf(core)).toEqual([
      ['test', 'open'],
      ['other', 'ready'],
    ]);
    const path = join(core.dir, 'other.loopcheck');
    expect((await core.api.call('forgetProject', { path })).data).toEqual({ forgotten: true });
    expect((await core.api.call('forgetProject', { path })).data).toEqual({ forgotten: false });
    expect(await recentOf(core)).toEqual([['test', 'open']]);
    expect(existsSync(path)).toBe(true);
  });
});

describe('a place for a new project', () => {
  it.each([
    ['whose folder is not there', 'none/p.loopcheck', 'STATE_STORE', /there is no folder .*none; make it, or choose another folder/],
    ['below a file', 'file/p.loopcheck', 'STATE_STORE', /file is a file and no folder/],
    ['below a folder of a file', 'file/deep/p.loopcheck', 'STATE_STORE', /there is no folder/],
    ['that is a folder', 'folder.loopcheck', 'STATE_STORE', /it is a folder; choose a file/],
  ])('%s is refused with what to do, by new, copy and rename', async (_what, place, error, words) => {
    const core = await start();
    writeFileSync(join(core.dir, 'file'), 'x');
    mkdirSync(join(core.dir, 'folder.loopcheck'));
    const path = join(core.dir, place);
    const asked = { method: 'POST', body: { path } } as const;
    for (const reply of [
      await open(core, path, true),
      await core.send({ ...asked, url: '/api/project/backup' }),
      await core.send({ ...asked, url: '/api/project/rename' }),
    ]) {
      expect(reply).toMatchObject({ status: 409, body: { error, message: expect.stringMatching(words) } });
    }
    expect((await core.api.call('projectInfo', {})).data.name).toBe('test');
  });

  it.each(['a\u0007b', 'a\nb', '\ud800'])('with the name %j is refused with 422', async (name) => {
    const core = await start();
    const path = join(core.dir, `${name}.loopcheck`);
    for (const url of ['/api/project/open', '/api/project/backup', '/api/project/rename']) {
      const reply = await core.send({ method: 'POST', url, body: { path, create: true } });
      expect(reply).toMatchObject({ status: 422, body: { data: [{ path: 'path', message_code: 'field.plain_line' }] } });
    }
  });

  it('in the folder of projects makes that folder', async () => {
    const core = await start();
    expect((await open(core, join(core.dir, 'projects', 'first.loopcheck'), true)).status).toBe(200);
  });
});

describe('POST /api/project/rename', () => {
  it('gives the file its new name, with channels and passwords, and starts what is to start', async () => {
    const core = await start({}, { drivers: createDriverRegistry([dlt645Driver, modbusTcpDriver]) });
    const line = { protocol_type: 4, conn_type: 2 } as const;
    const channel_id = (await core.api.call('addChannel', { name: 'Meters', ...line })).data.id;
    await core.api.call('updateChannelSecrets', { channel_id, secrets: { password_02: '918273' } });
    await core.api.call('addChannel', { name: 'Auto', protocol_type: 1, conn_type: 1, port: await freePort(), auto_start: true });
    await core.api.call('startDevice', { channel_id: 2 });
    const path = join(core.dir, 'site 7.loopcheck');
    expect(await rename(core, path)).toMatchObject({ status: 200, body: { data: { path, name: 'site 7', channels: 2 } } });
    expect(existsSync(join(core.dir, 'test.loopcheck'))).toBe(false);
    expect(readdirSync(core.dir).filter((name) => name.startsWith('test.'))).toEqual([]);
    const { data } = await core.api.call('channelSecrets', { channel_id });
    expect(data.secrets.password_02).toBe(true);
    expect(Object.keys(JSON.parse(readFileSync(join(core.dir, 'secrets.json'), 'utf8')).projects)).toEqual([path]);
    expect((await core.api.call('startDevice', { channel_id: 2 })).data.status).toBe('running');
    expect(await recentOf(core)).toEqual([['site 7', 'open']]);
    expect(existsSync(`${path}.lock`)).toBe(true);
  });

  it.each(['renamed', 'made'])('through a link to its folder is %s with its passwords', async (how) => {
    const drivers = createDriverRegistry([dlt645Driver]);
    const core = await start({}, { drivers });
    mkdirSync(join(core.dir, 'site'));
    symlinkSync(join(core.dir, 'site'), join(core.dir, 'link'));
    const [linked, real] = [join(core.dir, 'link', 'p.loopcheck'), join(core.dir, 'site', 'p.loopcheck')];
    if (how === 'made') await open(core, linked, true);
    const channel_id = (await core.api.call('addChannel', { name: 'Meters', protocol_type: 4, conn_type: 2 })).data.id;
    await core.api.call('updateChannelSecrets', { channel_id, secrets: { password_02: '918273' } });
    if (how === 'renamed') expect((await rename(core, linked)).status).toBe(200);
    await open(core, join(core.dir, 'other.loopcheck'), true);
    expect(await open(core, linked)).toMatchObject({ status: 200, body: { data: { path: real } } });
    expect((await core.api.call('channelSecrets', { channel_id })).data.secrets.password_02).toBe(true);
    expect(Object.keys(JSON.parse(readFileSync(join(core.dir, 'secrets.json'), 'utf8')).projects)).toEqual([real]);
    expect((await recentOf(core)).map(([name]) => name)).toEqual(how === 'made' ? ['p', 'other', 'test'] : ['p', 'other']);
  });

  it('never replaces a file, and leaves the project running where it is refused', async () => {
    const core = await start();
    await core.api.call('addChannel', { name: 'Kept', protocol_type: 1, conn_type: 1, port: await freePort() });
    await core.api.call('startDevice', { channel_id: 1 });
    const taken = join(core.dir, 'taken.loopcheck');
    writeFileSync(taken, 'of somebody else');
    expect(await rename(core, taken)).toMatchObject({ status: 409, body: { error: 'STATE_CONFLICT' } });
    expect(readFileSync(taken, 'utf8')).toBe('of somebody else');
    expect((await core.api.call('listChannels', {})).data[0]).toMatchObject({ name: 'Kept', status: 'running' });
  });

  const inTheWay: [string, (core: RunningCore) => void, object][] = [
    ['its file of secrets cannot be written', ({ dir }) => mkdirSync(join(dir, 'secrets.json')), { message_code: 'store.secrets' }],
    ['its log cannot be emptied', () => undefined, { message_code: 'store.file', message: expect.stringMatching(/free some space/) }],
    ['its file was moved away', ({ dir }) => renameSync(join(dir, 'test.loopcheck'), join(dir, 'away')), { error: 'STATE_STORE_LOST' }],
  ];
  it.each(inTheWay)('stops nothing where it is known before that it cannot be: %s', async (what, make, body) => {
    const real = createProjectOpener(new Threads(), 'test', () => 0);
    const core = await start(
      {},
      {
        async openProject(path, options) {
          const store = await real(path, options);
          const emptyLog = () => {
            throw storeError(path, say('store.log_left'));
          };
          return what.includes('log') ? { ...store, emptyLog } : store;
        },
      },
    );
    await core.api.call('addChannel', { name: 'Kept', protocol_type: 1, conn_type: 1, port: await freePort() });
    await core.api.call('startDevice', { channel_id: 1 });
    make(core);
    expect(await rename(core, join(core.dir, 'new.loopcheck'))).toMatchObject({ body });
    expect((await core.api.call('listChannels', {})).data[0]).toMatchObject({ status: 'running' });
  });

  it.skipIf(otherDrive === undefined)('to another drive is refused, and stops nothing', async () => {
    const core = await start();
    await core.api.call('addChannel', { name: 'Kept', protocol_type: 1, conn_type: 1, port: await freePort() });
    await core.api.call('startDevice', { channel_id: 1 });
    const target = join(String(otherDrive), `${basename(core.dir)}.loopcheck`);
    const body = { error: 'STATE_STORE', message: expect.stringMatching(/another drive/) };
    expect(await rename(core, target)).toMatchObject({ status: 409, body });
    expect((await core.api.call('listChannels', {})).data[0]).toMatchObject({ status: 'running' });
  });

  it('goes on under the old name when the file cannot be moved', async () => {
    const core = await start();
    await core.api.call('addChannel', { name: 'Kept', protocol_type: 1, conn_type: 2 });
    // a name that leads nowhere is free to look at, and taken for whoever wants to make it
    const path = join(core.dir, 'dangling.loopcheck');
    symlinkSync(join(core.dir, 'nowhere', 'x'), path);
    const told = expect.stringMatching(/was stopped for its new name and keeps the old one: .*exists already.*started again/);
    expect(await rename(core, path)).toMatchObject({ status: 409, body: { error: 'STATE_CONFLICT', message: told } });
    expect((await core.api.call('projectInfo', {})).data.name).toBe('test');
    expect(await namesOf(core)).toEqual(['Kept']);
    await core.api.call('addChannel', { name: 'Further', protocol_type: 1, conn_type: 2 });
  });

  it('that cannot be opened again says so, and another project can be opened', async () => {
    const real = createProjectOpener(new Threads(), 'test', () => 0);
    let fails = false;
    const core = await start(
      {},
      {
        async openProject(path, options) {
          if (fails) throw new Error('the drive is gone');
          return real(path, options);
        },
      },
    );
    fails = true;
    const path = join(core.dir, 'new.loopcheck');
    expect(await rename(core, path)).toMatchObject({ status: 409, body: { message_code: 'store.closed_lost' } });
    expect(await core.send({ method: 'GET', url: '/api/channel/list' })).toMatchObject({ status: 409, body: { error: 'STATE_STORE' } });
    fails = false;
    expect((await open(core, path)).status).toBe(200);
    expect(await namesOf(core)).toEqual([]);
  });

  it('is one change at a time with opening', async () => {
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const real = createProjectOpener(new Threads(), 'test', () => 0);
    let isGated = false;
    const core = await start(
      {},
      {
        async openProject(path, options) {
          if (isGated) {
            reached.resolve();
            await goOn.promise;
          }
          return real(path, options);
        },
      },
    );
    isGated = true;
    const renaming = rename(core, join(core.dir, 'x.loopcheck'));
    await reached.promise;
    for (const reply of [await open(core, join(core.dir, 'y.loopcheck'), true), await rename(core, join(core.dir, 'z.loopcheck'))]) {
      expect(reply).toMatchObject({ status: 409, body: { error: 'STATE_CONFLICT', message_code: 'app.project_opening' } });
    }
    goOn.resolve();
    expect((await renaming).status).toBe(200);
    expect(readdirSync(core.dir).filter((name) => name.endsWith('.loopcheck'))).toEqual(['x.loopcheck']);
  });
});

describe('a project over HTTP', () => {
  it('is downloaded as a copy that opens, and leaves nothing behind', async () => {
    const core = await start();
    await core.api.call('addChannel', { name: 'Sent', protocol_type: 1, conn_type: 2 });
    const { data } = await core.api.call('downloadProject', {});
    expect([data.name, data.mediaType]).toEqual(['test.loopcheck', 'application/vnd.sqlite3']);
    await expect.poll(() => readdirSync(join(core.dir, 'drafts'))).toEqual([]);
    const sent = await upload(core, 'colleague.loopcheck', data.bytes);
    const path = join(core.dir, 'projects', 'colleague.loopcheck');
    expect(sent).toMatchObject({ status: 200, body: { data: { path, name: 'colleague', size_bytes: data.bytes.length } } });
    expect((await core.api.call('projectInfo', {})).data.name).toBe('test');
    await open(core, path);
    expect(await namesOf(core)).toEqual(['Sent']);
  });

  it('never takes the place of another one, and keeps no name that leads elsewhere', async () => {
    const core = await start();
    const { data } = await core.api.call('downloadProject', {});
    const names: string[] = [];
    for (const name of ['a.loopcheck', 'a.loopcheck', '../../etc/a.loopcheck', 'C:\\x\\工程 1.LOOPCHECK', '..', 'b\u0000?.db']) {
      names.push(((await upload(core, name, data.bytes)).body as { data: { name: string } }).data.name);
    }
    expect(names).toEqual(['a', 'a-2', 'a-3', '工程 1', 'project', 'b_.db']);
    expect(readdirSync(join(core.dir, 'projects')).toSorted()).toEqual(names.map((name) => `${name}.loopcheck`).toSorted());
  });

  const bad: [string, (path: string) => void, RegExp][] = [
    [
      'a text',
      (path) => writeFileSync(path, 'text '.repeat(500)),
      /bad\.loopcheck: it is not a project file; choose a file that was saved by Loopcheck/,
    ],
    ['empty', (path) => writeFileSync(path, ''), /it is empty/],
    [
      'half written',
      (path) => {
        makeProject(path);
        truncateSync(path, 9000);
      },
      /it is truncated: 9000 of/,
    ],
    ['of another program', (path) => new Database(path).exec('CREATE TABLE t (x)').close(), /database of another program/],
    [
      'newer',
      (path) => {
        makeProject(path);
        new Database(path).exec('PRAGMA user_version = 9999').close();
      },
      /version 9999/,
    ],
    [
      'damaged inside',
      (path) => {
        makeProject(path);
        const bytes = readFileSync(path);
        bytes.fill(0x5a, 4096, 8192);
        writeFileSync(path, bytes);
      },
      /it is damaged; open a backup/,
    ],
  ];
  it.each(bad)('that is %s takes no place', async (_what, make, words) => {
    const core = await start();
    const path = join(core.dir, 'bad.loopcheck');
    make(path);
    const reply = await upload(core, 'bad.loopcheck', readFileSync(path));
    expect(reply).toMatchObject({ status: 409, body: { error: 'STATE_STORE', message: expect.stringMatching(words) } });
    expect(existsSync(join(core.dir, 'projects')) ? readdirSync(join(core.dir, 'projects')) : []).toEqual([]);
    expect(readdirSync(join(core.dir, 'drafts'))).toEqual([]);
  });

  it('without a file, and with two of them, is refused', async () => {
    const core = await start();
    expect(await core.send({ method: 'PUT', url: '/api/project/file' })).toMatchObject({ status: 422, body: { data: [{ path: 'file' }] } });
    const form = new FormData();
    for (const name of ['a', 'b']) form.append('file', new Blob(['x']), name);
    const reply = await fetch(`${core.url}/api/project/file`, { method: 'PUT', body: form });
    expect(reply.status).toBe(422);
    expect(readdirSync(join(core.dir, 'drafts'))).toEqual([]);
  });
});
