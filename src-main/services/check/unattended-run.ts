import type { CheckFinding, CheckReference, CheckResult, CheckRun, CheckSeen } from '#shared/contract/check.ts';
import type { FrameEntry } from '#shared/contract/frames.ts';
import { ReadTaskConfig } from '#shared/contract/tasks.ts';
import type { CheckVerdict } from '#shared/domain/check.ts';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import type { StoredCheck, StoredCheckItem } from '../../persistence/check-repositories.ts';
import { delay } from '../../platform/clock.ts';
import { Turns } from '../../platform/turns.ts';
import { notStarted } from '../../runtime/not-started.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { framesOfPoints } from '../frames.ts';
import type { FoundPoint } from '../lookup.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { isoTime } from '../rows.ts';
import { CheckBook, type NewEntry } from './check-book.ts';
import { placeOf, seenNow } from './evidence.ts';
import { finding, findingsOf } from './findings.ts';
import { resultRow } from './results.ts';
import { pointOfItem } from './states.ts';
import { toleranceOf } from './watch.ts';

const LOOK_MS = 100;
/** Results that go into the file in one change. */
const RESULTS_A_CHANGE = 50;
const ITEMS_A_LOOK = 100;
const MOST_SHOWN = 5;
const MOST_FRAMES = 4;

/** An item with what its value is compared with. */
export interface Compared {
  readonly item: StoredCheckItem;
  /** The reference when it is asked for; null: it has no good value. */
  reference(): CheckReference | null;
}

export interface UnattendedOptions {
  readonly operator: string;
  readonly items: readonly Compared[];
  readonly timeoutMs: number;
}

interface Pending extends Compared {
  readonly found: FoundPoint;
  /** When the value was received that was there at the start. */
  readonly before: number | null;
}

interface Decided {
  readonly item: StoredCheckItem;
  readonly verdict: CheckVerdict;
  readonly findings: readonly CheckFinding[];
  readonly seen: readonly CheckSeen[];
  readonly remark: string;
}

/** The unattended way: all items at once, each by the first value that is received after the start. Ends by itself, when it is stopped, and when another project is opened. */
export class UnattendedRun {
  readonly check: StoredCheck;
  readonly #deps: ServiceDeps;
  readonly #session: ProjectSession;
  readonly #book: CheckBook;
  readonly #options: UnattendedOptions;
  readonly #startedAt: string;
  readonly #begunAt: number;
  readonly #frames = new Map<ChannelRuntime, number>();
  readonly #shown: CheckResult[] = [];
  readonly #stopping = new AbortController();
  /** Of all items, as they were when values were judged last. */
  #references: readonly { readonly item: string; readonly code: string; readonly value: number; readonly tolerance: number }[] = [];
  #done = 0;
  #state: CheckRun['state'] = 'running';
  #error: AppError | null = null;

