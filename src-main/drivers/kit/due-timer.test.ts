import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../platform/manual-clock.ts';
import { DueTimer } from './due-timer.ts';

function setUp() {
  const clock = new ManualClock();
  const reached: number[] = [];
  const deadline = new DueTimer(clock, () => reached.push(clock.monotonicMs() - began));
  const began = clock.monotonicMs();
  return { clock, deadline, reached, set: (ms: number) => deadline.set(clock.monotonicMs() + ms) };
}

describe('DueTimer', () => {
  it('is reached at its time, once', async () => {
    const { clock, reached, set } = setUp();
    set(100);
    await clock.advance(1000);
    expect(reached).toEqual([100]);
    expect(clock.pending).toBe(0);
  });

  it('that is set anew before its time is reached at its own time, with one timer', async () => {
    const { clock, deadline, reached, set } = setUp();
    for (let request = 0; request < 10; request++) {
      set(100);
      await clock.advance(30);
      deadline.clear();
      expect(clock.pending).toBeLessThanOrEqual(1);
    }
    set(100);
    await clock.advance(99);
    expect(reached).toEqual([]);
    await clock.advance(1);
    expect(reached).toEqual([400]);
  });

  it('that is nearer than the one before is reached earlier', async () => {
    const { clock, reached, set } = setUp();
    set(1000);
    set(20);
    await clock.advance(1000);
    expect(reached).toEqual([20]);
  });

  it('cleared or ended is never reached; ended it leaves no timer', async () => {
    const { clock, deadline, reached, set } = setUp();
    set(50);
    deadline.clear();
    await clock.advance(200);
    set(50);
    deadline.dispose();
    expect(clock.pending).toBe(0);
    await clock.advance(200);
    expect(reached).toEqual([]);
  });

  it('can be set again by whoever it was reached for', async () => {
    const clock = new ManualClock();
    const reached: number[] = [];
    const deadline = new DueTimer(clock, () => {
      reached.push(clock.monotonicMs());
      if (reached.length < 3) deadline.set(clock.monotonicMs() + 10);
    });
    const began = clock.monotonicMs();
    deadline.set(began + 10);
    await clock.advance(100);
    expect(reached.map((at) => at - began)).toEqual([10, 20, 30]);
  });
});
