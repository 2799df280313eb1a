import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../platform/manual-clock.ts';
import { SlaveSuspension } from './suspension.ts';

function silent(times = 3) {
  const clock = new ManualClock();
  const suspension = new SlaveSuspension(clock);
  for (let count = 0; count < times; count++) suspension.timedOut(7);
  return { clock, suspension };
}

describe('SlaveSuspension', () => {
  it('decisions: suspends after 3 timeouts in a row, each slave for itself', () => {
    const { suspension } = silent(2);
    expect(suspension.verdict(7)).toBe('ask');
    suspension.timedOut(7);
    expect([suspension.verdict(7), suspension.verdict(8), suspension.verdict(null)]).toEqual(['skip', 'ask', 'ask']);
    expect(suspension.list()).toEqual([{ slaveId: 7, nextProbeAt: 5000, timeouts: 3 }]);
  });

  it('an answer in between starts the row anew', () => {
    const { suspension } = silent(2);
    suspension.answered(7);
    suspension.timedOut(7);
    suspension.timedOut(7);
    expect(suspension.verdict(7)).toBe('ask');
  });

  it('nothing is suspended where a protocol has no slaves', () => {
    const { suspension } = silent(0);
    for (let count = 0; count < 5; count++) suspension.timedOut(null);
    expect([suspension.verdict(null), suspension.list()]).toEqual(['ask', []]);
  });

  it('allows one probe at a time, when the pause is over', async () => {
    const { clock, suspension } = silent();
    await clock.advance(4999);
    expect(suspension.verdict(7)).toBe('skip');
    await clock.advance(1);
    expect(suspension.verdict(7)).toBe('probe');
    suspension.beginProbe(7);
    expect(suspension.verdict(7)).toBe('skip');
    suspension.endProbe(7);
    expect(suspension.verdict(7)).toBe('probe');
  });

  it('requests that were outstanding when it was suspended lengthen no pause', () => {
    const { suspension } = silent(5);
    expect(suspension.list()).toEqual([{ slaveId: 7, nextProbeAt: 5000, timeouts: 5 }]);
  });

  it('a probe made due by a person starts the pauses at 5 s again', async () => {
    const { clock, suspension } = silent();
    for (const pause of [5000, 10_000, 20_000]) {
      await clock.advance(pause);
      suspension.beginProbe(7);
      suspension.timedOut(7);
    }
    suspension.probeSoon();
    expect(suspension.verdict(7)).toBe('probe');
    suspension.beginProbe(7);
    suspension.timedOut(7);
    expect(suspension.list()).toEqual([{ slaveId: 7, nextProbeAt: clock.monotonicMs() + 5000, timeouts: 7 }]);
  });

  it('a reconnect forgets everything', () => {
    const { suspension } = silent();
    suspension.clear();
    expect([suspension.verdict(7), suspension.list()]).toEqual(['ask', []]);
  });

  it('a probe gets 2 % of the pause before it: 100 ms at first, 1.2 s in the end', async () => {
    const { clock, suspension } = silent();
    const budgets: number[] = [];
    for (let probe = 0; probe < 6; probe++) {
      const budget = suspension.probeBudgetMs(7);
      budgets.push(budget);
      await clock.advance((suspension.list()[0]?.nextProbeAt ?? 0) - clock.monotonicMs());
      suspension.beginProbe(7);
      await clock.advance(budget);
      suspension.timedOut(7, budget);
    }
    expect(budgets).toEqual([100, 200, 400, 800, 1200, 1200]);
    suspension.probeSoon();
    expect(suspension.probeBudgetMs(7)).toBe(100);
  });

  it('a probe that took longer is paid for by a longer pause, while others of the line answer', async () => {
    const { clock, suspension } = silent();
    await clock.advance(5000);
    suspension.answered(8);
    suspension.beginProbe(7);
    suspension.timedOut(7, 2000);
    expect(suspension.list()).toMatchObject([{ nextProbeAt: 5000 + 49 * 2000 }]);
  });

  it('a line that is silent as a whole keeps its pauses: nobody waits for the probes', async () => {
    const { clock, suspension } = silent();
    suspension.answered(8);
    await clock.advance(70_000);
    suspension.beginProbe(7);
    suspension.timedOut(7, 2000);
    expect(suspension.list()).toMatchObject([{ nextProbeAt: 70_000 + 10_000 }]);
  });
});
