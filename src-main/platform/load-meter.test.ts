import { expect, it } from 'vitest';
import { loadMeter } from './load-meter.ts';
import { ManualClock } from './manual-clock.ts';

it('tells processor time as a share of one core, over the time since the last question', async () => {
  const clock = new ManualClock();
  let used = 500;
  const load = loadMeter(clock, () => used);
  expect(load()).toBe(0);
  used += 40;
  await clock.advance(1000);
  expect(load()).toBe(0.04);
  used += 1000;
  await clock.advance(100);
  // a second page asks: the same answer, and the time goes on to count
  expect(load()).toBe(0.04);
  await clock.advance(900);
  expect(load()).toBe(1);
  used += 3000;
  await clock.advance(2000);
  expect(load()).toBe(1.5);
});
