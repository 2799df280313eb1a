/** The demo as the build makes it: what a start with `--demo` begins with. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Channel } from '#shared/contract/channels.ts';
import { BUILT_DEMO, type BuiltDemo, builtDemo } from '../../src-main/app/built-demo.ts';
import type { DemoMarks } from '../../src-main/app/demo/kept-demo.ts';
import { fillDemo, startDemo } from '../../src-main/app/demo.ts';
import { type ManualCore, startManualCore } from '../../src-main/app/testing/manual-core.ts';
import type { CorePorts } from '../../src-main/app/types.ts';
import { tcpLine } from '../../src-main/transport/testing/transport-conformance.ts';
import { makeDemo } from './demo-project.ts';

let folder: string;
let built: BuiltDemo;
let plant: ManualCore | null = null;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loopcheck-built-'));
  await makeDemo(join(folder, 'demo'));
  built = builtDemo(join(folder, 'demo')) ?? expect.fail('there is no demo');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(async () => {
  await plant?.close();
  plant = null;
});

type Opening = Partial<CorePorts> & { readonly marks?: () => DemoMarks; readonly place?: (path: string) => void };

/** A service with the built project, which starts the demo as the real one does. */
async function open({ marks = built.marks, place = built.place, ...overrides }: Opening = {}): Promise<ManualCore> {
  const opened = await startManualCore(
    { startDemo: (core, store) => startDemo(core, opened.ports, { marks: marks(), store }), ...overrides },
    place,
  );
  plant = opened;
  return opened;
}

async function run({ core, clock }: ManualCore): Promise<Channel[]> {
  const running = core.runDemo();
  // one that fails does so before the clock has gone on
  running.catch(() => undefined);
  await clock.advance(10_000);
  await running;
  return channels({ core });
}

async function channels({ core }: Pick<ManualCore, 'core'>): Promise<Channel[]> {
  return (await core.api.call('listChannels', {})).data;
}

async function stopAll({ core, clock }: ManualCore): Promise<void> {
  const stopping = (await channels({ core })).map(({ id }) => core.api.call('stopDevice', { channel_id: id }));
  await clock.advance(10_000);
  await Promise.all(stopping);
}

/** The station of IEC 104 serves here. */
const STATION_PORT = 12_404;

const places = (all: readonly Channel[]) => all.map(({ id, name }) => [id, name]);

describe('the project that the build makes', () => {
  it('is private, holds ten channels, and nothing of the computer that made it', () => {
    const path = join(folder, 'placed.loopcheck');
    built.place(path);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    const db = new Database(path, { readonly: true });
    const count = (table: string) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
    expect(Object.keys(built.marks())).toHaveLength(10);
    expect(count('channels')).toBe(10);
    expect(count('documents')).toBe(2);
    expect(count('settings')).toBe(1);
    for (const table of ['audit', 'point_steps', 'point_step_parts', 'point_step_channels', 'touched_setpoints']) {
      expect([table, count(table)]).toEqual([table, 0]);
    }
    db.close();
  });

  it('has the channels and points that the service fills an empty project with', async () => {
    const tables = async ({ core }: ManualCore) =>
      Promise.all(
        (await channels({ core })).map(async ({ id, ...channel }) => {
          const { items } = (await core.api.call('pointTable', { channel_id: id, page: 1, page_size: 1000 })).data;
          return { channel, points: items };
        }),
      );
    const filled = await startManualCore();
    await fillDemo(filled.core);
    const expected = await tables(filled);
    await filled.close();
    expect(await tables(await open())).toEqual(expected);
    expect(expected.flatMap(({ points }) => points).length).toBeGreaterThan(2000);
  });

  it('is the same in each build', async () => {
    const again = join(folder, 'again');
    await makeDemo(again);
    expect(readFileSync(join(again, BUILT_DEMO.marks), 'utf8')).toBe(readFileSync(join(folder, 'demo', BUILT_DEMO.marks), 'utf8'));
  });

  it('takes the place of no file, and leaves nothing where it cannot be made', () => {
    const there = join(folder, 'there.loopcheck');
    writeFileSync(there, 'of a colleague');
    built.place(there);
    expect(readFileSync(there, 'utf8')).toBe('of a colleague');
    built.place(join(folder, 'no-folder', 'demo.loopcheck'));
    expect(existsSync(join(folder, 'no-folder'))).toBe(false);
    const torn = mkdtempSync(join(folder, 'torn-'));
    writeFileSync(join(torn, BUILT_DEMO.marks), '{}');
    writeFileSync(join(torn, BUILT_DEMO.project), readFileSync(join(folder, 'demo', BUILT_DEMO.project)).subarray(0, 20_000));
    builtDemo(torn)?.place(join(torn, 'demo.loopcheck'));
    expect(readdirSync(torn).sort()).toEqual(Object.values(BUILT_DEMO).sort());
  });

  it('is none where nothing was built', () => {
    expect(builtDemo(null)).toBeNull();
    expect(builtDemo(join(folder, 'nowhere'))).toBeNull();
  });
});

