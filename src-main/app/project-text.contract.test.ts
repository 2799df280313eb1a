import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import type { ProjectTextReport } from '#shared/contract/projects.ts';
import { openProject } from '../persistence/index.ts';
import { testChannel } from '../persistence/test-project.ts';
import { Threads } from '../platform/threads.ts';
import { createLazyDrivers } from './lazy-drivers.ts';
import { createProjectOpener } from './project-thread.ts';
import { type RunningCore, startCore } from './testing/running-core.ts';
import { createTextThread } from './text-thread.ts';
import type { CorePorts } from './types.ts';

const running: RunningCore[] = [];
afterEach(async () => {
  for (const core of running.splice(0)) await core.close();
});

async function start(...[config = {}, ports = {}]: Parameters<typeof startCore>): Promise<RunningCore> {
  const core = await startCore(config, { drivers: createLazyDrivers(), ...ports });
  running.push(core);
  return core;
}

const textOf = async (core: RunningCore, channel_id?: number) =>
  new TextDecoder().decode((await core.api.call('projectText', channel_id === undefined ? {} : { channel_id })).data.bytes);
const namesOf = async (core: RunningCore) =>
  (await core.api.call('listChannels', {})).data.map(({ name, point_count }) => [name, point_count]);

async function send(core: RunningCore, text: string | Uint8Array, query: string): Promise<ProjectTextReport> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const reply = await core.send({ method: 'POST', url: `/api/project/text?${query}`, file: { name: 'plant.json', bytes } });
  expect(reply.status).toBe(200);
  return (reply.body as { data: ProjectTextReport }).data;
}

/** A channel of every protocol, with points. */
async function fill(core: RunningCore): Promise<void> {
  const { api } = core;
  const tcp = { conn_type: 2, ip: '10.0.0.7' } as const;
  const add = async (
    channel: Parameters<typeof api.call<'addChannel'>>[1],
    points: Parameters<typeof api.call<'addPoints'>>[1]['points'],
  ) => {
    const { id } = (await api.call('addChannel', channel)).data;
    await api.call('addPoints', { channel_id: id, points });
  };
  await add({ ...tcp, name: 'PCS 1', protocol_type: 1, note: '1号站\n"PCS"', max_gap: 4 }, [
    { frame_type: 0, code: 'U', name: '电压', address: 0, decode: '0x42', mul_coe: 0.1, min_limit: 0, unit: 'V' },
    { frame_type: 3, code: 'P_SET', address: 100, decode: '0x21', related_code: 'U' },
  ]);
  await add({ name: 'RTU', protocol_type: 2, conn_type: 0, com_port: 'COM7', baud_rate: 19_200, parity: 'E' }, [
    { frame_type: 1, code: 'Q', address: 5, reverse: true },
  ]);
  await add({ ...tcp, name: 'Station', protocol_type: 3, protocol: { w: 6, k: 10 } }, [
    { frame_type: 2, code: 'K', address: 0x6001, protocol: { select_before_operate: true, qualifier: 1 } },
  ]);
  await add({ ...tcp, name: 'Meters', protocol_type: 4 }, [{ frame_type: 0, code: 'E', address: 0x00010000, slave_id: 123_456_789_012 }]);
  await add({ ...tcp, name: 'Bay', protocol_type: 5 }, [{ frame_type: 0, code: 'W', reference: 'LD0/MMXU1.TotW.mag.f' }]);
  await api.call('updateSettings', { frame_log_bytes: 100_000 });
}

const newPath = (core: RunningCore) => `mode=new&path=${encodeURIComponent(join(core.dir, 'projects', 'copy.loopcheck'))}`;

