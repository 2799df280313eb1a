import { describe, expect, it } from 'vitest';
import type { CheckReference, CheckResult } from '#shared/contract/check.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { taskConfig } from '../../runtime/testing/harness.ts';
import { OwnBench, yc } from './testing/own-bench.ts';
import { UnattendedRun } from './unattended-run.ts';

/** Begins with the references of the items, by their codes; null: it has no good value. */
function begun(site: OwnBench, references: Readonly<Record<string, number | null>>, timeoutMs = 5000): UnattendedRun {
  const items = Object.entries(references).map(([code, value]) => {
    const wanted = (): CheckReference | null => (value === null ? null : { value, tolerance: 0.5, percent: 0 });
    return { item: site.item(code), wanted, seen: () => null, source: null };
  });
  return new UnattendedRun(site.deps, site.check, { operator: 'Li', items, timeoutMs });
}
const results = (run: UnattendedRun) => run.snapshot().results.toReversed();
const told = (result: CheckResult | undefined) => [result?.verdict, ...(result?.findings ?? []).map(({ name }) => name)];
/** Verdicts of a device that answers with `value`, as it behaves. */
async function verdicts(references: Readonly<Record<string, number | null>>, happens: (site: OwnBench) => unknown = () => {}, value = 5) {
  const site = await OwnBench.open([yc('A'), yc('B')]);
  site.bench.plant.value = value;
  await happens(site);
  const run = begun(site, references);
  await site.clock.advance(7000);
  expect(run.isRunning).toBe(false);
  return results(run);
}