describe('a start with it', () => {
  it('runs all channels as they are, again and again', async () => {
    const demo = await open();
    const before = await channels(demo);
    const running = await run(demo);
    expect(running.map(({ status }) => status)).toEqual(Array(10).fill('running'));
    expect(places(running)).toEqual(places(before));
    await stopAll(demo);
    expect(places(await run(demo))).toEqual(places(before));
    const { data } = await demo.core.api.call('pointTable', { channel_id: 1, page: 1, page_size: 1, search: 'PCS_UDC' });
    expect(data.items[0]).toMatchObject({ quality: 'good', value: expect.any(Number) });
  });

  const statuses = (all: readonly Channel[]) => all.map(({ name, status }) => [name, status]).sort();
  const codes = async ({ core }: ManualCore, channel_id: number, search: string) =>
    (await core.api.call('pointTable', { channel_id, page: 1, page_size: 1, search })).data.items.map(({ code }) => code);
  async function change<Answer>({ clock }: ManualCore, changing: Promise<Answer>): Promise<Answer> {
    await clock.advance(1000);
    return changing;
  }
  const addPoint = ({ core }: ManualCore, channel_id: number) =>
    core.api.call('addPoints', { channel_id, points: [{ frame_type: 0, code: 'NEW', address: 9 }] });

  it.each<[string, number, (demo: ManualCore) => Promise<unknown>]>([
    ['a point was added', 1, (demo) => addPoint(demo, 1)],
    [
      'a point of what is served was removed',
      4,
      async ({ core }) => {
        const { items } = (await core.api.call('pointTable', { channel_id: 4, page: 1, page_size: 1 })).data;
        await core.api.call('deletePoints', { channel_id: 4, point_ids: items.map(({ id }) => id) });
      },
    ],
    ['a channel was changed', 3, ({ core }) => core.api.call('updateChannel', { channel_id: 3, timeout_ms: 50 })],
    ['a document was removed', 10, ({ core }) => core.api.call('deleteDocument', { channel_id: 10 })],
  ])('runs as it was made when %s: what was changed stays under another name, at the start behind it too', async (_, id, changing) => {
    const demo = await open();
    const before = await channels(demo);
    await change(demo, changing(demo));
    const changed = (await channels(demo)).find((channel) => channel.id === id) ?? expect.fail();
    const others = (all: readonly Channel[]) => places(all).filter(([, name]) => !String(name).startsWith(changed.name));
    for (let start = 0; start < 2; start++) {
      const running = await run(demo);
      const aside = `${changed.name} (changed)`;
      expect(statuses(running)).toEqual([...before.map(({ name }) => [name, 'running']), [aside, 'stopped']].sort());
      expect(running.find((channel) => channel.id === id)).toMatchObject({ name: aside, timeout_ms: changed.timeout_ms });
      expect(others(running)).toEqual(others(before));
      await stopAll(demo);
    }
  });

  it('runs all channels as they are when one of them runs', async () => {
    const demo = await open();
    const before = await channels(demo);
    await change(demo, demo.core.api.call('startDevice', { channel_id: 4 }));
    expect(places(await run(demo))).toEqual(places(before));
  });

  it('brings back a channel that was removed, and leaves the others', async () => {
    const demo = await open();
    const before = await channels(demo);
    await change(demo, demo.core.api.call('deleteChannel', { channel_id: 2 }));
    const running = await run(demo);
    expect(statuses(running)).toEqual(before.map(({ name }) => [name, 'running']).sort());
    expect(places(running).filter(([id]) => Number(id) <= 10)).toEqual(places(before).filter(([id]) => id !== 2));
    await stopAll(demo);
    expect(places(await run(demo))).toEqual(places(running));
  });

  it('sets a channel aside with all that somebody made of it, and another one of the same name beside it', async () => {
    const demo = await open();
    const idOf = (all: readonly Channel[], name: string) => all.find((channel) => channel.name === name)?.id ?? expect.fail(name);
    await change(demo, addPoint(demo, 1));
    let all = await run(demo);
    expect(await codes(demo, 1, 'NEW')).toEqual(['NEW']);
    expect(await codes(demo, idOf(all, 'Demo PCS'), 'NEW')).toEqual([]);
    await stopAll(demo);
    const again = idOf(all, 'Demo PCS');
    await change(demo, addPoint(demo, again));
    all = await run(demo);
    expect(all.find(({ id }) => id === again)).toMatchObject({ name: 'Demo PCS (changed 2)', status: 'stopped' });
    expect(all.filter(({ status }) => status === 'running')).toHaveLength(10);
  });

  it('replaces the demo of another version, and sets aside what was changed of it', async () => {
    let marks = built.marks();
    const demo = await open({ marks: () => marks });
    await run(demo);
    await stopAll(demo);
    await change(demo, addPoint(demo, 1));
    marks = { ...marks, 'Demo plant': 'another' };
    await run(demo);
    const all = await channels(demo);
    expect(all.filter(({ status }) => status === 'running')).toHaveLength(10);
    expect(places(all).filter(([id]) => Number(id) <= 10)).toEqual([[1, 'Demo PCS (changed)']]);
    expect(await codes(demo, 1, 'NEW')).toEqual(['NEW']);
  });

  it('that replaced another version and could not be started takes nothing of it for changed', async () => {
    let marks = built.marks();
    let isBroken = false;
    const demo: ManualCore = await open({
      startDemo: (core, store) => {
        const { transports } = demo.ports;
        const listener = () => {
          throw new Error('no listener');
        };
        return startDemo(core, isBroken ? { ...demo.ports, transports: { ...transports, listener } } : demo.ports, { marks, store });
      },
    });
    const before = await run(demo);
    await stopAll(demo);
    marks = { ...marks, 'Demo plant': 'another' };
    isBroken = true;
    await expect(run(demo)).rejects.toThrow('no listener');
    isBroken = false;
    const running = await run(demo);
    expect(statuses(running)).toEqual(statuses(before));
  });

  it('of which a site could not be started takes nothing for changed where the ports of others had moved', async () => {
    let isBroken = true;
    const demo: ManualCore = await open({
      startDemo: (core, store) => {
        const { transports } = demo.ports;
        const listener: typeof transports.listener = (line) => {
          if (isBroken && line.port === STATION_PORT) throw new Error('no station');
          return transports.listener(line);
        };
        return startDemo(core, { ...demo.ports, transports: { ...transports, listener } }, { marks: built.marks(), store });
      },
    });
    const before = places(await channels(demo));
    const rival = demo.ports.transports.listener(tcpLine(15_020));
    await rival.listen(() => {});
    await expect(run(demo)).rejects.toThrow('no station');
    expect((await channels(demo))[0]?.port).not.toBe(15_020);
    await rival.close();
    await stopAll(demo);
    isBroken = false;
    expect(places(await run(demo))).toEqual(before);
  });

  it('that was filled by the service itself runs as it is at the next starts', async () => {
    const demo = await open({ place: () => undefined });
    const first = await run(demo);
    for (let start = 0; start < 2; start++) {
      await stopAll(demo);
      expect(places(await run(demo))).toEqual(places(first));
    }
  });

  it('takes other ports where its own are in use, has its own again at the next start, and is not filled for it', async () => {
    const demo = await open();
    const before = places(await channels(demo));
    const rival = demo.ports.transports.listener(tcpLine(15_020));
    await rival.listen(() => {});
    const moved = await run(demo);
    expect(moved.find(({ name }) => name === 'Demo PCS')).toMatchObject({ id: 1, status: 'running' });
    expect(moved[0]?.port).not.toBe(15_020);
    await stopAll(demo);
    const again = await run(demo);
    expect(again[0]?.port).not.toBe(15_020);
    await rival.close();
    await stopAll(demo);
    const last = await run(demo);
    expect(last.find(({ name }) => name === 'Demo PCS')).toMatchObject({ status: 'running', port: 15_020 });
    expect([places(moved), places(again), places(last)]).toEqual([before, before, before]);
  });

  it('gives the meters their passwords, which lie beside the project', async () => {
    const demo = await open();
    await run(demo);
    const { data } = await demo.core.api.call('channelSecrets', { channel_id: 5 });
    expect(JSON.stringify(data)).toContain('password_02');
  });
});