describe('GET /api/project/text', () => {
  it('is the same for the same project, without ids, times and passwords', async () => {
    const core = await start();
    await fill(core);
    await core.api.call('updateChannelSecrets', { channel_id: 4, secrets: { password_02: '918273' } });
    const text = await textOf(core);
    expect(await textOf(core)).toBe(text);
    const content = JSON.parse(text);
    expect([content.format, content.version, content.settings]).toEqual([
      'loopcheck-project',
      1,
      { read_only: false, frame_log_bytes: 100_000, events_kept: 10_000, audit_kept: 1_000_000 },
    ]);
    expect(content.channels.map(({ name }: { name: string }) => name)).toEqual(['PCS 1', 'RTU', 'Station', 'Meters', 'Bay']);
    expect(content.channels[0].points[1]).toMatchObject({ code: 'P_SET', func_code: 6, related_code: 'U' });
    expect(text).not.toMatch(/918273|"id"|channel_id|secret|20\d\d-\d\d/);
    // a line a point
    expect(text.split('\n').filter((line) => line.includes('"code":"U"'))).toHaveLength(1);
  });

  it('names the channels that it cannot hold, and warns of them where it is read', async () => {
    const first = await startCore({}, { drivers: createLazyDrivers() });
    await fill(first);
    await first.core.close();
    const db = new Database(join(first.dir, 'test.loopcheck'));
    db.prepare("UPDATE channels SET protocol_type = 77 WHERE name = 'Bay'").run();
    db.close();
    const core = await start({ dataDir: first.dir });
    const text = await textOf(core);
    expect(JSON.parse(text)).toMatchObject({ left_out: ['Bay'], channels: { length: 4 } });
    expect(JSON.parse(await textOf(core, 1))).not.toHaveProperty('left_out');
    const { warnings, errors } = await send(core, text, newPath(core));
    expect([errors, warnings]).toEqual([[], [expect.objectContaining({ path: 'left_out', message: expect.stringMatching(/: Bay;/) })]]);
  });

  it('of one channel has that one, and is saved under its name', async () => {
    const core = await start();
    await fill(core);
    const { data } = await core.api.call('projectText', { channel_id: 2 });
    expect(data.name).toBe('RTU.json');
    const content = JSON.parse(new TextDecoder().decode(data.bytes));
    expect(content.channels).toHaveLength(1);
    expect(content).not.toHaveProperty('settings');
    await expect(core.api.call('projectText', { channel_id: 99 })).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    await expect.poll(() => readdirSync(join(core.dir, 'drafts'))).toEqual([]);
  });
});

/** Texts are read as the service reads them, in a thread of their own, which takes a second to start from source. */
const startWithThread = () => start({}, { texts: createTextThread(new Threads(), 'test', () => 0) });

