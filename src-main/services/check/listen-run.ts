import type { CheckFinding, CheckResult, CheckRun, CheckSeen } from '#shared/contract/check.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { StoredCheck, StoredCheckItem } from '../../persistence/check-repositories.ts';
import type { CancelTimer } from '../../platform/clock.ts';
import type { FoundPoint } from '../lookup.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { isoTime } from '../rows.ts';
import { CheckBook } from './check-book.ts';
import { framesOf, placeOf } from './evidence.ts';
import { findingsOf, readOtherwise } from './findings.ts';
import { ItemWatch } from './item-watch.ts';
import { presentRow } from './present-row.ts';
import { resultRow } from './results.ts';
import { pointOfItem } from './states.ts';

const LOOK_MS = 50;
/** Events that are looked at in one look. */
const MOST_EVENTS = 5000;
/** Items that are looked at in one look: more would hold the lines. */
const ITEMS_A_LOOK = 500;
const MOST_SHOWN = 5;
/** Items without a movement that are named. */
const MOST_STILL = 20;

export interface ListenOptions {
  readonly operator: string;
  readonly settleMs: number;
  readonly items: readonly StoredCheckItem[];
}

/** What a watch came to, waiting to be appended. */
interface Concluded {
  readonly watched: ItemWatch;
  readonly verdict: 'passed' | 'failed';
  readonly findings: readonly CheckFinding[];
  readonly seen: readonly CheckSeen[];
}

/**
 * The listening way: people move things in any order, and each change is taken by the item that it belongs to. An item that passed is not looked at any more; one that failed is watched anew, so that
 * it can pass when it was put right. Reads nothing, sends nothing. Ends with its last item, when it is stopped, and when another project is opened.
 */
export class ListenRun {
  readonly check: StoredCheck;
  readonly #deps: ServiceDeps;
  readonly #session: ProjectSession;
  readonly #book: CheckBook;
  readonly #options: ListenOptions;
  readonly #startedAt: string;
  /** Items that are still listened for, in the order of the session. */
  readonly #open = new Map<string, ItemWatch>();
  /** Items by their point. */
  readonly #byPoint = new Map<number, string>();
  readonly #shown: CheckResult[] = [];
  readonly #waiting: Concluded[] = [];
  /** Items that have not moved yet. */
  readonly #still = new Map<string, StoredCheckItem>();
  /** The item that moved last. */
  #moved: ItemWatch | null = null;
  #eventSeq: number;
  #next = 0;
  #done = 0;
  #passed = 0;
  #state: CheckRun['state'] = 'running';
  #error: AppError | null = null;
  #isAppending = false;
  #cancel: CancelTimer = () => {};

