import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { say } from '#shared/messages/index.ts';
import { dlt645Driver } from '../drivers/dlt645/driver.ts';
import { modbusTcpDriver } from '../drivers/modbus/driver.ts';
import { projectStore } from '../persistence/index.ts';
import { migrations } from '../persistence/migrations/index.ts';
import { openFile } from '../persistence/open-file.ts';
import { openTestProject, testChannel, testPoint } from '../persistence/test-project.ts';
import { silentLogger } from '../platform/logger.ts';
import { systemSaid } from '../platform/system-words.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { type RunningCore, startCore, startPair } from './testing/running-core.ts';
import type { CorePorts } from './types.ts';

let dataDir: string;
let core: RunningCore | null = null;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'loopcheck-trouble-'));
});
afterEach(async () => {
  await core?.close();
  core = null;
  rmSync(dataDir, { recursive: true, force: true });
});

const drivers = createDriverRegistry([modbusTcpDriver, dlt645Driver]);
const start = async () => {
  core = await startCore({ dataDir }, { drivers });
  return core;
};
const warnings = async ({ api }: RunningCore) => (await api.call('serviceInfo', {})).data.warnings;
const modbus = (name: string) => ({ name, protocol_type: 1, conn_type: 2 }) as const;

describe('a full disk', () => {
  it('refuses commands before they are sent, is told with what to do, and over by itself', async () => {
    const databases: Database.Database[] = [];
    core = await startCore(
      { dataDir },
      {
        async openProject(path, { create }) {
          const file = openFile(path, { create, holder: 'test', wallMs: () => 0 }, migrations);
          databases.push(file.db);
          return projectStore(path, file);
        },
      },
    );
    const pair = await startPair(core, {
      served: [{ frame_type: 3, code: 'P_SET', address: 1, decode: '0x21' }],
      read: [{ frame_type: 3, code: 'P_SET', address: 1, decode: '0x21' }],
    });
    const [point] = (await core.api.call('pointTable', { channel_id: pair.clientId, page: 1, page_size: 1 })).data.items;
    const options = { read_back: false, reaction_timeout_ms: 0 };
    const body = { channel_id: pair.clientId, point_id: point?.id, frame_type: 3, step: 'operate', value: 7, options };
    const command = () => core?.send({ method: 'POST', url: '/api/device/command', body });
    expect(await warnings(core)).toEqual([]);

    // The stand-in for a full disk: not one page more than there are. What is left of the last page is used up first.
    for (const db of databases) db.pragma('max_page_count = 1');
    let reply = await command();
    for (let more = 0; more < 200 && reply?.status === 200; more++) reply = await command();
    expect(reply).toMatchObject({ status: 507, body: { error: 'STATE_STORE_FULL', message: expect.stringMatching(/free some space/) } });
    const sent = async () =>
      (await core?.api.call('listFrames', { channel_id: pair.clientId, limit: 2000 }))?.data.items.filter((frame) => frame.kind === 'tx')
        .length;
    const before = await sent();
    expect(before).toBeGreaterThan(0);
    for (const send of [command, command]) expect((await send())?.status).toBe(507);
    expect(await sent()).toBe(before);
    const add = await core.send({ method: 'POST', url: '/api/channel/add', body: { ...modbus('x'), note: 'x'.repeat(4000) } });
    expect(add).toMatchObject({ status: 507, body: { error: 'STATE_STORE_FULL' } });
    expect(await warnings(core)).toMatchObject([{ code: 'disk_full', message: expect.stringMatching(/free some space/) }]);

    for (const db of databases) db.pragma('max_page_count = 100000');
    expect(await warnings(core)).toEqual([]);
    expect((await command())?.status).toBe(200);
  });
});

