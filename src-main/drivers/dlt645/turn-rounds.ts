/** What meters take to begin their answers. */

/** Latest measurements of a meter that count. */
const REMEMBERED = 16;
/** Measurements before a meter is planned with what it takes itself. */
const ENOUGH = 4;
/** What a meter that was not measured is planned with, in milliseconds: they take 20 to 500. */
export const ASSUMED_TURN_ROUND_MS = 50;

/** Turn-rounds of the meters of one connection, in milliseconds. */
export class TurnRounds {
  readonly #meters = new Map<number, number[]>();

  measured(slaveId: number, ms: number): void {
    const latest = this.#meters.get(slaveId) ?? [];
    this.#meters.set(slaveId, latest);
    latest.push(ms);
    if (latest.length > REMEMBERED) latest.shift();
  }

  /** Median of a meter's latest measurements; null before there are enough. */
  planned(slaveId: number): number | null {
    const latest = this.#meters.get(slaveId) ?? [];
    if (latest.length < ENOUGH) return null;
    const sorted = latest.toSorted((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? null;
  }

  /** The longest of a meter's latest measurements; of all meters where it has none; null without any. */
  slowest(slaveId: number): number | null {
    const own = this.#meters.get(slaveId);
    const known = own ? own : [...this.#meters.values()].flat();
    return known.length === 0 ? null : Math.max(...known);
  }
}
