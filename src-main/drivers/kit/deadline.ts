import type { CancelTimer, Clock } from '../../platform/clock.ts';

const NONE = Number.POSITIVE_INFINITY;

/**
 * A time limit that is set for each request and nearly never reached. Its timer is left running from request to request and only looks, when it fires,
 * how much is left: a timer set and cleared for each answer costs as much as a tenth of the whole exchange.
 */
export class Deadline {
  readonly #clock: Clock;
  readonly #onDue: () => void;
  #due = NONE;
  #timerDue = NONE;
  #cancelTimer: CancelTimer | null = null;

  /** `onDue` is called once for each limit that is reached. */
  constructor(clock: Clock, onDue: () => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  /** The limit is `ms` behind `now`, which is the present monotonic time; one that was set before is forgotten. */
  set(now: number, ms: number): void {
    this.#due = now + ms;
    if (this.#timerDue > this.#due) this.#start(now);
  }

  /** Nothing is waited for. */
  clear(): void {
    this.#due = NONE;
  }

  /** Nothing will be waited for any more. */
  end(): void {
    this.clear();
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#timerDue = NONE;
  }

  #start(now: number): void {
    this.#cancelTimer?.();
    this.#timerDue = this.#due;
    this.#cancelTimer = this.#clock.after(this.#due - now, () => this.#look());
  }

  #look(): void {
    this.#cancelTimer = null;
    this.#timerDue = NONE;
    if (this.#due === NONE) return;
    const now = this.#clock.monotonicMs();
    if (now < this.#due) {
      this.#start(now);
      return;
    }
    this.#due = NONE;
    this.#onDue();
  }
}
