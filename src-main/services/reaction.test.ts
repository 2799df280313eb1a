import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import { makeBench, point } from '../runtime/testing/harness.ts';
import type { ServiceDeps } from './ports.ts';
import { watchReaction } from './reaction.ts';

const command = point(1, { frame_type: FrameType.yk, related_code: 'RUN' });
const related = point(2, { frame_type: FrameType.yx, code: 'RUN' });

/** A started channel whose related point was read once, `ageMs` ago, as `first`; the device answers `now` to whoever asks again. */
async function watching(
  ageMs: number,
  { first = 0, now = 5, mood = 'good' as 'good' | 'refuse' | 'timeout', shows = related, timeoutMs = 2000 } = {},
) {
  const bench = makeBench([command, shows], { retries: 0 });
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
  const watch = watchReaction(deps, { channel: bench.channel, point: command }, timeoutMs);
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

  it('is looked for as long as is allowed, and once more at the very end', async () => {
    const { bench, watch } = await watching(0, { now: 0, timeoutMs: 400 });
    bench.plant.latencyMs = 0;
    const asked = bench.plant.exchanges.length;
    const began = bench.clock.monotonicMs();
    let end: unknown = null;
    void watch.wait(began).then((reaction) => {
      end = reaction;
    });
    await bench.clock.advance(399);
    expect(end).toBeNull();
    await bench.clock.advance(1);
    expect(end).toMatchObject({ after: 0, delay_ms: null });
    expect(bench.plant.exchanges.slice(asked).map(({ at }) => at - began)).toEqual([0, 100, 200, 300, 400]);
  });

  it('is waited for through reads that fail, and the last value that was read is told', async () => {
    const { bench, watch } = await watching(0, { now: 0 });
    bench.plant.moods.set(1, 'refuse');
    const seen = watch.wait(bench.clock.monotonicMs());
    await bench.clock.advance(500);
    bench.plant.moods.set(1, 'good');
    bench.plant.value = 7;
    await bench.clock.advance(500);
    expect(await seen).toMatchObject({ before: 0, after: 7 });
    bench.plant.moods.set(1, 'timeout');
    const none = watch.wait(bench.clock.monotonicMs());
    await bench.clock.advance(5000);
    expect(await none).toMatchObject({ before: 0, after: 0, delay_ms: null });
  });

  it('is not waited for on a channel that is stopped meanwhile', async () => {
    const { bench, watch } = await watching(0, { now: 0 });
    const seen = watch.wait(bench.clock.monotonicMs());
    await bench.clock.advance(150);
    const stopped = bench.channel.stop();
    await bench.clock.advance(150);
    await stopped;
    expect(await seen).toMatchObject({ before: 0, after: 0, delay_ms: null });
    const asked = bench.plant.exchanges.length;
    const none = watch.wait(bench.clock.monotonicMs());
    expect(await none).toMatchObject({ after: 0, delay_ms: null });
    expect(bench.plant.exchanges).toHaveLength(asked);
  });

  it('has the words of both values where the point has words', async () => {
    const shows = point(2, { frame_type: FrameType.yx, code: 'RUN', protocol: { enum_texts: { 0: 'open', 5: 'closed' } } });
    const { bench, watch } = await watching(0, { now: 5, shows });
    const seen = watch.wait(bench.clock.monotonicMs());
    await bench.clock.advance(100);
    expect(await seen).toMatchObject({ before: 0, before_text: 'open', after: 5, after_text: 'closed' });
    expect(watch.unchanged()).toMatchObject({ before: 0, before_text: 'open', after: 0, after_text: 'open' });
    const unknown = await watching(5000, { mood: 'refuse', shows });
    expect(Object.keys(unknown.watch.unchanged() ?? {})).not.toContain('before_text');
  });

  it.each([
    ['has no related point', { related_code: '' }, 2000],
    ['names one that is not there', { related_code: 'GONE' }, 2000],
    ['names one that cannot be read', { related_code: 'YK' }, 2000],
    ['waits no time', {}, 0],
  ])('is null, without a read, where a command %s', async (_name, changes, timeoutMs) => {
    const asking = { ...command, code: 'YK', ...changes };
    const bench = makeBench([asking, related]);
    await bench.channel.start();
    const deps = { clock: bench.clock } as unknown as ServiceDeps;
    const watch = await watchReaction(deps, { channel: bench.channel, point: asking }, timeoutMs);
    expect([watch.unchanged(), await watch.wait(bench.clock.monotonicMs())]).toEqual([null, null]);
    expect(bench.plant.exchanges).toEqual([]);
  });
});

describe('where the device sends changes by itself', () => {
  it('the table says what there is to know: nothing is asked, and the time is that of the arrival', async () => {
    const { bench, watch } = await watching(0, { now: 0 });
    Object.assign(bench.channel.driver.descriptor, { reportsChanges: true });
    const asked = bench.plant.exchanges.length;
    const since = bench.clock.monotonicMs();
    const seen = watch.wait(since);
    await bench.clock.advance(130);
    const arrived = {
      kind: 'value' as const,
      pointId: 2,
      value: 1,
      valueText: '',
      raw: new Uint8Array(),
      quality: 'good' as const,
      flags: [],
    };
    bench.plant.connections.at(-1)?.io.sink.values([{ ...arrived, sourceTime: null }], true);
    await bench.clock.advance(500);
    expect(await seen).toMatchObject({ before: 0, after: 1, delay_ms: 130 });
    expect(bench.plant.exchanges).toHaveLength(asked);
  });
});
