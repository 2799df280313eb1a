import type { CheckFinding, CheckResult, CheckRun, CheckSeen, Expectation } from '#shared/contract/check.ts';
import type { FrameEntry } from '#shared/contract/frames.ts';
import type { CheckVerdict } from '#shared/domain/check.ts';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { StoredCheck, StoredCheckEntry, StoredCheckItem } from '../../persistence/check-repositories.ts';
import { type CancelTimer, delay } from '../../platform/clock.ts';
import type { CallContext } from '../handlers.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { isoTime } from '../rows.ts';
import type { NewEntry } from './chain.ts';
import { CheckBook } from './check-book.ts';
import { framesOf, type PlaceFacts } from './evidence.ts';
import { resultRow } from './results.ts';
import { pointOfItem } from './states.ts';

/** Results that the run shows. */
const MOST_SHOWN = 5;
/** Results that could not be appended are tried again after so long. */
const RETRY_MS = 1000;
const END_LOOK_MS = 20;

/** What was found out of an item, with what it rests on. */
export interface Outcome {
  readonly item: StoredCheckItem;
  readonly verdict: CheckVerdict;
  readonly findings?: readonly CheckFinding[];
  readonly remark?: string;
  readonly seen: readonly CheckSeen[];
  readonly frames: readonly FrameEntry[];
  readonly auditIds?: readonly number[];
  /** As it was judged, where it is not that of the item. */
  readonly expectation?: Expectation;
  /** What the point was where it was seen. */
  readonly place: PlaceFacts;
  /** Monotonic time at which it began. */
  readonly begunAt: number;
}

/** Judged results that are not in the file yet. */
interface Waiting {
  readonly entries: readonly NewEntry[];
  readonly then: () => void;
}

/** What a way of checking says of itself; the rest of a run is the same for all. */
type RunRow = Pick<CheckRun, 'total' | 'position' | 'item'> &
  Partial<Pick<CheckRun, 'latest' | 'moved' | 'not_moved' | 'not_ready' | 'left_ms'>>;

/**
 * What the ways of checking have in common: who checks what since when, and results that are appended in their order. A result that cannot be appended (a full disk) is kept and
 * tried again every second until it is in the file, and kept beside it when the project is left; it is neither judged nor sent again.
 */
export abstract class RunBase {
  readonly check: StoredCheck;
  readonly operator: string;
  protected readonly deps: ServiceDeps;
  protected readonly session: ProjectSession;
  protected done = 0;
  protected error: AppError | null = null;
  /** What stays to be done by hand when all results are in the file. */
  protected leftOver: AppError | null = null;
  /** Aborted when the project is left. */
  protected readonly ending = new AbortController();
  readonly #way: CheckRun['way'];
  readonly #book: CheckBook;
  readonly #startedAt: string;
  readonly #shown: CheckResult[] = [];
  readonly #waiting: Waiting[] = [];
  #works = 0;
  #state: CheckRun['state'] = 'running';
  #retry: CancelTimer | null = null;
  /** The project is left, or going to be. */
  #isLeft = false;

  constructor(deps: ServiceDeps, check: StoredCheck, way: CheckRun['way'], operator: string) {
    this.deps = deps;
    this.check = check;
    this.operator = operator;
    this.session = deps.projects.current();
    this.#way = way;
    this.#book = CheckBook.of(deps);
    this.#startedAt = isoTime(deps.clock.wallMs());
  }

  get isRunning(): boolean {
    return this.#state === 'running';
  }

  /** Results that could not be appended yet. */
  get waiting(): number {
    return this.#waiting.reduce((sum, { entries }) => sum + entries.length, 0);
  }

  /** True until all that it found out is in the file, also behind its end. */
  get isAtWork(): boolean {
    return this.isRunning || this.waiting > 0 || this.#works > 0;
  }

  /** Does something whose result has to come into the file, also when the run is stopped meanwhile. */
  protected async work<Result>(does: () => Promise<Result>): Promise<Result> {
    this.#works += 1;
    try {
      return await does();
    } finally {
      this.#works -= 1;
    }
  }

