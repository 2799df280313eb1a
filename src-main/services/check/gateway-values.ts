import type { PointConfig, ProtocolDriver } from '../../drivers/spi/index.ts';
import { valueRuleOf } from '../../runtime/values/engineering-value.ts';

/** Where raw numbers begin. Those of a point stay within a decade, the highest that it has room for, so that a wrong factor is hardly anybody else's value; the last is that of normalized values. */
const DECADES = [10_000, 1000, 100, 10, 1, 0.1];
/** Numbers of one decade that are tried for a point before it is left for the next round. */
const MOST_TRIES = 300;

/** Distance from a value within which another one counts as the same. */
export type Near = (value: number) => number;

interface Taken {
  readonly value: number;
  readonly near: number;
}

/** Values that are taken, each farther from all others than both tolerances. */
class TakenValues {
  /** In the order of their values. */
  readonly #taken: Taken[] = [];

  take(value: number, near: number): boolean {
    let [from, to] = [0, this.#taken.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#taken[middle]?.value ?? 0) < value) from = middle + 1;
      else to = middle;
    }
    const isFree = [this.#taken[from - 1], this.#taken[from]].every((other) => !other || Math.abs(other.value - value) > other.near + near);
    if (isFree) this.#taken.splice(from, 0, { value, near });
    return isFree;
  }
}

/** Gives points of a simulated device values that no other point has; what one of these has no room for takes another one. */
export class UniqueValues {
  readonly #driver: Pick<ProtocolDriver, 'checkValue'>;
  readonly #near: Near;
  readonly #all = new TakenValues();
  /** Next raw number of each scale and decade. */
  readonly #next = new Map<string, number>();

  constructor(driver: Pick<ProtocolDriver, 'checkValue'>, near: Near) {
    this.#driver = driver;
    this.#near = near;
  }

  /** A value for this point that is none of `avoid`; null: its range has none that is free. */
  valueFor(point: PointConfig, avoid: readonly number[]): number | null {
    const { scale } = valueRuleOf(point);
    const decade = DECADES.find((each) => this.#isInRange(point, scale(each)));
    if (decade === undefined) return null;
    const key = `${point.decode} ${point.mul_coe} ${point.add_coe} ${decade}`;
    const step = decade < 1 ? decade / 1000 : 1;
    let raw = this.#next.get(key) ?? decade;
    for (let tries = 0; tries < MOST_TRIES && raw < decade * 10; tries++) {
      const value = scale(raw);
      if (!this.#isInRange(point, value)) return null;
      const near = this.#near(value);
      // the next one is farther away than both tolerances
      raw += step * Math.max(1, Math.ceil((2 * near * 1.01) / (Math.abs(point.mul_coe) * step)));
      if (avoid.some((each) => Math.abs(value - each) <= near) || !this.#all.take(value, near)) continue;
      this.#next.set(key, raw);
      return value;
    }
    return null;
  }

  #isInRange(point: PointConfig, value: number): boolean {
    try {
      this.#driver.checkValue?.(point, value);
      return true;
    } catch {
      return false;
    }
  }
}

/** Rounds in which every one of so many signals has a sequence of states of its own and takes both states. */
export function signalRounds(count: number): number {
  return count === 0 ? 0 : 1 + Math.ceil(Math.log2(count + 1));
}

/** State of the signal with this number, from 0, in a round. In the first one all are 1: so the sequence of one that is turned is that of none. */
export function signalState(number: number, round: number): 0 | 1 {
  if (round === 0) return 1;
  return Math.floor(number / 2 ** (round - 1)) % 2 === 0 ? 0 : 1;
}