describe.each([
  ['in a thread', startWithThread],
  ['in place', start],
] as const)('POST /api/project/text %s', (_where, begin) => {
  it('makes a new project that has the same text', async () => {
    const core = await begin();
    await fill(core);
    const text = await textOf(core);
    const report = await send(core, text, newPath(core));
    expect(report).toMatchObject({
      applied: true,
      counts: { channels: 5, points: 6, errors: 0 },
      project: { name: 'copy', channels: 5, points: 6 },
    });
    expect(await textOf(core)).toBe(text);
    expect(readdirSync(join(core.dir, 'projects')).toSorted()).toEqual(['copy.loopcheck', 'copy.loopcheck-wal', 'copy.loopcheck.lock']);
    expect((await core.api.call('getSettings', {})).data.frame_log_bytes).toBe(100_000);
  });

  it('adds channels to the open project, stopped and lasting', async () => {
    const core = await begin();
    await fill(core);
    const text = await textOf(core, 1);
    expect(await send(core, text, 'mode=add')).toMatchObject({
      applied: false,
      errors: [{ path: 'channels[0].name', message_code: 'project.text_name_taken' }],
    });
    const report = await send(core, text.replace('"PCS 1"', '"PCS 2"'), 'mode=add');
    expect(report).toMatchObject({ applied: true, channels: [{ name: 'PCS 2', points: 2, is_taken: false }] });
    const channel = (await core.api.call('listChannels', {})).data.at(-1);
    expect(channel).toMatchObject({ name: 'PCS 2', status: 'stopped', point_count: 2 });
    const table = async () =>
      (await core.api.call('pointTable', { channel_id: channel?.id ?? 0, page: 1, page_size: 10 })).data.items.map(({ code }) => code);
    expect(await table()).toEqual(['U', 'P_SET']);
    await core.api.call('openProject', { path: join(core.dir, 'other.loopcheck'), create: true });
    await core.api.call('openProject', { path: join(core.dir, 'test.loopcheck') });
    expect(await table()).toEqual(['U', 'P_SET']);
    expect((await core.api.call('serviceInfo', {})).data.warnings).toEqual([]);
  });

  it('tells every wrong place by its path, and changes nothing', async () => {
    const core = await begin();
    await fill(core);
    const content = JSON.parse(await textOf(core));
    content.channels[0].port = 70_000;
    content.channels[2].conn_type = 0;
    content.channels[1].points.push({ ...content.channels[1].points[0] }, { frame_type: 1, code: 'Q2', address: -5, adress: 1 }, 7);
    content.channels[3].points[0].slave_id = 'x';
    content.channels[4].name = 'PCS 1 ';
    const before = await namesOf(core);
    for (const query of ['mode=preview', 'mode=add', newPath(core)]) {
      const report = await send(core, JSON.stringify(content), query);
      expect(report.applied).toBe(false);
      expect(report.errors.map(({ path }) => path).toSorted()).toEqual(
        [
          'channels[0].port',
          'channels[1].points[1].code',
          'channels[1].points[2].address',
          'channels[1].points[3]',
          'channels[2].conn_type',
          'channels[3].points[0].slave_id',
          'channels[4].name',
          ...(query === 'mode=add' ? ['channels[1].name', 'channels[3].name', 'channels[4].name'] : []),
        ].toSorted(),
      );
      expect(report.warnings.map(({ path }) => path)).toContain('channels[1].points[2].adress');
    }
    expect(await namesOf(core)).toEqual(before);
    expect(existsSync(join(core.dir, 'projects', 'copy.loopcheck'))).toBe(false);
  });

  const bad: [string, string | Uint8Array, string, string][] = [
    ['no JSON', '{"format": ', '', 'project.text_not_json'],
    ['empty', '', '', 'project.text_not_json'],
    ['an unfinished merge', '{\n<<<<<<< HEAD\n"format": 1\n=======\n>>>>>>> other\n}', '', 'project.text_merge'],
    ['a merge that kept both lines', '{"format": "loopcheck-project",\n"version": 1,\n"version": 1}', '', 'project.text_twice'],
    ['another encoding', new Uint8Array([0x7b, 0x22, 0xc4, 0xe3, 0x22, 0x3a, 0x31, 0x7d]), '', 'project.text_encoding'],
    ['a list', '[]', '', 'project.text_object'],
    ['another file', '{"name": "package"}', 'format', 'project.text_format'],
    ['without a version', '{"format": "loopcheck-project"}', 'version', 'project.text_version'],
    ['a newer version', '{"format": "loopcheck-project", "version": 7, "plants": []}', 'version', 'project.text_newer'],
    ['without channels', '{"format": "loopcheck-project", "version": 1}', 'channels', 'project.text_channels'],
    ['too deep', `${'['.repeat(100)}${']'.repeat(100)}`, '', 'http.many_levels'],
    [
      'too many channels',
      `{"format": "loopcheck-project", "version": 1, "channels": [${'{},'.repeat(1000)}{}]}`,
      'channels',
      'project.text_many_channels',
    ],
    [
      'too many entries',
      `{"format": "loopcheck-project", "version": 1, "channels": [${'1,'.repeat(100_001)}1]}`,
      'channels',
      'http.many_entries',
    ],
  ];
  // one tells as well as twelve that a refusal comes out of the thread
  it.each(begin === start ? bad : bad.slice(0, 1))('that is %s is told', async (_what, text, path, code) => {
    const core = await begin();
    const report = await send(core, text, 'mode=preview');
    expect(report.errors).toMatchObject([{ path, message_code: expect.stringContaining(code) }]);
    expect(report.channels).toEqual([]);
  });

  it('never writes over a project, and needs a place for a new one', async () => {
    const core = await begin();
    await fill(core);
    const text = await textOf(core);
    const path = join(core.dir, 'taken.loopcheck');
    writeFileSync(path, 'of somebody else');
    const file = { name: 'a.json', bytes: new TextEncoder().encode(text) };
    const post = (query: string) => core.send({ method: 'POST', url: `/api/project/text?mode=new${query}`, file });
    expect(await post(`&path=${encodeURIComponent(path)}`)).toMatchObject({ status: 409, body: { error: 'STATE_CONFLICT' } });
    expect(await post('')).toMatchObject({ status: 422, body: { data: [{ path: 'path' }] } });
    expect(await post('&path=relative.loopcheck')).toMatchObject({ status: 422, body: { data: [{ path: 'path' }] } });
    expect(await post(`&path=${encodeURIComponent(join(core.dir, 'none', 'a.loopcheck'))}`)).toMatchObject({
      status: 409,
      body: { error: 'STATE_STORE' },
    });
    expect((await core.api.call('projectInfo', {})).data.name).toBe('test');
    expect(readdirSync(core.dir).filter((name) => name.includes('.new'))).toEqual([]);
  });
});