  /**
   * The project is left: the run is ended, what is under way comes to its end, and results that still have no room are kept beside the project. Throws what keeps them from being kept.
   */
  async endWithProject(): Promise<void> {
    this.#isLeft = true;
    this.ending.abort();
    this.stop();
    while (this.isRunning || this.#works > 0) await delay(this.deps.clock, END_LOOK_MS);
    this.#retry?.();
    this.#appendWaiting();
    if (this.#keepLeft()) return;
    const { waiting: count } = this;
    const reason = this.error?.said ?? say('check.not_appended');
    throw new AppError(this.error?.code ?? 'INTERNAL', say('check.not_kept', { count, reason }));
  }

  /** Keeps what waits for room beside the project; false where that has no room either. */
  #keepLeft(): boolean {
    const entries = this.#waiting.flatMap(({ entries: each }) => each);
    if (entries.length === 0) return true;
    try {
      this.#book.setAside(this.check, entries);
    } catch (thrown) {
      this.error = notAppended(thrown);
      this.deps.logger.error({ err: thrown, results: entries }, 'results of a check are neither in the project nor beside it');
      return false;
    }
    this.#retry?.();
    this.#retry = null;
    this.#waiting.length = 0;
    this.deps.logger.warn({ results: entries.length }, 'results of a check had no room, and lie beside the project');
    return true;
  }

  /** Ends the run. Results that wait are still appended. */
  stop(): void {
    if (!this.isRunning) return;
    this.#state = 'ended';
    this.ended();
  }

  /** The run has ended: nothing looks on. */
  protected abstract ended(): void;

  abstract snapshot(): CheckRun;

  /** Why nobody decides an item of this run, nor sends for one, nor says what is moved. */
  protected abstract refusal(): Message;

  async decide(_item: string, _action: 'pass' | 'fail' | 'block' | 'skip' | 'repeat' | 'back', _remark: string): Promise<void> {
    throw new AppError('STATE_CONFLICT', this.refusal());
  }

  async send(_item: string, _value: number | undefined, _context: CallContext<'command'>): Promise<void> {
    throw new AppError('STATE_CONFLICT', this.refusal());
  }

  announce(_item: string, _withinMs: number): void {
    throw new AppError('STATE_CONFLICT', say('check.not_listening'));
  }

  /** Appends that items which did not move failed by it; nothing where the way knows no such items. */
  async failUnmoved(): Promise<void> {}

  protected row(row: RunRow): CheckRun {
    const error = this.waiting === 0 && this.leftOver ? this.leftOver : this.error;
    return {
      session_id: this.check.id,
      way: this.#way,
      operator: this.operator,
      state: this.#state,
      started_at: this.#startedAt,
      done: this.done,
      results: [...this.#shown],
      waiting: this.waiting,
      latest: null,
      moved: [],
      not_moved: null,
      not_ready: null,
      left_ms: null,
      error: error && { said: error.said, text: error.message },
      ...row,
    };
  }

  /** True once another project is open, or this one is closed. */
  protected isElsewhere(): boolean {
    try {
      return this.deps.projects.current() !== this.session;
    } catch {
      // another one is being opened
      return true;
    }
  }

  /** Throws `STATE_CONFLICT` where another project is open. */
  protected requireHere(): void {
    if (this.isElsewhere()) throw new AppError('STATE_CONFLICT', say('service.expected_project'));
  }

  /** A fault of ours ends no program: it is shown, and logged. */
  protected readonly fault = (thrown: unknown): void => {
    this.deps.logger.error({ err: thrown, way: this.#way }, 'fault of a check');
    this.error = notAppended(thrown);
  };

  /** Follows the work of a way that goes on by itself: a stop is no fault, and `end` is called however it ended. */
  protected follow(work: Promise<void>, end: () => void): void {
    void work
      .catch((thrown) => {
        if (toAppError(thrown).code !== 'CANCELLED') this.fault(thrown);
      })
      .finally(end);
  }

  /** The frames that carried the point of an item last; a result is one without them. */
  protected async framesOf(item: StoredCheckItem): Promise<FrameEntry[]> {
    const found = pointOfItem(this.session, item);
    try {
      return found ? await framesOf(found) : [];
    } catch (thrown) {
      this.fault(thrown);
      return [];
    }
  }

  /** An entry of what was found out. */
  protected entryOf({ item, begunAt, ...outcome }: Outcome): NewEntry {
    return {
      at: isoTime(this.deps.clock.wallMs()),
      item: item.uuid,
      verdict: outcome.verdict,
      way: this.#way,
      operator: this.operator,
      remark: outcome.remark ?? '',
      findings: [...(outcome.findings ?? [])],
      expectation: outcome.expectation ?? item.expectation,
      seen: [...outcome.seen],
      frames: [...outcome.frames],
      ...outcome.place,
      audit_ids: [...(outcome.auditIds ?? [])],
      took_ms: Math.round(this.deps.clock.monotonicMs() - begunAt),
    };
  }

  /** Appends results behind those that wait, and calls `then` when they are in the file. What cannot be appended now is tried again; `error` tells why. */
  protected append(entries: readonly NewEntry[], then: () => void): void {
    this.#waiting.push({ entries, then });
    if (this.#retry === null) this.#appendWaiting();
  }

  #appendWaiting(): void {
    this.#retry = null;
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      let stored: readonly StoredCheckEntry[];
      try {
        stored = this.#book.appendAll(this.check, next.entries);
      } catch (thrown) {
        this.error = notAppended(thrown);
        // nobody tries again behind the end
        if (this.#isLeft && this.isElsewhere() && this.#keepLeft()) return;
        this.#retry = this.deps.clock.after(RETRY_MS, () => this.#appendWaiting());
        return;
      }
      this.#waiting.shift();
      this.error = null;
      this.done += stored.length;
      this.#shown.unshift(...stored.slice(-MOST_SHOWN).reverse().map(resultRow));
      this.#shown.length = Math.min(this.#shown.length, MOST_SHOWN);
      next.then();
    }
  }
}

function notAppended(thrown: unknown): AppError {
  return thrown instanceof AppError ? thrown : new AppError('INTERNAL', say('check.not_appended'), { cause: thrown });
}
