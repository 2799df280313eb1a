import type { Clock } from '../../platform/clock.ts';

/** What plans of a protocol reckon with. All in milliseconds. */
export interface TurnRoundOptions {
  /** For a device that was not measured. */
  readonly assumedMs: number;
  /** At most, whatever a device takes; infinite for no bound. */
  readonly longestMs: number;
  /** Changes below this change no plan. */
  readonly materialMs: number;
}

/** Latest measurements of a device that count. */
const REMEMBERED = 16;
/** Measurements before a device is planned with what it takes itself. */
const ENOUGH = 4;
/** Changes below this share of what is planned change no plan. */
const MATERIAL_SHARE = 0.2;
const REPLAN_PAUSE_MS = 60_000;

interface Measured {
  readonly latest: Float64Array;
  count: number;
  /** Median the present plans reckon with; null before the first. */
  planned: number | null;
}

/**
 * What the devices of one connection take to begin their answers, and what plans reckon with: the median of a device's latest 16
 * measurements, taken over for all devices together when one of them has changed by more than a fifth, and at most once a minute.
 */
export class TurnRounds {
  readonly #clock: Clock;
  readonly #options: TurnRoundOptions;
  readonly #devices = new Map<number, Measured>();
  #version = 0;
  #adoptedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, options: TurnRoundOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  /** Grows when plans should be made anew. */
  get version(): number {
    return this.#version;
  }

  measured(slaveId: number, ms: number): void {
    let device = this.#devices.get(slaveId);
    if (!device) {
      device = { latest: new Float64Array(REMEMBERED), count: 0, planned: null };
      this.#devices.set(slaveId, device);
    }
    device.latest[device.count % REMEMBERED] = ms;
    device.count += 1;
  }

  /** Takes over what was measured, if that matters now; called before a round. */
  adopt(): void {
    const now = this.#clock.monotonicMs();
    const devices = [...this.#devices.values()].filter(({ count }) => count >= ENOUGH);
    if (now - this.#adoptedAt < REPLAN_PAUSE_MS || !devices.some((device) => this.#hasChanged(device))) return;
    for (const device of devices) device.planned = this.#median(device);
    this.#adoptedAt = now;
    this.#version += 1;
  }

  /** The median that plans reckon with, in milliseconds; null before enough was measured. */
  planned(slaveId: number): number | null {
    return this.#devices.get(slaveId)?.planned ?? null;
  }

  /** What plans reckon with, in milliseconds: the median, or what is assumed. */
  expected(slaveId: number): number {
    return this.planned(slaveId) ?? this.#options.assumedMs;
  }

  /** The longest of a device's latest measurements in milliseconds; those of all devices where it has none; null without any. */
  slowest(slaveId: number): number | null {
    const own = this.#devices.get(slaveId);
    const known = own ? [own] : [...this.#devices.values()];
    return known.length === 0 ? null : Math.max(...known.map((device) => Math.max(...values(device))));
  }

  #hasChanged(device: Measured): boolean {
    if (device.planned === null) return true;
    const change = Math.abs(this.#median(device) - device.planned);
    return change > this.#options.materialMs && change > MATERIAL_SHARE * device.planned;
  }

  #median(device: Measured): number {
    const sorted = values(device).slice().sort();
    const upper = sorted[sorted.length >> 1] ?? 0;
    const lower = sorted[(sorted.length - 1) >> 1] ?? upper;
    return Math.min(Math.max((lower + upper) / 2, 0), this.#options.longestMs);
  }
}

function values({ latest, count }: Measured): Float64Array {
  return latest.subarray(0, Math.min(count, REMEMBERED));
}
