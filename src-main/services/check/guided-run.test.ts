import { describe, expect, it } from 'vitest';
import type { CheckResult, CheckRun, Expectation } from '#shared/contract/check.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import type { CallContext } from '../handlers.ts';
import { GuidedRun } from './guided-run.ts';
import { OwnBench, yc, yx } from './testing/own-bench.ts';

const values = (...references: number[]): Expectation => ({
  kind: 'values',
  references: references.map((value) => ({ value, tolerance: 0.5, percent: 0 })),
});
const states: Expectation = { kind: 'states', states: [0, 1] };
const full = new AppError('STATE_STORE_FULL', quoted('The disk is full.'));
const context = { source: 'api', effect: 'command', warn() {} } as CallContext<'command'>;

/** Begins, and waits until the program knows where the first item stands. */
async function begun(site: OwnBench, commands = false): Promise<GuidedRun> {
  const run = new GuidedRun(site.deps, site.check, { operator: 'Li', settleMs: 500, commands, items: site.items });
  await site.poll(1000);
  return run;
}
const shown = (run: GuidedRun) => run.snapshot().item ?? expect.fail('nothing is shown');
const decide = (run: GuidedRun, action: Parameters<GuidedRun['decide']>[1], remark = '') => run.decide(shown(run).item, action, remark);
const results = (run: GuidedRun) => run.snapshot().results.toReversed();
const told = (result: CheckResult | undefined) => [result?.verdict, ...(result?.findings ?? []).map(({ name }) => name)];
const positions = ({ position, total, done, state, item }: CheckRun) => [position, total, done, state, item?.code];

describe('a guided run', () => {
  it('passes each item by its own movement, one behind the other, and ends with the last', async () => {
    const site = await OwnBench.open([yc('A'), yx('B')], { A: values(10), B: states });
    const run = await begun(site);
    expect(positions(run.snapshot())).toEqual([0, 2, 0, 'running', 'A']);
    expect(shown(run)).toMatchObject({ is_ready: true, is_watched: true, changes: 0, wanted: [{ value: 10, is_seen: false }], others: [] });
    await site.poll(400, { A: 10 });
    expect(shown(run), 'it has to come to rest').toMatchObject({ code: 'A', is_moving: true });
    await site.poll(1000);
    expect(positions(run.snapshot())).toEqual([1, 2, 1, 'running', 'B']);
    await site.poll(1000);
    await site.poll(1000, { B: 1 });
    await site.poll(1000, { B: 0 });
    await site.poll(1000, { B: 1 });
    expect(positions(run.snapshot())).toEqual([2, 2, 2, 'ended', undefined]);
    expect(results(run).map(told)).toEqual([['passed'], ['passed']]);
    expect(results(run)[0]).toMatchObject({
      way: 'guided',
      operator: 'Li',
      remark: '',
      expectation: values(10),
      seen: [{ value: 10, quality: 'good' }],
    });
    expect(site.stored).toHaveLength(2);
    expect(site.clock.pending, 'nothing looks on').toBe(0);
  });

  it('compares states exactly, however far a measurement may be off', async () => {
    const one: Expectation = { kind: 'values', references: [{ value: 1, tolerance: 1, percent: 100 }] };
    const texts = { protocol: { enum_texts: { 0: 'off', 1: 'standby', 2: 'on' } } };
    for (const row of [yx('A'), yc('A', texts)]) {
      const site = await OwnBench.open([row], { A: one });
      const run = await begun(site);
      await site.poll(1000, { A: 2 });
      expect(results(run).map(told)).toEqual([['failed', 'wrong_value']]);
      expect(results(run)[0]).toMatchObject({ expectation: { kind: 'values', references: [{ value: 1, tolerance: 0, percent: 0 }] } });
    }
  });

  it('passes nothing by waiting, nor by what stood there before', async () => {
    const site = await OwnBench.open([yc('A')], { A: values(10) });
    site.read('A', 10);
    const run = await begun(site);
    await site.poll(20_000);
    expect(positions(run.snapshot())).toEqual([0, 1, 0, 'running', 'A']);
    expect(shown(run).waiting_ms).toBe(21_000);
    run.stop();
    expect(run.snapshot()).toMatchObject({ state: 'ended', item: null });
    await expect(run.decide(site.item('A').uuid, 'pass', '')).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      said: { code: 'check.no_run' },
    });
  });

  it('fails an item whose value comes to rest elsewhere, and says what it saw', async () => {
    const site = await OwnBench.open([yc('A')], { A: values(10) });
    const run = await begun(site);
    await site.poll(3000, { A: 100 });
    const [result] = results(run);
    expect(told(result)[0]).toBe('failed');
    expect(result?.findings.length).toBeGreaterThan(0);
    expect(result?.seen).toMatchObject([{ value: 100 }]);
  });

  it('begins an item anew that is edited while it is looked at', async () => {
    const site = await OwnBench.open([yc('A')], { A: values(10) });
    const run = await begun(site);
    const { points } = site.bench.channel;
    points.update({ ...(points.config(1) ?? expect.fail()), address: 77 });
    await site.poll(200, { A: 10 });
    expect(shown(run)).toMatchObject({ is_ready: false, waiting_ms: expect.any(Number) });
    expect(shown(run).waiting_ms).toBeLessThanOrEqual(200);
    await site.poll(3000, { A: 10 });
    expect(run.snapshot().done, 'where it stood behind the edit is no movement').toBe(0);
  });

  it('counts what the device sends by itself, of this point and behind the beginning', async () => {
    const site = await OwnBench.open([yx('A'), yx('B')], { A: states, B: states });
    const send = (code: string, value: number) => {
      const { pointId, frameType } = site.item(code);
      site.session.events.add(
        { channelId: 1, kind: 'change', pointId, frameType, code },
        { value, flags: [], deviceTime: null, receivedAt: site.clock.wallMs(), text: '', said: null, detail: null },
      );
    };
    send('A', 1);
    const run = await begun(site);
    send('B', 1);
    await site.poll(200);
    expect(shown(run)).toMatchObject({ code: 'A', changes: 0 });
    send('A', 1);
    send('A', 0);
    await site.poll(200);
    expect(shown(run)).toMatchObject({ code: 'A', changes: 2 });
  });

  it('ends when another project is opened', async () => {
    const site = await OwnBench.open([yc('A')], { A: values(10) });
    const run = await begun(site);
    site.leave();
    await site.clock.advance(100);
    expect([run.isRunning, site.clock.pending]).toEqual([false, 0]);
  });
});

