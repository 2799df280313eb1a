/** Station and counter interrogations of a controlling station (IEC 60870-5-5, 6.6 and 6.9). */

import { AppError } from '#shared/domain/errors.ts';
import { english, say, together } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import { cancelled } from '../../../platform/clock.ts';
import type { HealthSink } from '../../spi/index.ts';
import type { AsduView } from '../codec/asdu.ts';
import { Cause, causeMessage, isUnknownCause } from '../codec/causes.ts';
import { counterInterrogation, interrogation } from '../codec/make.ts';
import { type AsduSizes, broadcastAddress } from '../codec/sizes.ts';
import { TypeId } from '../codec/types.ts';
import type { Collector, Intake } from './intake.ts';
import type { Requester } from './requester.ts';
import type { Reply, Transaction } from './transactions.ts';

/** What is asked for. `group` 0: the whole station, all counters. `freeze` 0 reads, 1 freezes, 2 freezes and resets, 3 resets. */
export type Inquiry =
  | { readonly kind: 'objects'; readonly group: number }
  | { readonly kind: 'counters'; readonly group: number; readonly freeze: 0 | 1 | 2 | 3 };

/**
 * How an interrogation ended. `terminated`: the station said so. `refused`: negative confirmation or a cause 44 to 47. `unanswered`: neither
 * confirmation nor data came. `incomplete`: it stopped without a termination.
 */
export type InquiryEnd =
  | { readonly kind: 'terminated' }
  | { readonly kind: 'refused'; readonly detail: Message; readonly cause: number }
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'failed'; readonly error: AppError };

export interface InterrogationsOptions {
  readonly clock: Clock;
  readonly requester: Requester;
  readonly intake: Intake;
  readonly health: HealthSink;
  readonly sizes: AsduSizes;
  readonly originator: number;
  readonly confirmationMs: number;
  readonly terminationMs: number;
}

interface Running {
  readonly commonAddress: number;
  readonly cause: number;
  readonly transaction: Transaction;
  readonly collector: Collector | null;
  hasData: boolean;
  hasConfirmation: boolean;
}

/** Runs interrogations; those of one kind and common address one after the other, since stations refuse a second one. */
export class Interrogations {
  readonly #options: InterrogationsOptions;
  readonly #running = new Set<Running>();
  readonly #lanes = new Map<string, Promise<unknown>>();

  constructor(options: InterrogationsOptions) {
    this.#options = options;
  }

  /** True while one that has not been confirmed yet will bring everything of this station. */
  covers(commonAddress: number): boolean {
    for (const running of this.#running) {
      if (running.cause === Cause.stationInterrogation && running.commonAddress === commonAddress && !running.hasConfirmation) return true;
    }
    return false;
  }

