/** A project that is left, and a program that ends, in the middle of a check: what was found out is kept, and what was set is put back. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CheckRun } from '#shared/contract/check.ts';
import { ProtocolType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { Threads } from '../platform/threads.ts';
import { createProjectOpener } from './project-thread.ts';
import { GatedReader, type PointInput } from './testing/gated-device.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';

let plant: ManualCore;
let session: number;
let path: string;
/** The stand-in for a full disk: results are not appended, everything else is. */
let isFull: boolean;

beforeEach(async () => {
  isFull = false;
  const open = createProjectOpener(new Threads(), 'test', () => 0, null);
  plant = await startManualCore({
    async openProject(file, options) {
      const store = await open(file, options);
      const append = store.checks.append.bind(store.checks);
      vi.spyOn(store.checks, 'append').mockImplementation((...entries) => {
        if (isFull) throw new AppError('STATE_STORE_FULL', say('store.disk_full', { path: 'plant', code: 'SQLITE_FULL' }));
        append(...entries);
      });
      return store;
    },
  });
  path = (await plant.core.api.call('projectInfo', {})).data.path;
});
afterEach(() => plant.close());

const signal = (code: string, address: number): PointInput => ({ frame_type: 1, code, address, decode: '0x20' });
const run = async (): Promise<CheckRun | null> => (await plant.core.api.call('checkRun', {})).data.run;
const items = async () => (await plant.core.api.call('checkItems', { session_id: session })).data.items;
const historyOf = async (code: string) => {
  const { item } = (await items()).find((each) => each.code === code) ?? expect.fail(code);
  return (await plant.core.api.call('checkHistory', { session_id: session, item })).data.items;
};
const warnings = async () => (await plant.core.api.call('serviceInfo', {})).data.warnings.map(({ code }) => code);
async function sessionOver(channel_id: number): Promise<void> {
  session = (await plant.core.api.call('addCheck', { name: 'Visit' })).data.id;
  await plant.core.api.call('addCheckItems', { session_id: session, channel_id });
}
/** Opens another project while time passes; answers the code of the refusal, null: it is open. */
async function open(to: string, create = true): Promise<string | null> {
  const opening = plant.core.api.call('openProject', { path: to, create }).then(
    () => null,
    (error: { code: string }) => error.code,
  );
  await plant.clock.advance(40_000);
  return opening;
}
const next = () => join(path, '..', 'next.loopcheck');

describe('a gateway test that is under way', () => {
  const points = Array.from({ length: 20 }, (_, at): PointInput => ({ frame_type: 0, code: `P${at}`, address: at + 1, decode: '0x21' }));
  /** The simulated device below, in the middle of the test: its values are others than before. */
  async function trace() {
    const reader = await GatedReader.open(plant, { protocol: ProtocolType.modbusTcp, client: {}, served: points, read: points });
    for (const [at, { code }] of points.entries()) await reader.serve(code, 100 + at);
    await sessionOver(reader.id);
    const below = (await plant.core.api.call('listChannels', {})).data.find(({ name }) => name === 'Served')?.id ?? 0;
    await plant.core.api.call('traceCheck', { session_id: session, operator: 'script', reference_channel_id: below });
    await plant.clock.advance(300);
    const device = plant.core.channel(below) ?? expect.fail('no device');
    const values = () => points.map(({ code }) => device.points.state(device.points.byCode(code) ?? 0)?.value);
    expect(values()).not.toContain(100);
    return { device, values };
  }
  const before = points.map((_, at) => 100 + at);

  it('has put the values below back when another project is open', async () => {
    const { device, values } = await trace();
    const statuses: string[] = [];
    const execute = device.execute.bind(device);
    vi.spyOn(device, 'execute').mockImplementation((command) => {
      statuses.push(device.state().status);
      return execute(command);
    });
    expect(await open(next())).toBeNull();
    expect(values()).toEqual(before);
    expect(new Set(statuses)).toEqual(new Set(['running']));
  });

  it('has put them back when the program has ended', async () => {
    const { values } = await trace();
    await Promise.all([plant.core.close(), plant.clock.advance(40_000)]);
    expect(values()).toEqual(before);
  });
});