describe('octets that are read wrongly', () => {
  /** 123 in float32, its octets the other way round: as float32 ABCD that is next to nothing. */
  const TURNED = Buffer.from('0000F642', 'hex');
  const open = async (asked?: () => void) => {
    const site = await OwnBench.open([yc('A', { decode: '0x42' }), yx('B')], { A: values(123), B: states });
    site.read('A', 0, 'good', Buffer.alloc(4));
    site.haveRegisters(asked);
    return { site, run: await begun(site) };
  };
  const turn = async (site: OwnBench, ms: number) => {
    site.read('A', TURNED.readFloatBE(0), 'good', TURNED);
    await site.poll(ms);
  };

  it('fail an item whose value hardly moves, once they have come to rest', async () => {
    const { site, run } = await open();
    await turn(site, 400);
    expect(run.snapshot()).toMatchObject({ done: 0, item: { code: 'A' } });
    await site.poll(600);
    expect(results(run).map(told)).toEqual([['failed', 'byte_order']]);
    expect(results(run)[0]).toMatchObject({
      findings: [{ said: { params: { letters: 'DCBA', wanted: '123' } } }],
      seen: [{ raw_hex: '0000F642' }],
      remark: '',
    });
    expect(shown(run).code).toBe('B');
  });

  it('leave an item alone whose octets are the expected value in no other way either', async () => {
    const { site, run } = await open();
    site.read('A', 0, 'good', Buffer.from('00000001', 'hex'));
    await site.poll(3000);
    expect(positions(run.snapshot())).toEqual([0, 2, 0, 'running', 'A']);
  });

  it.each<[string, (run: GuidedRun) => unknown, string[][], string]>([
    ['skips it', (run) => decide(run, 'skip'), [['skipped']], 'B'],
    ['begins it anew', (run) => decide(run, 'repeat'), [], 'A'],
  ])('are nothing any more where a person %s while they are looked at', async (_, says, expected, code) => {
    let said = (): unknown => undefined;
    const { site, run } = await open(() => {
      const say = said;
      said = () => undefined;
      say();
    });
    said = () => says(run);
    await turn(site, 3000);
    expect(results(run).map(told)).toEqual(expected);
    expect(shown(run).code).toBe(code);
  });

  it.each([
    ['the value hardly moves', (site: OwnBench) => turn(site, 3000)],
    ['the value comes to rest elsewhere', (site: OwnBench) => site.poll(3000, { A: 100 })],
  ])('that a fault keeps from being looked at leave the item to a person, where %s', async (_, happens) => {
    const fault = new Error('broken');
    const { site, run } = await open(() => {
      throw fault;
    });
    await happens(site);
    expect(run.snapshot()).toMatchObject({ state: 'running', done: 0, item: { code: 'A' } });
    expect(site.logged).toMatchObject([{ err: fault }]);
    await decide(run, 'fail');
    expect(results(run)).toMatchObject([{ verdict: 'failed' }]);
  });

  it('are entered nowhere where the check is stopped while they are looked at', async () => {
    let run: GuidedRun | null = null;
    const bench = await open(() => run?.stop());
    run = bench.run;
    await bench.site.poll(3000, { A: 100 });
    expect([run.isRunning, bench.site.stored]).toEqual([false, []]);
  });
});

