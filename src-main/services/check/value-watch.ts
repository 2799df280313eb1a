import type { CheckReference, CheckSeen } from '#shared/contract/check.ts';
import { Burst } from './burst.ts';
import { isBad, isGood, type Progress, type Sight, type Sighting, toleranceOf, type Watch } from './sight.ts';
import { Stance } from './stance.ts';

/** A reference that a measurement is near to, since when and by what. */
interface Near {
  readonly reference: CheckReference;
  readonly since: number;
  /** The device tells when it goes away again. */
  readonly isSent: boolean;
}

/** A measurement that has to come near each reference and stay there. */
export class ValueWatch implements Watch {
  readonly #open: CheckReference[];
  readonly #met: { readonly reference: CheckReference; readonly seen: CheckSeen }[] = [];
  readonly #burst: Burst;
  /** Values closer than the largest tolerance count as the same: it rests where it came to rest. */
  readonly #stance: Stance<number>;
  #last: CheckSeen | null = null;
  #near: Near | null = null;
  /** Since the line stands. */
  #hasMoved = false;

  constructor(references: readonly CheckReference[], settleMs: number) {
    this.#open = [...references];
    this.#burst = new Burst(settleMs);
    const band = Math.max(...references.map(toleranceOf));
    this.#stance = new Stance((one, other) => Math.abs(one - other) <= band);
  }

  take({ seen, at, by }: Sighting): void {
    const { value } = seen;
    if (by !== 'sent' && by !== 'known') this.#burst.received(at);
    if (value === null || !isGood(seen)) {
      this.#last = seen;
      this.#near = null;
      return;
    }
    if (this.#stance.moves(value, by)) {
      this.#burst.move(at, by);
      this.#hasMoved = true;
    }
    if (by === 'known') return;
    this.#last = seen;
    const reference = this.#open.find((each) => Math.abs(value - each.value) <= toleranceOf(each));
    const near = this.#near?.reference === reference ? this.#near : null;
    const isSent = by === 'sent' || by === 'told' || near?.isSent === true;
    this.#near = reference ? { reference, since: near?.since ?? at, isSent } : null;
  }

  interrupt(): void {
    this.#stance.forget();
    this.#burst.interrupt();
    this.#near = null;
    this.#hasMoved = false;
  }

  /** The last reference is met by none that stood there all the time. */
  #isMet({ since, isSent }: Near, now: number): boolean {
    return this.#burst.isSteady(since, isSent, now) && (this.#open.length > 1 || this.#hasMoved);
  }

  look(now: number): Sight | null {
    const last = this.#last;
    const near = this.#near;
    if (near && last && this.#isMet(near, now)) {
      this.#met.push({ reference: near.reference, seen: last });
      this.#open.splice(this.#open.indexOf(near.reference), 1);
      this.#near = null;
      this.#burst.hasSettled(now);
      if (this.#open.length === 0)
        return { verdict: 'passed', seen: this.#met.map(({ seen }) => seen), why: 'none', changes: this.#burst.all };
      return null;
    }
    if (near || !last || !(isGood(last) || isBad(last)) || !this.#burst.hasSettled(now)) return null;
    const { value } = last;
    const isMet = this.#met.some(({ reference }) => value !== null && Math.abs(value - reference.value) <= toleranceOf(reference));
    if (isMet && isGood(last)) return null;
    return {
      verdict: 'failed',
      seen: [...this.#met.map(({ seen }) => seen), last],
      why: isGood(last) ? 'other' : 'quality',
      changes: this.#burst.all,
    };
  }

  get changes(): number {
    return this.#burst.all;
  }

  progress(): Progress {
    const wanted = [
      ...this.#met.map(({ reference }) => ({ value: reference.value, isSeen: true })),
      ...this.#open.map(({ value }) => ({ value, isSeen: false })),
    ];
    return { wanted, changes: this.#burst.all, isMoving: this.#burst.isMoving || (this.#near !== null && this.#burst.all > 0) };
  }
}
