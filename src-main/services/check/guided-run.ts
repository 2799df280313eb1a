import type { CheckFinding, CheckRun, CheckSeen, Expectation } from '#shared/contract/check.ts';
import type { CheckVerdict } from '#shared/domain/check.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { StoredCheck, StoredCheckItem } from '../../persistence/check-repositories.ts';
import type { CancelTimer } from '../../platform/clock.ts';
import type { CallContext } from '../handlers.ts';
import type { ServiceDeps } from '../ports.ts';
import { checkCommand, checkSetpoint } from './command-check.ts';
import { type CheckedPoint, isOwn } from './elsewhere/checked-channel.ts';
import { EventFeed, type FeedMark, isOf } from './event-feed.ts';
import { seenNow } from './evidence.ts';
import { finding, findingsOf, qualityOf, readOtherwise } from './findings.ts';
import { ItemWatch } from './item-watch.ts';
import { Neighbours } from './neighbours.ts';
import { Place } from './place.ts';
import { presentRow } from './present-row.ts';
import { RunBase } from './run-base.ts';
import { isBad, type Sight } from './sight.ts';
import { goneOf, pointOfItem } from './states.ts';

/** Time between two looks at the values. */
const LOOK_MS = 50;

export interface GuidedOptions {
  readonly operator: string;
  readonly settleMs: number;
  /** True where the start named commands. */
  readonly commands: boolean;
  readonly items: readonly StoredCheckItem[];
}

/** The item that is being checked. */
interface Present {
  readonly watched: ItemWatch;
  readonly neighbours: Neighbours;
  /** What had come when it began is none of its own. */
  readonly since: FeedMark;
}

/** What was found out of the present item. */
interface Said {
  readonly verdict: CheckVerdict;
  readonly findings: readonly CheckFinding[];
  readonly remark: string;
  readonly seen: readonly CheckSeen[];
  readonly auditIds?: readonly number[];
  /** As it was asked, where a person gave its value. */
  readonly expectation?: Expectation;
}

/**
 * The guided way: one item at a time. Looks at what tasks and devices bring into the table and the event log; reads and sends only what a person asks for, item by item. Ends with its last item,
 * when it is stopped, and when another project is opened.
 */
export class GuidedRun extends RunBase {
  readonly #options: GuidedOptions;
  readonly #feed: EventFeed;
  #at = -1;
  #present: Present | null = null;
  /** The present item has its result, which is not in the file yet: nothing more is said of it. */
  #isRecording = false;
  #cancel: CancelTimer = () => {};

  constructor(deps: ServiceDeps, check: StoredCheck, options: GuidedOptions) {
    super(deps, check, 'guided', options.operator);
    this.#options = options;
    this.#feed = new EventFeed(deps, this.session);
    this.#show(0);
    this.#lookLater();
  }

  protected ended(): void {
    this.#cancel();
    this.#present = null;
  }

  protected refusal() {
    return say('check.no_run');
  }

