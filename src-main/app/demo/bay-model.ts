import { createRandom } from '../../platform/seeded-random.ts';
import { approach, Wander } from './random.ts';
import { Switch } from './switch.ts';
import type { Values } from './values.ts';

/** From one overcurrent to the next, in seconds. */
const FAULT_EVERY_S = 90;
/** An overcurrent that nobody trips goes away by itself. */
const FAULT_S = 5;
/** From pick-up to trip. */
const TRIP_DELAY_S = 1;
/** From the trip to the order to close again. */
const RECLOSE_S = 8;
const SPRING_S = 4;
const CLOSE_S = 0.1;
const OPEN_S = 0.1;
const PHASES = ['A', 'B', 'C'] as const;
const ON = 1;
const OFF = 0;

/**
 * A 110 kV feeder bay: load current and voltage wander; now and then an overcurrent picks up, trips the breaker, and the breaker is
 * closed again, unless it was commanded open. Pure: the same seed, steps and orders give the same values.
 */
export class BayModel {
  readonly #ripple: () => number;
  readonly #voltage: Wander;
  readonly #frequency: Wander;
  readonly #load: Wander;
  readonly #breaker = new Switch(CLOSE_S, OPEN_S, true);
  #elapsedS = 0;
  #pickedUpS = 0;
  #sinceTripS = Number.POSITIVE_INFINITY;
  #isTripped = false;
  /** Where the breaker was commanded to; a trip goes before it. */
  #isClosedOrdered = true;
  #springS = 0;
  #operations = 128;
  #temperature = 27;
  #orders = { current: 600, voltage: 66 };
  /** Supplied and demanded, in kWh and kvarh. */
  #energy = { supplied: 8_412_530, demanded: 120_412, reactiveSupplied: 1_904_772, reactiveDemanded: 33_018 };

  constructor(seed: number) {
    const random = createRandom(seed);
    this.#ripple = () => 2 * random() - 1;
    this.#voltage = new Wander(random, 63.8, 0.18, 30);
    this.#frequency = new Wander(random, 50, 0.012, 25);
    this.#load = new Wander(random, 385, 22, 40);
  }

  /** Moves on by `seconds` (more than 0, a few at most) with the settings as they stand in the YT points, by code. */
  step(seconds: number, orders: Values): void {
    this.#command(orders.get('BAY_POS'));
    this.#orders = { current: orders.get('BAY_OC_SET') ?? 600, voltage: orders.get('BAY_OV_SET') ?? 66 };
    this.#elapsedS += seconds;
    for (const quantity of [this.#voltage, this.#frequency, this.#load]) quantity.step(seconds);
    this.#protect(seconds);
    this.#operate(seconds);
    this.#meter(seconds);
    this.#temperature = approach(this.#temperature, 26 + 6 * (this.#current / 400), 300, seconds);
  }

  /** Engineering values of every point that the bay shows, by code. */
  values(): Map<string, number> {
    const values = new Map<string, number>();
    this.#reportMeasurements(values);
    this.#reportStates(values);
    return values;
  }

  get #isFault(): boolean {
    return this.#elapsedS % FAULT_EVERY_S > FAULT_EVERY_S - FAULT_S;
  }

  get #current(): number {
    if (!this.#breaker.isClosed) return 0;
    return this.#load.value * (this.#isFault ? 2.4 : 1);
  }

  /** Active and reactive power in MW and Mvar. */
  get #power(): { readonly active: number; readonly reactive: number } {
    const apparent = (3 * this.#voltage.value * this.#current) / 1000;
    return { active: apparent * 0.96, reactive: apparent * 0.28 };
  }

  #protect(seconds: number): void {
    const isPickedUp = this.#current > this.#orders.current;
    this.#pickedUpS = isPickedUp ? this.#pickedUpS + seconds : 0;
    this.#sinceTripS += seconds;
    if (this.#pickedUpS >= TRIP_DELAY_S) {
      this.#isTripped = true;
      this.#sinceTripS = 0;
    } else if (this.#sinceTripS > RECLOSE_S / 2) this.#isTripped = false;
  }

  /** The breaker has been commanded: it stands there, and closes by itself only from a trip. */
  #command(position: number | undefined): void {
    if (position === undefined) return;
    this.#isClosedOrdered = position === ON;
    this.#sinceTripS = Number.POSITIVE_INFINITY;
    this.#isTripped = false;
  }

  #operate(seconds: number): void {
    const before = this.#breaker.isClosed;
    this.#breaker.step(seconds, this.#isClosedOrdered && this.#sinceTripS > RECLOSE_S);
    this.#springS = Math.max(0, this.#springS - seconds);
    if (this.#breaker.isClosed === before) return;
    this.#operations += 1;
    if (this.#breaker.isClosed) this.#springS = SPRING_S;
  }

  #meter(seconds: number): void {
    const { active, reactive } = this.#power;
    this.#energy.supplied += (active * 1000 * seconds) / 3600;
    this.#energy.reactiveSupplied += (reactive * 1000 * seconds) / 3600;
  }

  #reportMeasurements(values: Map<string, number>): void {
    const { active, reactive } = this.#power;
    const set = (code: string, value: number) => values.set(`BAY_${code}`, value);
    const apparent = Math.hypot(active, reactive);
    set('P', active);
    set('Q', reactive);
    set('PF', apparent > 0 ? active / apparent : 1);
    set('F', this.#frequency.value);
    for (const phase of PHASES) {
      set(`U${phase}`, this.#voltage.value * (1 + 0.001 * this.#ripple()));
      set(`I${phase}`, this.#current * (1 + 0.004 * this.#ripple()));
    }
    for (const pair of ['AB', 'BC', 'CA']) set(`U${pair}`, this.#voltage.value * Math.sqrt(3) * (1 + 0.001 * this.#ripple()));
    set('E_SUP', Math.floor(this.#energy.supplied));
    set('E_DMD', Math.floor(this.#energy.demanded));
    set('EQ_SUP', Math.floor(this.#energy.reactiveSupplied));
    set('EQ_DMD', Math.floor(this.#energy.reactiveDemanded));
    set('T', this.#temperature);
    set('UDC', 220 + 0.4 * this.#ripple());
  }

  #reportStates(values: Map<string, number>): void {
    const position = this.#breaker.isClosed ? ON : OFF;
    const isOpenable = this.#springS === 0;
    const states: Record<string, boolean> = {
      DS1: true,
      DS2: true,
      LOC: false,
      ENA_OPN: this.#breaker.isClosed,
      ENA_CLS: !this.#breaker.isClosed && isOpenable,
      SPRING: this.#springS > 0,
      SF6: false,
      SF6_LOCK: false,
      MOTOR: false,
      DOOR: this.#elapsedS % 240 > 200,
      CLOCK: false,
      OC_STR: this.#pickedUpS > 0,
      OC_OP: this.#isTripped,
      OV_STR: this.#voltage.value > this.#orders.voltage,
      TRIP: this.#isTripped,
    };
    for (const code of ['CB', 'POS']) values.set(`BAY_${code}`, position);
    for (const [code, isOn] of Object.entries(states)) values.set(`BAY_${code}`, isOn ? ON : OFF);
    values.set('BAY_OPS', this.#operations);
  }
}
