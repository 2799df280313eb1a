import { createRandom } from '../../platform/seeded-random.ts';
import { BatteryRack } from './battery.ts';
import { Converter, RATED_KW } from './converter.ts';
import { Feeder } from './feeder.ts';
import { IoModule } from './io-module.ts';
import type { Values } from './values.ts';

const FIRST_CHARGES = [0.62, 0.61, 0.63, 0.615];

/**
 * The demo plant: four battery racks on one direct-current bus, a converter, a feeder with load and meter, an input and
 * output module. Pure: the same seed, steps and orders give the same values.
 */
export class PlantModel {
  readonly #ripple: () => number;
  readonly #racks: readonly BatteryRack[];
  readonly #converter = new Converter();
  readonly #feeder: Feeder;
  readonly #io: IoModule;

  constructor(seed: number) {
    const random = createRandom(seed);
    this.#ripple = () => 2 * random() - 1;
    this.#racks = FIRST_CHARGES.map((charge, index) => new BatteryRack(index + 1, charge, random));
    this.#feeder = new Feeder(random);
    this.#io = new IoModule(random);
  }

  /** Moves on by `seconds` (more than 0, a few at most) with the orders as they stand in YK and YT points, by code. */
  step(seconds: number, orders: Values): void {
    for (const rack of this.#racks) rack.prepare(seconds, orders);
    const connected = this.#racks.filter((rack) => rack.isConnected);
    const voltage = connected.length > 0 ? connected.reduce((sum, rack) => sum + rack.voltage, 0) / connected.length : 0;
    this.#converter.step(seconds, orders, {
      voltage,
      allowedDischargeKw: connected.reduce((sum, rack) => sum + rack.allowedDischargeKw, 0),
      allowedChargeKw: connected.reduce((sum, rack) => sum + rack.allowedChargeKw, 0),
    });
    const busCurrent = voltage > 0 ? (this.#converter.dcKw * 1000) / voltage : 0;
    const shares = shareCurrent(this.#racks, busCurrent >= 0);
    this.#racks.forEach((rack, index) => {
      rack.step(seconds, busCurrent * (shares[index] ?? 0));
    });
    this.#feeder.step(seconds, this.#converter.activeKw, this.#converter.reactiveKvar);
    this.#io.step(seconds, orders, Math.abs(this.#converter.activeKw) / RATED_KW);
  }

  /** Engineering values of every point that the plant shows, by code; orders are not among them. */
  values(): Map<string, number> {
    const values = new Map<string, number>();
    this.#converter.report(values, this.#feeder.grid, this.#ripple);
    for (const rack of this.#racks) rack.report(values);
    this.#feeder.report(values, this.#ripple);
    this.#io.report(values);
    // No register shows a negative zero.
    for (const [code, value] of values) if (value === 0) values.set(code, 0);
    return values;
  }
}

/** Share of the bus current that each rack carries: by what it allows in this direction; alike when none allows any. */
function shareCurrent(racks: readonly BatteryRack[], isDischarge: boolean): number[] {
  const allowed = racks.map((rack) => (isDischarge ? rack.allowedDischargeKw : rack.allowedChargeKw));
  const total = allowed.reduce((sum, kw) => sum + kw, 0);
  if (total > 0) return allowed.map((kw) => kw / total);
  const connected = racks.filter((rack) => rack.isConnected).length;
  return racks.map((rack) => (rack.isConnected ? 1 / connected : 0));
}