describe('a drive that takes no change, which nobody knows yet', () => {
  it('stops nothing of a channel that is to be deleted: it runs, and so does its task', async () => {
    let db: Database.Database | null = null;
    const openProject: CorePorts['openProject'] = async (path, { create }) => {
      const file = openFile(path, { create, holder: 'test', wallMs: () => 0 }, migrations);
      db = file.db;
      return projectStore(path, file);
    };
    core = await startCore({ dataDir }, { openProject });
    const { clientId } = await startPair(core, {
      served: [{ frame_type: 0, code: 'U', address: 1 }],
      read: [{ frame_type: 0, code: 'U', address: 1 }],
    });
    const [client] = (await core.api.call('listChannels', {})).data.filter(({ id }) => id === clientId);
    const name = client?.name ?? '';
    await core.api.call('startAutoRead', { device_name: name, cycle_interval_ms: 100 });
    const { api } = core;
    const task = async () => (await api.call('autoReadStatus', { device_name: name })).data;
    const began = await task();
    const sent = async () => (await api.call('listFrames', { channel_id: clientId, limit: 2000 })).data.items;
    const drop = () => core?.send({ method: 'DELETE', url: `/api/channel/delete?channel_id=${clientId}` });

    (db as Database.Database | null)?.pragma('query_only = ON');
    expect(await warnings(core)).toEqual([]);
    expect(await drop()).toMatchObject({ status: 409, body: { error: 'STATE_STORE' } });
    const seen = await task();
    expect(seen).toMatchObject({ state: 'running', task_id: began.task_id });
    await expect.poll(async () => (await task()).cycle_count).toBeGreaterThan(seen.cycle_count);
    expect((await sent()).filter(({ kind }) => kind === 'closed')).toEqual([]);
    expect((await api.call('listChannels', {})).data.map(({ status }) => status)).toEqual(['running', 'running']);

    (db as Database.Database | null)?.pragma('query_only = OFF');
    expect(await drop()).toMatchObject({ status: 200, body: { data: { id: clientId, status: 'stopped' } } });
    expect((await api.call('listChannels', {})).data.map(({ id }) => id)).not.toContain(clientId);
    expect((await drop())?.status).toBe(404);
  });
});

describe('a project that a kill left half done, on a drive that takes no change', () => {
  const never = new Promise<never>(() => {});
  /** A channel with two points, a large change of it that is confirmed and lies beside the table, one that is not, a step and a channel that are not. */
  async function leaveHalf(path: string): Promise<void> {
    const store = openTestProject(path);
    const { id } = store.channels.add(testChannel('Kept'));
    const [first, second] = store.points.add(id, [testPoint('A'), testPoint('B')]);
    if (!first || !second) throw new Error('no points');
    const change = { removed: [first.id], changed: [{ ...second, name: 'changed' }], added: [testPoint('C')] };
    const none = { removed: [], changed: [], added: [] };
    const confirmed = await store.points.prepare(
      id,
      change,
      async () => {},
      () => never,
    );
    store.atomically(() => confirmed.confirm());
    const open = await store.points.prepare(id, { ...none, removed: [second.id] }, async () => {});
    expect(open.added).toEqual([]);
    const facts = { at: '2026-01-01T00:00:00.000Z', source: 'api', name: say('edit.no_step', { step: 1 }) } as const;
    await store.steps.prepare(facts, [{ channelId: id, ...none, removed: [second] }], async () => {});
    store.settings.write('unfinished_channels', [store.channels.add(testChannel('Half')).id]);
    store.close();
  }
  const seen = async ({ api }: RunningCore) => ({
    channels: (await api.call('listChannels', {})).data.map(({ name, point_count, status }) => [name, point_count, status]),
    points: (await api.call('pointTable', { channel_id: 1, page: 1, page_size: 10 })).data.items.map(({ code, name }) => [code, name]),
    steps: (await api.call('pointHistory', { channel_id: 1 })).data.items.length,
  });

  it('opens with all that was confirmed and nothing else, says why it is not tidied up, and is at the next opening', async () => {
    const path = join(dataDir, 'test.loopcheck');
    await leaveHalf(path);
    const whole = {
      channels: [['Kept', 2, 'stopped']],
      points: [
        ['B', 'changed'],
        ['C', testPoint('C').name],
      ],
      steps: 0,
    };
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (_facts: object, words: string) => void warnings.push(words) };
    const openProject: CorePorts['openProject'] = async (place, { create }) => {
      const file = openFile(place, { create, holder: 'test', wallMs: () => 0 }, migrations);
      file.db.pragma('query_only = ON');
      return projectStore(place, file);
    };
    const refusing = await startCore({ dataDir }, { drivers, openProject, logger });
    expect(await seen(refusing)).toEqual(whole);
    expect(warnings).toContain('what a killed process left in the project was not removed');
    const add = await refusing.send({ method: 'POST', url: '/api/channel/add', body: modbus('x') });
    expect(add).toMatchObject({ status: 409, body: { error: 'STATE_STORE' } });
    await refusing.close();
    expect(await seen(await start())).toEqual(whole);
    await core?.api.call('addChannel', modbus('Half'));
  });
});

