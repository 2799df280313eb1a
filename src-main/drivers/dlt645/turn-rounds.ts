/** What meters take to begin their answers. */
import type { Clock } from '../../platform/clock.ts';

/** Latest measurements of a meter that count. */
const REMEMBERED = 16;
/** Measurements before a meter is planned with what it takes itself. */
const ENOUGH = 4;
/** What a meter that was not measured is planned with, in milliseconds: they take 20 to 500. */
export const ASSUMED_TURN_ROUND_MS = 50;
/** A change below this share changes no plan, and plans are not made anew more often than this. */
const MATERIAL_SHARE = 0.2;
const REPLAN_PAUSE_MS = 60_000;

interface Measured {
  readonly latest: number[];
  /** Median that present plans reckon with; null before the first. */
  planned: number | null;
}

/**
 * Turn-rounds of the meters of one connection, in milliseconds. Plans reckon with the median of a meter's latest 16, taken over for all
 * meters together when one of them has changed by more than a fifth, and at most once a minute.
 */
export class TurnRounds {
  readonly #clock: Clock;
  readonly #meters = new Map<number, Measured>();
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
    const meter = this.#meters.get(slaveId) ?? { latest: [], planned: null };
    this.#meters.set(slaveId, meter);
    meter.latest.push(ms);
    if (meter.latest.length > REMEMBERED) meter.latest.shift();
  }

  /** Takes over what was measured, if that matters now; called before a round. */
  adopt(): void {
    const now = this.#clock.monotonicMs();
    const all = [...this.#meters.values()];
    if (now - this.#adoptedAt < REPLAN_PAUSE_MS || !all.some(hasChanged)) return;
    for (const meter of all) if (meter.latest.length >= ENOUGH) meter.planned = median(meter);
    this.#adoptedAt = now;
    this.#version += 1;
  }

  /** What plans reckon with; null before enough was measured. */
  planned(slaveId: number): number | null {
    return this.#meters.get(slaveId)?.planned ?? null;
  }

  /** The longest of a meter's latest measurements; of all meters where it has none; null without any. */
  slowest(slaveId: number): number | null {
    const own = this.#meters.get(slaveId);
    const known = own ? own.latest : [...this.#meters.values()].flatMap(({ latest }) => latest);
    return known.length === 0 ? null : Math.max(...known);
  }
}

function hasChanged(meter: Measured): boolean {
  if (meter.latest.length < ENOUGH) return false;
  return meter.planned === null || Math.abs(median(meter) - meter.planned) > MATERIAL_SHARE * Math.max(meter.planned, 1);
}

function median({ latest }: Measured): number {
  const sorted = latest.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