describe('a new project of a text', () => {
  it('has its turn of opening before its file is made: a refusal leaves no file, and no other project comes between', async () => {
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const texts = createTextThread(new Threads(), 'test', () => 0, null);
    const gated: CorePorts['texts'] = {
      ...texts,
      async make(...given) {
        reached.resolve();
        await goOn.promise;
        return texts.make(...given);
      },
    };
    const core = await start({}, { texts: gated });
    await fill(core);
    const text = await textOf(core);
    const made = send(core, text, newPath(core));
    await reached.promise;
    const post = (url: string, name: string) => core.send({ method: 'POST', url, body: { path: join(core.dir, name), create: true } });
    for (const reply of [await post('/api/project/open', 'other.loopcheck'), await post('/api/project/rename', 'renamed.loopcheck')]) {
      expect(reply).toMatchObject({ status: 409, body: { message_code: 'app.project_opening' } });
    }
    goOn.resolve();
    expect(await made).toMatchObject({ applied: true, project: { name: 'copy' } });
    expect(readdirSync(core.dir).filter((name) => name.endsWith('.loopcheck'))).toEqual(['test.loopcheck']);
    expect((await post('/api/project/open', 'test.loopcheck')).status).toBe(200);
  });

  it('is not made while another project is being opened', async () => {
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const real = createProjectOpener(new Threads(), 'test', () => 0);
    const openProject: CorePorts['openProject'] = async (path, options) => {
      if (path.endsWith('slow.loopcheck')) {
        reached.resolve();
        await goOn.promise;
      }
      return real(path, options);
    };
    const core = await start({}, { openProject });
    const text = await textOf(core);
    const opening = core.api.call('openProject', { path: join(core.dir, 'slow.loopcheck'), create: true });
    await reached.promise;
    const file = { name: 'a.json', bytes: new TextEncoder().encode(text) };
    const reply = await core.send({ method: 'POST', url: `/api/project/text?${newPath(core)}`, file });
    expect(reply).toMatchObject({ status: 409, body: { message_code: 'app.project_opening' } });
    expect(readdirSync(join(core.dir, 'projects'))).toEqual([]);
    goOn.resolve();
    expect((await opening).data.name).toBe('slow');
  });
});