  /** The collector of the interrogation that brings this data; null for none. Data of an interrogation keep it alive. */
  collectorFor(view: AsduView): Collector | null {
    if (this.#running.size === 0 || view.cause < Cause.stationInterrogation) return null;
    const everyone = broadcastAddress(this.#options.sizes);
    for (const running of this.#running) {
      if (running.cause !== view.cause) continue;
      if (running.commonAddress !== view.commonAddress && running.commonAddress !== everyone) continue;
      running.hasData = true;
      running.transaction.touch();
      return running.collector;
    }
    return null;
  }

  /** Log number of the request that brings data with this cause; undefined for none. */
  requestOf(cause: number, commonAddress: number): number | undefined {
    for (const running of this.#running) {
      if (running.cause === cause && running.commonAddress === commonAddress) return running.transaction.seq;
    }
    return undefined;
  }

  /**
   * Asks, and waits for the end. Rejects with `CANCELLED` as soon as the signal ends the wait; the interrogation itself goes on at the
   * station, and the next one waits for its end. Rejects with `TRANSPORT_NOT_CONNECTED` when it could not be sent.
   */
  async run(commonAddress: number, inquiry: Inquiry, collector: Collector | null, signal: AbortSignal): Promise<InquiryEnd> {
    const lane = `${inquiry.kind} ${commonAddress}`;
    const before = this.#lanes.get(lane) ?? Promise.resolve();
    const mine = before.then(() => {
      if (signal.aborted) throw cancelled();
      return this.#ask(commonAddress, inquiry, collector);
    });
    const tail = mine.catch(() => undefined);
    this.#lanes.set(lane, tail);
    void tail.then(() => {
      if (this.#lanes.get(lane) === tail) this.#lanes.delete(lane);
    });
    return unlessAborted(mine, signal);
  }

  async #ask(commonAddress: number, inquiry: Inquiry, collector: Collector | null): Promise<InquiryEnd> {
    const { requester, intake, originator } = this.#options;
    const fields = { commonAddress, originator };
    const asdu =
      inquiry.kind === 'objects'
        ? interrogation(fields, inquiry.group)
        : counterInterrogation(fields, { request: inquiry.group === 0 ? 5 : inquiry.group, freeze: inquiry.freeze });
    const isRead = hasData(inquiry);
    const where = { address: commonAddress };
    const transaction = requester.send(asdu, {
      typeId: inquiry.kind === 'objects' ? TypeId.C_IC_NA_1 : TypeId.C_CI_NA_1,
      commonAddress,
      originator,
      address: 0,
      element: Uint8Array.of(qualifierOf(inquiry)),
      isCommand: !isRead,
      causes: isRead ? [Cause.activationCon, Cause.activationTermination] : [Cause.activationCon],
      what:
        inquiry.kind === 'objects'
          ? say('iec104.an_interrogation', where)
          : isRead
            ? say('iec104.a_counter_interrogation', where)
            : say('iec104.a_freeze', where),
    });
    const cause = (inquiry.kind === 'objects' ? Cause.stationInterrogation : Cause.counterInterrogation) + inquiry.group;
    const running: Running = { commonAddress, cause, transaction, collector, hasData: false, hasConfirmation: false };
    this.#running.add(running);
    if (collector) intake.attach(collector);
    try {
      return await this.#follow(running, inquiry);
    } finally {
      this.#running.delete(running);
      requester.transactions.close(transaction);
      if (collector) intake.detach(collector);
    }
  }

  async #follow(running: Running, inquiry: Inquiry): Promise<InquiryEnd> {
    const { sizes, health, clock, confirmationMs, terminationMs } = this.#options;
    const { transaction } = running;
    const isForAll = running.commonAddress === broadcastAddress(sizes);
    const isRead = hasData(inquiry);
    let confirmed = 0;
    let terminated = 0;
    for (;;) {
      // all that have confirmed have ended: others may still be on their way to the first word
      const isComplete = confirmed > 0 && terminated >= confirmed;
      const reply: Reply = await transaction.next(confirmed === 0 || isComplete ? confirmationMs : terminationMs);
      if (reply.kind === 'ended') return { kind: 'failed', error: reply.error };
      if (reply.kind === 'timeout') {
        if (isComplete) return { kind: 'terminated' };
        if (confirmed > 0 || running.hasData) return { kind: 'incomplete' };
        health.timeout();
        return { kind: 'unanswered' };
      }
      if (reply.kind !== 'mirrored') continue;
      if (confirmed + terminated === 0) health.response(clock.monotonicMs() - transaction.sentAt);
      if (reply.isNegative || isUnknownCause(reply.cause)) {
        health.refusal();
        if (!isForAll) return { kind: 'refused', detail: refusalMessage(reply), cause: reply.cause };
        continue;
      }
      if (reply.cause === Cause.activationCon) {
        confirmed += 1;
        running.hasConfirmation = true;
        if (!isRead) terminated += 1;
      } else terminated += 1;
      if (!isForAll && (terminated > 0 || !isRead)) return { kind: 'terminated' };
    }
  }
}

/** False for a freeze, which is confirmed only. */
function hasData(inquiry: Inquiry): boolean {
  return inquiry.kind === 'objects' || inquiry.freeze === 0;
}

/** First octet of the request's element. */
function qualifierOf(inquiry: Inquiry): number {
  if (inquiry.kind === 'objects') return 20 + inquiry.group;
  return (inquiry.group === 0 ? 5 : inquiry.group) | (inquiry.freeze << 6);
}

/** What a station said when it did not want to. */
export function refusalMessage(reply: { readonly cause: number; readonly isNegative: boolean }): Message {
  const cause = causeMessage(reply.cause);
  return reply.isNegative ? say('iec104.answered_negative', { cause }) : say('iec104.answered', { cause });
}

/** Settles as `work` does, or rejects with `CANCELLED` at once when the signal ends. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    work.catch(() => undefined);
    return Promise.reject(cancelled());
  }
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(cancelled());
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** The failure of a whole interrogation as an error. */
export function inquiryError(end: InquiryEnd, what: Message, waitedMs: number): AppError {
  switch (end.kind) {
    case 'failed':
      return end.error;
    case 'refused': {
      // a station that reads a request with other sizes finds a type, cause or address in it that it does not know
      const hint = isUnknownCause(end.cause) ? say('iec104.sizes_hint') : null;
      const said = say('iec104.what_refused', { what, detail: together(end.detail, hint) });
      return new AppError('DEVICE_EXCEPTION', said, { data: { kind: 'refused', detail: english(end.detail) } });
    }
    case 'unanswered':
      return new AppError('TIMEOUT_RESPONSE', say('iec104.what_unanswered', { what, ms: waitedMs }));
    case 'incomplete':
      return new AppError('TIMEOUT_RESPONSE', say('iec104.what_incomplete', { what }));
    case 'terminated':
      return new AppError('PROTOCOL_MISMATCH', say('iec104.what_no_value', { what }));
  }
}
