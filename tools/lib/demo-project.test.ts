/** The demo as the build makes it: what a start with `--demo` begins with. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Channel } from '#shared/contract/channels.ts';
import { BUILT_DEMO, type BuiltDemo, builtDemo } from '../../src-main/app/built-demo.ts';
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

/** A service with the built project, which starts the demo as the real one does. */
async function open(overrides: Partial<CorePorts> = {}): Promise<ManualCore> {
  const opened = await startManualCore(
    { startDemo: (core, markOf) => startDemo(core, opened.ports, { marks: built.marks(), markOf }), ...overrides },
    built.place,
  );
  plant = opened;
  return opened;
}

async function run({ core, clock }: ManualCore): Promise<Channel[]> {
  const running = core.runDemo();
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
    for (const table of ['settings', 'audit', 'point_steps', 'point_step_parts', 'point_step_channels', 'touched_setpoints']) {
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

  it.each<[string, (demo: ManualCore, all: readonly Channel[]) => Promise<unknown>]>([
    [
      'a point was changed',
      ({ core }) => core.api.call('addPoints', { channel_id: 1, points: [{ frame_type: 0, code: 'NEW', address: 9 }] }),
    ],
    ['a channel was changed', ({ core }) => core.api.call('updateChannel', { channel_id: 3, timeout_ms: 50 })],
    ['a channel was removed', ({ core }) => core.api.call('deleteChannel', { channel_id: 7 })],
    ['a document was removed', ({ core }) => core.api.call('deleteDocument', { channel_id: 10 })],
    ['a channel runs', ({ core }) => core.api.call('startDevice', { channel_id: 4 })],
  ])('makes all of them anew when %s', async (_, change) => {
    const demo = await open();
    const before = await channels(demo);
    const changed = change(demo, before);
    await demo.clock.advance(1000);
    await changed;
    const running = await run(demo);
    expect(running.map(({ name, status }) => [name, status]).sort()).toEqual(before.map(({ name }) => [name, 'running']).sort());
    expect(running.map(({ id }) => id).filter((id) => id <= 10)).toEqual([]);
    const { data } = await demo.core.api.call('pointTable', { channel_id: running[0]?.id ?? 0, page: 1, page_size: 1, search: 'NEW' });
    expect(data.items).toEqual([]);
  });

  it('takes other ports where its own are in use, and has its own again at the next start', async () => {
    const demo = await open();
    const rival = demo.ports.transports.listener(tcpLine(15_020));
    await rival.listen(() => {});
    const moved = (await run(demo)).find(({ name }) => name === 'Demo PCS');
    expect(moved).toMatchObject({ id: 1, status: 'running' });
    expect(moved?.port).not.toBe(15_020);
    await rival.close();
    await stopAll(demo);
    expect((await run(demo)).find(({ name }) => name === 'Demo PCS')).toMatchObject({ status: 'running', port: 15_020 });
  });

  it('gives the meters their passwords, which lie beside the project', async () => {
    const demo = await open();
    await run(demo);
    const { data } = await demo.core.api.call('channelSecrets', { channel_id: 5 });
    expect(JSON.stringify(data)).toContain('password_02');
  });
});
