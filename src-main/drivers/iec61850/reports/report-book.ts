/** The reports of one association: to which enabled block each belongs, what is missing between them, and their values for points and event log. */
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { ReadingRun } from '../../kit/reading-run.ts';
import type { DriverSink } from '../../spi/index.ts';
import type { BoundPoint } from '../binding.ts';
import type { BoundTable } from '../bound-table.ts';
import type { ChannelMemory } from '../channel-memory.ts';
import type { InformationReport } from '../mms/pdu.ts';
import type { ModelIndex } from '../model/places.ts';
import { dataSetName } from '../model/references.ts';
import type { Slot } from '../read-units.ts';
import type { ReadingRuns } from '../reading.ts';
import type { ControlBlock } from './control-block.ts';
import { isOrderProven } from './member-order.ts';
import { requireMembers } from './members.ts';
import { decodeReport, isReport, type Report } from './report.ts';
import { sameOctets } from './segments.ts';
import type { Subscription } from './subscription.ts';

export interface ReportBookOptions {
  readonly memory: ChannelMemory;
  readonly sink: Pick<DriverSink, 'values' | 'notice'>;
  readonly table: BoundTable;
  /** The last entry of a buffered block is another. */
  onEntry(): void;
  /** A report does not fit what its block was enabled with, or its numbers begin anew: the block may be about other members by now. */
  onDoubt(subscription: Subscription): void;
}

/** Reports of one block that wait until it is known what they are about; what comes behind is lost. */
const MOST_HELD = 1000;

/** Lines of the event log about the reports of one block; what comes behind is only counted. */
const MOST_NOTICES = 20;

export class ReportBook {
  readonly #options: ReportBookOptions;
  readonly #subscriptions = new Map<string, Subscription>();
  /** RptIDs that nobody enabled here, and reports that could not be read, as they were told. */
  readonly #told = new Set<string>();
  readonly #runs: ReadingRuns;
  /** The model that points and blocks have their places in. */
  #index: ModelIndex | null = null;

  constructor(options: ReportBookOptions) {
    this.#options = options;
    this.#runs = { changes: new ReadingRun(options.sink), states: new ReadingRun(options.sink) };
  }

  /** The block that is enabled here under this key `LD/LN$FC$name`; null where it is not. */
  of(key: string): Subscription | null {
    return this.#subscriptions.get(key) ?? null;
  }

