import type { GridState } from './feeder.ts';
import { approach } from './random.ts';
import { Switch } from './switch.ts';
import type { Values } from './values.ts';

export const RATED_KW = 200;
const EFFICIENCY = 0.97;
/** A breaker that opens under load stops the converter at once; closing takes longer, for synchronising. */
const CLOSE_S = 1.2;
const OPEN_S = 0.6;

/** What the batteries offer the converter in this step. */
export interface DcSide {
  readonly voltage: number;
  readonly allowedDischargeKw: number;
  readonly allowedChargeKw: number;
}

/** The storage converter between batteries and feeder. Powers are positive while it discharges. */
export class Converter {
  readonly #breaker = new Switch(CLOSE_S, OPEN_S, true);
  #isOrderedToRun = true;
  #hasDc = true;
  #isDerated = false;
  #activeKw = 0;
  #reactiveKvar = 0;
  #dcVoltage = 0;
  #allowed = { discharge: 0, charge: 0 };
  #igbtTemperature = 30;
  #airTemperature = 26;
  #dischargedKwh = 15_873.2;
  #chargedKwh = 16_540.8;
  #heartbeat = 0;

  get activeKw(): number {
    return this.#activeKw;
  }

  get reactiveKvar(): number {
    return this.#reactiveKvar;
  }

  get #isRunning(): boolean {
    return this.#isOrderedToRun && this.#breaker.isClosed && this.#hasDc;
  }

  /** Power drawn from the batteries, in kW: more than what goes out, less than what comes in. */
  get dcKw(): number {
    return this.#activeKw >= 0 ? this.#activeKw / EFFICIENCY : this.#activeKw * EFFICIENCY;
  }

  step(seconds: number, orders: Values, dc: DcSide): void {
    this.#breaker.step(seconds, orders.get('PCS_BREAKER') === 1);
    this.#isOrderedToRun = orders.get('PCS_START') === 1;
    this.#hasDc = dc.voltage > 0;
    this.#dcVoltage = dc.voltage;
    this.#allowed = { discharge: Math.min(RATED_KW, dc.allowedDischargeKw), charge: Math.min(RATED_KW, dc.allowedChargeKw) };
    this.#followSetpoints(seconds, orders);
    if (this.#activeKw > 0) this.#dischargedKwh += (this.#activeKw * seconds) / 3600;
    else this.#chargedKwh -= (this.#activeKw * seconds) / 3600;
    const load = Math.hypot(this.#activeKw, this.#reactiveKvar) / RATED_KW;
    this.#airTemperature = approach(this.#airTemperature, 24 + 10 * load, 180, seconds);
    this.#igbtTemperature = approach(this.#igbtTemperature, this.#airTemperature + 4 + 34 * load ** 1.5, 40, seconds);
    this.#heartbeat = (this.#heartbeat + 1) % 65_536;
  }

  report(values: Map<string, number>, grid: GridState, ripple: () => number): void {
    const apparent = Math.hypot(this.#activeKw, this.#reactiveKvar);
    const current = (apparent * 1000) / (Math.sqrt(3) * grid.lineVoltage);
    const set = (code: string, value: number) => values.set(`PCS_${code}`, value);
    for (const phase of ['UAB', 'UBC', 'UCA']) set(phase, grid.lineVoltage * (1 + 0.001 * ripple()));
    for (const phase of ['IA', 'IB', 'IC']) set(phase, current * (1 + 0.003 * ripple()));
    set('P', this.#activeKw);
    set('Q', this.#reactiveKvar);
    set('S', apparent);
    set('PF', apparent > 0 ? this.#activeKw / apparent : 1);
    set('F', grid.frequency);
    set('UDC', this.#dcVoltage);
    set('PDC', this.dcKw);
    set('IDC', this.#dcVoltage > 0 ? (this.dcKw * 1000) / this.#dcVoltage : 0);
    set('T_IGBT', this.#igbtTemperature);
    set('T_AIR', this.#airTemperature);
    set('E_DIS', this.#dischargedKwh);
    set('E_CHA', this.#chargedKwh);
    set('E_TOTAL', Math.round((this.#dischargedKwh + this.#chargedKwh) * 1000));
    set('P_MAX_DIS', this.#allowed.discharge);
    set('P_MAX_CHA', this.#allowed.charge);
    set('HEARTBEAT', this.#heartbeat);
    for (const [code, isOn] of Object.entries(this.#signals())) set(code, isOn ? 1 : 0);
  }

  #followSetpoints(seconds: number, orders: Values): void {
    if (!this.#breaker.isClosed || !this.#hasDc) {
      this.#activeKw = 0;
      this.#reactiveKvar = 0;
      return;
    }
    const wanted = this.#isRunning ? (orders.get('PCS_P_SET') ?? 0) : 0;
    const active = Math.min(this.#allowed.discharge, Math.max(-this.#allowed.charge, wanted));
    this.#isDerated = active !== wanted;
    const most = Math.sqrt(Math.max(0, RATED_KW ** 2 - active ** 2));
    const reactive = this.#isRunning ? Math.min(most, Math.max(-most, orders.get('PCS_Q_SET') ?? 0)) : 0;
    const reach = Math.max(0.1, orders.get('PCS_RAMP_SET') ?? RATED_KW) * seconds;
    this.#activeKw += Math.min(reach, Math.max(-reach, active - this.#activeKw));
    this.#reactiveKvar += Math.min(reach, Math.max(-reach, reactive - this.#reactiveKvar));
  }

  #signals(): Record<string, boolean> {
    return {
      RUNNING: this.#isRunning,
      STANDBY: !this.#isRunning && this.#hasDc,
      FAULT: !this.#hasDc,
      CHARGING: this.#activeKw < 0,
      DISCHARGING: this.#activeKw > 0,
      ON_GRID: this.#breaker.isClosed,
      REMOTE: true,
      DERATED: this.#isRunning && this.#isDerated,
      QF: this.#breaker.isClosed,
      DOOR: false,
      ESTOP: false,
      FAN: this.#igbtTemperature > 40,
    };
  }
}
