import { createRandom } from '../../platform/seeded-random.ts';
import { Wander } from './random.ts';
import { FEEDERS } from './substation-points.ts';
import type { Values } from './values.ts';

/** Feeders with the one that was built later. */
const ALL = FEEDERS + 1;
const NOMINAL_KV = 10.4;
const MIDDLE_TAP = 9;
/** What a step of the tap changer moves the voltage of its bus by. */
const KV_A_TAP = 0.05;
const SPRING_S = 8;
/** Mean time between two signals that come by themselves. */
const BETWEEN_SIGNALS_S = 12;
const SIGNAL_S = 20;

/** Signals that come and go now and then. */
const OCCASIONAL = ['OVERLOAD', 'CIRCUIT', 'SF6', 'COMM', 'ALARM'] as const;
const OCCASIONAL_STATION = ['ST_DOOR', 'ST_DC_EARTH', 'ST_CLOCK', 'TR1_OIL_LOW', 'TR2_COOLER_FAULT', 'BUS1_EARTH'] as const;
/** Signals that are usually 1. */
const USUALLY_ON = ['QS1', 'QS2', 'REMOTE', 'SPRING'] as const;
const USUALLY_OFF = ['ES', 'TRIP1', 'TRIP2', 'TRIP0', 'RECLOSE'] as const;

const two = (value: number): string => String(value).padStart(2, '0');
const rounded = (value: number, digits: number): number => Number(value.toFixed(digits)) + 0;

interface Feeder {
  readonly code: string;
  readonly bus: 1 | 2;
  readonly load: Wander;
  readonly unbalance: Wander;
  wasClosed: boolean;
  springS: number;
  isClosed: boolean;
  activeMw: number;
  outKwh: number;
  inKwh: number;
}

/** A 110/10 kV substation: two transformers, two busbars, feeders. Pure: the same seed, steps and orders give the same values. */
export class SubstationModel {
  readonly #random: () => number;
  readonly #feeders: readonly Feeder[];
  readonly #voltages: readonly [Wander, Wander];
  readonly #frequency: Wander;
  readonly #oil: readonly [Wander, Wander];
  /** Seconds that a signal stays, by its code. */
  readonly #signals = new Map<string, number>();
  #orders: Values = new Map();

