import type { CancelTimer, Clock } from '../../platform/clock.ts';

/**
 * One deadline that is moved often and seldom reached, as the timeout of each request, or t2 and t3 of IEC 104: moving it sets no timer of the clock,
 * which would cost as much as a tenth of an exchange. `onDue` is called once when the deadline has come, and the timer is then unset.
 */
export class DueTimer {
  readonly #clock: Clock;
  readonly #onDue: () => void;
  #due = Number.POSITIVE_INFINITY;
  /** When the timer of the clock fires; infinity without one. */
  #wakesAt = Number.POSITIVE_INFINITY;
  #cancel: CancelTimer | null = null;

  constructor(clock: Clock, onDue: () => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  get isSet(): boolean {
    return this.#due !== Number.POSITIVE_INFINITY;
  }

  /** Sets or moves the deadline, in monotonic milliseconds. */
  set(due: number): void {
    this.#due = due;
    if (due < this.#wakesAt) this.#arm();
  }

  /** Unsets the deadline. */
  clear(): void {
    this.#due = Number.POSITIVE_INFINITY;
  }

  /** Unsets the deadline and leaves no timer behind. */
  dispose(): void {
    this.clear();
    this.#cancel?.();
    this.#cancel = null;
    this.#wakesAt = Number.POSITIVE_INFINITY;
  }

  #arm(): void {
    this.#cancel?.();
    this.#wakesAt = this.#due;
    this.#cancel = this.#clock.after(this.#due - this.#clock.monotonicMs(), () => this.#wake());
  }

  #wake(): void {
    this.#cancel = null;
    this.#wakesAt = Number.POSITIVE_INFINITY;
    if (!this.isSet) return;
    // plain timers fire early by a fraction of a millisecond
    if (this.#clock.monotonicMs() < this.#due) {
      this.#arm();
      return;
    }
    this.clear();
    this.#onDue();
  }
}
