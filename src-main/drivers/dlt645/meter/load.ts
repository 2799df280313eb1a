/** What a simulated meter measures: a load that changes through the day and from second to second, the same for the same moment. */

export interface Measurement {
  /** Volts, amperes, kW, kvar and kVA of the phases A, B, C. */
  readonly voltage: readonly number[];
  readonly current: readonly number[];
  readonly active: readonly number[];
  readonly reactive: readonly number[];
  readonly apparent: readonly number[];
  readonly factor: readonly number[];
  readonly activeTotal: number;
  readonly reactiveTotal: number;
  readonly apparentTotal: number;
  readonly frequency: number;
}

const DAY_MS = 86_400_000;
const PHASES = [0, 1, 2] as const;

/** Powers as a meter shows them, so that the total is the sum of the phases on the display as well. */
function shown(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

export class Load {
  readonly #seed: number;
  /** All that is asked for at one moment is one measurement. */
  #last: { readonly now: number; readonly isOn: boolean; readonly measured: Measurement } | null = null;
  /** False while the relay is open: there is voltage, and no current. */
  isOn = true;

  constructor(seed: number) {
    this.#seed = seed;
  }

  at(now: number): Measurement {
    const { isOn } = this;
    if (this.#last?.now !== now || this.#last.isOn !== isOn) this.#last = { now, isOn, measured: this.#measure(now) };
    return this.#last.measured;
  }

  #measure(now: number): Measurement {
    const base = 2 + (this.#seed % 37) / 2;
    const day = 0.7 + 0.3 * Math.sin((2 * Math.PI * (now % DAY_MS)) / DAY_MS - 2);
    const wave = (period: number, phase: number) =>
      Math.sin((2 * Math.PI * (now % (period * 1000))) / (period * 1000) + phase + this.#seed);
    const voltage = PHASES.map((phase) => 230 + 1.5 * wave(61, phase));
    const current = PHASES.map((phase) => (this.isOn ? Math.max(0.1, base * day * (1 + 0.05 * wave(23, 2 * phase))) : 0));
    const factor = PHASES.map((phase) => 0.95 + 0.02 * wave(97, phase));
    const apparent = PHASES.map((phase) => shown(((voltage[phase] ?? 0) * (current[phase] ?? 0)) / 1000));
    const active = PHASES.map((phase) => shown((apparent[phase] ?? 0) * (factor[phase] ?? 0)));
    const reactive = PHASES.map((phase) => shown(Math.sqrt(Math.max(0, (apparent[phase] ?? 0) ** 2 - (active[phase] ?? 0) ** 2))));
    const sum = (list: readonly number[]) => shown(list.reduce((total, value) => total + value, 0));
    return {
      voltage,
      current,
      factor,
      active,
      reactive,
      apparent,
      activeTotal: sum(active),
      reactiveTotal: sum(reactive),
      apparentTotal: sum(apparent),
      frequency: 50 + 0.02 * wave(41, 0),
    };
  }
}