  get all(): readonly Subscription[] {
    return [...this.#subscriptions.values()];
  }

  /** Reports of the block are taken from now on. */
  add(subscription: Subscription): void {
    this.#subscriptions.set(subscription.block.key, subscription);
  }

  remove(key: string): void {
    this.#subscriptions.delete(key);
  }

  /** Point table or model have changed. */
  changed(): void {
    for (const subscription of this.#subscriptions.values()) subscription.changed();
    if (this.#subscriptions.size > 0) this.#options.table.ahead();
  }

  /** Waits until the points of a large table are bound: before a block is enabled. Rejects with `CANCELLED` when `signal` is aborted. */
  async ready(signal: AbortSignal): Promise<void> {
    await this.#options.table.inTurns(signal);
  }

  /** The points of the table that name something of the model. */
  bound(): readonly BoundPoint[] {
    this.#lookAtModel();
    return this.#options.table.atOnce();
  }

  /** Where the points of the table lie in the reports of a block. */
  slots(subscription: Subscription): readonly Slot[] {
    return subscription.slots(
      this.#lookAtModel(),
      () => this.bound(),
      (member) => isOrderProven(member, this.#options.memory),
    );
  }

  /** Points of the table that the reports of a block have values for. */
  pointCount(subscription: Subscription): number {
    return this.slots(subscription).length;
  }

  /** Throws `STATE_CONFLICT` where reports of a block could not be told from those of one that is enabled. */
  requireApart(block: Pick<ControlBlock, 'key' | 'reference'>, reportId: string, dataSet: string): void {
    for (const other of this.#subscriptions.values()) {
      if (other.block.key === block.key || other.block.reportId !== reportId || other.dataSet !== dataSet) continue;
      const params = { block: block.reference, other: other.block.reference, id: reportId, set: dataSet };
      throw new AppError('STATE_CONFLICT', say('report.not_apart', params));
    }
  }

  /** What the device sends by itself; true for a report of a control block. */
  onReport(information: InformationReport): boolean {
    if (!isReport(information)) return false;
    let report: Report;
    try {
      report = decodeReport(information);
    } catch (thrown) {
      this.#tellOnce(say('report.unreadable', { reason: toAppError(thrown).said }));
      return true;
    }
    const subscription = this.#subscriptionOf(report);
    if (subscription) this.#take(subscription, report);
    else this.#tellOnce(say('report.foreign', { id: report.id }));
    return true;
  }

  /** It is known what the reports of a block are about: those that waited are taken, unless the block has other members or is not enabled any more. */
  release(subscription: Subscription): void {
    const { held, block } = subscription;
    subscription.held = null;
    const now = this.of(block.key);
    for (const report of held ?? []) {
      if (now === subscription) this.#take(subscription, report, true);
      // of which members it was nobody knows
      else if (now) now.stats.refused += 1;
    }
  }

  /** The association has ended, and with it what was enabled by it. */
  lost(): void {
    this.#subscriptions.clear();
  }

  /** By RptID, where several blocks have the same by data set as well; some devices write the reference of the block as RptID. */
  #subscriptionOf({ id, dataSet }: Report): Subscription | null {
    const set = dataSet === null ? null : dataSetName(dataSet);
    let [first, count]: [Subscription | null, number] = [null, 0];
    for (const each of this.#subscriptions.values()) {
      const { block } = each;
      const isNamed = id === '' ? block.text('RptID') === '' : block.reportId === id || block.key === id;
      if (!isNamed) continue;
      if (set !== null && each.dataSet === set) return each;
      first ??= each;
      count += 1;
    }
    // an empty one tells no block from another
    return id === '' && count > 1 && dataSet === null ? null : first;
  }

  /** `isProven`: just now it was asked what the block is about. */
  #take(subscription: Subscription, report: Report, isProven = false): void {
    const { block, stats, segments } = subscription;
    const { sequence, segment, entryId } = report;
    const isFurther = segment !== null && segment.number > 0;
    const before = subscription.sequence;
    const isTwice = !isFurther && entryId !== null && sameOctets(entryId, subscription.entryId);
    // a block that is enabled anew numbers its reports from 0 (IEC 61850-7-2, 17.2.3)
    const isRestart = sequence === 0 && !isFurther && !isTwice && before !== null && before !== subscription.numbers - 1;
    if (isRestart && !isProven) this.#options.onDoubt(subscription);
    if (subscription.held) {
      if (subscription.held.length < MOST_HELD) subscription.held.push(report);
      else stats.refused += 1;
      return;
    }
    const isFirst = stats.reports + stats.refused === 0;
    if (isTwice) {
      this.#tell(subscription, say('report.twice', { block: block.reference, number: sequence ?? 0 }));
      return;
    }
    subscription.sequence = sequence;
    subscription.entryId = entryId && Uint8Array.from(entryId);
    try {
      requireMembers(report, subscription);
    } catch (thrown) {
      stats.refused += 1;
      subscription.forget();
      this.#tell(subscription, say('report.refused', { block: block.reference, reason: toAppError(thrown).said }));
      this.#options.onDoubt(subscription);
      return;
    }
    if (!isFurther) {
      if (report.hasOverflow === true) this.#overflow(subscription, isFirst);
      if (before !== null && sequence !== null && sequence !== (before + 1) % subscription.numbers) {
        stats.gaps += 1;
        subscription.forget();
        this.#tell(subscription, say('report.gap', { block: block.reference, came: sequence, before }));
      }
    }
    const { complete, isLost } = segments.take(report);
    if (isLost) {
      stats.refused += 1;
      subscription.forget();
      this.#tell(subscription, say('report.segments_lost', { block: block.reference }));
    }
    if (complete) this.#deliver(subscription, complete);
  }

  /** A device that was told no entry to go on behind sets BufOvfl in its first report for that alone. */
  #overflow(subscription: Subscription, isFirst: boolean): void {
    const block = subscription.block.reference;
    if (isFirst && subscription.start !== 'last') {
      if (subscription.start === 'oldest') this.#tell(subscription, say('report.replayed', { block }));
      return;
    }
    subscription.stats.overflows += 1;
    subscription.forget();
    this.#tell(subscription, say('report.overflow', { block }));
  }

  #deliver(subscription: Subscription, report: Report): void {
    const { memory, onEntry } = this.#options;
    const { block, dataSet, revision, membersMark: members, entryId } = subscription;
    subscription.stats.reports += 1;
    subscription.take(report, this.slots(subscription), this.#runs);
    if (!entryId) return;
    memory.reports.entries.set(block.key, { reportId: block.reportId, dataSet, revision, members, entryId });
    onEntry();
  }

  /** The model as it is now. Places in the one before are none in it, whenever its change is told. */
  #lookAtModel(): ModelIndex {
    const { index } = this.#options.memory.model;
    if (index !== this.#index) this.changed();
    this.#index = index;
    return index;
  }

  #tell(subscription: Subscription, message: Message): void {
    subscription.notices += 1;
    if (subscription.notices <= MOST_NOTICES) this.#options.sink.notice(message);
  }

  #tellOnce(message: Message): void {
    const key = JSON.stringify(message);
    if (this.#told.has(key) || this.#told.size >= MOST_NOTICES) return;
    this.#told.add(key);
    this.#options.sink.notice(message);
  }
}