  constructor(deps: ServiceDeps, check: StoredCheck, options: UnattendedOptions) {
    this.check = check;
    this.#deps = deps;
    this.#session = deps.projects.current();
    this.#book = CheckBook.of(deps);
    this.#options = options;
    this.#startedAt = isoTime(deps.clock.wallMs());
    this.#begunAt = deps.clock.monotonicMs();
    void this.#run()
      .catch((thrown) => {
        this.#error = thrown instanceof AppError ? thrown : new AppError('INTERNAL', say('check.not_appended'), { cause: thrown });
        if (this.#error.code !== 'CANCELLED') deps.logger.error({ err: thrown }, 'unattended check ended by a fault');
      })
      .finally(() => {
        this.#state = 'ended';
      });
  }

  get isRunning(): boolean {
    return this.#state === 'running';
  }

  get operator(): string {
    return this.#options.operator;
  }

  stop(): void {
    this.#state = 'ended';
    this.#stopping.abort();
  }

  /** Nobody decides an item of an unattended check. */
  async decide(): Promise<never> {
    throw new AppError('STATE_CONFLICT', say('check.no_run'));
  }

  async send(): Promise<never> {
    throw new AppError('STATE_CONFLICT', say('check.no_run'));
  }

  snapshot(): CheckRun {
    const error = this.#error?.code === 'CANCELLED' ? null : this.#error;
    return {
      session_id: this.check.id,
      way: 'unattended',
      operator: this.#options.operator,
      state: this.#state,
      started_at: this.#startedAt,
      total: this.#options.items.length,
      position: this.#done,
      done: this.#done,
      item: null,
      still: null,
      left_ms: this.isRunning ? Math.max(0, Math.round(this.#begunAt + this.#options.timeoutMs - this.#deps.clock.monotonicMs())) : 0,
      results: [...this.#shown],
      error: error && { said: error.said, text: error.message },
    };
  }

  async #run(): Promise<void> {
    const { blocked, pending } = this.#prepare();
    await this.#append(blocked, new Map());
    this.#startReads(pending);
    const deadline = this.#begunAt + this.#options.timeoutMs;
    let open: readonly Pending[] = pending;
    while (open.length > 0 && !this.#isOver()) {
      const isLate = this.#deps.clock.monotonicMs() >= deadline;
      const due = open.filter((each) => isLate || isReceived(each));
      if (due.length > 0) {
        const taken = new Set(due);
        open = open.filter((each) => !taken.has(each));
        await this.#take(due);
        continue;
      }
      await delay(this.#deps.clock, LOOK_MS, this.#stopping.signal);
    }
  }

  #isOver(): boolean {
    if (this.#stopping.signal.aborted) return true;
    try {
      return this.#deps.projects.current() !== this.#session;
    } catch {
      return true;
    }
  }

  /** Items of channels that are not started are blocked at once: nothing will come. */
  #prepare(): { readonly blocked: Decided[]; readonly pending: Pending[] } {
    const blocked: Decided[] = [];
    const pending: Pending[] = [];
    for (const compared of this.#options.items) {
      const { item } = compared;
      const found = pointOfItem(this.#session, item);
      const status = found?.channel.state().status;
      if (found && (status === 'running' || status === 'reconnecting')) {
        this.#frames.set(found.channel, this.#frames.get(found.channel) ?? found.channel.frames.lastSeq);
        pending.push({ ...compared, found, before: found.channel.points.state(found.point.id)?.updatedAt ?? null });
        continue;
      }
      const said = found && status ? notStarted(found.channel.settings.name, status).said : say('check.point_gone', { code: item.code });
      blocked.push({ item, verdict: 'blocked', findings: [], seen: [], remark: english(said) });
    }
    return { blocked, pending };
  }

  /** One manual read of the items on each channel that nobody reads. */
  #startReads(pending: readonly Pending[]): void {
    const points = new Map<ChannelRuntime, PointConfig[]>();
    for (const { found } of pending) {
      const known = points.get(found.channel) ?? [];
      known.push(found.point);
      points.set(found.channel, known);
    }
    for (const [channel, chosen] of points) {
      if (channel.taskSnapshot('automatic').state === 'running') continue;
      try {
        const named = chosen.map(({ id, frame_type }) => ({ id, frame_type }));
        channel.startTask('manual', ReadTaskConfig.parse({ mode: 'batch', points: named }));
      } catch (thrown) {
        // a read that is under way brings the values as well
        this.#deps.logger.info({ err: toAppError(thrown), channel: channel.settings.name }, 'unattended check started no read of its own');
      }
    }
  }

  async #take(due: readonly Pending[]): Promise<void> {
    const turns = new Turns();
    const frames = await this.#framesOf(due);
    this.#references = this.#options.items.flatMap(({ item, reference }) => {
      const known = reference();
      return known ? [{ item: item.uuid, code: item.code, value: known.value, tolerance: toleranceOf(known) }] : [];
    });
    let decided: Decided[] = [];
    for (const [at, each] of due.entries()) {
      if (at % ITEMS_A_LOOK === ITEMS_A_LOOK - 1) await turns.breathe();
      decided.push(await this.#judge(each));
      if (decided.length < RESULTS_A_CHANGE) continue;
      await this.#append(decided, frames);
      decided = [];
    }
    await this.#append(decided, frames);
  }

  async #framesOf(due: readonly Pending[]): Promise<Map<number, FrameEntry[]>> {
    const all = new Map<number, FrameEntry[]>();
    for (const [channel, since] of this.#frames) {
      const points = due.filter(({ found }) => found.channel === channel).map(({ found }) => found.point);
      if (points.length === 0) continue;
      for (const [id, entries] of await framesOfPoints(channel, points, since, MOST_FRAMES)) all.set(id, entries);
    }
    return all;
  }

