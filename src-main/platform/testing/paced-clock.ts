import type { Clock } from '../clock.ts';
// biome-ignore lint/plugin: sockets, ports and threads take real time; the date is the test's own all the same
import { systemClock } from '../system-clock.ts';

export interface Pace {
  /** UTC in milliseconds since 1970 when the clock is made. Default: 2026-01-01 04:00, noon in China. */
  readonly wallStart?: number;
  /** How much faster than real time it runs, for limits of seconds that have to pass. Default 1. */
  readonly factor?: number;
}

/**
 * A clock that runs at the pace of the real one from a date of its own, so that no test depends on the hour or the day. For tests whose
 * other end is a real socket, port or process; everything else runs on a `ManualClock`.
 */
export function pacedClock({ wallStart = Date.UTC(2026, 0, 1, 4), factor = 1 }: Pace = {}): Clock {
  const origin = systemClock.monotonicMs();
  const monotonicMs = () => (systemClock.monotonicMs() - origin) * factor;
  return {
    timerLatenessMs: systemClock.timerLatenessMs,
    monotonicMs,
    uptimeMs: () => systemClock.uptimeMs(),
    soon: (fn) => systemClock.soon(fn),
    wallMs: () => Math.floor(wallStart + monotonicMs()),
    after: (ms, fn) => systemClock.after(ms / factor, fn),
    until: (deadline) => systemClock.until(origin + deadline / factor),
  };
}
