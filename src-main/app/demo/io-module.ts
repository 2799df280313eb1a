import { approach, Wander } from './random.ts';
import type { Values } from './values.ts';

/** Fan stops this much below the temperature it started at, so that it does not chatter. */
const FAN_HYSTERESIS = 2;

/** The container's input and output module: climate, fan and light. */
export class IoModule {
  readonly #outdoor: Wander;
  readonly #humidity: Wander;
  readonly #level: Wander;
  readonly #supply: Wander;
  #room = 27;
  #isFanOn = false;
  #isLightOn = false;

  constructor(random: () => number) {
    this.#outdoor = new Wander(random, 21, 1.2, 300);
    this.#humidity = new Wander(random, 48, 4, 120);
    this.#level = new Wander(random, 78, 1, 60);
    this.#supply = new Wander(random, 24.05, 0.04, 20);
  }

  /** `heat` is the load of the plant, 0 to 1. */
  step(seconds: number, orders: Values, heat: number): void {
    const limit = orders.get('IO_FAN_SET') ?? 35;
    this.#isFanOn = orders.get('IO_FAN') === 1 || this.#room > (this.#isFanOn ? limit - FAN_HYSTERESIS : limit);
    this.#isLightOn = orders.get('IO_LIGHT') === 1;
    const outdoor = this.#outdoor.step(seconds);
    this.#room = approach(this.#room, outdoor + 4 + 18 * heat - (this.#isFanOn ? 8 : 0), 120, seconds);
    this.#humidity.step(seconds);
    this.#level.step(seconds);
    this.#supply.step(seconds);
  }

  report(values: Map<string, number>): void {
    const set = (code: string, value: number) => values.set(`IO_${code}`, value);
    set('T_ROOM', this.#room);
    set('T_OUT', this.#outdoor.value);
    set('RH', this.#humidity.value);
    set('LEVEL', this.#level.value);
    set('SUPPLY', this.#supply.value);
    set('T_MODULE', this.#room + 9);
    set('DOOR', 0);
    set('SMOKE', 0);
    set('FAN_ON', this.#isFanOn ? 1 : 0);
    set('LIGHT_ON', this.#isLightOn ? 1 : 0);
    set('AC_OK', 1);
  }
}