describe('what a person says of an item', () => {
  const open = async () => {
    const site = await OwnBench.open([yc('A'), yx('B'), yx('C')], { A: values(), B: states, C: states });
    return { site, run: await begun(site) };
  };

  it('is entered with his words and what stands there, and the next item is shown', async () => {
    const { site, run } = await open();
    site.read('A', 42);
    await decide(run, 'pass', 'read on the display');
    expect(positions(run.snapshot())).toEqual([1, 3, 1, 'running', 'B']);
    await decide(run, 'block', 'no key');
    await decide(run, 'skip');
    expect(positions(run.snapshot())).toEqual([3, 3, 3, 'ended', undefined]);
    expect(results(run)).toMatchObject([
      { item: site.item('A').uuid, verdict: 'passed', remark: 'read on the display', seen: [{ value: 42 }], findings: [] },
      { item: site.item('B').uuid, verdict: 'blocked', remark: 'no key', findings: [] },
      { item: site.item('C').uuid, verdict: 'skipped', remark: '' },
    ]);
  });

  it('passes no value that is not there, or not good', async () => {
    const { site, run } = await open();
    site.read('A', 42, 'invalid');
    await expect(decide(run, 'pass')).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      said: { code: 'check.not_seen', params: { code: 'A' } },
    });
    site.bench.channel.points.remove([1]);
    await expect(decide(run, 'pass')).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    expect(site.stored).toEqual([]);
    await decide(run, 'fail', 'it is gone');
    expect(results(run)).toMatchObject([{ verdict: 'failed', seen: [] }]);
  });

  it('is about the item that is shown: another one is refused', async () => {
    const { site, run } = await open();
    await expect(run.decide(site.item('B').uuid, 'pass', '')).rejects.toMatchObject({
      said: { code: 'check.other_item', params: { code: 'A' } },
    });
    expect(site.stored).toEqual([]);
  });

  it('may begin the item anew, or go back to the one before', async () => {
    const { site, run } = await open();
    await decide(run, 'back');
    expect(positions(run.snapshot())).toEqual([0, 3, 0, 'running', 'A']);
    await decide(run, 'skip');
    await site.poll(1000);
    await site.poll(400, { B: 1 });
    expect(shown(run)).toMatchObject({ code: 'B', changes: 1 });
    await decide(run, 'repeat');
    expect(shown(run)).toMatchObject({ code: 'B', changes: 0, waiting_ms: 0, is_ready: false });
    await decide(run, 'back');
    expect(positions(run.snapshot())).toEqual([0, 3, 1, 'running', 'A']);
    expect(site.stored).toHaveLength(1);
  });

  it('is kept while it has no room in the file; nothing more is said of the item until then', async () => {
    const { site, run } = await open();
    site.fault = full;
    await decide(run, 'skip');
    expect(run.snapshot()).toMatchObject({ waiting: 1, done: 0, item: { code: 'A' }, error: { text: 'The disk is full.' } });
    await expect(decide(run, 'pass')).rejects.toMatchObject({ said: { code: 'check.recording' } });
    await site.poll(400, { B: 1 });
    site.fault = null;
    await site.clock.advance(1000);
    expect(positions(run.snapshot())).toEqual([1, 3, 1, 'running', 'B']);
  });

  it('is told where another project was opened meanwhile', async () => {
    const { site, run } = await open();
    const decided = decide(run, 'skip');
    site.leave();
    await expect(decided).rejects.toMatchObject({ code: 'STATE_CONFLICT', said: { code: 'service.expected_project' } });
  });
});

