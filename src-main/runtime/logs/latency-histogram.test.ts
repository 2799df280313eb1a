import { describe, expect, it } from 'vitest';
import { LatencyHistogram } from './latency-histogram.ts';

function counted(times: Iterable<number>): LatencyHistogram {
  const histogram = new LatencyHistogram();
  for (const ms of times) histogram.add(ms);
  return histogram;
}

describe('latency histogram', () => {
  it('has no figures before the first time', () => {
    expect(new LatencyHistogram().figures()).toBeNull();
  });

  it('tells every quantile within 4.5 % from 0.05 ms to 52 s, and the longest time exactly', () => {
    for (const scale of [0.001, 0.1, 10, 500]) {
      const times = Array.from({ length: 1000 }, (_, index) => (index + 1) * scale * 0.1 + 0.05);
      const figures = counted(times).figures();
      const exact = (share: number) => times[Math.ceil(share * times.length) - 1] ?? 0;
      for (const [found, right] of [
        [figures?.p50, exact(0.5)],
        [figures?.p95, exact(0.95)],
        [figures?.p99, exact(0.99)],
      ] as const) {
        expect(Math.abs((found ?? 0) / right - 1)).toBeLessThan(0.045);
      }
      expect(figures?.max).toBe(times.at(-1));
    }
  });

  it('never tells more than the longest time', () => {
    expect(counted([10, 10, 10]).figures()).toEqual({
      count: 3,
      p50: expect.closeTo(10, 0),
      p95: expect.any(Number),
      p99: expect.any(Number),
      max: 10,
    });
    expect(counted([10]).figures()?.p99).toBeLessThanOrEqual(10);
  });

  it('keeps times beyond its ends in the outer classes', () => {
    expect(counted([0, -1]).figures()).toMatchObject({ count: 2, max: 0, p50: 0 });
    expect(counted([1e9]).figures()).toMatchObject({ count: 1, max: 1e9 });
  });

  it('merges', () => {
    const sum = counted([1, 2, 3]);
    sum.merge(counted([100, 200]));
    expect(sum.figures()).toMatchObject({ count: 5, max: 200 });
    expect(sum.figures()).toEqual(counted([1, 2, 3, 100, 200]).figures());
  });
});
