import type { CheckFinding, CheckReference, CheckRun } from '#shared/contract/check.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { english, firstOf, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import type { StoredCheck, StoredCheckItem } from '../../persistence/check-repositories.ts';
import { delay } from '../../platform/clock.ts';
import { Turns } from '../../platform/turns.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { ServiceDeps } from '../ports.ts';
import type { CheckedChannel, CheckedPoint } from './elsewhere/checked-channel.ts';
import { seenNow } from './evidence.ts';
import { exactly, isOfStates } from './exact.ts';
import { finding, findingsOf } from './findings.ts';
import { byBelow, distinct, evidenceOf, type GatewayPair, type Look, type Missed, missedText, untoldOf } from './gateway-looks.ts';
import { type Below, GatewayPlan } from './gateway-plan.ts';
import { Place } from './place.ts';
import { isRead, lostOf, readOnce } from './reads.ts';
import { type Outcome, RunBase } from './run-base.ts';
import { toleranceOf } from './sight.ts';
import { goneOf } from './states.ts';

const LOOK_MS = 100;
const RESULTS_A_CHANGE = 50;

export interface GatewayOptions {
  readonly operator: string;
  /** The simulated device below; a channel that serves. */
  readonly below: ChannelRuntime;
  readonly items: readonly GatewayPair[];
  readonly tolerance: number;
  readonly percent: number;
  readonly settleMs: number;
  /** How long a value may take from below to above. */
  readonly withinMs: number;
}

/** An item on both sides. */
interface Traced {
  readonly item: StoredCheckItem;
  readonly below: Below;
  readonly place: Place;
  /** It is compared exactly. */
  readonly isExact: boolean;
  /** Its value above before anything was set. */
  readonly stood: number | null;
  /** Its rounds of which something is known. */
  readonly looks: Look[];
  /** The others: what it showed in them proves nothing, and without them it cannot pass. */
  readonly missed: Missed[];
}

/** Receipts of a value above that are waited for. */
interface Receipt {
  readonly each: Traced;
  /** Undefined: what another service had received behind all that was set is not known yet. */
  at: number | null | undefined;
  left: number;
}

/**
 * The test of a gateway: sets values into the simulated device below that no other point has, waits until each is read above, names those that are crossed or missing, and puts the values below back. Signals are told
 * apart by the sequence of their states. Sends nothing but what serving the device below brings with it.
 */
export class GatewayRun extends RunBase {
  readonly #options: GatewayOptions;
  readonly #begunAt: number;
  readonly #stopping = new AbortController();

