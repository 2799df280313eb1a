import type { Clock } from './clock.ts';

/** Waits for work to end, but no longer than `ms`; answers whether it ended in time. A failure of the work is thrown. */
export async function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<false>();
  const cancel = clock.after(ms, () => late.resolve(false));
  try {
    return await Promise.race([work.then(() => true as const), late.promise]);
  } finally {
    cancel();
  }
}
