import type { Clock } from './clock.ts';

/** Shares over a shorter time say more about the question than about the load. */
const LEAST_MS = 900;

/**
 * Processor time as a share of one core, over the time since it was asked last; asked again within 0.9 s, by another page, it answers the same. 0 at first.
 * `cpuMs`: processor time used so far, in milliseconds.
 */
export function loadMeter(clock: Pick<Clock, 'monotonicMs'>, cpuMs: () => number): () => number {
  let at = clock.monotonicMs();
  let used = cpuMs();
  let share = 0;
  return () => {
    const now = clock.monotonicMs();
    if (now - at < LEAST_MS) return share;
    const usedNow = cpuMs();
    share = Math.max(0, Math.round((1000 * (usedNow - used)) / (now - at)) / 1000);
    at = now;
    used = usedNow;
    return share;
  };
}
