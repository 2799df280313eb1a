import type { CheckSeen } from '#shared/contract/check.ts';
import { Burst } from './burst.ts';
import { isGood, type Progress, type Sight, type Sighting, type Watch } from './sight.ts';
import { Stance } from './stance.ts';

/** A counter that has to rise by so many. */
export class CounterWatch implements Watch {
  readonly #count: number;
  readonly #tolerance: number;
  readonly #burst: Burst;
  readonly #stance = new Stance<number>((one, other) => one === other);
  #first: CheckSeen | null = null;
  #last: CheckSeen | null = null;
  #isGood = false;

  constructor(count: number, tolerance: number, settleMs: number) {
    this.#count = count;
    this.#tolerance = tolerance;
    this.#burst = new Burst(settleMs);
  }

  take({ seen, at, by }: Sighting): void {
    this.#isGood = seen.value !== null && isGood(seen);
    if (seen.value === null || !this.#isGood) return;
    const isMove = this.#stance.moves(seen.value, by);
    if (by === 'known') return;
    this.#first ??= seen;
    this.#last = seen;
    if (isMove) this.#burst.move(at, by);
    if (by !== 'sent') this.#burst.received(at);
  }

  /** Pulses that nobody saw are not counted. */
  interrupt(): void {
    this.#stance.forget();
    this.#burst.interrupt();
    this.#first = null;
    this.#last = null;
  }

  look(now: number): Sight | null {
    if (!this.#isGood || !this.#first || !this.#last || !this.#burst.hasSettled(now)) return null;
    const seen = [this.#first, this.#last];
    const rise = (this.#last.value ?? 0) - (this.#first.value ?? 0);
    if (Math.abs(rise - this.#count) <= this.#tolerance) return { verdict: 'passed', seen, why: 'none', changes: this.#burst.all };
    // more may come; too many never go back
    return rise > this.#count || rise < 0 ? { verdict: 'failed', seen, why: 'other', changes: this.#burst.all } : null;
  }

  get changes(): number {
    return this.#burst.all;
  }

  progress(): Progress {
    return { wanted: [{ value: this.#count, isSeen: false }], changes: this.#burst.all, isMoving: this.#burst.isMoving };
  }
}