  constructor(deps: ServiceDeps, check: StoredCheck, options: GatewayOptions) {
    super(deps, check, 'unattended', options.operator);
    this.#options = options;
    this.#begunAt = deps.clock.monotonicMs();
    this.follow(this.#run(), () => super.stop());
  }

  /** Ends the test; it has ended when the values below are put back. */
  override stop(): void {
    this.#stopping.abort();
  }

  protected ended(): void {}

  protected refusal() {
    return say('check.no_run');
  }

  snapshot(): CheckRun {
    return this.row({ total: this.#options.items.length, position: this.done, item: null });
  }

  async #run(): Promise<void> {
    const { below, items, tolerance, percent } = this.#options;
    const turns = new Turns();
    const near = (value: number) => toleranceOf({ value, tolerance, percent });
    const plan = new GatewayPlan(below, near);
    const traced: Traced[] = [];
    for (const [point, pairs] of await byBelow(items, turns)) {
      const above = pairs.map(({ item }) => {
        const place = new Place(this.session, item);
        const found = place.find();
        return { item, place, found, stood: found ? seenNow(found).value : null };
      });
      const source = plan.add(
        point,
        above.flatMap(({ stood }) => stood ?? []),
      );
      for (const { item, place, found, stood } of above) {
        await turns.breathe();
        const isExact = isOfStates(item, found?.point, point);
        traced.push({ item, below: source, place, isExact, stood, looks: [], missed: [] });
      }
    }
    try {
      for (let round = 0; round < plan.rounds; round++) await this.#round(plan, traced, round);
      await this.#judgeAll(plan, traced);
    } finally {
      await this.#putBack(plan);
    }
  }

  /** Sets the values of a round below and waits until they are above, or the time is over. */
  async #round(plan: GatewayPlan, traced: readonly Traced[], round: number): Promise<void> {
    const turns = new Turns();
    const open: { readonly each: Traced; readonly value: number }[] = [];
    const set = new Set<Below>();
    for (const each of traced) {
      await turns.breathe();
      this.#requireGoing();
      const value = plan.valueOf(each.below, round);
      if (value === null) continue;
      if (!set.has(each.below)) await plan.set(each.below, value);
      set.add(each.below);
      open.push({ each, value });
    }
    const { clock } = this.deps;
    const { settleMs, withinMs } = this.#options;
    const setAt = clock.monotonicMs();
    const deadline = setAt + withinMs;
    let missing = open;
    while (missing.length > 0 && clock.monotonicMs() < deadline) {
      this.#read(missing.map(({ each }) => each));
      await delay(clock, LOOK_MS, this.#stopping.signal);
      this.#requireGoing();
      missing = missing.filter(({ each, value }) => !this.#isThere(each, value));
    }
    // a state that stood there already is one only when nothing changes it any more
    await delay(clock, settleMs, this.#stopping.signal);
    const settledAt = setAt + settleMs;
    const unread = await this.#readOnceMore(
      open.map(({ each }) => each),
      settledAt,
    );
    const lost = new Map<CheckedChannel, Message | null>();
    for (const { each, value } of open) {
      await turns.breathe();
      const found = each.place.find();
      const obstacle = this.#obstacle(each, found) ?? plan.left(each.below);
      if (!found || obstacle) {
        each.missed.push({ round, reason: obstacle ?? goneOf(this.session, each.item) });
        continue;
      }
      const isRight = this.#isThere(each, value) && !unread.has(each);
      const { channel } = found;
      // to tell the state of a channel takes long
      if (!isRight && !lost.has(channel)) lost.set(channel, lostOf(channel));
      const untold = isRight
        ? null
        : (plan.changed(each.below, value) ?? lost.get(channel) ?? untoldOf(channel, { setAt, settledAt, isUnread: unread.has(each) }));
      if (untold) each.missed.push({ round, reason: untold });
      else each.looks.push({ round, value, below: plan.seen(each.below), above: seenNow(found), isRight });
    }
  }

  /**
   * Waits until every value above was received behind all that was set: what stands in the table may be from before, also where it is right. What a device sends by itself stands until it sends
   * something else. Of another service nothing counts before it was asked for at `settledAt` or later. Answers those that nothing came of.
   */
  async #readOnceMore(all: readonly Traced[], settledAt: number): Promise<ReadonlySet<Traced>> {
    const { clock } = this.deps;
    const deadline = clock.monotonicMs() + this.#options.withinMs;
    let waiting = all.flatMap((each) => this.#receiptOf(each, settledAt) ?? []);
    while (waiting.length > 0 && clock.monotonicMs() < deadline) {
      this.#read(waiting.map(({ each }) => each));
      await delay(clock, LOOK_MS, this.#stopping.signal);
      this.#requireGoing();
      waiting = waiting.filter((receipt) => {
        const now = this.#receiptOf(receipt.each, settledAt);
        if (!now) return false;
        if (receipt.at !== undefined && now.at !== receipt.at) receipt.left -= 1;
        receipt.at = now.at;
        return receipt.left > 0;
      });
    }
    return new Set(waiting.map(({ each }) => each));
  }

  /** When the value above was received, and how many more have to come: the first may answer a request that was sent before. Null: nothing more has to come, the device tells it by itself, or it is gone. */
  #receiptOf(each: Traced, settledAt: number): Receipt | null {
    const found = each.place.find();
    if (!found) return null;
    const { elsewhere, points, settings } = found.channel;
    const left = settings.timeout_ms > this.#options.settleMs ? 2 : 1;
    if (elsewhere && elsewhere.askedAt < settledAt) return { each, at: undefined, left };
    const state = points.state(found.point.id);
    return state?.detail?.cause === undefined ? { each, at: state?.updatedAt ?? null, left } : null;
  }

  #requireGoing(): void {
    if (this.#stopping.signal.aborted || this.isElsewhere()) throw new AppError('CANCELLED', say('check.no_run'));
  }

  /** One manual read of what is missing on each channel that nobody reads; again when it is over. */
  #read(missing: readonly Traced[]): void {
    const points = new Map<CheckedChannel, PointConfig[]>();
    for (const { place } of missing) {
      const found = place.find();
      if (!found) continue;
      const chosen = points.get(found.channel);
      if (chosen) chosen.push(found.point);
      else points.set(found.channel, [found.point]);
    }
    for (const channel of [...points.keys()]) if (isRead(channel, ['automatic', 'manual'])) points.delete(channel);
    readOnce(points, this.deps.logger);
  }

  #isThere(each: Traced, value: number): boolean {
    const found = each.place.find();
    const state = found?.channel.points.state(found.point.id);
    return state?.quality === 'good' && state.updatedAt !== null && this.#fits(each, state.value, value);
  }

  #fits(each: Traced, value: number, wanted: number): boolean {
    return Math.abs(value - wanted) <= toleranceOf(this.#reference(each, wanted));
  }

  #reference({ isExact }: Traced, value: number): CheckReference {
    const { tolerance, percent } = this.#options;
    return isExact ? exactly({ value }) : { value, tolerance, percent };
  }

