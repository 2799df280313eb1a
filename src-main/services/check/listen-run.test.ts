import { describe, expect, it } from 'vitest';
import type { CheckResult, Expectation } from '#shared/contract/check.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import type { CallContext } from '../handlers.ts';
import { ListenRun } from './listen-run.ts';
import { OwnBench, yc, yx } from './testing/own-bench.ts';

const states: Expectation = { kind: 'states', states: [0, 1] };
const values: Expectation = { kind: 'values', references: [{ value: 10, tolerance: 0.5, percent: 0 }] };
const byHand: Expectation = { kind: 'values', references: [] };
const full = new AppError('STATE_STORE_FULL', quoted('The disk is full.'));

/** Begins, and waits until the program knows where the items stand. */
async function begun(site: OwnBench): Promise<ListenRun> {
  const run = await ListenRun.prepare(site.deps, site.check, { operator: 'Li', settleMs: 500, items: site.items });
  run.begin();
  await site.poll(1000);
  return run;
}
/** A signal goes on and off again. */
async function move(site: OwnBench, code: string): Promise<void> {
  await site.poll(1000, { [code]: 1 });
  await site.poll(1000, { [code]: 0 });
  await site.poll(1000);
}
const told = (result: CheckResult | undefined) => [result?.verdict, ...(result?.findings ?? []).map(({ name }) => name)];
const results = (run: ListenRun) => run.snapshot().results.toReversed();
const codes = (site: OwnBench, found: readonly CheckResult[]) =>
  found.map(({ item }) => site.items.find(({ uuid }) => uuid === item)?.code);
const notMoved = (run: ListenRun) => [run.snapshot().not_moved?.total, run.snapshot().not_moved?.items.map(({ code }) => code)];

