import { describe, expect, it } from 'vitest';
import type { WaitCondition } from '#shared/contract/lists.ts';
import type { Quality } from '#shared/domain/enums.ts';
import { type Bench, makeBench, point } from '../../runtime/testing/harness.ts';
import type { CallContext } from '../handlers.ts';
import type { ProjectSession } from '../ports.ts';
import { pointWaits } from './waits.ts';

interface Asked {
  readonly value?: number | undefined;
  readonly tolerance?: number;
  readonly hold_ms?: number;
  readonly timeout_ms?: number;
}

/** A table with one point, P, and what waits for it. */
function plant() {
  const bench = makeBench([point(1, { code: 'P' })]);
  let session = { channels: bench.manager } as unknown as ProjectSession;
  const gone: (() => void)[] = [];
  const wait = pointWaits({ clock: bench.clock, projects: { current: () => session } as never });
  const context: CallContext<'query'> = { source: 'api', effect: 'query', warn() {}, whenGone: (call) => void gone.push(call) };
  return {
    bench,
    gone,
    leave() {
      session = { channels: bench.manager } as unknown as ProjectSession;
    },
    wait: (condition: WaitCondition, { value, tolerance = 0, hold_ms = 0, timeout_ms = 0 }: Asked = {}) =>
      Promise.resolve(wait({ code: 'P', condition, value, tolerance, hold_ms, timeout_ms } as never, context)) as Promise<{
        met: boolean;
        waited_ms: number;
        point: { code: string; value: number };
      }>,
  };
}

function take({ channel, clock }: Bench, value: number, quality: Quality = 'good', valueText = ''): void {
  const raw = new Uint8Array(2);
  const reading = { kind: 'value', pointId: 1, value, valueText, raw, quality, flags: [], sourceTime: null } as const;
  channel.points.apply([reading] as never, clock.wallMs());
}

async function ends<Value>({ clock }: Bench, waiting: Promise<Value>, ms: number): Promise<Value> {
  const [ended] = await Promise.allSettled([waiting, clock.advance(ms)]);
  if (ended.status === 'rejected') throw ended.reason;
  return ended.value;
}

describe('a condition on a value of 5', () => {
  it.each<[WaitCondition, number, number, boolean]>([
    ['equal', 5, 0, true],
    ['equal', 5.5, 0.5, true],
    ['equal', 4.4, 0.5, false],
    ['not_equal', 5, 0, false],
    ['not_equal', 5.5, 0.5, false],
    ['not_equal', 4.4, 0.5, true],
    ['less', 5, 0, false],
    ['less', 5.1, 0, true],
    ['at_most', 5, 0, true],
    ['at_most', 4.9, 0, false],
    ['greater', 5, 0, false],
    ['greater', 4.9, 0, true],
    ['at_least', 5, 0, true],
    ['at_least', 5.1, 0, false],
  ])('%s %d within %d: %s', async (condition, value, tolerance, met) => {
    const { bench, wait } = plant();
    take(bench, 5);
    expect(await wait(condition, { value, tolerance })).toMatchObject({ met, waited_ms: 0, point: { code: 'P', value: 5 } });
    take(bench, 5, 'invalid');
    expect(await wait(condition, { value, tolerance })).toMatchObject({ met: false });
  });

  it.each<[WaitCondition, Quality, boolean]>([
    ['good', 'good', true],
    ['good', 'invalid', false],
    ['not_good', 'good', false],
    ['not_good', 'invalid', true],
  ])('%s of one that is %s: %s', async (condition, quality, met) => {
    const { bench, wait } = plant();
    take(bench, 5, quality);
    expect((await wait(condition)).met).toBe(met);
  });

  it('is refused without the value that it compares with, and not where it compares with none', async () => {
    const { wait } = plant();
    await expect(wait('less')).rejects.toMatchObject({ code: 'CONFIG_INVALID', data: [{ path: 'value' }] });
    await expect(wait('not_good')).resolves.toMatchObject({ met: true });
  });
});

describe('a wait', () => {
  it('ends when its condition is met, or its time is up', async () => {
    const { bench, wait } = plant();
    const up = wait('good', { timeout_ms: 300 });
    expect(await ends(bench, up, 300)).toMatchObject({ met: false, waited_ms: 300 });
    const met = wait('good', { timeout_ms: 60_000 });
    await bench.clock.advance(250);
    take(bench, 1);
    const { met: isMet, waited_ms } = await ends(bench, met, 1000);
    expect(isMet).toBe(true);
    expect(waited_ms).toBeGreaterThanOrEqual(250);
    expect(waited_ms).toBeLessThan(1000);
  });

  it('for a change sees another value, another text and the first value of all', async () => {
    const { bench, wait } = plant();
    const seen = async (value: number, text = '') => {
      const waiting = wait('changed', { timeout_ms: 1000 });
      take(bench, value, 'good', text);
      return (await ends(bench, waiting, 2000)).met;
    };
    // the 0 of a point that was never read is no value
    expect([await seen(0), await seen(0), await seen(1), await seen(1, 'one'), await seen(1, 'one')]).toEqual([
      true,
      false,
      true,
      true,
      false,
    ]);
  });

  it('holds: what goes away meanwhile begins anew', async () => {
    const { bench, wait } = plant();
    take(bench, 1);
    const waiting = wait('good', { hold_ms: 1000, timeout_ms: 10_000 });
    await bench.clock.advance(900);
    take(bench, 1, 'invalid');
    await bench.clock.advance(300);
    take(bench, 1);
    const { met, waited_ms } = await ends(bench, waiting, 5000);
    expect(met).toBe(true);
    expect(waited_ms).toBeGreaterThanOrEqual(2200);
  });

  it('ends with its point, and with its project', async () => {
    const { bench, wait, leave } = plant();
    const first = wait('good', { timeout_ms: 10_000 });
    bench.channel.points.remove([1]);
    await expect(ends(bench, first, 1000)).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      said: { code: 'live.wait_ended', params: { code: 'P' } },
    });
    bench.channel.points.add([point(1, { code: 'P' })]);
    const second = wait('good', { timeout_ms: 10_000 });
    leave();
    await expect(ends(bench, second, 1000)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  });

  it('ends when whoever asked goes away', async () => {
    const { bench, wait, gone } = plant();
    const waiting = wait('good', { timeout_ms: 60_000 });
    for (const leave of gone) leave();
    await expect(ends(bench, waiting, 100)).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('is one of 200 at most, and makes room when it ends', async () => {
    const { bench, wait } = plant();
    const all = Array.from({ length: 200 }, () => wait('good', { timeout_ms: 500 }));
    await expect(wait('good')).rejects.toMatchObject({ code: 'STATE_BUSY', said: { params: { most: 200 } } });
    await ends(bench, Promise.all(all), 500);
    await expect(wait('good')).resolves.toMatchObject({ met: false });
  });
});
