import { approach, Wander } from './random.ts';

/** What everything connected to the feeder sees of the grid. */
export interface GridState {
  /** Line to line, in volts. */
  readonly lineVoltage: number;
  /** In hertz. */
  readonly frequency: number;
}

/** Shares of the three phases; loads are never quite balanced. */
const PHASES = [
  { name: 'A', share: 1.02 / 3 },
  { name: 'B', share: 0.99 / 3 },
  { name: 'C', share: 0.99 / 3 },
] as const;

/** The 400 V feeder with its load, and the meter at its head. Powers are positive when drawn from the grid. */
export class Feeder {
  readonly #voltage: Wander;
  readonly #frequency: Wander;
  readonly #load: Wander;
  readonly #distortion: Wander;
  #elapsedS = 0;
  #activeKw = 0;
  #reactiveKvar = 0;
  #demandKw = 100;
  #importedWh = 48_211_730;
  #exportedWh = 1_922_415;

  constructor(random: () => number) {
    this.#voltage = new Wander(random, 400, 1.5, 30);
    this.#frequency = new Wander(random, 50, 0.016, 25);
    this.#load = new Wander(random, 180, 12, 20);
    this.#distortion = new Wander(random, 1.8, 0.2, 30);
  }

  get grid(): GridState {
    return { lineVoltage: this.#voltage.value, frequency: this.#frequency.value };
  }

  /** Grid and load move on; the converter feeds in `converterKw` and `converterKvar`. */
  step(seconds: number, converterKw: number, converterKvar: number): void {
    this.#elapsedS += seconds;
    this.#voltage.step(seconds);
    this.#frequency.step(seconds);
    this.#distortion.step(seconds);
    const load = this.#load.step(seconds) + 20 * Math.sin(this.#elapsedS / 95);
    this.#activeKw = load - converterKw;
    this.#reactiveKvar = load * 0.3 - converterKvar;
    this.#demandKw = approach(this.#demandKw, this.#activeKw, 60, seconds);
    const wattHours = (this.#activeKw * seconds) / 3.6;
    if (wattHours > 0) this.#importedWh += wattHours;
    else this.#exportedWh -= wattHours;
  }

  report(values: Map<string, number>, ripple: () => number): void {
    const apparent = Math.hypot(this.#activeKw, this.#reactiveKvar);
    const set = (code: string, value: number) => values.set(`MTR_${code}`, value);
    for (const { name, share } of PHASES) {
      const voltage = (this.#voltage.value / Math.sqrt(3)) * (1 + 0.001 * ripple());
      set(`U${name}`, voltage);
      set(`I${name}`, (apparent * share * 1000) / voltage);
    }
    set('P', this.#activeKw);
    set('Q', this.#reactiveKvar);
    set('S', apparent);
    set('PF', apparent > 0 ? this.#activeKw / apparent : 1);
    set('F', this.#frequency.value);
    set('DEMAND', this.#demandKw);
    set('THD_U', this.#distortion.value);
    set('E_IMP', Math.floor(this.#importedWh));
    set('E_EXP', Math.floor(this.#exportedWh));
    set('E_NET', (this.#importedWh - this.#exportedWh) / 1000);
    set('PHASE_OK', 1);
    set('EXPORT', this.#activeKw < 0 ? 1 : 0);
  }
}
