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
let reader: GatedReader;
let session: number;
/** The stand-in for a full disk: results are not appended, everything else is. */
let isFull: boolean;
let attempts: number;

beforeEach(async () => {
  isFull = false;
  attempts = 0;
  const open = createProjectOpener(new Threads(), 'test', () => 0, null);
  plant = await startManualCore({
    async openProject(path, options) {
      const store = await open(path, options);
      const append = store.checks.append.bind(store.checks);
      vi.spyOn(store.checks, 'append').mockImplementation((...entries) => {
        attempts += 1;
        if (isFull) throw new AppError('STATE_STORE_FULL', say('store.disk_full', { path: 'plant', code: 'SQLITE_FULL' }));
        append(...entries);
      });
      return store;
    },
  });
});
afterEach(() => plant.close());

const point = (frame_type: 0 | 1 | 2, code: string, address: number, rest: Partial<PointInput> = {}): PointInput => ({
  frame_type,
  code,
  address,
  ...(frame_type === 2 ? {} : { decode: frame_type === 0 ? '0x21' : '0x20' }),
  ...rest,
});
async function open(points: PointInput[], protocol: ProtocolType = ProtocolType.modbusTcp) {
  reader = await GatedReader.open(plant, { protocol, client: {}, served: points, read: points });
  await reader.poll();
  session = (await plant.core.api.call('addCheck', { name: 'Visit' })).data.id;
  await plant.core.api.call('addCheckItems', { session_id: session, channel_id: reader.id });
  await plant.clock.advance(1500);
}
/** Begins, and waits until the program knows where the first item stands. */
async function start(rest: { way?: 'listen'; commands?: boolean } = {}): Promise<CheckRun> {
  await plant.core.api.call('startCheck', { session_id: session, operator: 'Li', ...rest });
  await plant.clock.advance(3000);
  return run();
}
async function run(): Promise<CheckRun> {
  const { run: found } = (await plant.core.api.call('checkRun', {})).data;
  if (!found) throw new Error('no run');
  return found;
}
async function serve(code: string, value: number, ms = 4000) {
  await reader.serve(code, value);
  await plant.clock.advance(ms);
}
const items = async () => (await plant.core.api.call('checkItems', { session_id: session })).data.items;
async function results() {
  const all = [];
  for (const { item } of await items()) {
    all.push((await plant.core.api.call('checkHistory', { session_id: session, item })).data.items.map(({ verdict }) => verdict));
  }
  return all;
}

