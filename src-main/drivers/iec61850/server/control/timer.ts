import type { CancelTimer, Clock } from '../../../../platform/clock.ts';

/** Longest time that timers of every system keep (2^31 - 1 ms). */
const LONGEST_MS = 2_147_483_647;

/** One timer for waits of any length. Starting it again ends what it waited for. */
export class Timer {
  readonly #clock: Pick<Clock, 'after'>;
  #cancel: CancelTimer = () => undefined;

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** Calls `fn` once behind `ms`. */
  start(ms: number, fn: () => void): void {
    this.#cancel();
    const now = Math.min(ms, LONGEST_MS);
    this.#cancel = this.#clock.after(now, () => (ms > now ? this.start(ms - now, fn) : fn()));
  }

  /** Calls `fn` once when the wall clock has come to `utcMs`, also where that is set meanwhile. */
  startAt(utcMs: number, clock: Pick<Clock, 'wallMs'>, fn: () => void): void {
    const rest = utcMs - clock.wallMs();
    if (rest <= 0) this.start(0, fn);
    else this.start(Math.min(rest, LOOK_AGAIN_MS), () => (utcMs <= clock.wallMs() ? fn() : this.startAt(utcMs, clock, fn)));
  }

  stop(): void {
    this.#cancel();
  }
}

/** The wall clock is looked at so often. */
const LOOK_AGAIN_MS = 1000;
