/** Mirrored messages of a station: given to the request that waits for them, else told as events. */

import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { DriverSink, HealthSink } from '../../spi/index.ts';
import type { AsduView } from '../codec/asdu.ts';
import { Cause, causeMessage, isUnknownCause } from '../codec/causes.ts';
import { uintLe } from '../codec/octets.ts';
import { typeText } from '../codec/types.ts';
import type { Transaction, Transactions } from './transactions.ts';

export interface RepliesOptions {
  readonly clock: Clock;
  readonly transactions: Transactions;
  readonly health: Pick<HealthSink, 'late'>;
  readonly sink: Pick<DriverSink, 'notice'>;
}

/** Messages that belong to no request and are told one by one. Answers that came late are always told: there is at most one for each request. */
const MOST_NOTICES = 50;

export class ClientReplies {
  readonly #options: RepliesOptions;
  #notices = 0;

  constructor(options: RepliesOptions) {
    this.#options = options;
  }

  /** `nr` is the N(R) of the frame. */
  take(view: AsduView, nr: number): void {
    const { transactions, health, sink } = this.#options;
    const match = transactions.take(view, nr);
    if (match.kind === 'open') {
      const { cause, isNegative, commonAddress, octets, at } = view;
      match.transaction.deliver({ kind: 'mirrored', cause, isNegative, commonAddress, asdu: octets.subarray(at) });
      return;
    }
    health.late();
    if (match.kind === 'late') {
      sink.notice(this.#late(view, match.transaction));
      return;
    }
    this.#notices += 1;
    if (this.#notices > MOST_NOTICES) return;
    sink.notice(match.kind === 'foreign' ? foreign(view, match.similar) : repeated(view, match.transaction));
  }

  #late(view: AsduView, { key, sentAt }: Transaction): Message {
    const seconds = ((this.#options.clock.monotonicMs() - sentAt) / 1000).toFixed(1);
    return say('iec104.late', { what: key.what, verdict: verdict(view), seconds });
  }
}

function verdict({ cause, isNegative }: AsduView): Message {
  if (isNegative || isUnknownCause(cause)) return say('iec104.verdict_refused', { cause: causeMessage(cause) });
  if (cause === Cause.activationTermination) return say('iec104.verdict_terminated');
  return cause === Cause.deactivationCon ? say('iec104.verdict_cancelled') : say('iec104.verdict_confirmed');
}

function repeated(view: AsduView, { key }: Transaction): Message {
  return say('iec104.again', { cause: causeMessage(view.cause), what: key.what });
}

function foreign(view: AsduView, similar: Transaction | null): Message {
  const { typeId, commonAddress, isNegative, octets, bodyAt, sizes } = view;
  const address = uintLe(octets, bodyAt, sizes.objectAddress);
  const facts = { type: typeText(typeId), cause: causeMessage(view.cause), object: address, address: commonAddress };
  const reply = isNegative ? say('iec104.reply_negative', facts) : say('iec104.reply', facts);
  if (!similar) return say('iec104.unasked', { reply });
  return say('iec104.no_answer_to', { reply, what: similar.key.what, why: difference(view, similar) });
}

/** What keeps a message from being the answer to a request to the same object. */
function difference(view: AsduView, { key }: Transaction): Message {
  const { octets, bodyAt, sizes, originator, isTest } = view;
  if (isTest) return say('iec104.why_test');
  if (sizes.cause === 2 && originator !== key.originator) return say('iec104.why_originator', { came: originator, sent: key.originator });
  const at = bodyAt + sizes.objectAddress;
  const element = octets.subarray(at, at + key.element.length);
  if (Buffer.compare(element, key.element) !== 0) return say('iec104.why_element', { came: hex(element), sent: hex(key.element) });
  if (!key.causes.includes(view.cause)) return say('iec104.why_cause');
  return say('iec104.why_before');
}

function hex(octets: Uint8Array): string {
  return Buffer.from(octets)
    .toString('hex')
    .toUpperCase()
    .replace(/(..)(?=.)/g, '$1 ');
}