  constructor(deps: ServiceDeps, check: StoredCheck, options: ListenOptions) {
    this.check = check;
    this.#deps = deps;
    this.#session = deps.projects.current();
    this.#book = CheckBook.of(deps);
    this.#options = options;
    this.#startedAt = isoTime(deps.clock.wallMs());
    this.#eventSeq = this.#session.events.lastSeq;
    for (const item of options.items) {
      const watched = this.#watch(item);
      // what only a person can decide is not listened for
      if (watched.watch === null) continue;
      this.#open.set(item.uuid, watched);
      this.#byPoint.set(item.pointId, item.uuid);
      this.#still.set(item.uuid, item);
    }
    if (this.#open.size === 0) throw new AppError('STATE_CONFLICT', say('check.nothing_to_hear'));
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
  }

  async decide(): Promise<never> {
    throw new AppError('STATE_CONFLICT', say('check.listening'));
  }

  async send(): Promise<never> {
    throw new AppError('STATE_CONFLICT', say('check.listening'));
  }

  snapshot(): CheckRun {
    return {
      session_id: this.check.id,
      way: 'listen',
      operator: this.#options.operator,
      state: this.#state,
      started_at: this.#startedAt,
      total: this.#open.size + this.#passed,
      position: this.#passed,
      done: this.#done,
      item: this.#moved && presentRow(this.#session, this.#moved, this.#deps.clock.monotonicMs()),
      still: { count: this.#still.size, items: this.#stillRows() },
      left_ms: null,
      results: [...this.#shown],
      error: this.#error && { said: this.#error.said, text: this.#error.message },
    };
  }

  #stillRows(): NonNullable<CheckRun['still']>['items'] {
    const rows: NonNullable<CheckRun['still']>['items'] = [];
    for (const item of this.#still.values()) {
      if (rows.length === MOST_STILL) break;
      const found = pointOfItem(this.#session, item);
      const { code, name } = found?.point ?? item;
      rows.push({ item: item.uuid, code, name, channel: found?.channel.settings.name ?? item.channel });
    }
    return rows;
  }

  #watch(item: StoredCheckItem): ItemWatch {
    const { clock } = this.#deps;
    const start = { settleMs: this.#options.settleMs, now: clock.monotonicMs(), wallMs: clock.wallMs() };
    return new ItemWatch(item, pointOfItem(this.#session, item), start);
  }

  #lookLater(): void {
    this.#cancel = this.#deps.clock.after(LOOK_MS, () => {
      if (this.#state !== 'running') return;
      if (this.#isElsewhere()) {
        this.stop();
        return;
      }
      this.#look();
      this.#lookLater();
    });
  }

  /** A fault of ours ends no program: it is shown, and logged. */
  readonly #fault = (thrown: unknown) => {
    this.#deps.logger.error({ err: thrown }, 'fault of a listening check');
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

  #look(): void {
    const now = this.#deps.clock.monotonicMs();
    for (const event of this.#session.events.list({ afterSeq: this.#eventSeq, limit: MOST_EVENTS })) {
      this.#eventSeq = event.seq;
      const watched = this.#open.get(this.#byPoint.get(event.pointId ?? 0) ?? '');
      const found = watched && pointOfItem(this.#session, watched.item);
      if (!found) continue;
      watched.takeEvent(found, event, now);
      this.#noteMove(watched);
    }
    const all = [...this.#open.values()];
    for (let turn = 0; turn < Math.min(ITEMS_A_LOOK, all.length); turn++) {
      const watched = all[this.#next % all.length];
      this.#next = (this.#next + 1) % all.length;
      if (watched) this.#lookAt(watched, now);
    }
  }

  #lookAt(watched: ItemWatch, now: number): void {
    const found = pointOfItem(this.#session, watched.item);
    if (!found) return;
    if (!watched.isOf(found)) {
      // edited meanwhile: what was seen is of another place
      this.#open.set(watched.item.uuid, this.#watch(watched.item));
      return;
    }
    const { last } = watched;
    watched.takeTable(found, now);
    if (watched.last !== last) this.#noteMove(watched);
    const sight = watched.look(now);
    if (sight) {
      this.#anew(watched, sight.verdict);
      void findingsOf(found, watched.item.expectation, sight)
        .then((findings) => this.#conclude({ watched, ...sight, findings }))
        .catch(this.#fault);
    } else if (watched.haveOctetsRested(now)) void this.#misread(watched, found).catch(this.#fault);
  }

  #noteMove(watched: ItemWatch): void {
    if (!watched.hasMoved()) return;
    this.#moved = watched;
    this.#still.delete(watched.item.uuid);
  }

  /** Octets in the wrong order may be a value that hardly moves, or no number at all. */
  async #misread(watched: ItemWatch, found: FoundPoint): Promise<void> {
    const { last, item } = watched;
    if (!last) return;
    const findings = await readOtherwise(found, item.expectation, last);
    if (findings.length === 0 || this.#open.get(item.uuid) !== watched) return;
    this.#moved = watched;
    this.#still.delete(item.uuid);
    this.#anew(watched, 'failed');
    this.#conclude({ watched, verdict: 'failed', findings, seen: [last] });
  }

  /** What has concluded concludes once: a failed item is watched anew from what stands now. */
  #anew({ item }: ItemWatch, verdict: 'passed' | 'failed'): void {
    if (verdict === 'failed') this.#open.set(item.uuid, this.#watch(item));
    else {
      this.#open.delete(item.uuid);
      this.#passed += 1;
    }
  }

  #conclude(concluded: Concluded): void {
    this.#waiting.push(concluded);
    if (!this.#isAppending) void this.#appendAll();
  }

  /** Appends what has concluded, one after the other. What cannot be appended is listened for again. */
  async #appendAll(): Promise<void> {
    this.#isAppending = true;
    try {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) await this.#append(next);
    } finally {
      this.#isAppending = false;
    }
    if (this.#open.size === 0) this.stop();
  }

  async #append({ watched, verdict, findings, seen }: Concluded): Promise<void> {
    const { item, begunAt } = watched;
    try {
      const sought = pointOfItem(this.#session, item);
      const frames = sought ? await framesOf(sought) : [];
      if (this.#isElsewhere()) return;
      const found = pointOfItem(this.#session, item);
      const entry = this.#book.append(this.check, {
        item: item.uuid,
        verdict,
        way: 'listen',
        operator: this.#options.operator,
        remark: '',
        findings: [...findings],
        expectation: item.expectation,
        seen: [...seen],
        frames,
        ...(found ? placeOf(found) : { point: {}, channel: {}, mapping: {} }),
        audit_ids: [],
        took_ms: Math.round(this.#deps.clock.monotonicMs() - begunAt),
      });
      this.#error = null;
      this.#done += 1;
      this.#shown.unshift(resultRow(entry));
      this.#shown.length = Math.min(this.#shown.length, MOST_SHOWN);
    } catch (thrown) {
      this.#error = thrown instanceof AppError ? thrown : new AppError('INTERNAL', say('check.not_appended'), { cause: thrown });
      if (verdict === 'passed') this.#passed -= 1;
      this.#open.set(item.uuid, this.#watch(item));
    }
  }
}