describe('listening', () => {
  it('takes movements in any order, each for its item, and ends with the last', async () => {
    const site = await OwnBench.open([yx('A'), yc('V'), yx('B')], { A: states, B: states, V: values });
    const run = await begun(site);
    expect(run.snapshot()).toMatchObject({ way: 'listen', total: 3, position: 0, not_ready: 0, moved: [], latest: null, item: null });
    expect(notMoved(run)).toEqual([3, ['A', 'V', 'B']]);
    await move(site, 'B');
    expect(run.snapshot()).toMatchObject({
      total: 3,
      position: 1,
      done: 1,
      latest: { code: 'B' },
      moved: [{ code: 'B', before: 1, after: 0 }],
    });
    expect(notMoved(run)).toEqual([2, ['A', 'V']]);
    await site.poll(2000, { V: 10 });
    await move(site, 'A');
    expect(run.snapshot()).toMatchObject({
      state: 'ended',
      total: 3,
      position: 3,
      done: 3,
      moved: [{ code: 'A' }, { code: 'V' }, { code: 'B' }],
    });
    expect([codes(site, results(run)), results(run).map(told)]).toEqual([
      ['B', 'V', 'A'],
      [['passed'], ['passed'], ['passed']],
    ]);
    expect(results(run)[0]).toMatchObject({ way: 'listen', operator: 'Li' });
    expect(site.clock.pending).toBe(0);
  });

  it('passes nothing by what stands there, and sends and reads nothing', async () => {
    const site = await OwnBench.open([yx('A')], { A: states });
    site.read('A', 1);
    const run = await begun(site);
    await site.poll(10_000);
    expect([run.snapshot().done, site.bench.plant.exchanges]).toEqual([0, []]);
  });

  it('looks on at one that failed, and passes it when it was put right', async () => {
    const site = await OwnBench.open([yc('V')], { V: values });
    const run = await begun(site);
    await site.poll(2000, { V: 100 });
    expect(run.snapshot()).toMatchObject({ state: 'running', total: 1, position: 0, done: 1 });
    expect(told(results(run)[0])[0]).toBe('failed');
    await site.poll(2000, { V: 10 });
    expect(results(run).map((result) => told(result)[0])).toEqual(['failed', 'passed']);
    expect(run.isRunning).toBe(false);
  });

  it('has nothing to hear where people decide all items', async () => {
    const site = await OwnBench.open([yc('V')], { V: byHand });
    await expect(begun(site)).rejects.toMatchObject({ code: 'STATE_CONFLICT', said: { code: 'check.nothing_to_hear' } });
  });

  it('leaves out what only people decide', async () => {
    const site = await OwnBench.open([yc('V'), yx('A')], { V: byHand, A: states });
    const run = await begun(site);
    expect([run.snapshot().total, notMoved(run)]).toEqual([1, [1, ['A']]]);
    expect(() => run.announce(site.item('V').uuid, 1000)).toThrow(
      expect.objectContaining({ said: expect.objectContaining({ params: { code: 'V' } }) }),
    );
    expect(() => run.announce('nobody', 1000)).toThrow(
      expect.objectContaining({ said: expect.objectContaining({ params: { code: 'nobody' } }) }),
    );
  });

  it('lets nobody decide or send', async () => {
    const site = await OwnBench.open([yx('A')], { A: states });
    const run = await begun(site);
    const refused = { code: 'STATE_CONFLICT', said: { code: 'check.listening' } };
    await expect(run.decide(site.item('A').uuid, 'pass', '')).rejects.toMatchObject(refused);
    await expect(run.send(site.item('A').uuid, 1, {} as CallContext<'command'>)).rejects.toMatchObject(refused);
  });

  it('shows the last ten that moved, each once, and twenty that did not', async () => {
    const rows = Array.from({ length: 34 }, (_, at) => yx(`S${at}`));
    const site = await OwnBench.open(rows, Object.fromEntries(rows.map(({ code }) => [code, states])));
    const run = await begun(site);
    const moved = Array.from({ length: 12 }, (_, at) => `S${at}`);
    for (const code of [...moved, 'S5']) {
      site.read(code, site.bench.channel.points.state(site.item(code).pointId)?.value === 1 ? 0 : 1);
      await site.clock.advance(50);
    }
    expect(run.snapshot().moved.map(({ code }) => code)).toEqual(['S5', 'S11', 'S10', 'S9', 'S8', 'S7', 'S6', 'S4', 'S3', 'S2']);
    const [total, items] = notMoved(run);
    expect([total, items]).toEqual([22, Array.from({ length: 20 }, (_, at) => `S${at + 12}`)]);
  });

  it('begins anew what is edited meanwhile, and says what is not ready', async () => {
    const site = await OwnBench.open([yx('A'), yx('B')], { A: states, B: states });
    const run = await begun(site);
    const { points } = site.bench.channel;
    points.update({ ...(points.config(1) ?? expect.fail()), address: 77 });
    await site.poll(200, { A: 1 });
    expect(run.snapshot().not_ready).toBe(1);
    await site.poll(2000);
    expect(run.snapshot()).toMatchObject({ done: 0, moved: [], not_ready: 0 });
    await site.poll(1000, { A: 0 });
    await site.poll(2000, { A: 1 });
    expect(codes(site, results(run))).toEqual(['A']);
  });

  it('judges nothing more while a thousand results have no room', async () => {
    const site = await OwnBench.open([yx('A')], { A: states });
    const run = await begun(site);
    site.fault = full;
    Object.defineProperty(run, 'waiting', { get: () => 1000, configurable: true });
    await move(site, 'A');
    Reflect.deleteProperty(run, 'waiting');
    expect(run.snapshot()).toMatchObject({ moved: [], waiting: 0 });
    site.fault = null;
    await move(site, 'A');
    expect(run.snapshot().done).toBe(1);
  });

  it('ends when another project is opened', async () => {
    const site = await OwnBench.open([yx('A')], { A: states });
    const run = await begun(site);
    site.leave();
    await site.clock.advance(100);
    expect([run.isRunning, site.clock.pending]).toEqual([false, 0]);
  });
});

