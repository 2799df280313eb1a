import type { CheckSeen } from '#shared/contract/check.ts';
import { Burst } from './burst.ts';
import { isBad, isGood, type Progress, type Sight, type Sighting, type Watch } from './sight.ts';
import { Stance } from './stance.ts';

/** More changes in a burst than a pulse has. */
const MOST_CHANGES = 2;

/** A signal of which each state has to be entered; the one at the beginning counts when it was left and entered again. */
export class StateWatch implements Watch {
  readonly #states: readonly number[];
  readonly #entered = new Map<number, CheckSeen>();
  readonly #burst: Burst;
  readonly #stance = new Stance<number>((one, other) => one === other);
  /** The last good one. */
  #now: CheckSeen | null = null;
  /** What came last, where it is not good. */
  #bad: CheckSeen | null = null;
  #others: CheckSeen[] = [];

  constructor(states: readonly number[], settleMs: number) {
    this.#states = states;
    this.#burst = new Burst(settleMs);
  }

  take({ seen, at, by }: Sighting): void {
    if (by !== 'sent' && by !== 'known') this.#burst.received(at);
    const { value } = seen;
    this.#bad = value === null || !isGood(seen) ? seen : null;
    if (value === null || this.#bad) return;
    const isMove = this.#stance.moves(value, by);
    if (by === 'known') return;
    this.#now = seen;
    if (!isMove) return;
    this.#burst.move(at, by);
    if (this.#states.includes(value)) this.#entered.set(value, seen);
    else this.#others.push(seen);
  }

  interrupt(): void {
    this.#stance.forget();
    this.#burst.interrupt();
  }

  look(now: number): Sight | null {
    const bad = this.#bad;
    if ((bad && !isBad(bad)) || !this.#burst.hasSettled(now)) return null;
    const { changes } = this.#burst;
    const seen = [...this.#entered.values(), ...this.#others];
    if (bad) return { verdict: 'failed', seen: [...seen, bad], why: 'quality', changes };
    if (changes > MOST_CHANGES) return { verdict: 'failed', seen, why: 'chatter', changes };
    const end = this.#now?.value ?? null;
    // a switch on its way may pass positions that nobody asked for; it must not rest in one
    if (end !== null && this.#others.some(({ value }) => value === end)) return { verdict: 'failed', seen, why: 'other', changes };
    this.#others = [];
    if (this.#states.every((state) => this.#entered.has(state))) return { verdict: 'passed', seen, why: 'none', changes: this.#burst.all };
    return null;
  }

  get changes(): number {
    return this.#burst.all;
  }

  progress(): Progress {
    const wanted = this.#states.map((value) => ({ value, isSeen: this.#entered.has(value) }));
    return { wanted, changes: this.#burst.all, isMoving: this.#burst.isMoving };
  }
}
