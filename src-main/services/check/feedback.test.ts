import { expect, it } from 'vitest';
import { DeviceTimes } from './device-times.ts';
import { Feedback } from './feedback.ts';
import { OwnBench, yx } from './testing/own-bench.ts';

it('a feedback that comes with the last look is late, and is given the time that it has to stay', async () => {
  const { bench, clock, deps } = await OwnBench.open([yx('S')]);
  bench.plant.values.set(1, 0);
  // each look takes so long that none falls on the end of the time to stay
  bench.plant.latencyMs = 150;
  const found = { channel: bench.channel, point: bench.channel.points.config(1) ?? expect.fail() };
  const opening = Feedback.before(deps, found, { state: 1, withinMs: 100, settleMs: 300 }, new DeviceTimes());
  await clock.advance(1000);
  const feedback = (await opening) ?? expect.fail();
  const sentAt = clock.monotonicMs();
  const following = feedback.after(sentAt, sentAt, new AbortController().signal);
  await clock.advance(200);
  bench.plant.values.set(1, 1);
  await clock.advance(3000);
  const { findings, seen } = await following;
  expect(findings.map(({ name }) => name)).toEqual(['late']);
  expect(seen.map(({ value }) => value)).toEqual([0, 1]);
});