  constructor(seed: number) {
    const random = createRandom(seed);
    this.#random = random;
    this.#feeders = Array.from({ length: ALL }, (_, index) => ({
      code: `F${two(index + 1)}_`,
      bus: index % 2 === 0 ? 1 : 2,
      load: new Wander(random, 1.6 + (index % 5) * 0.45, 0.12, 40),
      unbalance: new Wander(random, 0, 0.01, 30),
      wasClosed: true,
      springS: 0,
      isClosed: true,
      activeMw: 0,
      outKwh: 1_204_000 + 38_117 * index,
      inKwh: 9_300 + 411 * index,
    }));
    this.#voltages = [new Wander(random, 0, 0.015, 30), new Wander(random, 0, 0.015, 30)];
    this.#frequency = new Wander(random, 50, 0.012, 25);
    this.#oil = [new Wander(random, 54, 0.8, 120), new Wander(random, 51, 0.8, 120)];
  }

  /** Moves on by `seconds` with breakers, tap positions and set points as they are served now, by code. */
  step(seconds: number, orders: Values): void {
    this.#orders = new Map(orders);
    for (const wander of [...this.#voltages, this.#frequency, ...this.#oil]) wander.step(seconds);
    for (const [index, feeder] of this.#feeders.entries()) this.#stepFeeder(feeder, index, seconds);
    this.#stepSignals(seconds);
  }

  #stepFeeder(feeder: Feeder, index: number, seconds: number): void {
    const load = feeder.load.step(seconds);
    feeder.unbalance.step(seconds);
    feeder.isClosed = (this.#orders.get(`${feeder.code}QF`) ?? 1) === 1;
    if (feeder.isClosed && !feeder.wasClosed) feeder.springS = SPRING_S;
    feeder.wasClosed = feeder.isClosed;
    feeder.springS = Math.max(0, feeder.springS - seconds);
    const setpoint = this.#orders.get(`${feeder.code}P_SET`);
    // an ordered feeder follows at once, with what its load wanders
    const wanted = setpoint === undefined ? load : Math.max(0, setpoint + (load - (1.6 + (index % 5) * 0.45)) * 0.2);
    feeder.activeMw = feeder.isClosed ? wanted : 0;
    feeder.outKwh += (feeder.activeMw * 1000 * seconds) / 3600;
  }

  #stepSignals(seconds: number): void {
    for (const [code, left] of this.#signals) {
      if (left > seconds) this.#signals.set(code, left - seconds);
      else this.#signals.delete(code);
    }
    if (this.#random() >= seconds / BETWEEN_SIGNALS_S) return;
    const feeder = this.#feeders[Math.floor(this.#random() * FEEDERS)];
    const isStation = this.#random() < 0.3;
    const names = isStation ? OCCASIONAL_STATION : OCCASIONAL;
    const name = names[Math.floor(this.#random() * names.length)] ?? names[0];
    const code = isStation ? name : `${feeder?.code ?? ''}${name}`;
    this.#signals.set(code, SIGNAL_S * (0.3 + this.#random()));
  }

  /** Engineering values of every point that the substation shows, by code; orders are not among them. */
  values(): Map<string, number> {
    const values = new Map<string, number>();
    for (const feeder of this.#feeders) this.#reportFeeder(feeder, values);
    for (const bus of [1, 2] as const) this.#reportBus(bus, values);
    for (const code of ['DC_EARTH', 'DC_LOW', 'CHARGER', 'UPS', 'FIRE', 'DOOR', 'CLOCK', 'AC_LOST']) values.set(`ST_${code}`, 0);
    for (const code of this.#signals.keys()) if (values.has(code)) values.set(code, 1);
    return values;
  }

  #lineKv(bus: 1 | 2): number {
    const set = this.#orders.get(`BUS${bus}_U_SET`) ?? NOMINAL_KV;
    const tap = this.#orders.get(`TR${bus}_TAP`) ?? MIDDLE_TAP;
    return set + (tap - MIDDLE_TAP) * KV_A_TAP + (this.#voltages[bus - 1]?.value ?? 0);
  }

  #reportFeeder(feeder: Feeder, values: Map<string, number>): void {
    const { code, isClosed, activeMw } = feeder;
    const set = (name: string, value: number) => values.set(`${code}${name}`, value);
    for (const name of USUALLY_ON) set(name, 1);
    for (const name of [...USUALLY_OFF, ...OCCASIONAL]) set(name, 0);
    if (feeder.springS > 0) set('SPRING', 0);
    const phaseKv = this.#lineKv(feeder.bus) / Math.sqrt(3);
    const factor = 0.95;
    const reactive = activeMw * Math.tan(Math.acos(factor));
    const current = (activeMw * 1000) / (Math.sqrt(3) * this.#lineKv(feeder.bus) * factor);
    for (const [place, phase] of ['A', 'B', 'C'].entries()) {
      const share = 1 + (place - 1) * feeder.unbalance.value;
      set(`U${phase}`, rounded(phaseKv, 2));
      set(`I${phase}`, rounded(current * share, 1));
    }
    set('I0', isClosed ? rounded(Math.abs(current * feeder.unbalance.value), 1) : 0);
    set('P', rounded(activeMw, 2));
    set('Q', rounded(reactive, 2));
    set('PF', isClosed ? factor : 1);
    if (code === `F${two(ALL)}_`) return;
    set('EP_OUT', Math.floor(feeder.outKwh));
    set('EP_IN', Math.floor(feeder.inKwh));
  }

  #reportBus(bus: 1 | 2, values: Map<string, number>): void {
    const volts = this.#lineKv(bus);
    for (const [name, share] of [
      ['UAB', 1],
      ['UBC', 1.0006],
      ['UCA', 0.9995],
    ] as const)
      values.set(`BUS${bus}_${name}`, rounded(volts * share, 3));
    values.set(`BUS${bus}_U0`, rounded(12 + 40 * Math.abs(this.#voltages[bus - 1]?.value ?? 0), 1));
    values.set(`BUS${bus}_F`, rounded(this.#frequency.value, 3));
    for (const name of ['VT', 'OVER', 'EARTH']) values.set(`BUS${bus}_${name}`, 0);
    const load = this.#feeders.filter((feeder) => feeder.bus === bus).reduce((sum, feeder) => sum + feeder.activeMw, 0);
    const oil = this.#oil[bus - 1]?.value ?? 0;
    const set = (name: string, value: number) => values.set(`TR${bus}_${name}`, value);
    set('P', rounded(load * 1.01, 2));
    set('Q', rounded(load * 0.36, 2));
    set('OIL', rounded(oil, 1));
    set('WINDING', rounded(oil + load * 0.9, 1));
    for (const name of ['GAS1', 'GAS2', 'OIL_HOT', 'OIL_LOW', 'COOLER_FAULT', 'DIFF']) set(name, 0);
    for (const name of ['COOLER', 'OLTC']) set(name, 1);
  }
}