describe('an unattended comparison', () => {
  it('reads by itself what nobody reads, and ends with what came', async () => {
    const site = await OwnBench.open([yc('A'), yc('B')]);
    site.bench.plant.value = 5;
    const run = begun(site, { A: 5, B: 5 });
    expect(run.snapshot()).toMatchObject({ way: 'unattended', state: 'running', total: 2, position: 0, item: null, left_ms: 5000 });
    await site.clock.advance(1000);
    expect(run.snapshot()).toMatchObject({ state: 'ended', position: 2, done: 2, left_ms: 0 });
    expect(results(run)).toMatchObject([
      {
        verdict: 'passed',
        operator: 'Li',
        seen: [{ value: 5 }],
        expectation: { kind: 'values', references: [{ value: 5, tolerance: 0.5 }] },
      },
      { verdict: 'passed' },
    ]);
    expect(site.bench.plant.exchanges.map(({ kind }) => kind)).toEqual(['read']);
    expect(site.clock.pending).toBe(0);
  });

  it('starts no read beside a task that reads already', async () => {
    const site = await OwnBench.open([yc('A')]);
    site.bench.channel.startTask('automatic', taskConfig({ cycle_interval_ms: 2000 }));
    await site.clock.advance(500);
    const before = site.bench.plant.exchanges.length;
    site.bench.plant.value = 5;
    const run = begun(site, { A: 5 });
    await site.clock.advance(300);
    expect([run.snapshot().done, site.bench.plant.exchanges.length]).toEqual([0, before]);
    await site.clock.advance(2500);
    expect(results(run).map(told)).toEqual([['passed']]);
    const stopped = site.bench.channel.stop();
    await site.clock.advance(10_000);
    await stopped;
  });

  it('takes no value from before, and calls dead what does not come in time', async () => {
    const found = await verdicts({ A: 0 }, (site) => site.bench.plant.moods.set(1, 'timeout'));
    expect(found.map(told)).toEqual([['failed', 'dead']]);
    expect(found[0]?.findings[0]?.said.params).toEqual({ seconds: 5 });
  });

  it('fails what is another value, and says so where it is the reference of another item', async () => {
    expect((await verdicts({ A: 9 })).map(told).map(([verdict]) => verdict)).toEqual(['failed']);
    // each answers with its address: A with 1, B with 2
    const crossed = await verdicts({ A: 2, B: 1 }, ({ bench }) => (bench.plant.answersAddress = true));
    expect(crossed.map(told)).toEqual([
      ['failed', 'crossed'],
      ['failed', 'crossed'],
    ]);
    expect(crossed[0]?.findings[0]?.said.params).toMatchObject({ code: 'B' });
  });

  it('fails what the device calls bad', async () => {
    const site = await OwnBench.open([yc('A')]);
    site.bench.plant.moods.set(1, 'timeout');
    const run = begun(site, { A: 5 });
    await site.clock.advance(100);
    site.read('A', 5, 'invalid');
    await site.clock.advance(200);
    expect(results(run).map(told)).toEqual([['failed', 'bad_quality']]);
  });

  it('blocks what has no reference now, and says why', async () => {
    const found = await verdicts({ A: null, B: 5 });
    expect(found.map(({ verdict }) => verdict)).toEqual(['blocked', 'passed']);
    expect(found[0]?.remark).toContain('A');
  });

  it('blocks at once what cannot come: a stopped channel, a point that is gone', async () => {
    const stopped = await verdicts({ A: 5 }, async ({ bench, clock }) => {
      const stop = bench.channel.stop();
      await clock.advance(10_000);
      await stop;
    });
    expect(stopped).toMatchObject([{ verdict: 'blocked', seen: [], remark: expect.stringContaining('PCS 1') }]);
    const gone = await verdicts({ A: 5, B: 5 }, ({ bench }) => bench.channel.points.remove([1]));
    expect(gone).toMatchObject([
      { verdict: 'blocked', remark: expect.stringContaining('A') },
      { verdict: 'passed', remark: '' },
    ]);
  });

  it('blocks what is edited meanwhile: what is read then is of another place', async () => {
    const site = await OwnBench.open([yc('A')]);
    site.bench.plant.moods.set(1, 'timeout');
    const run = begun(site, { A: 5 });
    await site.clock.advance(300);
    const { points } = site.bench.channel;
    points.update({ ...(points.config(1) ?? expect.fail()), address: 77 });
    await site.clock.advance(200);
    expect(results(run)).toMatchObject([{ verdict: 'blocked', remark: expect.stringContaining('A') }]);
  });

  it('blocks what was waited for on a line that is lost', async () => {
    const site = await OwnBench.open([yc('A')]);
    site.bench.plant.moods.set(1, 'timeout');
    const run = begun(site, { A: 5 });
    await site.clock.advance(4000);
    Object.assign(site.bench.channel, { state: () => ({ status: 'reconnecting' }) });
    await site.clock.advance(2000);
    expect(results(run)).toMatchObject([{ verdict: 'blocked', remark: expect.stringContaining('PCS 1') }]);
  });

  it('ends when it is stopped, and when another project is opened, and enters nothing more', async () => {
    for (const end of [(_: OwnBench, run: UnattendedRun) => run.stop(), (site: OwnBench) => site.leave()]) {
      const site = await OwnBench.open([yc('A')]);
      site.bench.plant.moods.set(1, 'timeout');
      const run = begun(site, { A: 5 });
      await site.clock.advance(300);
      end(site, run);
      await site.clock.advance(300);
      site.read('A', 5);
      await site.clock.advance(10_000);
      expect([run.isRunning, run.snapshot().left_ms, site.stored.length]).toEqual([false, 0, 0]);
    }
  });

  it('judges nothing more while what it judged has no room, and goes on then', async () => {
    const rows = Array.from({ length: 120 }, (_, at) => yc(`P${at}`));
    const site = await OwnBench.open(rows);
    site.bench.plant.value = 5;
    site.fault = new AppError('STATE_STORE_FULL', quoted('The disk is full.'));
    const run = begun(site, Object.fromEntries(rows.map(({ code }) => [code, 5])), 60_000);
    await site.clock.advance(3000);
    expect(run.snapshot()).toMatchObject({ waiting: 50, done: 0, error: { text: 'The disk is full.' } });
    site.fault = null;
    await site.clock.advance(3000);
    expect(run.snapshot()).toMatchObject({ waiting: 0, done: 120, state: 'ended' });
    expect(site.stored.every(({ verdict }) => verdict === 'passed')).toBe(true);
  });
});