  /** Why a point cannot be seen where it was at the beginning; null: it can. */
  #obstacle({ item, place }: Traced, found: CheckedPoint | undefined): Message | null {
    if (!found) return goneOf(this.session, item);
    return place.isElsewhere ? say('check.point_edited', { code: item.code }) : null;
  }

  async #judgeAll(plan: GatewayPlan, traced: readonly Traced[]): Promise<void> {
    const turns = new Turns();
    for (let at = 0; at < traced.length; at += RESULTS_A_CHANGE) {
      const outcomes: Outcome[] = [];
      for (const each of traced.slice(at, at + RESULTS_A_CHANGE)) {
        await turns.breathe();
        const frames = await this.framesOf(each.item);
        outcomes.push({ ...(await this.#judge(plan, each, traced)), frames, begunAt: this.#begunAt });
      }
      this.#requireGoing();
      this.append(
        outcomes.map((outcome) => this.entryOf(outcome)),
        () => {},
      );
      while (this.waiting > 0) await delay(this.deps.clock, LOOK_MS, this.#stopping.signal);
    }
  }

  async #judge(plan: GatewayPlan, each: Traced, all: readonly Traced[]): Promise<Omit<Outcome, 'frames' | 'begunAt'>> {
    const { item, place, below, looks, missed } = each;
    const found = place.find();
    const blocked = (remark: string) => ({ item, place: place.facts, verdict: 'blocked' as const, seen: [], remark });
    const obstacle = this.#obstacle(each, found) ?? below.trouble;
    if (!found || obstacle) return blocked(english(obstacle ?? goneOf(this.session, item)));
    if (looks.length === 0) return blocked(english(missed[0]?.reason ?? say('check.no_unique', { code: item.code })));
    const isRight = looks.every((look) => look.isRight);
    const remark = missedText(missed, plan.rounds);
    if (isRight && missed.length > 0) return blocked(remark);
    const seen = evidenceOf(looks).flatMap((look) => [look.below, look.above]);
    const expectation = { kind: 'values' as const, references: distinct(looks.map(({ value }) => this.#reference(each, value))) };
    const judged = { item, place: place.facts, seen, expectation };
    if (isRight) return { ...judged, verdict: 'passed' };
    return { ...judged, verdict: 'failed', findings: await this.#findings(plan, each, found, all), remark };
  }

  /** What is wrong, by the rounds of which something is known. */
  async #findings(plan: GatewayPlan, each: Traced, found: CheckedPoint, all: readonly Traced[]): Promise<CheckFinding[]> {
    const { item, looks, stood } = each;
    const wrong = looks.find(({ isRight }) => !isRight);
    if (!wrong) return [];
    const { above } = wrong;
    if (above.quality !== 'good')
      return [finding('bad_quality', say('check.found_bad_quality', { quality: [above.quality, ...above.flags].join(' ') }))];
    const params = { value: above.value ?? '–', wanted: wrong.value };
    const seconds = Math.round(this.#options.withinMs / 1000);
    // the right value, of which nobody knows whether it is from before
    const isUnread = above.value !== null && this.#fits(each, above.value, wrong.value);
    if (isUnread || looks.every((look) => look.above.value === stood))
      return [finding('dead', say('check.found_not_arrived', { ...params, seconds }))];
    const like = all.filter((one) => one.below !== each.below && this.#isLike(plan, each, one));
    const isInverse = item.frameType === FrameType.yx && looks.every((look) => look.above.value === 1 - look.value);
    // without all rounds more than one may be like it, and what is turned may be like another one
    const others = new Set(like.map(({ below }) => below));
    const [other] = like;
    if (other && others.size === 1 && !isInverse)
      return [finding('crossed', say('check.found_crossed_value', { ...params, code: other.item.code }))];
    if (isInverse && others.size === 0) return [finding('swapped', say('check.found_inverse'))];
    const expectation = { kind: 'values' as const, references: [this.#reference(each, wrong.value)] };
    return findingsOf(found, expectation, { verdict: 'failed', seen: [above], why: 'other', changes: 0 });
  }

  /** True where this item shows in all its rounds what was set for the other one. */
  #isLike(plan: GatewayPlan, each: Traced, { below }: Traced): boolean {
    return each.looks.every(({ round, above }) => {
      const other = plan.valueOf(below, round);
      return other !== null && above.value !== null && this.#fits(each, above.value, other);
    });
  }

  /** What was set below is as it was before, also behind a stop, unless somebody else changed it meanwhile. */
  async #putBack(plan: GatewayPlan): Promise<void> {
    const { failed, left } = await plan.putBack();
    const [codes, changed] = [firstOf(failed), firstOf(left)];
    if (failed.length > 0 && left.length > 0) this.#tellLeft(say('check.not_put_back_nor_changed', { codes, changed }));
    else if (failed.length > 0) this.#tellLeft(say('check.not_put_back', { codes }));
    else if (left.length > 0) this.#tellLeft(say('check.changed_left', { codes: changed }));
  }

  #tellLeft(said: Message): void {
    this.leftOver = new AppError('STATE_CONFLICT', said);
  }
}
