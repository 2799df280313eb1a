import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import { makeBench, point } from '../runtime/testing/harness.ts';
import type { ServiceDeps } from './ports.ts';
import { watchReaction } from './reaction.ts';

const command = point(1, { frame_type: FrameType.yk, related_code: 'RUN' });
const related = point(2, { frame_type: FrameType.yx, code: 'RUN' });

/** A started channel whose related point was read once, `ageMs` ago, as `first`; the device answers `now` to whoever asks again. */
async function watching(ageMs: number, { first = 0, now = 5, mood = 'good' as 'good' | 'refuse' | 'timeout' } = {}) {
  const bench = makeBench([command, related], { retries: 0 });
  await bench.channel.start();
  bench.plant.value = first;
  const read = bench.channel.readSingle(2);
  await bench.clock.advance(10);
  await read;
  await bench.clock.advance(ageMs);
  bench.plant.value = now;
  bench.plant.moods.set(1, mood);
  const asked = bench.plant.exchanges.length;
  const deps = { clock: bench.clock } as unknown as ServiceDeps;
  const watch = watchReaction(deps, { channel: bench.channel, point: command }, 2000);
  await bench.clock.advance(1000);
  return { bench, watch: await watch, asked: bench.plant.exchanges.length - asked };
}

describe('the value before a command', () => {
  it.each([
    [0, 0, 0],
    [999, 0, 0],
    [1000, 5, 1],
    [60_000, 5, 1],
  ])('%s ms old is %s after %s reads', async (ageMs, before, reads) => {
    const { watch, asked } = await watching(ageMs);
    expect([watch.unchanged(), asked]).toEqual([{ point_id: 2, code: 'RUN', frame_type: 1, before, after: before, delay_ms: null }, reads]);
  });

  it.each(['refuse', 'timeout'] as const)('is not known when the last one is old and the device says %s', async (mood) => {
    const { watch } = await watching(5000, { mood });
    expect(watch.unchanged()).toMatchObject({ before: null, after: null });
  });
});

describe('a reaction', () => {
  it('is the first value that differs, with its time since the device took the command', async () => {
    const { bench, watch } = await watching(0, { now: 0 });
    const since = bench.clock.monotonicMs();
    const seen = watch.wait(since);
    await bench.clock.advance(150);
    bench.plant.value = 1;
    await bench.clock.advance(500);
    const reaction = await seen;
    expect(reaction).toMatchObject({ before: 0, after: 1 });
    expect(reaction?.delay_ms).toBeGreaterThanOrEqual(150);
    expect(reaction?.delay_ms).toBeLessThan(300);
  });

  it('is none when nothing changed in the time allowed', async () => {
    const { bench, watch } = await watching(0, { now: 0 });
    const seen = watch.wait(bench.clock.monotonicMs());
    await bench.clock.advance(3000);
    expect(await seen).toEqual({ point_id: 2, code: 'RUN', frame_type: 1, before: 0, after: 0, delay_ms: null });
  });
});
