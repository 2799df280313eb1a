import type { CheckFinding, CheckResult, CheckRun, CheckSeen, Expectation } from '#shared/contract/check.ts';
import type { CheckVerdict } from '#shared/domain/check.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { StoredCheck, StoredCheckItem } from '../../persistence/check-repositories.ts';
import type { CancelTimer } from '../../platform/clock.ts';
import type { CallContext } from '../handlers.ts';
import type { FoundPoint } from '../lookup.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { isoTime } from '../rows.ts';
import { CheckBook } from './check-book.ts';
import { checkCommand, checkSetpoint } from './command-check.ts';
import { framesOf, placeOf, seenNow } from './evidence.ts';
import { finding, findingsOf, readOtherwise } from './findings.ts';
import { ItemWatch } from './item-watch.ts';
import { Neighbours } from './neighbours.ts';
import { presentRow } from './present-row.ts';
import { resultRow } from './results.ts';
import { pointOfItem } from './states.ts';
import type { Sight } from './watch.ts';

/** Time between two looks at the values. */
const LOOK_MS = 50;
/** Results that the run shows. */
const MOST_SHOWN = 5;
/** Events that are looked at in one look. */
const MOST_EVENTS = 1000;

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
  /** Last entry of the event log that was looked at. */
  eventSeq: number;
}

/**
 * The guided way: one item at a time. Looks at what tasks and devices bring into the table and the event log; reads and sends only what a person asks for, item by item. Ends with its last item,
 * when it is stopped, and when another project is opened.
 */
export class GuidedRun {
  readonly check: StoredCheck;
  readonly #deps: ServiceDeps;
  readonly #session: ProjectSession;
  readonly #book: CheckBook;
  readonly #options: GuidedOptions;
  readonly #startedAt: string;
  readonly #shown: CheckResult[] = [];
  #at = -1;
  #done = 0;
  #present: Present | null = null;
  #state: CheckRun['state'] = 'running';
  #error: AppError | null = null;
  #isRecording = false;
  #cancel: CancelTimer = () => {};

  constructor(deps: ServiceDeps, check: StoredCheck, options: GuidedOptions) {
    this.#deps = deps;
    this.check = check;
    this.#session = deps.projects.current();
    this.#book = CheckBook.of(deps);
    this.#options = options;
    this.#startedAt = isoTime(deps.clock.wallMs());
    this.#show(0);
    this.#lookLater();
  }

  get isRunning(): boolean {
    return this.#state === 'running';
  }

  get operator(): string {
    return this.#options.operator;
  }

  stop(): void {
    this.#cancel();
    this.#state = 'ended';
    this.#present = null;
  }