  snapshot(): CheckRun {
    const present = this.#present;
    return this.row({
      total: this.#options.items.length,
      position: Math.max(0, this.#at),
      item: present && presentRow(this.session, present.watched, present.neighbours.moved(), this.#sinceMs(present.watched.begunAt)),
    });
  }

  /** What a person says of the present item. Throws `STATE_CONFLICT` where another one is shown by now, its result is on its way, or nothing runs. */
  override async decide(uuid: string, action: 'pass' | 'fail' | 'block' | 'skip' | 'repeat' | 'back', remark: string): Promise<void> {
    const present = this.#require(uuid);
    if (action === 'repeat' || action === 'back') {
      this.#show(Math.max(0, action === 'back' ? this.#at - 1 : this.#at));
      return;
    }
    const verdict = ({ pass: 'passed', fail: 'failed', block: 'blocked', skip: 'skipped' } as const)[action];
    const found = pointOfItem(this.session, present.watched.item);
    if (verdict === 'passed' && (!found || seenNow(found).quality !== 'good')) {
      throw new AppError('STATE_CONFLICT', found ? notSeen(found) : goneOf(this.session, present.watched.item));
    }
    const findings = verdict === 'failed' ? this.#personFindings(present) : [];
    await this.work(() => this.#record(present, { verdict, findings, remark, seen: found ? [seenNow(found)] : [] }));
    this.requireHere();
  }

  /**
   * Sends the command or setpoint of the present item and appends what came of it. Throws only when nothing was sent: `STATE_CONFLICT` in a check without commands, for another item, or for one
   * that has none, and what a write throws.
   */
  override send(uuid: string, value: number | undefined, context: CallContext<'command'>): Promise<void> {
    return this.work(() => this.#send(uuid, value, context));
  }

  async #send(uuid: string, value: number | undefined, context: CallContext<'command'>): Promise<void> {
    const present = this.#require(uuid);
    const { item } = present.watched;
    const { expectation } = item;
    if (!this.#options.commands) throw new AppError('STATE_CONFLICT', say('check.commands_off'));
    if (expectation.kind !== 'command' && expectation.kind !== 'setpoint')
      throw new AppError('STATE_CONFLICT', say('check.no_command', { code: item.code }));
    const found = pointOfItem(this.session, item);
    if (!found) throw new AppError('STATE_CONFLICT', goneOf(this.session, item));
    const { channel, point } = found;
    if (!isOwn(channel)) throw new AppError('STATE_CONFLICT', say('check.elsewhere_command', { code: item.code, service: item.service }));
    const place = new Place(this.session, item);
    const requireGoing = () => {
      if (!this.isRunning || this.isElsewhere()) throw new AppError('STATE_CONFLICT', say('check.no_run'));
      if (!place.find()) throw new AppError('STATE_CONFLICT', say('check.point_gone', { code: item.code }));
      if (place.isElsewhere) throw new AppError('STATE_CONFLICT', say('check.point_edited', { code: item.code }));
    };
    const { settleMs } = this.#options;
    const sender = {
      deps: this.deps,
      found: { channel, point },
      place,
      requireGoing,
      context,
      session: this.check.uuid,
      settleMs,
      times: this.#feed.times,
      ending: this.ending.signal,
    };
    this.#isRecording = true;
    const judging = expectation.kind === 'command' ? checkCommand(sender, expectation) : checkSetpoint(sender, expectation, value);
    const judged = await judging.catch((thrown: unknown) => {
      this.#isRecording = false;
      throw thrown;
    });
    // a check that was stopped meanwhile has still sent it: the result belongs to its session
    const asked =
      expectation.kind === 'setpoint' && expectation.value === null && value !== undefined ? { ...expectation, value } : expectation;
    await this.#record(present, { ...judged, remark: '', expectation: asked });
    this.requireHere();
  }

  #require(uuid: string): Present {
    const present = this.#present;
    if (!present) throw new AppError('STATE_CONFLICT', say('check.no_run'));
    if (this.#isRecording) throw new AppError('STATE_CONFLICT', say('check.recording'));
    if (present.watched.item.uuid === uuid) return present;
    throw new AppError('STATE_CONFLICT', say('check.other_item', { code: present.watched.item.code }));
  }

  #sinceMs(begunAt: number): number {
    return Math.round(this.deps.clock.monotonicMs() - begunAt);
  }

  /** `restedMs`: since nothing moves, in milliseconds. */
  #show(at: number, restedMs = 0): void {
    const { items, settleMs } = this.#options;
    const item = items[at];
    this.#at = at;
    if (!item) {
      this.stop();
      return;
    }
    const now = this.deps.clock.monotonicMs();
    this.#present = {
      watched: new ItemWatch(item, this.session, { settleMs, now, restedMs }),
      neighbours: new Neighbours(this.session, items, item, now),
      since: this.#feed.mark(),
    };
  }

  #lookLater(): void {
    this.#cancel = this.deps.clock.after(LOOK_MS, () => {
      if (!this.isRunning) return;
      this.#look();
      if (this.isRunning) this.#lookLater();
    });
  }

  /** Tells the watch of what came since the last look, and takes what it says. */
  #look(): void {
    if (this.isElsewhere()) {
      this.stop();
      return;
    }
    const present = this.#present;
    const now = this.deps.clock.monotonicMs();
    if (!present || this.#isRecording) {
      this.#takeNew(null, undefined, now);
      return;
    }
    const { watched } = present;
    const found = watched.locate();
    if (watched.isElsewhere) {
      // edited meanwhile: what was seen is of another place
      this.#show(this.#at);
      return;
    }
    this.#takeNew(present, found, now);
    present.neighbours.look();
    const sight = watched.look(now);
    if (!found) return;
    if (sight) void this.work(() => this.#conclude(present, found, sight)).catch(this.#gaveUp);
    else if (watched.haveOctetsRested(now)) void this.work(() => this.#misread(present, found)).catch(this.#gaveUp);
  }

  /** A fault leaves the item to a person. */
  readonly #gaveUp = (thrown: unknown) => {
    this.#isRecording = false;
    this.fault(thrown);
  };

  /** Octets in the wrong order may be a value that hardly moves, or no number at all: they are read otherwise when they have come to rest. */
  async #misread(present: Present, found: CheckedPoint): Promise<void> {
    const { last, item } = present.watched;
    if (!last) return;
    const findings = await readOtherwise(found, item.expectation, last);
    if (findings.length === 0 || this.#present !== present || this.#isRecording) return;
    await this.#record(present, { verdict: 'failed', findings, remark: '', seen: [last] });
  }

  /** Events first: what they tell was before the value of the table. What devices sent of other points tells of their clocks. */
  #takeNew(present: Present | null, found: CheckedPoint | undefined, at: number): void {
    for (const taken of this.#feed.take(at)) {
      if (!present || !found || !taken.isBehind(present.since)) continue;
      if (isOf(taken.event, found.channel.id, found.point.id)) present.watched.takeEvent(found, taken, taken.rawHex());
    }
    if (present && found && this.#feed.isDrained(found.channel)) present.watched.takeTable(found, at);
  }

  async #conclude(present: Present, found: CheckedPoint, sight: Sight): Promise<void> {
    this.#isRecording = true;
    const findings = await findingsOf(found, present.watched.item.expectation, sight);
    if (this.#present !== present) this.#isRecording = false;
    else await this.#record(present, { verdict: sight.verdict, findings, remark: '', seen: sight.seen }, this.#options.settleMs);
  }

  /** What the program saw, where a person says that the item failed. */
  #personFindings({ watched, neighbours }: Present): CheckFinding[] {
    if (watched.hint.length > 0) return [...watched.hint];
    if (watched.changes > 0) return [];
    const { last } = watched;
    if (last?.received_at && isBad(last)) return [finding('bad_quality', say('check.found_bad_quality', { quality: qualityOf(last) }))];
    const crossed = neighbours
      .moved()
      .map(({ code, before, after }) => finding('crossed', say('check.found_crossed', { code, before, after })));
    if (crossed.length > 0) return crossed;
    const seconds = Math.round(this.#sinceMs(watched.begunAt) / 1000);
    return watched.watch === null ? [] : [finding('dead', say('check.found_dead', { seconds }))];
  }

  /** Appends the result and goes on. One that cannot be appended now is kept: the check goes on once it is in the file. `restedMs`: since nothing moves. */
  async #record(present: Present, said: Said, restedMs = 0): Promise<void> {
    const { item, begunAt, facts: place } = present.watched;
    this.#isRecording = true;
    const frames = await this.framesOf(item);
    this.append([this.entryOf({ item, ...said, frames, place, begunAt })], () => {
      this.#isRecording = false;
      if (this.isRunning && this.#present === present) this.#show(this.#at + 1, restedMs);
    });
  }
}

function notSeen({ channel, point }: CheckedPoint) {
  const quality = channel.points.state(point.id)?.quality ?? 'never';
  return say('check.not_seen', { code: point.code, quality: say(`check.quality_${quality}`) });
}
