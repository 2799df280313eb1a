import { describe, expect, it } from 'vitest';
import type { CheckEntry, CheckRun, Expectation } from '#shared/contract/check.ts';
import type { RequestOf } from '#shared/contract/index.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { CheckBook } from './check-book.ts';
import { checkRunHandlers } from './runs.ts';
import { OwnBench, yc, yx } from './testing/own-bench.ts';

const states: Expectation = { kind: 'states', states: [0, 1] };
const operate: Expectation = { kind: 'command', value: 1, feedback: null, within_ms: 1000 };
const full = new AppError('STATE_STORE_FULL', quoted('The disk is full.'));
const context = { source: 'api', effect: 'command', warn() {} } as never;
const NOBODY = '00000000-0000-4000-8000-000000000099';

async function open() {
  const site = await OwnBench.open([yc('A'), yx('B'), { code: 'K', frame_type: FrameType.yk }], { B: states, K: operate });
  const handlers = checkRunHandlers(site.deps);
  const start = (more: Partial<RequestOf<'startCheck'>> = {}) =>
    handlers.startCheck(
      { session_id: 1, operator: 'Li', way: 'guided', commands: false, settle_ms: 500, ...more },
      context,
    ) as Promise<CheckRun>;
  const present = () => (handlers.checkRun({}, context) as { run: CheckRun | null }).run;
  const stop = async (more: Partial<RequestOf<'stopCheck'>> = {}) =>
    ((await handlers.stopCheck({ fail_unmoved: false, ...more }, context)) as { run: CheckRun | null }).run;
  const step = (action: RequestOf<'checkStep'>['action'], item = present()?.item?.item ?? NOBODY) =>
    Promise.resolve(handlers.checkStep({ item, action, remark: '' }, context)) as Promise<CheckRun>;
  return { site, handlers, start, stop, step, present };
}
const refusal = (code: string, params: object = {}) => ({ code: 'STATE_CONFLICT', said: { code, params } });

describe('a check that is under way', () => {
  it('is none at first: there is nothing to stop, to decide, to announce and to send', async () => {
    const { handlers, stop, step, present } = await open();
    expect([present(), await stop({ fail_unmoved: true })]).toEqual([null, null]);
    await expect(step('pass')).rejects.toMatchObject(refusal('check.no_run'));
    expect(() => handlers.announceCheck({ item: NOBODY, within_ms: 1000 }, context)).toThrow(AppError);
    await expect(handlers.sendCheckCommand({ item: NOBODY }, context)).rejects.toMatchObject(refusal('check.no_run'));
  });

  it('is the only one, until it was stopped', async () => {
    const { site, start, stop, step, present } = await open();
    expect(await start()).toMatchObject({ state: 'running', way: 'guided', total: 3, item: { code: 'A' } });
    for (const way of ['guided', 'listen'] as const)
      await expect(start({ way })).rejects.toMatchObject(refusal('check.run_busy', { operator: 'Li', session: 'Site' }));
    expect(() => CheckBook.of(site.deps).requireAtRest(1)).toThrow(expect.objectContaining(refusal('check.in_run')));
    expect(await stop()).toMatchObject({ state: 'ended' });
    expect(present()).toMatchObject({ state: 'ended' });
    await expect(step('pass')).rejects.toMatchObject(refusal('check.no_run'));
    CheckBook.of(site.deps).requireAtRest(1);
    expect(await start({ operator: 'Wu' })).toMatchObject({ state: 'running', operator: 'Wu' });
  });

  it.each(['guided', 'listen'] as const)('begins once where two ask for it at once, %s', async (way) => {
    const { start } = await open();
    const [one, two] = await Promise.allSettled([start({ way }), start({ way })]);
    expect(one.status).toBe('fulfilled');
    expect(two).toMatchObject({ status: 'rejected', reason: { said: { code: 'check.run_busy' } } });
  });

  it('does not begin in another project than it was asked for', async () => {
    const { site, start } = await open();
    const asked = start();
    site.leave();
    await expect(asked).rejects.toMatchObject({ said: { code: 'service.expected_project' } });
    expect(site.clock.pending).toBe(0);
  });

  it('ends with its project', async () => {
    const { site, start, stop, present } = await open();
    await start();
    await stop();
    await start();
    await site.session.endings.settle(1000);
    expect(present()).toMatchObject({ state: 'ended' });
  });

  it('keeps others out while its results are not in the file', async () => {
    const { site, start, stop, step } = await open();
    await start();
    site.fault = full;
    await step('skip');
    await stop();
    await expect(start()).rejects.toMatchObject(refusal('check.results_wait', { count: 1, reason: full.said }));
    site.fault = null;
    await site.clock.advance(1000);
    expect(await start()).toMatchObject({ state: 'running' });
  });

  it('keeps others out while a command of it is under way behind its stop, and the items stay', async () => {
    const { site, handlers, start, stop } = await open();
    await start({ commands: true, items: [site.item('K').uuid] });
    await site.poll(1000);
    site.bench.plant.latencyMs = 500;
    const sent = handlers.sendCheckCommand({ item: site.item('K').uuid }, context);
    await stop();
    await expect(start()).rejects.toMatchObject(refusal('check.run_busy'));
    expect(() => CheckBook.of(site.deps).requireAtRest(1)).toThrow(AppError);
    await site.clock.advance(30_000);
    await sent;
    expect(site.bench.plant.commands).toBe(1);
    expect(await start()).toMatchObject({ state: 'running' });
  });
});

describe('the items of a check', () => {
  it('are those that neither passed nor were accepted', async () => {
    const { site, start, stop, step } = await open();
    await start();
    site.read('A', 5);
    await step('pass');
    await step('fail');
    await stop();
    expect(await start()).toMatchObject({ total: 2, item: { code: 'B' } });
    await step('skip');
    await stop();
    const { seq: _, running_ms: _ms, ...entry } = JSON.parse(site.stored[1]?.body ?? '') as CheckEntry;
    CheckBook.of(site.deps).append(site.check, { ...entry, verdict: 'accepted', remark: 'as agreed' });
    expect(await start()).toMatchObject({ total: 1, item: { code: 'K' } });
    site.read('K', 1);
    await step('pass');
    await expect(start()).rejects.toMatchObject(refusal('check.nothing_due'));
  });

  it('are those that are named, in this order, whatever came of them', async () => {
    const { site, start, step } = await open();
    await start({ items: [site.item('A').uuid] });
    site.read('A', 5);
    await step('pass');
    expect(await start({ items: [site.item('B').uuid, site.item('A').uuid] })).toMatchObject({ total: 2, item: { code: 'B' } });
  });

  it('have to be there, and their session too', async () => {
    const { start, present } = await open();
    await expect(start({ items: [NOBODY] })).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    await expect(start({ session_id: 2 })).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    expect(present()).toBeNull();
  });
});

describe('listening', () => {
  it('sends nothing: commands are refused', async () => {
    const { start, present } = await open();
    await expect(start({ way: 'listen', commands: true })).rejects.toMatchObject({ code: 'CONFIG_INVALID', data: [{ path: 'commands' }] });
    expect(present()).toBeNull();
  });

  it.each([
    [false, []],
    [true, ['failed']],
  ])('ends, and fails what did not move only where that is asked for: %s', async (fail_unmoved, verdicts) => {
    const { site, start, stop } = await open();
    await start({ way: 'listen', items: [site.item('B').uuid] });
    await site.poll(5000);
    const ended = stop({ fail_unmoved });
    await site.clock.advance(1000);
    expect((await ended)?.results.map(({ verdict }) => verdict)).toEqual(verdicts);
  });
});
