import { approach, Wander } from './random.ts';
import { Switch } from './switch.ts';
import type { Values } from './values.ts';

export const CELLS = 96;
export const SENSORS = 24;
/** Charge a full rack holds, in ampere hours. */
export const CAPACITY_AH = 280;
/** Power one rack takes or gives at most, in kW. */
export const RACK_POWER_KW = 55;
const CELL_RESISTANCE_OHM = 0.0006;
const NOMINAL_CURRENT_A = 175;

/** Voltage of a resting lithium iron phosphate cell over its state of charge (0 to 1): flat in the middle, steep at both ends. */
export function restingVoltage(charge: number): number {
  return 3.2 + 0.15 * charge - 0.35 * Math.exp(-20 * charge) + 0.15 * Math.exp(-20 * (1 - charge));
}

const clamp01 = (value: number) => Math.min(1, Math.max(0, value));

/** One battery rack: cells in series behind a contactor. Currents are positive while discharging. */
export class BatteryRack {
  readonly #prefix: string;
  readonly #random: () => number;
  readonly #cellOffsets: readonly number[];
  readonly #sensorOffsets: readonly number[];
  readonly #insulation: Wander;
  readonly #contactor = new Switch(0.3, 0.3, true);
  #charge: number;
  #lowest = 0.1;
  #temperature = 24;
  #current = 0;
  #ahDischarged = 1840;
  #ahCharged = 1922;

  constructor(number: number, charge: number, random: () => number) {
    this.#prefix = `BMS${number}_`;
    this.#random = random;
    this.#charge = charge;
    this.#cellOffsets = Array.from({ length: CELLS }, () => (random() - 0.5) * 0.012);
    this.#sensorOffsets = Array.from({ length: SENSORS }, () => (random() - 0.5) * 1.6);
    this.#insulation = new Wander(random, 1250, 40, 60);
  }

  get isConnected(): boolean {
    return this.#contactor.isClosed;
  }

  /** State of charge, 0 to 1. */
  get charge(): number {
    return this.#charge;
  }

  /** Voltage of the rack at its last current, in volts. */
  get voltage(): number {
    return CELLS * (restingVoltage(this.#charge) - this.#current * CELL_RESISTANCE_OHM);
  }

  /** Power the rack allows to take out, in kW: tapers to nothing above its ordered lowest state of charge. */
  get allowedDischargeKw(): number {
    return this.isConnected ? RACK_POWER_KW * clamp01((this.#charge - this.#lowest) / 0.05) : 0;
  }

  /** Power the rack allows to put in, in kW: tapers to nothing when nearly full. */
  get allowedChargeKw(): number {
    return this.isConnected ? RACK_POWER_KW * clamp01((0.98 - this.#charge) / 0.05) : 0;
  }

  /** Moves the contactor and takes over the orders; before the current of this step is known. */
  prepare(seconds: number, orders: Values): void {
    this.#contactor.step(seconds, orders.get(`${this.#prefix}CONTACTOR`) === 1);
    this.#lowest = (orders.get(`${this.#prefix}SOC_MIN_SET`) ?? 10) / 100;
  }

  step(seconds: number, currentA: number): void {
    this.#current = currentA;
    const ampereHours = (currentA * seconds) / 3600;
    this.#charge = clamp01(this.#charge - ampereHours / CAPACITY_AH);
    if (ampereHours > 0) this.#ahDischarged += ampereHours;
    else this.#ahCharged -= ampereHours;
    this.#temperature = approach(this.#temperature, 22 + 16 * (currentA / NOMINAL_CURRENT_A) ** 2, 240, seconds);
    this.#insulation.step(seconds);
  }

  report(values: Map<string, number>): void {
    const resting = restingVoltage(this.#charge) - this.#current * CELL_RESISTANCE_OHM;
    const cells = this.#cellOffsets.map((offset) => resting + offset + (this.#random() - 0.5) * 0.0004);
    const sensors = this.#sensorOffsets.map((offset) => this.#temperature + offset);
    const set = (code: string, value: number) => values.set(this.#prefix + code, value);
    const summary = this.#summary(cells, sensors);
    for (const [code, value] of Object.entries(summary)) set(code, value);
    for (const [code, isOn] of Object.entries(alarms(summary))) set(`AL_${code}`, isOn ? 1 : 0);
    set('CONTACTOR_ON', this.isConnected ? 1 : 0);
    set('PRECHARGED', this.isConnected ? 1 : 0);
    cells.forEach((voltage, index) => {
      set(`CELL_${index + 1}`, voltage);
    });
    sensors.forEach((temperature, index) => {
      set(`TEMP_${index + 1}`, temperature);
    });
  }

  #summary(cells: readonly number[], sensors: readonly number[]) {
    const highest = Math.max(...cells);
    const lowest = Math.min(...cells);
    return {
      U: cells.reduce((sum, voltage) => sum + voltage, 0),
      I: this.#current,
      SOC: this.#charge * 100,
      SOH: 97.6,
      UCELL_MAX: highest,
      UCELL_MAX_NO: cells.indexOf(highest) + 1,
      UCELL_MIN: lowest,
      UCELL_MIN_NO: cells.indexOf(lowest) + 1,
      T_MAX: Math.max(...sensors),
      T_MIN: Math.min(...sensors),
      P_MAX_DIS: this.allowedDischargeKw,
      P_MAX_CHA: this.allowedChargeKw,
      R_INS: this.#insulation.value,
      AH_DIS: this.#ahDischarged,
      AH_CHA: this.#ahCharged,
    };
  }
}

function alarms(rack: { UCELL_MAX: number; UCELL_MIN: number; T_MAX: number; T_MIN: number; R_INS: number }) {
  return {
    CELL_HIGH: rack.UCELL_MAX > 3.6,
    CELL_LOW: rack.UCELL_MIN < 2.8,
    TEMP_HIGH: rack.T_MAX > 45,
    TEMP_LOW: rack.T_MIN < 0,
    IMBALANCE: rack.UCELL_MAX - rack.UCELL_MIN > 0.05,
    INSULATION: rack.R_INS < 500,
  };
}
