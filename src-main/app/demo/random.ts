/**
 * A quantity that wanders around a mean (Ornstein-Uhlenbeck process): it stays near for about `timeConstantS` and returns.
 * Bounded to four standard deviations.
 */
export class Wander {
  readonly #random: () => number;
  readonly #mean: number;
  readonly #deviation: number;
  readonly #timeConstantS: number;
  #offset = 0;

  constructor(random: () => number, mean: number, deviation: number, timeConstantS: number) {
    this.#random = random;
    this.#mean = mean;
    this.#deviation = deviation;
    this.#timeConstantS = timeConstantS;
  }

  get value(): number {
    return this.#mean + this.#offset;
  }

  step(seconds: number): number {
    const keep = Math.exp(-seconds / this.#timeConstantS);
    // The sum of three uniform numbers is near enough to a normal one, and bounded.
    const normal = (this.#random() + this.#random() + this.#random() - 1.5) * 2;
    const next = this.#offset * keep + this.#deviation * Math.sqrt(1 - keep * keep) * normal;
    this.#offset = Math.min(4 * this.#deviation, Math.max(-4 * this.#deviation, next));
    return this.value;
  }
}

/** First-order approach of a quantity to its target, as temperatures do. */
export function approach(value: number, target: number, timeConstantS: number, seconds: number): number {
  return target + (value - target) * Math.exp(-seconds / timeConstantS);
}