describe.skipIf(process.platform === 'win32')('a project file that is gone', () => {
  it('refuses changes instead of confirming them, is told, and a copy can be saved and opened', async () => {
    const running = await start();
    await running.api.call('addChannel', modbus('before'));
    rmSync(join(dataDir, 'test.loopcheck'));
    expect(await running.send({ method: 'POST', url: '/api/channel/add', body: modbus('after') })).toMatchObject({
      status: 409,
      body: { error: 'STATE_STORE_LOST', message: expect.stringMatching(/was deleted.*save a copy/) },
    });
    expect(await warnings(running)).toMatchObject([{ code: 'project_lost' }]);
    expect((await running.api.call('projectInfo', {})).data.channels).toBe(1);
    const path = join(dataDir, 'copy.loopcheck');
    await running.api.call('backupProject', { path });
    await running.api.call('openProject', { path });
    expect(await warnings(running)).toEqual([]);
    await running.api.call('addChannel', modbus('after'));
    expect((await running.api.call('listChannels', {})).data.map((channel) => channel.name)).toEqual(['before', 'after']);
  });

  it('is there again when its folder has its name again', async () => {
    const folder = join(dataDir, 'site');
    mkdirSync(folder);
    core = await startCore({ dataDir, projectPath: join(folder, 'p.loopcheck') });
    renameSync(folder, `${folder}-away`);
    expect((await core.send({ method: 'POST', url: '/api/channel/add', body: modbus('x') })).status).toBe(409);
    renameSync(`${folder}-away`, folder);
    expect((await core.send({ method: 'POST', url: '/api/channel/add', body: modbus('x') })).status).toBe(200);
  });
});

describe('a channel that is not as it was stored', () => {
  it('is told by name, does not start, and does after somebody confirmed it', async () => {
    const first = await start();
    const { data: channel } = await first.api.call('addChannel', { ...modbus('PCS 1'), auto_start: true });
    const { data: other } = await first.api.call('addChannel', { ...modbus('PCS 2'), conn_type: 1, port: 15_020 });
    await first.api.call('addPoints', { channel_id: channel.id, points: [{ frame_type: 0, code: 'P', address: 1 }] });
    await first.close();
    const db = new Database(join(dataDir, 'test.loopcheck'));
    db.exec('UPDATE points SET address = 2');
    db.close();

    const running = await start();
    expect(await warnings(running)).toMatchObject([{ code: 'channel_damaged', params: { channel_id: channel.id, channel: 'PCS 1' } }]);
    const begin = () => running.send({ method: 'POST', url: '/api/device/start', body: { channel_id: channel.id } });
    expect(await begin()).toMatchObject({
      status: 409,
      body: { error: 'STATE_DAMAGED', message: expect.stringMatching(/PCS 1.*confirm/) },
    });
    const list = (await running.api.call('listChannels', {})).data;
    expect(list.map(({ status }) => status)).toEqual(['stopped', 'stopped']);
    await running.api.call('confirmChannel', { channel_id: other.id });
    expect(await warnings(running)).toHaveLength(1);
    await running.api.call('confirmChannel', { channel_id: channel.id });
    expect(await warnings(running)).toEqual([]);
    expect((await begin()).body).not.toMatchObject({ error: 'STATE_DAMAGED' });
  });
});