describe('results that cannot be appended', () => {
  it('of the guided way are kept as they were judged and appended when there is room, once; meanwhile the item takes no other word', async () => {
    await open([point(1, 'A', 1), point(1, 'B', 2)]);
    await start();
    isFull = true;
    await serve('A', 1);
    await serve('A', 0);
    expect(await run()).toMatchObject({
      state: 'running',
      position: 0,
      done: 0,
      waiting: 1,
      item: { code: 'A' },
      error: { said: { code: 'store.disk_full' } },
    });
    const { item } = (await items())[0] ?? { item: '' };
    const step = plant.core.api.call('checkStep', { item, action: 'fail' });
    await expect(step).rejects.toMatchObject({ code: 'STATE_CONFLICT', message: expect.stringContaining('being appended') });
    // it moves on in the field: what was judged stays what it was
    await serve('A', 1, 10_000);
    const before = attempts;
    await plant.clock.advance(5000);
    expect(attempts - before).toBe(5);
    isFull = false;
    await plant.clock.advance(1000);
    expect(await run()).toMatchObject({ position: 1, done: 1, waiting: 0, error: null, item: { code: 'B' } });
    expect((await run()).results[0]?.seen.map(({ value }) => value)).toEqual([1, 0]);
    expect(await results()).toEqual([['passed'], []]);
  });

  it('keep what a person said, who is told so', async () => {
    await open([point(1, 'A', 1), point(1, 'B', 2)]);
    const { item } = await start();
    isFull = true;
    const said = (await plant.core.api.call('checkStep', { item: item?.item ?? '', action: 'fail', remark: 'loose wire' })).data;
    expect(said).toMatchObject({ position: 0, waiting: 1, error: { said: { code: 'store.disk_full' } } });
    isFull = false;
    await plant.clock.advance(1000);
    expect(await run()).toMatchObject({ position: 1, waiting: 0, results: [{ verdict: 'failed', remark: 'loose wire' }] });
  });

  it('of a command are appended later, and the command is not sent again', async () => {
    await open([point(1, 'QF', 1), point(2, 'CTL', 0x6001, { related_code: 'QF' })], ProtocolType.iec104);
    await start({ commands: true });
    const { item } = await run();
    await plant.core.api.call('checkStep', { item: item?.item ?? '', action: 'skip' });
    const sending = plant.core.api.call('sendCheckCommand', { item: (await run()).item?.item ?? '' });
    isFull = true;
    await plant.clock.advance(40_000);
    expect((await sending).data).toMatchObject({ state: 'running', waiting: 1, item: { code: 'CTL' } });
    await plant.clock.advance(20_000);
    isFull = false;
    await plant.clock.advance(1000);
    expect(await run()).toMatchObject({ state: 'ended', waiting: 0, results: [{ verdict: 'passed' }, { verdict: 'skipped' }] });
    const audits = (await plant.core.api.call('listAudit', {})).data.items.filter(({ code }) => code === 'CTL');
    expect(audits.map(({ id }) => id)).toEqual((await run()).results[0]?.audit_ids);
  });

  it('of the listening way are all kept, in their order', async () => {
    await open([point(1, 'A', 1), point(1, 'B', 2)]);
    await start({ way: 'listen' });
    isFull = true;
    for (const code of ['B', 'A']) {
      await serve(code, 1);
      await serve(code, 0);
    }
    expect(await run()).toMatchObject({ done: 0, waiting: 2, error: { said: { code: 'store.disk_full' } } });
    isFull = false;
    await plant.clock.advance(1000);
    expect(await run()).toMatchObject({ state: 'ended', done: 2, waiting: 0, error: null });
    expect((await run()).results.map(({ seen }) => seen.at(-1)?.code)).toEqual(['A', 'B']);
    expect(await results()).toEqual([['passed'], ['passed']]);
  });

  it('of the unattended way hold it up until there is room; each is there once', async () => {
    const points = Array.from({ length: 70 }, (_, at) => point(0, `P${at}`, at));
    await open(points);
    const expectation = { kind: 'values' as const, references: [{ value: 0, tolerance: 0, percent: 0 }] };
    await plant.core.api.call('editCheckItems', { session_id: session, items: (await items()).map(({ item }) => item), expectation });
    isFull = true;
    await plant.core.api.call('compareCheck', { session_id: session, operator: 'script' });
    await plant.clock.advance(10_000);
    expect(await run()).toMatchObject({ state: 'running', done: 0, waiting: 50 });
    isFull = false;
    await plant.clock.advance(5000);
    expect(await run()).toMatchObject({ state: 'ended', done: 70, waiting: 0, error: null });
    expect(await results()).toEqual(points.map(() => ['passed']));
  });

  it('wait also behind a stop, and no other check begins before they are in the file', async () => {
    await open([point(1, 'A', 1), point(1, 'B', 2)]);
    const { item } = await start();
    isFull = true;
    await plant.core.api.call('checkStep', { item: item?.item ?? '', action: 'block' });
    expect((await plant.core.api.call('stopCheck', {})).data.run).toMatchObject({ state: 'ended', waiting: 1 });
    await expect(start()).rejects.toMatchObject({ code: 'STATE_CONFLICT', said: { code: 'check.results_wait' } });
    isFull = false;
    await plant.clock.advance(1000);
    expect(await results()).toEqual([['blocked'], []]);
    expect(await start()).toMatchObject({ state: 'running' });
  });
});
