/** The counters of a simulated meter: energies by rate, demands, and what they were at the settlement days. */
import type { Load } from './load.ts';

/** Energies that are counted, in the order of DI2: forward and reverse active, reactive of the quadrants I to IV, apparent. */
export type Counter = 'forward' | 'reverse' | 'q1' | 'q2' | 'q3' | 'q4' | 'apparent';
const COUNTERS: readonly Counter[] = ['forward', 'reverse', 'q1', 'q2', 'q3', 'q4', 'apparent'];

/** Rates in use: sharp, peak, flat, valley. */
export const RATES = 4;
const SETTLEMENTS = 12;
const DEMAND_PERIOD_MS = 15 * 60_000;
const HOUR_MS = 3_600_000;
/** A step of the integration, and most steps of one call. */
const STEP_MS = 15_000;
const MOST_STEPS = 500;

/** A maximum demand and when it was, in local milliseconds. */
export interface MaximumDemand {
  readonly value: number;
  readonly at: number;
}

/** Counters at one moment: kWh, kvarh or kVAh by rate. */
type Reading = Readonly<Record<Counter, readonly number[]>>;

interface Settlement {
  readonly energy: Reading;
  readonly demand: MaximumDemand;
}

/** Rate (0 to 3) of an hour of the day. */
function rateOf(hour: number): number {
  if (hour >= 19 && hour < 21) return 0;
  if ((hour >= 8 && hour < 11) || (hour >= 17 && hour < 19)) return 1;
  return hour >= 23 || hour < 7 ? 3 : 2;
}

/** Time is local, in milliseconds, as the clock of the meter shows it. */
export class EnergyCounters {
  readonly #load: Load;
  readonly #energy: Record<Counter, number[]>;
  #settlements: Settlement[] = [];
  #maximum: MaximumDemand;
  #at: number;
  #periodStart: number;
  #periodEnergy = 0;

  /** Counters as if the meter had been at work for some years; `seed` makes each meter its own. */
  constructor(load: Load, seed: number, now: number) {
    this.#load = load;
    this.#at = now;
    this.#periodStart = now - (now % DEMAND_PERIOD_MS);
    const total = 2000 + (seed % 9973);
    const shares = [0.1, 0.3, 0.35, 0.25];
    const spread = (amount: number) => shares.map((share) => amount * share);
    this.#energy = {
      forward: spread(total),
      reverse: spread(total * 0.001),
      q1: spread(total * 0.3),
      q2: spread(0.4),
      q3: spread(0.3),
      q4: spread(total * 0.02),
      apparent: spread(total * 1.05),
    };
    const month = startOfMonth(now);
    this.#maximum = { value: load.at(month).activeTotal * 1.2, at: Math.min(now, month + 34 * HOUR_MS) };
    for (let count = 1; count <= SETTLEMENTS; count++) {
      const energy = mapReading(this.#energy, (value) => value * (1 - 0.05 * count));
      const demand = { value: this.#maximum.value * (1 - 0.02 * count), at: month - (30 * count - 3) * 24 * HOUR_MS };
      this.#settlements.push({ energy, demand });
    }
  }

  /** Counts up to `now`. A clock that was set back counts nothing. */
  advance(now: number): void {
    const span = now - this.#at;
    if (span <= 0) {
      this.#at = now;
      return;
    }
    const steps = Math.min(MOST_STEPS, Math.ceil(span / STEP_MS));
    for (let count = 0; count < steps; count++) this.#step(this.#at, span / steps);
  }

  #step(from: number, ms: number): void {
    const to = from + ms;
    const { activeTotal, reactiveTotal, apparentTotal } = this.#load.at(from + ms / 2);
    const hours = ms / HOUR_MS;
    const rate = rateOf(new Date(from).getUTCHours());
    this.#count('forward', rate, activeTotal * hours);
    this.#count('q1', rate, reactiveTotal * hours);
    this.#count('apparent', rate, apparentTotal * hours);
    this.#periodEnergy += activeTotal * hours;
    if (startOfMonth(from) !== startOfMonth(to)) this.#settle(to);
    if (to - this.#periodStart >= DEMAND_PERIOD_MS) {
      const value = this.#periodEnergy / ((to - this.#periodStart) / HOUR_MS);
      if (value > this.#maximum.value) this.#maximum = { value, at: to };
      this.#periodStart = to;
      this.#periodEnergy = 0;
    }
    this.#at = to;
  }

  #count(counter: Counter, rate: number, amount: number): void {
    const rates = this.#energy[counter];
    rates[rate] = (rates[rate] ?? 0) + amount;
  }

  #settle(now: number): void {
    const energy = mapReading(this.#energy, (value) => value);
    this.#settlements = [{ energy, demand: this.#maximum }, ...this.#settlements].slice(0, SETTLEMENTS);
    this.#maximum = { value: 0, at: now };
  }

  /** Forgets the present maximum demand. */
  clearDemand(now: number): void {
    this.#maximum = { value: 0, at: now };
    this.#periodEnergy = 0;
    this.#periodStart = now;
  }

  /** Sets every counter to zero. */
  clear(now: number): void {
    for (const counter of COUNTERS) this.#energy[counter].fill(0);
    this.#settlements = this.#settlements.map(({ energy }) => ({ energy: mapReading(energy, () => 0), demand: { value: 0, at: now } }));
    this.clearDemand(now);
  }

  /**
   * A counter in hundredths: of a rate (1 to 4), or the sum of all (0); now, or at the nth last settlement day. The total is the sum of
   * the rates as they are shown. Null where the meter has none.
   */
  hundredths(counter: Counter, rate: number, settlement: number): number | null {
    const energy = settlement === 0 ? this.#energy : this.#settlements[settlement - 1]?.energy;
    if (!energy || rate > RATES) return null;
    const rates = energy[counter].map((value) => Math.floor(value * 100) % 80_000_000);
    return rate === 0 ? rates.reduce((sum, value) => sum + value, 0) : (rates[rate - 1] ?? null);
  }

  /** Maximum demand of active power; that of a rate is a part of the whole. Null where the meter has none. */
  demand(rate: number, settlement: number): MaximumDemand | null {
    const demand = settlement === 0 ? this.#maximum : this.#settlements[settlement - 1]?.demand;
    return !demand || rate > RATES ? null : { ...demand, value: demand.value * (rate === 0 ? 1 : 1 - 0.1 * rate) };
  }
}

function mapReading(energy: Reading, map: (value: number) => number): Reading {
  const entries = COUNTERS.map((counter) => [counter, energy[counter].map(map)] as const);
  return Object.fromEntries(entries) as Record<Counter, number[]>;
}

function startOfMonth(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}
