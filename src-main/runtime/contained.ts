/** What a driver is given to call or to be called by: a throw ends its channel, never the process. */

import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { DriverSink } from '../drivers/spi/index.ts';
import type { Clock } from '../platform/clock.ts';

/** Called with what was thrown, as an `INTERNAL` error. */
export type FaultHandler = (error: AppError) => void;

/** The fault as the channel tells it; the original is its cause. */
export function channelFault(thrown: unknown): AppError {
  const { message } = toAppError(thrown);
  return new AppError('INTERNAL', say('runtime.fault', { detail: message }), { cause: thrown });
}

/** Runs `work`; what it throws, or its promise rejects with, goes to `onFault`. */
export function contained(work: () => unknown, onFault: FaultHandler): void {
  try {
    const result = work();
    if (result instanceof Promise) result.catch((thrown: unknown) => onFault(channelFault(thrown)));
  } catch (thrown) {
    onFault(channelFault(thrown));
  }
}

/** The clock with contained callbacks. */
export function containedClock(clock: Clock, onFault: FaultHandler): Clock {
  return {
    get timerLatenessMs() {
      return clock.timerLatenessMs;
    },
    monotonicMs: () => clock.monotonicMs(),
    wallMs: () => clock.wallMs(),
    uptimeMs: () => clock.uptimeMs(),
    after: (ms, fn) => clock.after(ms, () => contained(fn, onFault)),
    until: (deadline) => clock.until(deadline),
    soon: (fn) => clock.soon(() => contained(fn, onFault)),
  };
}

/** The sink with contained callbacks: what fails behind it is no matter of the driver's. */
export function containedSink(sink: DriverSink, onFault: FaultHandler): DriverSink {
  return {
    values: (readings, event) => contained(() => sink.values(readings, event), onFault),
    notice: (said) => contained(() => sink.notice(said), onFault),
    lost: (error) => contained(() => sink.lost(error), onFault),
  };
}