  snapshot(): CheckRun {
    const present = this.#present;
    const { items, operator } = this.#options;
    return {
      session_id: this.check.id,
      way: 'guided',
      operator,
      state: this.#state,
      started_at: this.#startedAt,
      total: items.length,
      position: Math.max(0, this.#at),
      done: this.#done,
      item: present && presentRow(this.#session, present.watched, this.#deps.clock.monotonicMs(), present.neighbours.moved()),
      still: null,
      left_ms: null,
      results: [...this.#shown],
      error: this.#error && { said: this.#error.said, text: this.#error.message },
    };
  }

  /** What a person says of the present item. Throws `STATE_CONFLICT` where another one is shown by now, or nothing runs. */
  async decide(uuid: string, action: 'pass' | 'fail' | 'block' | 'skip' | 'repeat' | 'back', remark: string): Promise<void> {
    const present = this.#require(uuid);
    if (action === 'repeat' || action === 'back') {
      this.#show(Math.max(0, action === 'back' ? this.#at - 1 : this.#at));
      return;
    }
    const verdict = ({ pass: 'passed', fail: 'failed', block: 'blocked', skip: 'skipped' } as const)[action];
    const found = pointOfItem(this.#session, present.watched.item);
    if (verdict === 'passed' && (!found || seenNow(found).quality !== 'good')) {
      throw new AppError('STATE_CONFLICT', found ? notSeen(found) : say('check.point_gone', { code: present.watched.item.code }));
    }
    const findings = verdict === 'failed' ? this.#personFindings(present) : [];
    await this.#record(present, { verdict, findings, remark, seen: found ? [seenNow(found)] : [] }, true);
  }

  /**
   * Sends the command or setpoint of the present item and appends what came of it. Throws only when nothing was sent: `STATE_CONFLICT` in a check without commands, for another item, or for one
   * that has none, and what a write throws.
   */
  async send(uuid: string, value: number | undefined, context: CallContext<'command'>): Promise<void> {
    const present = this.#require(uuid);
    const { item } = present.watched;
    const { expectation } = item;
    if (!this.#options.commands) throw new AppError('STATE_CONFLICT', say('check.commands_off'));
    if (expectation.kind !== 'command' && expectation.kind !== 'setpoint')
      throw new AppError('STATE_CONFLICT', say('check.no_command', { code: item.code }));
    const found = pointOfItem(this.#session, item);
    if (!found) throw new AppError('STATE_CONFLICT', say('check.point_gone', { code: item.code }));
    const sender = { deps: this.#deps, found, context, session: this.check.uuid };
    this.#isRecording = true;
    const judging = expectation.kind === 'command' ? checkCommand(sender, expectation) : checkSetpoint(sender, expectation, value);
    const judged = await judging.finally(() => {
      this.#isRecording = false;
    });
    // a check that was stopped meanwhile has still sent it: the result belongs to its session
    const asked =
      expectation.kind === 'setpoint' && expectation.value === null && value !== undefined ? { ...expectation, value } : expectation;
    await this.#record(present, { ...judged, remark: '', expectation: asked }, true);
  }

  #require(uuid: string): Present {
    const present = this.#present;
    if (!present) throw new AppError('STATE_CONFLICT', say('check.no_run'));
    if (this.#isRecording) throw new AppError('STATE_CONFLICT', say('check.recording'));
    if (present.watched.item.uuid === uuid) return present;
    throw new AppError('STATE_CONFLICT', say('check.other_item', { code: present.watched.item.code }));
  }

  #show(at: number): void {
    const { items, settleMs } = this.#options;
    const item = items[at];
    this.#at = at;
    if (!item) {
      this.stop();
      return;
    }
    const found = pointOfItem(this.#session, item);
    this.#present = {
      watched: new ItemWatch(item, found, { settleMs, now: this.#deps.clock.monotonicMs(), wallMs: this.#deps.clock.wallMs() }),
      neighbours: new Neighbours(this.#session, items, item),
      eventSeq: this.#session.events.lastSeq,
    };
  }

  #lookLater(): void {
    this.#cancel = this.#deps.clock.after(LOOK_MS, () => {
      if (this.#state !== 'running') return;
      this.#look();
      this.#lookLater();
    });
  }

  /** Tells the watch of what came since the last look, and takes what it says. */
  #look(): void {
    const present = this.#present;
    if (!present || this.#isRecording) return;
    if (this.#isElsewhere()) {
      this.stop();
      return;
    }
    const now = this.#deps.clock.monotonicMs();
    const { watched } = present;
    const found = pointOfItem(this.#session, watched.item);
    if (found && !watched.isOf(found)) {
      // edited meanwhile: what was seen is of another place
      this.#show(this.#at);
      return;
    }
    if (found) this.#takeNew(present, found, now);
    present.neighbours.look();
    const sight = watched.look(now);
    if (!found) return;
    if (sight) void this.#conclude(present, found, sight).catch(this.#fault);
    else if (watched.haveOctetsRested(now)) void this.#misread(present, found).catch(this.#fault);
  }

  /** Octets in the wrong order may be a value that hardly moves, or no number at all: they are read otherwise when they have come to rest. */
  async #misread(present: Present, found: FoundPoint): Promise<void> {
    const { last, item } = present.watched;
    if (!last) return;
    const findings = await readOtherwise(found, item.expectation, last);
    if (findings.length === 0 || this.#present !== present || this.#isRecording) return;
    await this.#record(present, { verdict: 'failed', findings, remark: '', seen: [last] });
  }

  /** A fault of ours ends no program: it is shown, and logged. */
  readonly #fault = (thrown: unknown) => {
    this.#deps.logger.error({ err: thrown }, 'fault of a guided check');
    this.#error = new AppError('INTERNAL', say('check.not_appended'), { cause: thrown });
  };

  #isElsewhere(): boolean {
    try {
      return this.#deps.projects.current() !== this.#session;
    } catch {
      // another one is being opened
      return true;
    }
  }

  /** Events first: what they tell was before the value of the table. */
  #takeNew(present: Present, found: FoundPoint, now: number): void {
    const { lastSeq } = this.#session.events;
    const events = this.#session.events.list({ channelId: found.channel.id, afterSeq: present.eventSeq, limit: MOST_EVENTS });
    for (const event of events) {
      present.eventSeq = event.seq;
      if (event.pointId === found.point.id) present.watched.takeEvent(found, event, now);
    }
    present.eventSeq = Math.max(present.eventSeq, events.length < MOST_EVENTS ? lastSeq : 0);
    if (events.length === MOST_EVENTS) return;
    present.watched.takeTable(found, now);
  }

  async #conclude(present: Present, found: FoundPoint, sight: Sight): Promise<void> {
    this.#isRecording = true;
    const findings = await findingsOf(found, present.watched.item.expectation, sight).finally(() => {
      this.#isRecording = false;
    });
    if (this.#present !== present) return;
    await this.#record(present, { verdict: sight.verdict, findings, remark: '', seen: sight.seen });
  }

  /** What the program saw, where a person says that the item failed. */
  #personFindings({ watched: { watch, hint, begunAt }, neighbours }: Present): CheckFinding[] {
    if (hint.length > 0) return [...hint];
    if ((watch?.progress().changes ?? 0) > 0) return [];
    const crossed = neighbours
      .moved()
      .map(({ code, before, after }) => finding('crossed', say('check.found_crossed', { code, before, after })));
    if (crossed.length > 0) return crossed;
    const seconds = Math.round((this.#deps.clock.monotonicMs() - begunAt) / 1000);
    return watch === null ? [] : [finding('dead', say('check.found_dead', { seconds }))];
  }

  /** Appends the result and goes on. A failure to append is shown; the item stays. */
  async #record(
    present: Present,
    result: {
      verdict: CheckVerdict;
      findings: readonly CheckFinding[];
      remark: string;
      seen: readonly CheckSeen[];
      auditIds?: readonly number[];
      /** As it was asked, where a person gave its value. */
      expectation?: Expectation;
    },
    isAsked = false,
  ): Promise<void> {
    const { item, begunAt } = present.watched;
    this.#isRecording = true;
    try {
      const sought = pointOfItem(this.#session, item);
      const frames = sought ? await framesOf(sought) : [];
      if (this.#isElsewhere()) {
        this.stop();
        if (isAsked) throw new AppError('STATE_CONFLICT', say('service.expected_project'));
        return;
      }
      const found = pointOfItem(this.#session, item);
      const entry = this.#book.append(this.check, {
        item: item.uuid,
        verdict: result.verdict,
        way: 'guided',
        operator: this.#options.operator,
        remark: result.remark,
        findings: [...result.findings],
        expectation: result.expectation ?? item.expectation,
        seen: [...result.seen],
        frames,
        ...(found ? placeOf(found) : { point: {}, channel: {}, mapping: {} }),
        audit_ids: [...(result.auditIds ?? [])],
        took_ms: Math.round(this.#deps.clock.monotonicMs() - begunAt),
      });
      this.#error = null;
      this.#done += 1;
      this.#shown.unshift(resultRow(entry));
      this.#shown.length = Math.min(this.#shown.length, MOST_SHOWN);
      if (this.isRunning && this.#present === present) this.#show(this.#at + 1);
    } catch (thrown) {
      this.#error = thrown instanceof AppError ? thrown : new AppError('INTERNAL', say('check.not_appended'), { cause: thrown });
      // the watch has said what it saw: it begins anew when there is room again
      if (this.#present === present) this.#show(this.#at);
      if (isAsked) throw this.#error;
    } finally {
      this.#isRecording = false;
    }
  }
}

function notSeen({ channel, point }: FoundPoint) {
  const quality = channel.points.state(point.id)?.quality ?? 'never';
  return say('check.not_seen', { code: point.code, quality: say(`check.quality_${quality}`) });
}
