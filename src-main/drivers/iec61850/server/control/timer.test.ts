import { expect, it } from 'vitest';
import { ManualClock } from '../../../../platform/manual-clock.ts';
import { Timer } from './timer.ts';

/** A clock that fires at once what is longer than timers of the system can be. */
class ShortClock extends ManualClock {
  override after(ms: number, fn: () => void) {
    return super.after(ms > 2_147_483_647 ? 1 : ms, fn);
  }
}

it('waits longer than timers of the system can', async () => {
  const clock = new ShortClock();
  const timer = new Timer(clock);
  let fired = 0;
  timer.start(4_294_967_295, () => fired++);
  await clock.advance(4_294_967_294);
  expect(fired).toBe(0);
  await clock.advance(1);
  expect([fired, clock.pending]).toEqual([1, 0]);
});

it('started again waits anew, stopped it does not fire', async () => {
  const clock = new ManualClock();
  const timer = new Timer(clock);
  const fired: string[] = [];
  timer.start(100, () => void fired.push('first'));
  await clock.advance(99);
  timer.start(100, () => void fired.push('second'));
  await clock.advance(100);
  timer.start(100, () => void fired.push('third'));
  timer.stop();
  await clock.advance(1000);
  expect([fired, clock.pending]).toEqual([['second'], 0]);
});
