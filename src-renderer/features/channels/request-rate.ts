import { useEffect, useState } from 'react';

interface Sample {
  readonly atMs: number;
  readonly count: number;
}

/** Span the rate is taken over, in milliseconds: short enough to follow, long enough not to jump. */
const SPAN_MS = 5000;

/** Adds a reading of the counter and forgets what is older than the span. A counter that fell (a new start) begins anew. */
export function addSample(samples: readonly Sample[], next: Sample): readonly Sample[] {
  const last = samples.at(-1);
  if (last && next.count < last.count) return [next];
  if (last && next.atMs <= last.atMs) return samples;
  const kept = samples.filter((sample, index) => sample.atMs >= next.atMs - SPAN_MS || index === samples.length - 1);
  return [...kept, next];
}

/** Increments a second over the samples; null while there are not two. */
export function rateOf(samples: readonly Sample[]): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.atMs === first.atMs) return null;
  return ((last.count - first.count) * 1000) / (last.atMs - first.atMs);
}

/**
 * Requests a second of a channel from two or more polls of its counter.
 * @param key changes with the channel: its samples are its own
 * @param updatedAt time of the poll the count came with, milliseconds
 */
export function useRequestRate(key: number, count: number, updatedAt: number): number | null {
  const [state, setState] = useState<{ readonly key: number; readonly samples: readonly Sample[] }>({ key, samples: [] });
  useEffect(() => {
    // nothing was polled yet
    if (updatedAt === 0) return;
    setState((old) => ({ key, samples: addSample(old.key === key ? old.samples : [], { atMs: updatedAt, count }) }));
  }, [key, count, updatedAt]);
  return state.key === key ? rateOf(state.samples) : null;
}
