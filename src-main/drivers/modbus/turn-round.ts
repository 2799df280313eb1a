import type { Clock } from '../../platform/clock.ts';

/** Latest measurements of a slave that count. */
const REMEMBERED = 16;
/** Measurements before a slave is planned with what it takes itself. */
const ENOUGH = 4;
/** What a slave that was not measured is planned with, in milliseconds: devices take 5 to 30. */
export const ASSUMED_TURN_ROUND_MS = 10;
/** A plan is not made on more than this, in milliseconds: what takes longer is an exception of the device. */
const LONGEST_MS = 500;
/** Changes below this share and this time change no plan. */
const MATERIAL_SHARE = 0.2;
const MATERIAL_MS = 0.5;
const REPLAN_PAUSE_MS = 60_000;

interface Measured {
  readonly latest: Float64Array;
  count: number;
  /** Median the present plans reckon with; null before the first. */
  planned: number | null;
}

/**
 * What the slaves of one connection take to begin their answers, and what plans reckon with: the median of a slave's latest 16
 * measurements, taken over for all slaves together when one of them has changed by more than a fifth, and at most once a minute.
 */
export class TurnRounds {
  readonly #clock: Clock;
  readonly #slaves = new Map<number, Measured>();
  #version = 0;
  #adoptedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Grows when plans should be made anew. */
  get version(): number {
    return this.#version;
  }

  measured(slaveId: number, ms: number): void {
    let slave = this.#slaves.get(slaveId);
    if (!slave) {
      slave = { latest: new Float64Array(REMEMBERED), count: 0, planned: null };
      this.#slaves.set(slaveId, slave);
    }
    slave.latest[slave.count % REMEMBERED] = ms;
    slave.count += 1;
  }

  /** Takes over what was measured, if that matters now; called before a round. */
  adopt(): void {
    const now = this.#clock.monotonicMs();
    if (now - this.#adoptedAt < REPLAN_PAUSE_MS || ![...this.#slaves.values()].some(hasChanged)) return;
    for (const slave of this.#slaves.values()) if (slave.count >= ENOUGH) slave.planned = median(slave);
    this.#adoptedAt = now;
    this.#version += 1;
  }

  /** What plans reckon with, in milliseconds; null before enough was measured. */
  planned(slaveId: number): number | null {
    return this.#slaves.get(slaveId)?.planned ?? null;
  }

  /** The longest of a slave's latest measurements in milliseconds; those of all slaves where it has none; null without any. */
  slowest(slaveId: number): number | null {
    const own = this.#slaves.get(slaveId);
    const known = own ? [own] : [...this.#slaves.values()];
    return known.length === 0 ? null : Math.max(...known.map((slave) => Math.max(...values(slave))));
  }
}

function hasChanged(slave: Measured): boolean {
  if (slave.count < ENOUGH) return false;
  if (slave.planned === null) return true;
  const change = Math.abs(median(slave) - slave.planned);
  return change > MATERIAL_MS && change > MATERIAL_SHARE * slave.planned;
}

function values({ latest, count }: Measured): Float64Array {
  return latest.subarray(0, Math.min(count, REMEMBERED));
}

function median(slave: Measured): number {
  const sorted = values(slave).slice().sort();
  const upper = sorted[sorted.length >> 1] ?? 0;
  const lower = sorted[(sorted.length - 1) >> 1] ?? upper;
  return Math.min(Math.max((lower + upper) / 2, 0), LONGEST_MS);
}
