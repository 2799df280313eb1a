import type { CheckSeen } from '#shared/contract/check.ts';
import { Burst } from './burst.ts';
import { isGood, type Progress, type Sight, type Sighting, type Watch } from './sight.ts';
import { Stance } from './stance.ts';

/** Words that have to come over the wire, in the place of others. */
export class TextWatch implements Watch {
  readonly #text: string;
  readonly #burst: Burst;
  readonly #stance = new Stance<string>((one, other) => one === other);
  #last: CheckSeen | null = null;

  constructor(text: string, settleMs: number) {
    this.#text = text;
    this.#burst = new Burst(settleMs);
  }

  take({ seen, at, by }: Sighting): void {
    this.#last = isGood(seen) && by !== 'known' ? seen : null;
    if (!isGood(seen)) return;
    if (this.#stance.moves(seen.value_text, by)) this.#burst.move(at, by);
    if (by !== 'known' && by !== 'sent') this.#burst.received(at);
  }

  interrupt(): void {
    this.#stance.forget();
    this.#burst.interrupt();
  }

  look(now: number): Sight | null {
    if (!this.#last || !this.#burst.hasSettled(now)) return null;
    const isRight = this.#last.value_text === this.#text;
    return { verdict: isRight ? 'passed' : 'failed', seen: [this.#last], why: isRight ? 'none' : 'other', changes: this.#burst.all };
  }

  get changes(): number {
    return this.#burst.all;
  }

  progress(): Progress {
    return { wanted: [], changes: this.#burst.all, isMoving: this.#burst.isMoving };
  }
}
