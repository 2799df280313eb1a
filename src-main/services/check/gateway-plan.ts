import type { CheckSeen } from '#shared/contract/check.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import { Turns } from '../../platform/turns.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { valueRuleOf } from '../../runtime/values/engineering-value.ts';
import { told } from '../writes.ts';
import { seenNow } from './evidence.ts';
import { type Near, signalRounds, signalState, UniqueValues } from './gateway-values.ts';

/** A point of the simulated device. */
export interface Below {
  readonly point: PointConfig;
  /** Its value before it was set first. */
  before: number;
  /** Of a measurement: its value, and the only round that sets it; null: its range has none that no other point has. */
  readonly measured: { readonly round: number; readonly value: number } | null;
  /** Of a signal: its number among them; null for a measurement. */
  readonly signal: number | null;
  isSet: boolean;
  /** What it served right behind the last set. */
  held: number | null;
  /** Somebody else changed it behind a set: it is left to them from then on. */
  isLeft: boolean;
  /** Why it could not be set; null: it could. */
  trouble: Message | null;
}

/** What is set into the points of a simulated device, round by round, and how they are put back. */
export class GatewayPlan {
  readonly #channel: ChannelRuntime;
  readonly #near: Near;
  readonly #all: Below[] = [];
  /** One for each round that measurements need: their ranges may be too small for all in one. */
  readonly #values: UniqueValues[] = [];
  #signals = 0;

  constructor(channel: ChannelRuntime, near: Near) {
    this.#channel = channel;
    this.#near = near;
  }

  /** Takes a point in, once, before the first round; `avoid` is what stands above now, which proves nothing. */
  add(point: PointConfig, avoid: readonly number[]): Below {
    const isSignal = point.frame_type === FrameType.yx;
    const below: Below = {
      point,
      before: 0,
      measured: isSignal ? null : this.#measured(point, avoid),
      signal: isSignal ? this.#signals++ : null,
      isSet: false,
      held: null,
      isLeft: false,
      trouble: null,
    };
    this.#all.push(below);
    return below;
  }

  #measured(point: PointConfig, avoid: readonly number[]): Below['measured'] {
    for (let round = 0; round <= this.#values.length; round++) {
      const values = this.#values[round] ?? new UniqueValues(this.#channel.driver, this.#near);
      const value = values.valueFor(point, avoid);
      if (value === null) continue;
      this.#values[round] = values;
      return { round, value };
    }
    return null;
  }

  get rounds(): number {
    return Math.max(this.#values.length, signalRounds(this.#signals));
  }

  /** What a point has in a round; null where it is left as it is. */
  valueOf({ measured, signal }: Below, round: number): number | null {
    if (signal !== null) return round < signalRounds(this.#signals) ? signalState(signal, round) : null;
    return measured?.round === round ? measured.value : null;
  }

  /** Sets a point, unless somebody else changed it since the last set; what keeps it from being set is its trouble. */
  async set(below: Below, value: number): Promise<void> {
    if (this.#isLeft(below)) return;
    // what was never set is served as the zero of the wire
    if (!below.isSet) below.before = this.#served(below) ?? valueRuleOf(below.point).scale(0);
    below.isSet = true;
    below.trouble = (await this.#write(below.point, value)) ?? below.trouble;
    below.held = this.#served(below);
  }

  /** Why what was set is not what the device serves now; null: it is. */
  changed(below: Below, wanted: number): Message | null {
    const served = this.#served(below);
    if (served === below.held) return null;
    const { settings } = this.#channel;
    return say('check.source_changed', { channel: settings.name, code: below.point.code, value: served ?? '–', wanted });
  }

  /** Why a point was not set in this round; null: it was. */
  left({ point, isLeft }: Below): Message | null {
    return isLeft ? say('check.source_left', { channel: this.#channel.settings.name, code: point.code }) : null;
  }

  /** True from the first look on at which a point that was set serves something else. One that serves nothing, as its channel was stopped, was changed by nobody. */
  #isLeft(below: Below): boolean {
    const isServed = this.#channel.points.state(below.point.id)?.quality !== 'stale';
    below.isLeft ||= below.isSet && isServed && this.#served(below) !== below.held;
    return below.isLeft;
  }

  /** A value that is not good is none. */
  #served({ point }: Below): number | null {
    const state = this.#channel.points.state(point.id);
    return state?.quality === 'good' ? state.value : null;
  }

  /** What a point serves now. */
  seen({ point }: Below): CheckSeen {
    return { ...seenNow({ channel: this.#channel, point }), is_reference: true };
  }

  /** Sets all that was set to what it was, bit by bit; answers codes of those that could not be, and of those that somebody else changed meanwhile, which are left. */
  async putBack(): Promise<{ readonly failed: readonly string[]; readonly left: readonly string[] }> {
    const turns = new Turns();
    const [failed, left]: [string[], string[]] = [[], []];
    for (const below of this.#all) {
      if (!below.isSet) continue;
      await turns.breathe();
      if (this.#isLeft(below)) left.push(below.point.code);
      else if ((await this.#write(below.point, below.before)) !== null) failed.push(below.point.code);
    }
    return { failed, left };
  }

  async #write(point: PointConfig, value: number): Promise<Message | null> {
    try {
      const done = await this.#channel.execute({ point, step: 'operate', value, options: {} });
      return done.outcome === 'accepted' ? null : told(done);
    } catch (thrown) {
      return toAppError(thrown).said;
    }
  }
}
