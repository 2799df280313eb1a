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

/** Changes of the table that came with what was set here: behind `from`, up to `to`. */
interface OwnChanges {
  readonly from: number;
  readonly to: number;
}

/** What is set into the points of a simulated device, round by round, and how they are put back. */
export class GatewayPlan {
  readonly #channel: ChannelRuntime;
  readonly #near: Near;
  readonly #all: Below[] = [];
  /** One for each round that measurements need: their ranges may be too small for all in one. */
  readonly #values: UniqueValues[] = [];
  /** In their order. */
  readonly #own: OwnChanges[] = [];
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
      before: this.#present(point),
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
    // somebody may have changed it behind the start
    if (!below.isSet && !this.#isOwn(below.point.id)) below.before = this.#present(below.point);
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

  /**
   * True from the first look on at which a point that was set serves something else by somebody else: points share registers, and what was set into another one changed it as well. One that serves
   * nothing, as its channel was stopped or it was deleted, was changed by nobody.
   */
  #isLeft(below: Below): boolean {
    const state = this.#channel.points.state(below.point.id);
    const isServed = state !== undefined && state.quality !== 'stale';
    below.isLeft ||= below.isSet && isServed && this.#served(below) !== below.held && !this.#isOwn(below.point.id);
    return below.isLeft;
  }

  /** True where the last change of a point came with what was set here. */
  #isOwn(id: number): boolean {
    const { points } = this.#channel;
    let [first, end] = [0, this.#own.length];
    while (first < end) {
      const middle = (first + end) >> 1;
      if (points.isChangedSince(id, this.#own[middle]?.from ?? 0)) first = middle + 1;
      else end = middle;
    }
    const last = this.#own[first - 1];
    return last !== undefined && !points.isChangedSince(id, last.to);
  }

  /** What was never set is served as the zero of the wire. */
  #present(point: PointConfig): number {
    return this.#served({ point }) ?? valueRuleOf(point).scale(0);
  }

  /** A value that is not good is none. */
  #served({ point }: Pick<Below, 'point'>): number | null {
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
    const { points } = this.#channel;
    const from = points.lastChange;
    try {
      const done = await this.#channel.execute({ point, step: 'operate', value, options: {} });
      return done.outcome === 'accepted' ? null : told(done);
    } catch (thrown) {
      return toAppError(thrown).said;
    } finally {
      this.#note({ from, to: points.lastChange });
    }
  }

  #note(changes: OwnChanges): void {
    const before = this.#own.at(-1);
    if (before?.to === changes.from) this.#own[this.#own.length - 1] = { from: before.from, to: changes.to };
    else this.#own.push(changes);
  }
}
