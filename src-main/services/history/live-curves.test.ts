import { describe, expect, it } from 'vitest';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { LiveCurves, ofMemory } from './live-curves.ts';

/** A channel of points that all have one value, which is set. */
function aChannel(id = 1) {
  const now = { value: 0, quality: 'good', updatedAt: null as number | null, isThere: true };
  const points = {
    config: () => (now.isThere ? {} : undefined),
    state: () => now,
    isChangedSince: () => true,
  };
  return { now, channel: { id, points } as unknown as ChannelRuntime };
}

const never = () => false;
const pairs = (live: LiveCurves, point = 7) => {
  const kept = live.of(point);
  return kept?.at.map((at, index) => [at, kept.value[index]]);
};

describe('what is kept of points that are not recorded', () => {
  it('has the time of the value, or that of the look where a read failed, and never goes back', () => {
    const { now, channel } = aChannel();
    const live = new LiveCurves();
    live.watch(channel, 7, 1000);
    live.look(1000, 1, never);
    Object.assign(now, { value: 5, updatedAt: 1030 });
    live.look(1050, 2, never);
    Object.assign(now, { quality: 'stale' });
    live.look(1100, 3, never);
    // a device whose value is said to be of before
    Object.assign(now, { quality: 'good', value: 6, updatedAt: 900 });
    live.look(1150, 4, never);
    expect(pairs(live)).toEqual([
      [1000, 0],
      [1030, 5],
      [1100, 5],
      [1150, 6],
    ]);
    expect(live.of(7)?.spans).toEqual([{ from: 1000, to: 1150 }]);
  });

  it('is bounded: 10,000 samples and some of a point, and nothing is said of what was before', () => {
    const { now, channel } = aChannel();
    const live = new LiveCurves();
    live.watch(channel, 7, 0);
    for (let at = 0; at < 25_000; at++) {
      now.value = at;
      live.look(at, at, never);
    }
    const kept = live.of(7) ?? expect.fail('nothing');
    // each value still has its time
    expect([kept.value, kept.quality]).toEqual([kept.at, kept.at.map(() => 1)]);
    expect(kept.at.length).toBeLessThanOrEqual(11_000);
    expect(kept.at.length).toBeGreaterThanOrEqual(10_000);
    expect(kept.spans).toEqual([{ from: kept.at[0], to: 24_999 }]);
    const { gaps, total } = ofMemory(1, 7, kept, { from: 0, to: 25_000 }, 100);
    expect(gaps).toEqual([
      { from: 0, to: kept.at[0] },
      { from: 24_999, to: 25_000 },
    ]);
    expect(total).toBe(kept.at.length);
  });

  it('is of 100 points: the one that was asked for longest ago goes', () => {
    const { channel } = aChannel();
    const live = new LiveCurves();
    for (let point = 1; point <= 100; point++) live.watch(channel, point, point);
    live.watch(channel, 1, 101);
    live.watch(channel, 101, 102);
    live.look(103, 1, never);
    expect([1, 2, 3, 101].map((point) => live.of(point) !== undefined)).toEqual([true, false, true, true]);
  });

  it('ends ten minutes after it was asked for last', () => {
    const { channel } = aChannel();
    const live = new LiveCurves();
    live.watch(channel, 7, 1000);
    live.watch(channel, 7, 5000);
    live.look(605_000, 1, never);
    expect(live.of(7)).toBeDefined();
    live.look(605_001, 2, never);
    expect(live.isEmpty).toBe(true);
  });

  it('is not left by a clock that was set forward, nor kept for years by one that was set back', () => {
    const { channel } = aChannel();
    const live = new LiveCurves();
    live.watch(channel, 7, 1000);
    live.look(1000, 1, never);
    live.restart(9_000_000);
    live.look(9_000_000, 1, never);
    expect(pairs(live)).toHaveLength(2);
    live.restart(500);
    live.look(700_000, 1, never);
    expect(live.isEmpty).toBe(true);
  });

  it('begins anew where the channel was replaced by another one', () => {
    const [old, fresh] = [aChannel(), aChannel()];
    const live = new LiveCurves();
    live.watch(old.channel, 7, 0);
    live.look(0, 1, never);
    fresh.now.value = 4;
    live.watch(fresh.channel, 7, 100);
    live.look(100, 1, never);
    expect(pairs(live)).toEqual([[100, 4]]);
  });

  it('begins anew behind a clock that was set back, and ends with its point', () => {
    const { now, channel } = aChannel();
    const live = new LiveCurves();
    live.watch(channel, 7, 5000);
    live.look(5000, 1, never);
    live.restart(1000);
    now.value = 3;
    live.look(1000, 2, never);
    expect(pairs(live)).toEqual([[1000, 3]]);
    expect(live.of(7)?.spans).toEqual([{ from: 1000, to: 1000 }]);
    now.isThere = false;
    live.look(1050, 3, never);
    expect(live.isEmpty).toBe(true);
    expect(ofMemory(1, 7, live.of(7), { from: 0, to: 10 }, 5)).toMatchObject({ total: 0, gaps: [{ from: 0, to: 10 }] });
  });

  it('begins with the first value, and has that a point is read otherwise and has none any more', () => {
    const { now, channel } = aChannel();
    const live = new LiveCurves();
    Object.assign(now, { quality: 'never' });
    live.watch(channel, 7, 0);
    live.look(0, 1, never);
    expect([pairs(live), live.of(7)?.spans]).toEqual([[], [{ from: 0, to: 0 }]]);
    Object.assign(now, { quality: 'good', value: 3 });
    live.look(50, 2, never);
    Object.assign(now, { quality: 'never', value: 0 });
    live.look(100, 3, never);
    expect(live.of(7)).toMatchObject({ at: [50, 100], value: [3, 0], quality: [1, 0] });
  });

  it('tells of a range what is in it and what holds at its begin, whatever comes meanwhile', () => {
    const { now, channel } = aChannel();
    const live = new LiveCurves();
    live.watch(channel, 7, 0);
    const look = (at: number) => {
      now.value = at;
      live.look(at, at, never);
    };
    for (let at = 0; at < 1000; at += 10) look(at);
    const kept = live.within(7, { from: 495, to: 520 });
    look(1000);
    const times = Float64Array.of(490, 500, 510);
    expect(kept).toEqual({ at: times, value: times, quality: Uint8Array.of(1, 1, 1), spans: [{ from: 0, to: 990 }] });
    for (const range of [
      { from: 495, to: 520 },
      { from: 500, to: 501 },
      { from: -5, to: 0 },
      { from: 2000, to: 3000 },
      { from: 0, to: 1000 },
    ]) {
      const whole = ofMemory(1, 7, live.of(7), range, 20);
      expect(ofMemory(1, 7, live.within(7, range), range, 20)).toEqual(whole);
    }
    expect(live.within(8, { from: 0, to: 1 })).toBeUndefined();
  });

  it('rests while the channel is recorded', () => {
    const { now, channel } = aChannel();
    const live = new LiveCurves();
    live.watch(channel, 7, 0);
    live.look(0, 1, never);
    now.value = 1;
    live.look(50, 2, () => true);
    now.value = 2;
    live.look(100, 3, never);
    expect(pairs(live)).toEqual([
      [0, 0],
      [100, 2],
    ]);
    expect(live.of(7)?.spans).toEqual([
      { from: 0, to: 0 },
      { from: 100, to: 100 },
    ]);
  });
});
