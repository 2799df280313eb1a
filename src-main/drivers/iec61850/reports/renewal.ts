/**
 * Whether a block that is enabled here is still about the members that it was enabled with. It is asked where a report says otherwise, where its numbers begin anew, and with each check: a
 * device may have been configured anew, or the data set made anew, while the association stands (ConfRev, IEC 61850-7-2, 17.2.2).
 */
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { DriverSink, ExchangeContext, PointFailure } from '../../spi/index.ts';
import type { MmsClient } from '../association/mms-client.ts';
import type { ChannelMemory } from '../channel-memory.ts';
import { isSameOrder } from '../data-set-layout.ts';
import { readDirectory } from '../learn.ts';
import { dataSetName } from '../model/references.ts';
import { dataSetObject } from '../object-names.ts';
import { readBlock } from './control-block.ts';
import { interrogateBlock, typesOf, unsureText } from './enabling.ts';
import { unsureMembers } from './member-order.ts';
import type { ReportBook } from './report-book.ts';
import type { Subscription } from './subscription.ts';

export interface RenewalOptions {
  readonly client: Pick<MmsClient, 'request'>;
  readonly clock: Clock;
  readonly memory: ChannelMemory;
  readonly book: ReportBook;
  readonly sink: Pick<DriverSink, 'values' | 'notice'>;
  /** Time limit of the members of a data set, in milliseconds. */
  readonly timeoutMs: number;
  mayWrite(): boolean;
  /** Enables a block that the device has disabled. */
  again(key: string): void;
}

/** Between two questions about one block that are asked for its reports. */
const AGAIN_MS = 10_000;

export class Renewal {
  readonly #options: RenewalOptions;
  readonly #end = new AbortController();
  /** When a block was asked about last, by its key. */
  readonly #asked = new Map<string, number>();

  constructor(options: RenewalOptions) {
    this.#options = options;
  }

  /** Nothing is asked any more. */
  stop(): void {
    this.#end.abort();
  }

  /** Asks what the block is about by now, and holds its reports until that is known; nothing where it was asked just before. */
  doubt(subscription: Subscription): void {
    const { clock } = this.#options;
    const { key } = subscription.block;
    const nowMs = clock.monotonicMs();
    const asked = this.#asked.get(key);
    if (this.#end.signal.aborted || subscription.held || (asked !== undefined && nowMs - asked < AGAIN_MS)) return;
    this.#asked.set(key, nowMs);
    subscription.held = [];
    void this.#resolved(subscription);
  }

  async #resolved(subscription: Subscription): Promise<void> {
    const { signal } = this.#end;
    try {
      await this.prove(subscription, { signal, isStopping: () => signal.aborted, retries: 0 });
    } catch (thrown) {
      const reason = toAppError(thrown).said;
      if (!signal.aborted) this.#notice(say('report.not_proven', { block: subscription.block.reference, reason }));
    }
    if (!signal.aborted) this.#options.book.release(subscription);
  }

  /**
   * True where the block is enabled, with the members that its reports are taken for. Otherwise its points have no good value any more, and it goes on with the members it
   * has now, or is enabled again. Rejects as `readBlock`, and where the members cannot be told.
   */
  async prove(subscription: Subscription, context: ExchangeContext): Promise<boolean> {
    const { client, book, memory, timeoutMs } = this.#options;
    const { place, key } = subscription.block;
    const block = await readBlock({ client, memory }, place, context);
    if (book.of(key) !== subscription) return true;
    const dataSet = dataSetName(block.text('DatSet'));
    if (!block.is('RptEna') || dataSet === null) {
      this.#stale(subscription);
      book.remove(key);
      this.#notice(say('report.disabled_there', { block: block.reference }));
      this.#options.again(key);
      return false;
    }
    const { members } = await readDirectory(client, dataSetObject(dataSet), { timeoutMs, signal: context.signal });
    const revision = block.number('ConfRev');
    if (book.of(key) !== subscription) return true;
    if (dataSet === subscription.dataSet && revision === subscription.revision && isSameOrder(members, subscription.members)) return true;
    const unsure = await unsureMembers(members, { client, memory, timeoutMs }, context);
    if (book.of(key) !== subscription) return true;
    this.#stale(subscription);
    const renewed = subscription.renewed(block, { dataSet, revision, members, types: typesOf(members, memory, unsure), unsure });
    book.add(renewed);
    const told = unsureText(renewed);
    if (told) this.#notice(told);
    this.#notice(say('report.renewed', { block: block.reference, set: dataSet, members: members.length }));
    const request = memory.reports.wanted.get(key);
    if (!request?.interrogate || !this.#options.mayWrite()) return false;
    const note = await interrogateBlock({ client }, block, context);
    if (note) this.#notice(note);
    return false;
  }

  /** What was reported last may be of other members. */
  #stale(subscription: Subscription): void {
    const { book, sink } = this.#options;
    const error = new AppError('PROTOCOL_MISMATCH', say('iec61850.member_left'));
    const failures = book.slots(subscription).map(({ bound }): PointFailure => ({ kind: 'failure', pointId: bound.point.id, error }));
    if (failures.length > 0) sink.values(failures, false);
  }

  #notice(message: Message): void {
    this.#options.sink.notice(message);
  }
}