describe('channels out of a text', () => {
  it('with a large table come whole, and two texts at once do not take the same name', async () => {
    const core = await startWithThread();
    const points = Array.from({ length: 3000 }, (_, index) => ({ frame_type: 0, code: `P${index}`, address: index }));
    const text = JSON.stringify({
      format: 'loopcheck-project',
      version: 1,
      channels: [{ name: 'Big', protocol_type: 1, conn_type: 2, points }],
    });
    const reports = await Promise.all([send(core, text, 'mode=add'), send(core, text, 'mode=add')]);
    expect(reports.map(({ applied }) => applied).toSorted()).toEqual([false, true]);
    expect(await namesOf(core)).toEqual([['Big', 3000]]);
  });

  it('as many as a text takes are compared with those of the project by one look at the file', async () => {
    const real = createProjectOpener(new Threads(), 'test', () => 0);
    let looks = 0;
    const openProject: CorePorts['openProject'] = async (...given) => {
      const store = await real(...given);
      const unknown = () => {
        looks += 1;
        return store.channels.unknown();
      };
      return { ...store, channels: { ...store.channels, unknown } };
    };
    const core = await start({}, { openProject });
    const channels = Array.from({ length: 1000 }, (_, index) => ({ name: `C${index}`, protocol_type: 1, conn_type: 2 }));
    const text = (list: object[]) => JSON.stringify({ format: 'loopcheck-project', version: 1, channels: list });
    const reads = async (query: string) => {
      looks = 0;
      const { applied, counts } = await send(core, text(channels), query);
      return [applied, counts.channels, counts.errors, looks];
    };
    expect(await reads('mode=preview')).toEqual([false, 1000, 0, 1]);
    expect(await reads('mode=add')).toEqual([true, 1000, 0, 1]);
    expect(await reads('mode=add')).toEqual([false, 1000, 1000, 1]);
    await core.api.call('addChannel', { name: 'One more', protocol_type: 1, conn_type: 2 });
    expect(await core.send({ method: 'GET', url: '/api/project/text' })).toMatchObject({
      status: 409,
      body: { message_code: 'project.text_too_large' },
    });
    expect(JSON.parse(await textOf(core, 1001)).channels).toHaveLength(1);
  });

  it('are never seen without their points: a point that is added to one at once is one more', async () => {
    const core = await startWithThread();
    const points = Array.from({ length: 3000 }, (_, index) => ({ frame_type: 0, code: `P${index}`, address: index }));
    const channels = ['One', 'Two'].map((name) => ({ name, protocol_type: 1, conn_type: 2, points }));
    const sent = send(core, JSON.stringify({ format: 'loopcheck-project', version: 1, channels }), 'mode=add');
    let seen = (await core.api.call('listChannels', {})).data;
    while (seen.length === 0) seen = (await core.api.call('listChannels', {})).data;
    const first = seen[0]?.id ?? 0;
    await core.api.call('addPoints', { channel_id: first, points: [{ frame_type: 0, code: 'NEW', address: 9000 }] });
    expect(seen.map(({ name, point_count }) => [name, point_count])).toEqual([
      ['One', 3000],
      ['Two', 3000],
    ]);
    expect(await sent).toMatchObject({ applied: true, counts: { points: 6000 } });
    const there = async () => (await core.api.call('pointTable', { channel_id: first, page: 1, page_size: 1 })).data.total;
    expect(await there()).toBe(3001);
    await core.api.call('openProject', { path: join(core.dir, 'other.loopcheck'), create: true });
    await core.api.call('openProject', { path: join(core.dir, 'test.loopcheck') });
    expect(await there()).toBe(3001);
  });

  it('of a process that was killed while it added them are gone at the next opening', async () => {
    const first = await startCore({}, { drivers: createLazyDrivers() });
    await first.core.close();
    const store = openProject(join(first.dir, 'test.loopcheck'), { create: false, holder: 'test', wallMs: () => 0 });
    const { id } = store.channels.add(testChannel('Half'));
    store.channels.add(testChannel('Whole'));
    store.settings.write('unfinished_channels', [id]);
    store.close();
    const core = await start({ dataDir: first.dir });
    expect(await namesOf(core)).toEqual([['Whole', 0]]);
    await core.api.call('addChannel', { name: 'Half', protocol_type: 1, conn_type: 2 });
  });
});
