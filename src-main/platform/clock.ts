import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';

/** Ends a timer that has not fired; harmless afterwards. */
export type CancelTimer = () => void;

/**
 * The only source of time for drivers and runtime. Times are milliseconds; `monotonicMs` never jumps and may have a
 * fraction, `wallMs` is UTC since 1970.
 */
export interface Clock {
  /** How late `after` may call on this computer, in milliseconds, as far as it is known now. */
  readonly timerLatenessMs: number;
  monotonicMs(): number;
  wallMs(): number;
  /**
   * Time since the computer started, its sleep included, to some 10 ms. Setting the wall clock does not move it.
   */
  uptimeMs(): number;
  /** Calls `fn` once, `ms` from now (0 or less: in the next turn), never synchronously. */
  after(ms: number, fn: () => void): CancelTimer;
  /** Resolves at the monotonic time `deadline`, precise below a millisecond and never early: for the silent gaps of a serial line. */
  until(deadline: number): Promise<void>;
  /** Calls `fn` once, when the code that runs now has returned and before any timer. */
  soon(fn: () => void): void;
}

/**
 * Waits `ms` on the clock. Rejects with `CANCELLED` as soon as `signal` is aborted, and clears its timer.
 */
export function delay(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(cancelled());
      return;
    }
    const onAbort = () => {
      cancel();
      reject(cancelled());
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Waits longer than this begin with a plain timer, which can be ended and costs nothing; no timer is later than the rest. */
const PRECISE_MS = 20;

/**
 * Waits for the monotonic time `deadline` as `Clock.until` does, never early and precise below a millisecond. Rejects with `CANCELLED` as soon as
 * `signal` is aborted.
 */
export async function waitUntil(clock: Clock, deadline: number, signal: AbortSignal): Promise<void> {
  const coarse = deadline - clock.monotonicMs() - PRECISE_MS;
  if (coarse > 0) await delay(clock, coarse, signal);
  if (signal.aborted) throw cancelled();
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => reject(cancelled());
    signal.addEventListener('abort', onAbort, { once: true });
    void clock.until(deadline).then(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
  });
}

/** The error of a wait or request that somebody asked to end. */
export function cancelled(what: Message = say('common.cancelled')): AppError {
  return new AppError('CANCELLED', what);
}
