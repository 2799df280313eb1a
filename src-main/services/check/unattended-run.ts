import type { CheckFinding, CheckReference, CheckRun, CheckSeen } from '#shared/contract/check.ts';
import type { FrameEntry } from '#shared/contract/frames.ts';
import { english, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import type { StoredCheck, StoredCheckItem } from '../../persistence/check-repositories.ts';
import { delay } from '../../platform/clock.ts';
import { Turns } from '../../platform/turns.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { PointState } from '../../runtime/values/point-table.ts';
import { framesOfPoints } from '../frames.ts';
import type { ServiceDeps } from '../ports.ts';
import { crossedWith } from './crossed.ts';
import { type CheckedChannel, isOwn } from './elsewhere/checked-channel.ts';
import { ReadsElsewhere } from './elsewhere/reads-elsewhere.ts';
import { seenNow } from './evidence.ts';
import { finding, findingsOf } from './findings.ts';
import { Place } from './place.ts';
import { isRead, lostOf, notRunning, readOnce } from './reads.ts';
import type { Compared } from './references.ts';
import { type Outcome, RunBase } from './run-base.ts';
import { toleranceOf } from './sight.ts';
import { goneOf } from './states.ts';

const LOOK_MS = 100;
/** Results that go into the file in one change. */
const RESULTS_A_CHANGE = 50;
const MOST_FRAMES = 4;
const FRAMES_UNDER_WAY = 40;

export interface UnattendedOptions {
  readonly operator: string;
  readonly items: readonly Compared[];
  readonly timeoutMs: number;
}

interface Pending extends Compared {
  readonly place: Place;
  readonly channel: CheckedChannel;
  /** When the values were received that were there at the start: its own, and that of the reference. Undefined: another service has not told it yet. */
  before: number | null | undefined;
  readonly referenceBefore: number | null;
}

type Decided = Omit<Outcome, 'frames' | 'begunAt'>;

/** The unattended way: all items at once, each by the first value that is received after the start. Ends by itself, when it is stopped, and when another project is opened. */
export class UnattendedRun extends RunBase {
  readonly #options: UnattendedOptions;
  readonly #begunAt: number;
  readonly #elsewhere: ReadsElsewhere;
  readonly #frames = new Map<ChannelRuntime, number>();
  readonly #stopping = new AbortController();
  readonly #turns = new Turns();
  /** As of the last look. */
  readonly #notRunning = new Map<CheckedChannel, Message | null>();

  constructor(deps: ServiceDeps, check: StoredCheck, options: UnattendedOptions) {
    super(deps, check, 'unattended', options.operator);
    this.#options = options;
    this.#begunAt = deps.clock.monotonicMs();
    this.#elsewhere = new ReadsElsewhere(deps.clock, { from: this.#begunAt, to: this.#begunAt + options.timeoutMs });
    this.follow(this.#run(), () => this.stop());
  }

  protected ended(): void {
    this.#stopping.abort();
  }

  protected refusal() {
    return say('check.no_run');
  }

  snapshot(): CheckRun {
    const left = this.isRunning ? this.#begunAt + this.#options.timeoutMs - this.deps.clock.monotonicMs() : 0;
    return this.row({ total: this.#options.items.length, position: this.done, item: null, left_ms: Math.max(0, Math.round(left)) });
  }

  async #run(): Promise<void> {
    await this.#turns.next();
    const { blocked, pending } = await this.#prepare();
    await this.#appendAll(blocked, new Map());
    this.#startReads(pending);
    let open: readonly Pending[] = pending;
    while (open.length > 0 && !this.#isOver()) {
      this.#notRunning.clear();
      this.#readElsewhere(open);
      const due = open.filter((each) => this.#elsewhere.isOver(each.channel) || isReceived(each) || this.#obstacle(each) !== null);
      if (due.length > 0) {
        const taken = new Set(due);
        open = open.filter((each) => !taken.has(each));
        await this.#take(due);
        continue;
      }
      await delay(this.deps.clock, LOOK_MS, this.#stopping.signal);
    }
  }

  #isOver(): boolean {
    return this.#stopping.signal.aborted || this.isElsewhere();
  }

  /** Items of channels that are not started are blocked at once: nothing will come. */
  async #prepare(): Promise<{ readonly blocked: Decided[]; readonly pending: Pending[] }> {
    const blocked: Decided[] = [];
    const pending: Pending[] = [];
    for (const compared of this.#options.items) {
      await this.#turns.breathe();
      const { item } = compared;
      const place = new Place(this.session, item);
      const found = place.find();
      const said = found ? this.#reasonOf(found.channel) : goneOf(this.session, item);
      if (!found || said) {
        blocked.push({ item, place: place.facts, verdict: 'blocked', seen: [], remark: said ? english(said) : '' });
        continue;
      }
      const { channel, point } = found;
      if (isOwn(channel)) this.#frames.set(channel, this.#frames.get(channel) ?? channel.frames.lastSeq);
      const { source } = compared;
      const referenceBefore = source?.channel.points.state(source.pointId)?.updatedAt ?? null;
      // what another service told before it may not have been all that it had received by then
      const before = isOwn(channel) ? (channel.points.state(point.id)?.updatedAt ?? null) : undefined;
      pending.push({ ...compared, place, channel, before, referenceBefore });
    }
    return { blocked, pending };
  }

  /** Why nothing comes from a channel, looked up once a look: to tell its state takes long. */
  #reasonOf(channel: CheckedChannel): Message | null {
    const known = this.#notRunning.get(channel);
    if (known !== undefined) return known;
    const reason = notRunning(channel);
    this.#notRunning.set(channel, reason);
    return reason;
  }

  /** One manual read of the items, and of their references, on each channel of this project that nobody reads. */
  #startReads(pending: readonly Pending[]): void {
    const points = new Map<CheckedChannel, PointConfig[]>();
    const note = (channel: CheckedChannel, point: PointConfig) => {
      const known = points.get(channel) ?? [];
      known.push(point);
      points.set(channel, known);
    };
    for (const { place, source } of pending) {
      const found = place.find();
      if (found && isOwn(found.channel)) note(found.channel, found.point);
      const reference = source?.channel.points.config(source.pointId);
      if (source && reference) note(source.channel, reference);
    }
    for (const channel of [...points.keys()]) if (isRead(channel, ['automatic'])) points.delete(channel);
    readOnce(points, this.deps.logger);
  }

  /** Asks other services to read: each once it is known what it had received at the start, until it has taken that. */
  #readElsewhere(open: readonly Pending[]): void {
    for (const channel of new Set(open.map((each) => each.channel))) {
      const of = () => open.filter((each) => each.channel === channel);
      if (this.#elsewhere.begins(channel)) for (const each of of()) each.before = receivedAt(each);
      if (this.#elsewhere.isDue(channel)) channel.elsewhere?.readOnce(of().flatMap(({ place }) => place.find()?.point ?? []));
    }
  }

  /** Why an item cannot be checked any more; null: nothing is in the way. */
  #obstacle({ item, place, channel, source }: Pending): Message | null {
    const found = place.find();
    if (!found) return goneOf(this.session, item);
    if (place.isElsewhere) return say('check.point_edited', { code: item.code });
    return this.#reasonOf(channel) ?? (source && this.#reasonOf(source.channel));
  }

  async #take(due: readonly Pending[]): Promise<void> {
    const frames = await this.#framesOf(due);
    const crossed = crossedWith(this.#options.items);
    let decided: Decided[] = [];
    for (const each of due) {
      await this.#turns.breathe();
      decided.push(await this.#judge(each, crossed));
      if (decided.length < RESULTS_A_CHANGE) continue;
      await this.#appendAll(decided, frames);
      decided = [];
    }
    await this.#appendAll(decided, frames);
  }

  /** By their items. */
  async #framesOf(due: readonly Pending[]): Promise<Map<string, FrameEntry[]>> {
    const all = new Map<string, FrameEntry[]>();
    for (const [channel, since] of this.#frames) {
      const own = due.filter((each) => each.channel === channel);
      const points = own.flatMap(({ place }) => place.find()?.point ?? []);
      if (points.length === 0) continue;
      // what is due next is carried by later frames, and by requests that are under way
      this.#frames.set(channel, Math.max(since, channel.frames.lastSeq - FRAMES_UNDER_WAY));
      const found = await framesOfPoints(channel, points, since, MOST_FRAMES);
      for (const { item } of own) all.set(item.uuid, found.get(item.pointId) ?? []);
    }
    for (const { item, channel } of due) if (!isOwn(channel)) all.set(item.uuid, await this.framesOf(item));
    return all;
  }

  async #judge(each: Pending, crossed: ReturnType<typeof crossedWith>): Promise<Decided> {
    const { item, place, channel } = each;
    const obstacle = this.#obstacle(each);
    const found = place.find();
    if (!found || obstacle) return { item, place: place.facts, verdict: 'blocked', seen: [], remark: obstacle ? english(obstacle) : '' };
    const own = seenNow(found);
    if (!isOwnReceived(each)) return { ...this.#missing(item, channel, own), place: place.facts };
    const wanted = isReferenceReceived(each) ? each.wanted() : null;
    const reference = each.seen();
    const expectation = wanted ? { kind: 'values' as const, references: [wanted] } : item.expectation;
    const judged = { item, place: place.facts, seen: reference ? [reference, own] : [own], expectation };
    const failed = (findings: readonly CheckFinding[]): Decided => ({ ...judged, verdict: 'failed', findings });
    if (own.quality !== 'good')
      return failed([finding('bad_quality', say('check.found_bad_quality', { quality: [own.quality, ...own.flags].join(' ') }))]);
    if (!wanted) {
      const remark = english(say('check.reference_not_good', { code: item.code, quality: say('check.quality_stale') }));
      return { ...judged, verdict: 'blocked', remark };
    }
    if (fits(own, wanted)) return { ...judged, verdict: 'passed' };
    const other = crossed(item, own, wanted);
    if (other) return failed([other]);
    return failed(await findingsOf(found, expectation, { verdict: 'failed', seen: [own], why: 'other', changes: 0 }));
  }

  /** Nothing came in time: of a line that is lost, or of another service that read nothing, that says nothing of the point. */
  #missing(item: StoredCheckItem, channel: CheckedChannel, own: CheckSeen): Omit<Decided, 'place'> {
    const lost = lostOf(channel) ?? this.#elsewhere.obstacle(channel);
    if (lost) return { item, verdict: 'blocked', seen: [own], remark: english(lost) };
    const seconds = Math.round(this.#options.timeoutMs / 1000);
    return { item, verdict: 'failed', findings: [finding('dead', say('check.found_dead_read', { seconds }))], seen: [own] };
  }

  /** Appends what was decided; while that is not possible nothing more is judged. */
  async #appendAll(decided: readonly Decided[], frames: ReadonlyMap<string, FrameEntry[]>): Promise<void> {
    if (decided.length === 0 || this.#isOver()) return;
    const entries = decided.map((each) => this.entryOf({ ...each, frames: frames.get(each.item.uuid) ?? [], begunAt: this.#begunAt }));
    this.append(entries, () => {});
    while (this.waiting > 0) await delay(this.deps.clock, LOOK_MS, this.#stopping.signal);
    await this.#turns.breathe();
  }
}

function fits({ value }: CheckSeen, reference: CheckReference): boolean {
  return value !== null && Math.abs(value - reference.value) <= toleranceOf(reference);
}

/** Both values came since the start; that they are the same ones as before does not matter. */
function isReceived(pending: Pending): boolean {
  return isOwnReceived(pending) && isReferenceReceived(pending);
}

/** A value that is out of date by now is none: the line was lost behind it. */
function isOwnReceived(pending: Pending): boolean {
  const { before } = pending;
  const state = stateOf(pending);
  return before !== undefined && state !== undefined && isNewer(state, before) && state.quality !== 'stale';
}

function stateOf({ place }: Pending): PointState | undefined {
  const found = place.find();
  return found?.channel.points.state(found.point.id);
}

function receivedAt(pending: Pending): number | null {
  return stateOf(pending)?.updatedAt ?? null;
}

/** What a device sends by itself is in force as long as it is good. */
function isReferenceReceived({ source, referenceBefore }: Pending): boolean {
  const state = source?.channel.points.state(source.pointId);
  if (!source) return true;
  return state !== undefined && (isNewer(state, referenceBefore) || (state.quality === 'good' && state.detail?.cause !== undefined));
}

function isNewer({ updatedAt }: PointState, before: number | null): boolean {
  return updatedAt !== null && updatedAt !== before;
}