describe('an item that a person fails', () => {
  const failed = async (expectation: Expectation, happens: (site: OwnBench) => Promise<void>) => {
    const site = await OwnBench.open([yx('A'), yx('B')], { A: expectation, B: states });
    const run = await begun(site);
    await happens(site);
    await decide(run, 'fail');
    return results(run)[0];
  };

  it('is dead where nothing moved, with how long that was', async () => {
    const result = await failed(states, (site) => site.poll(4000));
    expect(told(result)).toEqual(['failed', 'dead']);
    expect(result?.findings[0]?.said.params).toEqual({ seconds: 5 });
  });

  it('is crossed where another one moved in its place', async () => {
    const result = await failed(states, (site) => site.poll(2000, { B: 1 }));
    expect(told(result)).toEqual(['failed', 'crossed']);
    expect(result?.findings[0]?.said.params).toEqual({ code: 'B', before: 0, after: 1 });
  });

  it('has nothing to add where it moved itself', async () => {
    expect(told(await failed(states, (site) => site.poll(2000, { A: 1 })))).toEqual(['failed']);
  });

  it('is told by another bit of its register that changed in its place', async () => {
    const site = await OwnBench.open([yx('A', { bit: 0 })], { A: states });
    const run = await begun(site);
    site.read('A', 0, 'good', Uint8Array.of(0, 8));
    await site.poll(200);
    await decide(run, 'fail');
    expect(told(results(run)[0])).toEqual(['failed', 'wrong_bit']);
    expect(results(run)[0]?.findings[0]?.said.params).toEqual({ bit: 3 });
  });

  it('has a bad value where the device says so', async () => {
    const result = await failed(states, async (site) => {
      site.read('A', 0, 'invalid');
      await site.clock.advance(1000);
    });
    expect(told(result)).toEqual(['failed', 'bad_quality']);
  });

  it('has nothing to add where nobody looked for a movement', async () => {
    expect(told(await failed(values(), (site) => site.poll(2000)))).toEqual(['failed']);
  });
});

