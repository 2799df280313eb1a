import { type AppError, toAppError } from '#shared/domain/errors.ts';
import type { CancelTimer, Clock } from '../../platform/clock.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { PointStore } from '../../runtime/values/point-table.ts';
import type { PlantPoint } from './plant-points.ts';
import type { Values } from './values.ts';

/** Time between two steps of the plant, where nothing else is said. */
export const STEP_MS = 500;
/** After a pause (the computer slept, the channel was stopped) the plant goes on from where it was, with a step of this size. */
const LONGEST_STEP_S = 2;

/** What the simulation needs of the serving channel. */
export interface ServedChannel extends Pick<ChannelRuntime, 'readSingle' | 'execute'> {
  readonly points: Pick<PointStore, 'byCode' | 'config' | 'state'>;
  state(): Pick<ReturnType<ChannelRuntime['state']>, 'status' | 'since'>;
}

/** What moves on: values that follow from time and orders, both by point code. */
export interface SimulatedModel {
  step(seconds: number, orders: Values): void;
  values(): Values;
}

export interface SimulationOptions {
  readonly clock: Clock;
  readonly model: SimulatedModel;
  readonly points: readonly PlantPoint[];
  /** What clients write reaches the point store by itself: nothing has to be read for it. */
  readonly areOrdersTold?: boolean;
  /** Time between two steps. */
  readonly stepMs?: number;
  /** The serving channel; undefined when it was deleted, which ends the simulation. */
  channel(): ServedChannel | undefined;
  /** A value could not be served; the simulation goes on with the next step. Told once for a row of failed steps. */
  onFault(error: AppError): void;
}

/** Moves the plant on and serves its values through the channel; follows what clients wrote into YK and YT points. */
export class PlantSimulation {
  readonly #options: SimulationOptions;
  readonly #served = new Map<string, number>();
  readonly #orders = new Map<string, number>();
  /** When the channel was started that has our values; null when none has. */
  #since: number | null = null;
  #lastStepAt: number;
  #cancelTimer: CancelTimer | null = null;
  #underWay: Promise<void> = Promise.resolve();
  #isStopped = false;
  #isFaulty = false;

  constructor(options: SimulationOptions) {
    this.#options = options;
    this.#lastStepAt = options.clock.monotonicMs();
    for (const { point, initial } of options.points) if (initial !== null) this.#orders.set(point.code, initial);
  }

  /** Takes the first step, and resolves when its values are served; further steps follow by themselves. */
  async start(): Promise<void> {
    await this.#tick();
  }

  /** Ends after the step under way. Idempotent. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimer?.();
    await this.#underWay;
  }

  #tick(): Promise<void> {
    this.#underWay = this.#step()
      .then(() => {
        this.#isFaulty = false;
      })
      .catch((error: unknown) => {
        if (!this.#isFaulty) this.#options.onFault(toAppError(error));
        this.#isFaulty = true;
      })
      .then(() => {
        if (!this.#isStopped) this.#cancelTimer = this.#options.clock.after(this.#options.stepMs ?? STEP_MS, () => void this.#tick());
      });
    return this.#underWay;
  }

  async #step(): Promise<void> {
    const { clock, model } = this.#options;
    const channel = this.#options.channel();
    if (!channel) {
      this.#isStopped = true;
      return;
    }
    const now = clock.monotonicMs();
    const seconds = Math.min(LONGEST_STEP_S, Math.max(0.001, (now - this.#lastStepAt) / 1000));
    this.#lastStepAt = now;
    const { status, since } = channel.state();
    if (status !== 'running') return;
    if (this.#since === since) await this.#readOrders(channel);
    else await this.#serveOrders(channel, since);
    model.step(seconds, new Map([...this.#orders, ...this.#commands(channel)]));
    await this.#serveValues(channel);
  }

  /** A channel that was started anew serves zeros until somebody sets its values. */
  async #serveOrders(channel: ServedChannel, since: number): Promise<void> {
    this.#served.clear();
    for (const [code, value] of this.#orders) await this.#serve(channel, code, value);
    this.#since = since;
  }

  async #readOrders(channel: ServedChannel): Promise<void> {
    for (const code of this.#orders.keys()) {
      const id = channel.points.byCode(code);
      if (id === undefined) continue;
      if (!this.#options.areOrdersTold) await channel.readSingle(id);
      const state = channel.points.state(id);
      if (state?.quality === 'good') this.#orders.set(code, state.value);
    }
  }

  /** A position that is not as it was served was commanded; one that is on its way (neither 0 nor 1) is no order yet. */
  #commands(channel: ServedChannel): Values {
    const commands = new Map<string, number>();
    for (const { point, isCommanded } of this.#options.points) {
      if (!isCommanded) continue;
      const id = channel.points.byCode(point.code);
      const state = id === undefined ? undefined : channel.points.state(id);
      const served = this.#served.get(point.code);
      if (state?.quality !== 'good' || served === undefined || served === state.value || ![0, 1].includes(state.value)) continue;
      commands.set(point.code, state.value);
      this.#served.set(point.code, state.value);
    }
    return commands;
  }

  async #serveValues(channel: ServedChannel): Promise<void> {
    const values = this.#options.model.values();
    for (const { point, isFed } of this.#options.points) {
      const value = isFed ? values.get(point.code) : undefined;
      if (value === undefined || this.#served.get(point.code) === servedStep(value, point.mul_coe)) continue;
      await this.#serve(channel, point.code, value);
      this.#served.set(point.code, servedStep(value, point.mul_coe));
    }
  }

  async #serve(channel: ServedChannel, code: string, value: number): Promise<void> {
    const id = channel.points.byCode(code);
    const point = id === undefined ? undefined : channel.points.config(id);
    if (point) await channel.execute({ point, step: 'operate', value, options: {} });
  }
}

/** A change below the last digit of a scaled register would serve the same octets again. */
function servedStep(value: number, mulCoe: number): number {
  return mulCoe === 1 ? value : Math.round(value / mulCoe);
}