describe('the files of the data folder', () => {
  it('secrets that are damaged are told, and block no channel, not even its deletion', async () => {
    writeFileSync(join(dataDir, 'secrets.json'), '{"projects": ');
    const running = await start();
    expect(await warnings(running)).toMatchObject([
      {
        code: 'secrets_damaged',
        params: { file: join(dataDir, 'secrets.json.damaged') },
        message: expect.stringMatching(/set them again/),
      },
    ]);
    const { data: channel } = await running.api.call('addChannel', { name: 'line', protocol_type: 4, conn_type: 2 });
    expect((await running.api.call('channelSecrets', { channel_id: channel.id })).data.secrets).toMatchObject({ password_02: false });
    expect((await running.api.call('deleteChannel', { channel_id: channel.id })).data.id).toBe(channel.id);
  });

  it('a channel is deleted whatever becomes of its secrets, and these go at the next start', async () => {
    const first = await start();
    const { data: channel } = await first.api.call('addChannel', { name: 'line', protocol_type: 4, conn_type: 2 });
    await first.api.call('updateChannelSecrets', { channel_id: channel.id, secrets: { password_02: '918273' } });
    const file = join(dataDir, 'secrets.json');
    renameSync(file, `${file}.kept`);
    mkdirSync(file);
    const deleted = await first.send({ method: 'DELETE', url: `/api/channel/delete?channel_id=${channel.id}` });
    expect(deleted).toMatchObject({
      status: 200,
      body: { warnings: [{ path: 'channel_id', message: expect.stringMatching(/next start/) }] },
    });
    expect(await warnings(first)).toMatchObject([{ code: 'secrets_unreadable' }]);
    await first.close();
    rmSync(file, { recursive: true });
    renameSync(`${file}.kept`, file);
    await start();
    expect(readFileSync(file, 'utf8')).not.toContain('918273');
  });

  it('a second service leaves service.json to the first one, and says so', async () => {
    const first = await start();
    const service = join(dataDir, 'service.json');
    // The first service is this process too; its entry is given the number of another one that lives.
    writeFileSync(service, JSON.stringify({ url: first.url, pid: process.ppid, token_file: null }));
    const second = await startCore({ dataDir, projectPath: join(dataDir, 'second.loopcheck') });
    expect(await warnings(second)).toMatchObject([{ code: 'service_file_taken', params: { url: first.url, pid: process.ppid } }]);
    await second.close();
    expect(JSON.parse(readFileSync(service, 'utf8'))).toMatchObject({ url: first.url });
  });

  it.skipIf(process.platform === 'win32')('are private after the first start, and mended where they were not', async () => {
    chmodSync(dataDir, 0o755);
    writeFileSync(join(dataDir, 'secrets.json'), '{"projects":{}}', { mode: 0o644 });
    await start();
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    for (const name of ['test.loopcheck', 'test.loopcheck.lock', 'secrets.json', 'service.json']) {
      expect(existsSync(join(dataDir, name)), name).toBe(true);
      expect(statSync(join(dataDir, name)).mode & 0o777, name).toBe(0o600);
    }
  });

  it('a log that is not written is told', async () => {
    core = await startCore({ dataDir }, { logTrouble: () => systemSaid(Object.assign(new Error('full'), { code: 'ENOSPC' })) });
    expect(await warnings(core)).toMatchObject([{ code: 'log_not_written', message: expect.stringMatching(/ENOSPC.*every minute/) }]);
  });
});
