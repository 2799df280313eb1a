import { expect, it } from 'vitest';
import { bench, pointsOf } from '../testing/bench.ts';

/** Identifiers of one meter: five items in no block together. */
const ITEMS = [0x00010000, 0x02010100, 0x02020100, 0x02030000, 0x02800002];

it('spends no time of its own on a line of 2400 baud with 20 meters of 5 items', async () => {
  const points = pointsOf(Array.from({ length: 20 }, (_, meter) => ITEMS.map((address) => ({ address, slave_id: meter + 1 }))).flat());
  const { readAll, line, client, clock, master } = bench({ points });
  const predicted = client.plan(points, { mode: 'batch', skipKnownHoles: true }).predictedMs ?? 0;
  const began = clock.monotonicMs();
  const readings = await readAll();
  const took = clock.monotonicMs() - began;
  expect([...readings.values()].every((reading) => reading.kind === 'value' && reading.quality === 'good')).toBe(true);
  expect(line.sent).toHaveLength(100);
  // an answer ends where its exchange does; the next request goes out 20 ms behind it
  const ends = line.sent.map(({ at }, index) => at + (master.health.exchanges[index]?.durationMs ?? 0));
  const dead = line.sent.slice(1).map(({ at }, index) => at - (ends[index] ?? 0) - 20);
  const sorted = dead.toSorted((a, b) => a - b);
  expect(sorted[50]).toBeLessThanOrEqual(1);
  expect(sorted.at(-1)).toBeLessThanOrEqual(1);
  // the meters take 20 ms, a meter that was not measured is reckoned with 50
  expect(took).toBeLessThan(predicted);
  expect(client.planRevision).toBeGreaterThan(0);
  const measured = client.plan(points, { mode: 'batch', skipKnownHoles: true }).predictedMs ?? 0;
  expect(Math.abs(took - measured) / took).toBeLessThan(0.02);
});