  async #judge(each: Pending): Promise<Decided> {
    const { item, found } = each;
    const seen = seenNow(found);
    const failed = (findings: readonly CheckFinding[]): Decided => ({ item, verdict: 'failed', findings, seen: [seen], remark: '' });
    if (!isReceived(each)) {
      const seconds = Math.round(this.#options.timeoutMs / 1000);
      return failed([finding('dead', say('check.found_dead_read', { seconds }))]);
    }
    if (seen.quality !== 'good')
      return failed([finding('bad_quality', say('check.found_bad_quality', { quality: [seen.quality, ...seen.flags].join(' ') }))]);
    const reference = each.reference();
    if (!reference) {
      const remark = english(say('check.reference_not_good', { code: item.code, quality: say('check.quality_stale') }));
      return { item, verdict: 'blocked', findings: [], seen: [seen], remark };
    }
    if (seen.value !== null && Math.abs(seen.value - reference.value) <= toleranceOf(reference)) {
      return { item, verdict: 'passed', findings: [], seen: [seen], remark: '' };
    }
    const crossed = this.#crossed(item, seen, reference);
    if (crossed) return failed([crossed]);
    const expectation = { kind: 'values' as const, references: [reference] };
    return failed(await findingsOf(found, expectation, { verdict: 'failed', seen: [seen], why: 'other', changes: 0 }));
  }

  /** The value is the reference of one other item and of no more: wires, or rows of the table, are crossed. */
  #crossed(own: StoredCheckItem, { value, unit }: CheckSeen, wanted: CheckReference): CheckFinding | null {
    if (value === null || value === 0) return null;
    const others = this.#references.filter((other) => other.item !== own.uuid && Math.abs(value - other.value) <= other.tolerance);
    const [only] = others;
    if (!only || others.length > 1) return null;
    const withUnit = (number: number) => (unit === '' ? String(number) : `${number} ${unit}`);
    return finding(
      'crossed',
      say('check.found_crossed_value', { value: withUnit(value), wanted: withUnit(wanted.value), code: only.code }),
    );
  }

  async #append(decided: readonly Decided[], frames: ReadonlyMap<number, FrameEntry[]>): Promise<void> {
    if (decided.length === 0 || this.#isOver()) return;
    const took = Math.round(this.#deps.clock.monotonicMs() - this.#begunAt);
    const entries = decided.map(({ item, verdict, findings, seen, remark }): NewEntry => {
      const found = pointOfItem(this.#session, item);
      return {
        item: item.uuid,
        verdict,
        way: 'unattended',
        operator: this.#options.operator,
        remark,
        findings: [...findings],
        expectation: item.expectation,
        seen: [...seen],
        frames: frames.get(item.pointId) ?? [],
        ...(found ? placeOf(found) : { point: {}, channel: {}, mapping: {} }),
        audit_ids: [],
        took_ms: took,
      };
    });
    const stored = this.#book.appendAll(this.check, entries);
    this.#done += stored.length;
    this.#shown.unshift(...stored.slice(-MOST_SHOWN).reverse().map(resultRow));
    this.#shown.length = Math.min(this.#shown.length, MOST_SHOWN);
    await new Turns().breathe();
  }
}

/** A value came since the start; that it is the same one does not matter. */
function isReceived({ found, before }: Pending): boolean {
  const state = found.channel.points.state(found.point.id);
  return state !== undefined && state.updatedAt !== null && state.updatedAt !== before;
}
