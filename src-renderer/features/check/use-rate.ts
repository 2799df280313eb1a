import { useEffect, useState } from 'react';

/** Time that the rate is made over: shorter jumps, longer sleeps. In milliseconds. */
const SPAN_MS = 10_000;

interface Sample {
  readonly at: number;
  readonly done: number;
}

/** Rate of a count per second over the last ten seconds from samples of which the last is the newest; null before it is known. */
export function rateOf(samples: readonly Sample[]): number | null {
  const [first] = samples;
  const last = samples.at(-1);
  if (!first || !last || last.at - first.at < 1000) return null;
  return ((last.done - first.done) * 1000) / (last.at - first.at);
}

/** How fast a count rises, per second, as this page has seen it; null before it is known. `updatedAt` changes with each look at the count. */
export function useRate(done: number, updatedAt: number): number | null {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a look that finds the same count is a sample too
  useEffect(() => {
    const at = performance.now();
    setSamples((before) => {
      const recent = before.filter((sample) => at - sample.at <= SPAN_MS && sample.done <= done);
      return [...recent, { at, done }];
    });
  }, [done, updatedAt]);
  return rateOf(samples);
}
