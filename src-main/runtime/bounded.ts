import type { Clock } from '../platform/clock.ts';

/**
 * Waits for `promise` at most `ms`. True when it settled, in whichever way, in time. Leaves no timer behind.
 */
export function settlesWithin(clock: Clock, ms: number, promise: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve(false));
    const done = () => {
      cancel();
      resolve(true);
    };
    promise.then(done, done);
  });
}