describe('a command of an item', () => {
  const open = async (expectation: Expectation, commands = true, frame_type: 2 | 3 = FrameType.yk) => {
    const site = await OwnBench.open([{ code: 'K', frame_type }, yx('B')], { K: expectation, B: states });
    return { site, run: await begun(site, commands) };
  };
  const operate: Expectation = { kind: 'command', value: 1, feedback: null, within_ms: 1000 };
  const send = async (site: OwnBench, run: GuidedRun, value?: number) => {
    const sent = run.send(shown(run).item, value, context).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    await site.clock.advance(30_000);
    return sent;
  };

  it('is sent once when a person says so, and its result entered with the audit', async () => {
    const { site, run } = await open(operate);
    await site.poll(5000);
    expect(site.bench.plant.commands, 'nothing is sent by itself').toBe(0);
    expect(await send(site, run)).toBeNull();
    expect(site.bench.plant.commands).toBe(1);
    expect(results(run)).toMatchObject([{ verdict: 'passed', audit_ids: [41], expectation: operate }]);
    expect(shown(run).code).toBe('B');
  });

  it('is sent once, also where it is asked for again before the device answered', async () => {
    const { site, run } = await open(operate);
    site.bench.plant.latencyMs = 500;
    const first = run.send(shown(run).item, undefined, context);
    await expect(run.send(shown(run).item, undefined, context)).rejects.toMatchObject({ said: { code: 'check.recording' } });
    await site.clock.advance(30_000);
    await first;
    expect([site.bench.plant.commands, site.stored.length]).toEqual([1, 1]);
  });

  it('that the device refuses fails', async () => {
    const { site, run } = await open(operate);
    site.bench.plant.command = 'rejected';
    expect(await send(site, run)).toBeNull();
    expect(told(results(run)[0])[0]).toBe('failed');
  });

  it.each<[string, (bench: { site: OwnBench; run: GuidedRun }) => Promise<unknown>, string]>([
    ['in a check that named no commands', async ({ site }) => send(site, await begun(site, false)), 'check.commands_off'],
    ['for an item that has none', async ({ site, run }) => decide(run, 'skip').then(() => send(site, run)), 'check.no_command'],
    [
      'for another item',
      ({ site, run }) => run.send(site.item('B').uuid, 1, context).catch((thrown: unknown) => thrown),
      'check.other_item',
    ],
  ])('is not sent %s', async (_, way, code) => {
    const bench = await open(operate);
    expect(await way(bench)).toMatchObject({ code: 'STATE_CONFLICT', said: { code } });
    expect(bench.site.bench.plant.commands).toBe(0);
  });

  it('is not sent for a point that is gone, and can be decided otherwise then', async () => {
    const { site, run } = await open(operate);
    site.bench.channel.points.remove([1]);
    expect(await send(site, run)).toMatchObject({ code: 'STATE_CONFLICT' });
    expect(site.bench.plant.commands).toBe(0);
    await decide(run, 'block', 'gone');
    expect(results(run)).toMatchObject([{ verdict: 'blocked' }]);
  });

  it.each<[string, (bench: { site: OwnBench; run: GuidedRun }) => void, string]>([
    ['the point goes', ({ site }) => site.bench.channel.points.remove([1]), 'check.point_gone'],
    [
      'the point is edited',
      ({ site }) => site.bench.channel.points.update({ ...(site.bench.channel.points.config(1) ?? expect.fail()), address: 77 }),
      'check.point_edited',
    ],
    ['the check is stopped', ({ run }) => run.stop(), 'check.no_run'],
    ['another project is opened', ({ site }) => site.leave(), 'check.no_run'],
  ])('is not sent where %s while its feedback is looked at', async (_, happens, code) => {
    const site = await OwnBench.open([{ code: 'K', frame_type: FrameType.yk, related_code: 'B' }, yx('B')], {
      K: { ...operate, feedback: 1 },
      B: states,
    });
    const run = await begun(site, true);
    site.bench.plant.latencyMs = 500;
    await site.clock.advance(5000);
    const sent = send(site, run);
    happens({ site, run });
    expect(await sent).toMatchObject({ code: 'STATE_CONFLICT', said: { code } });
    expect(site.bench.plant.commands).toBe(0);
  });

  it('that could not be sent leaves the item to be decided', async () => {
    const { site, run } = await open(operate);
    const stopped = site.bench.channel.stop();
    await site.clock.advance(10_000);
    await stopped;
    expect(await send(site, run)).toMatchObject({ status: 409 });
    await decide(run, 'block');
    expect(results(run)).toMatchObject([{ verdict: 'blocked' }]);
  });

  it('belongs to its check where that is stopped meanwhile', async () => {
    const { site, run } = await open(operate);
    const sent = run.send(shown(run).item, undefined, context);
    run.stop();
    expect(run.isAtWork).toBe(true);
    await site.clock.advance(30_000);
    await sent;
    expect([run.isAtWork, site.stored.length]).toEqual([false, 1]);
  });

  it('of a setpoint whose value a person gives is entered with that value', async () => {
    const setpoint: Expectation = { kind: 'setpoint', value: null, tolerance: 0, percent: 0, restore: false };
    const { site, run } = await open(setpoint, true, FrameType.yt);
    site.bench.plant.readsSetpoints = true;
    site.bench.plant.value = 7;
    expect(await send(site, run, 7)).toBeNull();
    expect(results(run)).toMatchObject([{ verdict: 'passed', expectation: { ...setpoint, value: 7 } }]);
  });

  it.each([
    ['good', []],
    ['invalid', ['not_restored']],
  ] as const)('of a setpoint brings the value back, and looks whether it is there: %s', async (quality, expected) => {
    const { site, run } = await open({ kind: 'setpoint', value: 7, tolerance: 0, percent: 0, restore: true }, true, FrameType.yt);
    const { plant } = site.bench;
    plant.readsSetpoints = true;
    Object.defineProperties(plant, {
      value: { get: () => (plant.commands === 1 ? 7 : 3) },
      quality: { get: () => (plant.commands < 2 ? 'good' : quality) },
    });
    await site.poll(200, { [shown(run).code]: 3 });
    expect(await send(site, run)).toBeNull();
    expect(plant.commands).toBe(2);
    expect(results(run)[0]?.findings.map(({ name }) => name)).toEqual(expected);
  });

  it.each<[string, Expectation, 2 | 3]>([
    ['a command', operate, FrameType.yk],
    ['a setpoint that has one', { kind: 'setpoint', value: 7, tolerance: 0, percent: 0, restore: false }, FrameType.yt],
  ])('of %s is entered with its own value, whatever a person gives', async (_, expectation, frameType) => {
    const { site, run } = await open(expectation, true, frameType);
    site.bench.plant.readsSetpoints = true;
    site.bench.plant.value = 7;
    expect(await send(site, run, 9)).toBeNull();
    expect(results(run)).toMatchObject([{ verdict: 'passed' }]);
    expect(results(run)[0]?.expectation).toEqual(expectation);
  });
});
