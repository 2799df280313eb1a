/** Mirrored messages of a station: given to the request that waits for them, else told as events. */
import type { Clock } from '../../../platform/clock.ts';
import type { DriverSink, HealthSink } from '../../spi/index.ts';
import type { AsduView } from '../codec/asdu.ts';
import { Cause, causeName, isUnknownCause } from '../codec/causes.ts';
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

  #late(view: AsduView, { key, sentAt }: Transaction): string {
    const seconds = ((this.#options.clock.monotonicMs() - sentAt) / 1000).toFixed(1);
    return `Late by its time: ${key.what} was ${verdict(view)} ${seconds} s after it was sent. It counts for no other request.`;
  }
}

function verdict({ cause, isNegative }: AsduView): string {
  if (isNegative || isUnknownCause(cause)) return `refused (${causeText(cause)})`;
  if (cause === Cause.activationTermination) return 'terminated';
  return cause === Cause.deactivationCon ? 'cancelled' : 'confirmed';
}

function repeated(view: AsduView, { key }: Transaction): string {
  return `${causeText(view.cause)} came again for ${key.what}; it counts once.`;
}

function foreign(view: AsduView, similar: Transaction | null): string {
  const { typeId, commonAddress, isNegative, octets, bodyAt, sizes } = view;
  const sign = isNegative ? 'negative ' : '';
  const address = uintLe(octets, bodyAt, sizes.objectAddress);
  const what = `${typeText(typeId)} with ${sign}${causeText(view.cause)} for object ${address} of common address ${commonAddress}`;
  if (!similar) return `${what} came, and nothing like it was asked for.`;
  return `${what} came and is no answer to ${similar.key.what}: ${difference(view, similar)}`;
}

/** What keeps a message from being the answer to a request to the same object. */
function difference(view: AsduView, { key }: Transaction): string {
  const { octets, bodyAt, sizes, originator, isTest } = view;
  if (isTest) return 'it carries the test bit.';
  if (sizes.cause === 2 && originator !== key.originator) return `it has originator address ${originator}, ${key.originator} was sent.`;
  const at = bodyAt + sizes.objectAddress;
  const element = octets.subarray(at, at + key.element.length);
  if (Buffer.compare(element, key.element) !== 0) return `its element is ${hex(element)}, ${hex(key.element)} was sent.`;
  if (!key.causes.includes(view.cause)) return 'this cause does not answer it.';
  return 'the station had not received it then.';
}

function causeText(cause: number): string {
  return `cause ${cause} (${causeName(cause) ?? 'not defined'})`;
}

function hex(octets: Uint8Array): string {
  return Buffer.from(octets)
    .toString('hex')
    .toUpperCase()
    .replace(/(..)(?=.)/g, '$1 ');
}
