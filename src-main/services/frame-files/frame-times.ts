import type { FrameRecord } from '../../runtime/logs/frame-log.ts';

/** The time of the day counts in whole milliseconds, so the true one lies up to this far behind what it says. */
const MOST_BEHIND_MS = 0.999;

/**
 * Times of entries to the microsecond: the milliseconds of the day as the log has them, divided by the clock that only goes forward. What it says never differs from the log in a
 * millisecond, and rises as long as nobody sets the clock of the computer back.
 */
export class FrameTimes {
  #offset = Number.NEGATIVE_INFINITY;

  /** Microseconds since 1970, UTC; to be asked in the order of the log. */
  microseconds({ wallMs, monotonicMs }: Pick<FrameRecord, 'wallMs' | 'monotonicMs'>): number {
    const least = wallMs - monotonicMs;
    this.#offset = Math.min(Math.max(this.#offset, least), least + MOST_BEHIND_MS);
    const behind = Math.min(Math.max(0, monotonicMs + this.#offset - wallMs), MOST_BEHIND_MS);
    return Math.round(wallMs * 1000) + Math.round(behind * 1000);
  }
}