describe('results that have no room', () => {
  /** Two signals that were judged on a full disk while the program listened. */
  async function judged(): Promise<void> {
    const points = [signal('A', 1), signal('B', 2)];
    const reader = await GatedReader.open(plant, { protocol: ProtocolType.modbusTcp, client: {}, served: points, read: points });
    await reader.poll();
    await sessionOver(reader.id);
    await plant.core.api.call('startCheck', { session_id: session, operator: 'Li', way: 'listen' });
    await plant.clock.advance(3000);
    isFull = true;
    for (const code of ['A', 'B']) {
      for (const state of [1, 0]) {
        await reader.serve(code, state);
        await plant.clock.advance(3000);
      }
    }
    expect(await run()).toMatchObject({ done: 0, waiting: 2 });
  }

  it('lie beside the project when it is left, and come into it when it is opened again, with the time that they were judged at', async () => {
    await judged();
    const from = new Date(plant.clock.wallMs() - 12_000).toISOString();
    const to = new Date(plant.clock.wallMs()).toISOString();
    expect(await open(next())).toBeNull();
    expect(existsSync(`${path}.results`)).toBe(true);
    // still no room: they stay where they are
    expect(await open(path, false)).toBeNull();
    expect((await items()).map(({ state }) => state)).toEqual(['not_checked', 'not_checked']);
    expect(existsSync(`${path}.results`)).toBe(true);
    expect(await warnings()).toEqual(['results_aside']);
    expect(await open(next())).toBeNull();
    isFull = false;
    await plant.clock.advance(3_600_000);
    expect(await open(path, false)).toBeNull();
    expect((await items()).map(({ state }) => state)).toEqual(['passed', 'passed']);
    const [result] = await historyOf('A');
    expect([result?.at ?? '', result?.at ?? '']).toEqual([expect.toSatisfy((at) => at >= from), expect.toSatisfy((at) => at <= to)]);
    expect(existsSync(`${path}.results`)).toBe(false);
    expect(await warnings()).toEqual([]);
    const { bytes } = (await plant.core.api.call('checkRecord', { session_id: session })).data as { bytes: Uint8Array };
    const record = new File([new Uint8Array(bytes)], 'record.json');
    expect((await plant.core.api.call('verifyRecord', { file: record })).data).toMatchObject({ is_whole: true, entries: 2 });
  });

  it('lie beside it as well when the program ends', async () => {
    await judged();
    await Promise.all([plant.core.close(), plant.clock.advance(40_000)]);
    const { results } = JSON.parse(readFileSync(`${path}.results`, 'utf8')) as { results: { entries: { verdict: string }[] }[] };
    expect(results.flatMap(({ entries }) => entries.map(({ verdict }) => verdict))).toEqual(['passed', 'passed']);
  });

  it('keep the project open where there is no room beside it either, and are told; they come into it once there is room', async () => {
    await judged();
    mkdirSync(join(`${path}.results`, 'in the way'), { recursive: true });
    expect(await open(next())).toMatch(/^STATE_STORE/);
    const renaming = plant.core.api.call('renameProject', { path: join(path, '..', 'renamed.loopcheck') });
    renaming.catch(() => undefined);
    await plant.clock.advance(40_000);
    await expect(renaming).rejects.toMatchObject({ said: { code: 'check.not_kept', params: { count: 2 } } });
    expect((await plant.core.api.call('projectInfo', {})).data.path).toBe(path);
    expect(await run()).toMatchObject({ state: 'ended', waiting: 2 });
    rmdirSync(join(`${path}.results`, 'in the way'));
    rmdirSync(`${path}.results`);
    isFull = false;
    await plant.clock.advance(3000);
    expect(await run()).toMatchObject({ waiting: 0, done: 2, error: null });
    expect((await items()).map(({ state }) => state)).toEqual(['passed', 'passed']);
    expect(await open(next())).toBeNull();
    expect(existsSync(`${path}.results`)).toBe(false);
  });

  it('come into it once, though the program was killed before it had taken them away', async () => {
    await judged();
    expect(await open(next())).toBeNull();
    const left = readFileSync(`${path}.results`);
    isFull = false;
    for (let time = 0; time < 2; time++) {
      expect(await open(path, false)).toBeNull();
      expect([(await historyOf('A')).length, (await historyOf('B')).length]).toEqual([1, 1]);
      expect(existsSync(`${path}.results`)).toBe(false);
      expect(await open(next(), time === 0)).toBeNull();
      writeFileSync(`${path}.results`, left);
    }
  });

  it('that somebody damaged are left where they lie', async () => {
    await judged();
    expect(await open(next())).toBeNull();
    const text = readFileSync(`${path}.results`, 'utf8');
    writeFileSync(`${path}.results`, text.replace('"verdict":"passed"', '"verdict":"fine"'));
    isFull = false;
    expect(await open(path, false)).toBeNull();
    expect((await items()).map(({ state }) => state)).toEqual(['not_checked', 'not_checked']);
    expect(existsSync(`${path}.results`)).toBe(true);
    expect(await warnings()).toEqual(['results_aside']);
  });
});

describe('a command whose feedback is waited for', () => {
  it('has its result when the project is left: what came of it is not known', async () => {
    const points: PointInput[] = [signal('QF', 1), { frame_type: 2, code: 'CTL', address: 11, decode: '0x20', related_code: 'QF' }];
    const reader = await GatedReader.open(plant, { protocol: ProtocolType.modbusTcp, client: {}, served: points, read: points });
    await reader.poll();
    await sessionOver(reader.id);
    const item = (await items()).find(({ code }) => code === 'CTL')?.item ?? '';
    const expectation = { kind: 'command' as const, value: 1, feedback: 1, within_ms: 600_000 };
    await plant.core.api.call('editCheckItems', { session_id: session, items: [item], expectation });
    await plant.clock.advance(2000);
    await plant.core.api.call('startCheck', { session_id: session, operator: 'Li', commands: true, items: [item] });
    const sending = plant.core.api.call('sendCheckCommand', { item });
    await plant.clock.advance(5000);
    expect(await open(next())).toBeNull();
    expect((await sending).data).toMatchObject({ state: 'ended', done: 1 });
    expect(await open(path, false)).toBeNull();
    expect(await historyOf('CTL')).toMatchObject([
      { verdict: 'failed', findings: [{ name: 'not_known', said: { code: 'check.found_feedback_given_up' } }] },
    ]);
  });
});
