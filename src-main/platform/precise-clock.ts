import type { Clock } from './clock.ts';
import { TimerLateness } from './timer-lateness.ts';
import { TurningBudget } from './turning-budget.ts';

/** Spent turning the event loop at the end of every precise wait, whatever else is going on. */
const LAST_MS = 2;

/** Time and timers of the system; replaced in tests. */
export interface SystemTimers {
  /** Monotonic milliseconds. */
  now(): number;
  wallMs(): number;
  /** Time since the computer started, sleep included. */
  uptimeMs(): number;
  /** Calls `fn` after at least `ms`, as late as the system's timers are. */
  start(ms: number, fn: () => void): () => void;
  /** Resolves in the next turn of the event loop. */
  turn(): Promise<void>;
  /** How late its timers are before any has fired. */
  readonly expectedLatenessMs: number;
}

/**
 * A clock over the given timers. A precise wait leaves as much to the turning of the event loop as timers are late here; beyond the
 * last 2 ms that costs a quarter of a core at the most, over all waits (TURNING_SHARE), and what is more is left to the timers.
 */
export function createPreciseClock(timers: SystemTimers): Clock {
  const lateness = new TimerLateness(timers.expectedLatenessMs);
  const budget = new TurningBudget(timers.now());
  const start = (ms: number, fn: () => void) => {
    const due = timers.now() + ms;
    return timers.start(ms, () => {
      lateness.fired(timers.now() - due);
      fn();
    });
  };
  /** Lets the time pass until so long before the deadline, as exactly as timers are. */
  const coarse = async (deadline: number, marginMs: number) => {
    const ms = Math.floor(deadline - timers.now() - marginMs);
    if (ms >= 1) await new Promise<void>((resolve) => start(ms, resolve));
  };
  const turnUntil = async (at: number) => {
    while (timers.now() < at) await timers.turn();
  };
  return {
    monotonicMs: timers.now,
    wallMs: timers.wallMs,
    uptimeMs: timers.uptimeMs,
    get timerLatenessMs() {
      return lateness.marginMs;
    },
    soon: (fn) => queueMicrotask(fn),
    after: (ms, fn) => start(Math.max(0, Math.ceil(ms)), fn),
    async until(deadline) {
      await coarse(deadline, lateness.marginMs);
      if (deadline - timers.now() > LAST_MS) {
        if (budget.hasLeft(timers.now())) {
          budget.begin(timers.now());
          while (timers.now() < deadline - LAST_MS && budget.hasLeft(timers.now())) await timers.turn();
          budget.end(timers.now());
        }
        await coarse(deadline, LAST_MS);
      }
      await turnUntil(deadline);
    },
  };
}