describe('what did not move', () => {
  it('is told when the run is stopped, and fails by it where a person says so, once', async () => {
    const rows = Array.from({ length: 60 }, (_, at) => yx(`S${at}`));
    const site = await OwnBench.open([yx('A'), ...rows], { A: states, ...Object.fromEntries(rows.map(({ code }) => [code, states])) });
    const run = await begun(site);
    await site.poll(400, { A: 1 });
    run.stop();
    expect(run.snapshot()).toMatchObject({ state: 'ended', not_moved: { total: 60 } });
    await site.clock.advance(5000);
    expect(site.stored).toEqual([]);
    await run.failUnmoved();
    expect(run.snapshot().done).toBe(60);
    expect(told(results(run)[0])).toEqual(['failed', 'dead']);
    expect(results(run)[0]).toMatchObject({ seen: [{ value: 0 }], findings: [{ said: { params: { seconds: 6 } } }] });
    await run.failUnmoved();
    expect([run.snapshot().done, site.stored.length]).toEqual([60, 60]);
  });

  it('is blocked, and not dead, where nobody could see it: its point is gone, or its line is lost', async () => {
    const site = await OwnBench.open([yx('A'), yx('B')], { A: states, B: states });
    const run = await begun(site);
    run.stop();
    site.bench.channel.points.remove([site.item('A').pointId]);
    Object.assign(site.bench.channel, { state: () => ({ status: 'reconnecting' }) });
    await run.failUnmoved();
    expect(results(run)).toMatchObject([
      { verdict: 'blocked', findings: [], seen: [], remark: expect.stringContaining('A') },
      { verdict: 'blocked', findings: [], seen: [{ value: 0 }], remark: expect.stringContaining('PCS 1') },
    ]);
  });

  it('is dead where its line was lost once, and stands again', async () => {
    const site = await OwnBench.open([yx('A')], { A: states });
    const run = await begun(site);
    site.bench.net.lose();
    await site.clock.advance(20_000);
    run.stop();
    await run.failUnmoved();
    expect(results(run).map(told)).toEqual([['failed', 'dead']]);
  });
});

describe('an item that somebody says he moves', () => {
  const open = async () => {
    const site = await OwnBench.open([yx('A'), yx('B'), yx('C')], { A: states, B: states, C: states });
    const run = await begun(site);
    run.announce(site.item('A').uuid, 3000);
    return { site, run };
  };

  it('is shown, and is no more once it passed', async () => {
    const { site, run } = await open();
    await site.poll(400);
    expect(run.snapshot().item).toMatchObject({ code: 'A', others: [], waiting_ms: 400 });
    await move(site, 'A');
    expect(run.snapshot().item).toBe(null);
    expect(results(run).map(told)).toEqual([['passed']]);
  });

  it('fails as crossed where another one moves in its place; both are looked at anew, and the other one passed nothing', async () => {
    const { site, run } = await open();
    await site.poll(400, { B: 1 });
    expect(run.snapshot().item?.others).toMatchObject([{ code: 'B', before: 0, after: 1 }]);
    await site.poll(400);
    expect(results(run).map(told)).toEqual([['failed', 'crossed']]);
    expect([codes(site, results(run)), run.snapshot().item]).toEqual([['A'], null]);
    await site.poll(1000);
    await site.poll(2000, { B: 0 });
    expect(run.snapshot().done, 'B was wired to A: its way back is one state of two').toBe(1);
    await move(site, 'B');
    expect(codes(site, results(run))).toEqual(['A', 'B']);
  });

  it('is dead where nothing moves in the time that was said', async () => {
    const { site, run } = await open();
    await site.poll(2800);
    expect(run.snapshot().done).toBe(0);
    await site.poll(400);
    expect(results(run).map(told)).toEqual([['failed', 'dead']]);
    expect(results(run)[0]?.findings[0]?.said.params).toEqual({ seconds: 3 });
    expect(run.snapshot()).toMatchObject({ item: null, state: 'running', total: 3 });
  });

  it('is blocked, and not dead, where its line was lost in that time, or its point is gone', async () => {
    const lost = await open();
    lost.site.bench.net.lose();
    await lost.site.clock.advance(5000);
    expect(lost.site.bench.channel.state().status).toBe('running');
    const gone = await open();
    gone.site.bench.channel.points.remove([gone.site.item('A').pointId]);
    await gone.site.clock.advance(5000);
    const [first, second] = [lost, gone].map(({ run }) => results(run));
    expect(first).toMatchObject([{ verdict: 'blocked', findings: [], seen: [{ code: 'A' }], remark: expect.stringContaining('PCS 1') }]);
    expect(second).toMatchObject([{ verdict: 'blocked', findings: [], seen: [], remark: expect.stringContaining('A') }]);
    expect([lost, gone].map(({ run }) => run.snapshot().item)).toEqual([null, null]);
  });
});
