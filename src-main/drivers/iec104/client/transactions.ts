/**
 * Requests under way and the messages that answer them: matched by type, addresses, element and cause, never by the order of arrival alone.
 * A request that was given up is remembered, so that its late answer is not taken for that of a later one.
 */

import type { AppError } from '#shared/domain/errors.ts';
import type { Message } from '#shared/messages/message.ts';
import type { CancelTimer, Clock } from '../../../platform/clock.ts';
import type { AsduView } from '../codec/asdu.ts';
import { Cause, isUnknownCause } from '../codec/causes.ts';
import { uintLe } from '../codec/octets.ts';
import { type AsduSizes, broadcastAddress } from '../codec/sizes.ts';
import { SEQUENCE_MODULO } from '../link/apci.ts';

/** What answers a request. `data` is an object that was asked for; `touched` that something of it came. */
export type Reply =
  | {
      readonly kind: 'mirrored';
      readonly cause: number;
      readonly isNegative: boolean;
      readonly asdu: Uint8Array;
      readonly commonAddress: number;
    }
  | { readonly kind: 'data' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'ended'; readonly error: AppError };

export interface TransactionKey {
  readonly typeId: number;
  readonly commonAddress: number;
  readonly originator: number;
  /** Object address; 0 for system commands. */
  readonly address: number;
  /** Leading octets of the element that come back as they were sent; none where the addresses alone tell. */
  readonly element: Uint8Array;
  /** Bits of `element` that count; left out: all. */
  readonly mask?: Uint8Array;
  /** True for what changes something in the station, false for a question. The answer to a question may come without our originator address. */
  readonly isCommand: boolean;
  /** Causes that answer, each once, beside the unknown ones (44 to 47). */
  readonly causes: readonly number[];
  /** What it is, for people: `the command C_SC_NA_1 (45) to object 5 of common address 1`. */
  readonly what: Message;
}

/** Closed requests that are remembered. */
const MOST_CLOSED = 256;

/** One request until its last answer. */
export class Transaction {
  readonly key: TransactionKey;
  readonly sentAt: number;
  /** Number of the request in the frame log. */
  seq: number | undefined;
  /** N(S) of the request. */
  sendNumber: number | undefined;
  /** An answer like the awaited one came and may belong to an equal request before. */
  isDoubtful = false;
  readonly #clock: Clock;
  /** Causes that have not come. */
  readonly #awaited: Set<number>;
  /** Monotonic time up to which a closed request is owed its answers; infinity while it is open. */
  #owedUntil = Number.POSITIVE_INFINITY;
  #isOpen = true;
  readonly #replies: Reply[] = [];
  #waiter: ((reply: Reply) => void) | null = null;
  #cancelTimer: CancelTimer | null = null;
  #waitMs = 0;
  #ended: AppError | null = null;

  constructor(key: TransactionKey, clock: Clock) {
    this.key = key;
    this.#clock = clock;
    this.#awaited = new Set(key.causes);
    this.sentAt = clock.monotonicMs();
  }

  /** False when nobody waits for its answers any more. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** True while an answer with this cause has not come and may still come. */
  awaits(cause: number): boolean {
    if (this.#clock.monotonicMs() > this.#owedUntil) return false;
    return isUnknownCause(cause) ? this.#awaited.size > 0 : this.#awaited.has(cause);
  }

  /** The answer with this cause has come; a refusal and a termination are the last one. */
  settle(cause: number, isLast: boolean): void {
    if (isLast) this.#awaited.clear();
    else this.#awaited.delete(cause);
  }

  /** Nobody waits any more; what is still owed may come for `owedMs`. */
  close(owedMs: number): void {
    this.#isOpen = false;
    this.#owedUntil = this.#clock.monotonicMs() + owedMs;
  }

  /** The next answer; `timeout` when none comes for `ms`. */
  next(ms: number): Promise<Reply> {
    const reply = this.#replies.shift();
    if (reply) return Promise.resolve(reply);
    if (this.#ended) return Promise.resolve({ kind: 'ended', error: this.#ended });
    this.#waitMs = ms;
    return new Promise((resolve) => {
      this.#waiter = resolve;
      this.#arm();
    });
  }

  deliver(reply: Reply): void {
    const waiter = this.#waiter;
    if (!waiter) {
      this.#replies.push(reply);
      return;
    }
    this.#waiter = null;
    this.#cancelTimer?.();
    waiter(reply);
  }

  /** Something that belongs to the request came: the wait begins anew. */
  touch(): void {
    if (!this.#waiter) return;
    this.#cancelTimer?.();
    this.#arm();
  }

  end(error: AppError): void {
    this.#ended ??= error;
    if (this.#waiter) this.deliver({ kind: 'ended', error: this.#ended });
  }

  #arm(): void {
    this.#cancelTimer = this.#clock.after(this.#waitMs, () => this.deliver({ kind: 'timeout' }));
  }
}

/**
 * Whose answer a message is. `open`: of a request that waits. `late`: of one that was given up. `repeated`: of one that has it already. `foreign`: of
 * none; `similar` is a request to the same object that waits for another element.
 */
export type Match =
  | { readonly kind: 'open' | 'late' | 'repeated'; readonly transaction: Transaction }
  | { readonly kind: 'foreign'; readonly similar: Transaction | null };

/** The requests of one connection. */
export class Transactions {
  readonly #clock: Clock;
  readonly #owedMs: number;
  /** In the order of sending: those that wait, and the last ones that were closed. */
  #sent: Transaction[] = [];
  /** Whether the station acknowledges a request with its answer, as the standard has it; unknown before the first answer. */
  #acknowledges: boolean | null = null;
  #ended: AppError | null = null;

  /** `owedMs`: how long an answer may come after its request was given up. */
  constructor(clock: Clock, owedMs: number) {
    this.#clock = clock;
    this.#owedMs = owedMs;
  }

  /** Requests that wait or were closed. */
  get size(): number {
    return this.#sent.length;
  }

  open(key: TransactionKey): Transaction {
    const transaction = new Transaction(key, this.#clock);
    if (this.#ended) transaction.end(this.#ended);
    else this.#sent.push(transaction);
    return transaction;
  }

  close(transaction: Transaction): void {
    if (!transaction.isOpen) return;
    transaction.close(this.#owedMs);
    const closed = this.#sent.filter((item) => !item.isOpen);
    if (closed.length > MOST_CLOSED) this.#sent = this.#sent.filter((item) => item !== closed[0]);
  }

  /** The connection has ended: nothing will be answered any more. */
  endAll(error: AppError): void {
    this.#ended ??= error;
    for (const transaction of this.#sent) transaction.end(error);
    this.#sent = [];
  }

  /**
   * Whose answer a mirrored ASDU is; changes nothing. `nr` is the N(R) of its frame: a request that it does not acknowledge had not reached the
   * station. Of equal requests the oldest one that awaits it.
   */
  match(view: AsduView, nr: number): Match {
    const equal = this.#sent.filter(({ key }) => isAnswer(key, view));
    if (equal.length === 0) return { kind: 'foreign', similar: this.#similar(view) };
    const received = this.#acknowledges === false ? equal : equal.filter((item) => covers(nr, item));
    // a station that does not acknowledge with its answers can have meant nothing else
    const isLagging = this.#acknowledges === null && equal.length === 1;
    const pool = received.length === 0 && isLagging ? equal : received;
    const awaiting = pool.filter((item) => item.awaits(view.cause));
    // the answer to an earlier question is one to the same question asked again; that to an earlier command is not
    const transaction = awaiting.at(isAsked(awaiting[0]) && view.cause === Cause.activationCon ? -1 : 0);
    if (transaction) return { kind: transaction.isOpen ? 'open' : 'late', transaction };
    const answered = pool.findLast(({ key }) => key.causes.includes(view.cause) || isUnknownCause(view.cause));
    return answered ? { kind: 'repeated', transaction: answered } : { kind: 'foreign', similar: this.#similar(view) };
  }

  /** The same, and takes note of it. */
  take(view: AsduView, nr: number): Match {
    const match = this.match(view, nr);
    if (match.kind !== 'open' && match.kind !== 'late') return match;
    const { transaction } = match;
    const isForAll = transaction.key.commonAddress === broadcastAddress(view.sizes);
    this.#acknowledges ??= covers(nr, transaction);
    // each station answers a request to all
    if (isForAll && transaction.isOpen) return match;
    const isRefusal = view.isNegative || isUnknownCause(view.cause);
    transaction.settle(view.cause, isRefusal || view.cause === Cause.activationTermination);
    this.#judgeOthers(transaction, view, isRefusal);
    return match;
  }

  /** What an answer says about other requests that are equal to its own. */
  #judgeOthers(answered: Transaction, view: AsduView, isRefusal: boolean): void {
    const at = this.#sent.indexOf(answered);
    for (const [index, item] of this.#sent.entries()) {
      if (item === answered || !isAnswer(item.key, view)) continue;
      if (item.isOpen) item.isDoubtful ||= !answered.isOpen;
      // a station does one at a time: what it takes on now says that the one before is over
      else if (index < at && !isRefusal && (isAsked(item) || !item.awaits(view.cause))) item.settle(view.cause, true);
    }
  }

  /** A request to the same object that waits for something else. */
  #similar(view: AsduView): Transaction | null {
    const address = uintLe(view.octets, view.bodyAt, view.sizes.objectAddress);
    const isSame = ({ isOpen, key }: Transaction) =>
      isOpen && key.typeId === view.typeId && key.commonAddress === view.commonAddress && key.address === address;
    return this.#sent.find(isSame) ?? null;
  }
}

/** True when a message is the mirror of a request, whatever its cause. */
function isAnswer(key: TransactionKey, view: AsduView): boolean {
  const { sizes, octets, bodyAt } = view;
  if (key.typeId !== view.typeId || view.isTest || view.isSequence) return false;
  if (key.commonAddress !== view.commonAddress && key.commonAddress !== broadcastAddress(sizes)) return false;
  if (!isOurs(key, view.originator, sizes)) return false;
  if (key.address !== uintLe(octets, bodyAt, sizes.objectAddress)) return false;
  const at = bodyAt + sizes.objectAddress;
  if (octets.length < at + key.element.length) return false;
  return key.element.every((octet, index) => ((octet ^ (octets[at + index] ?? 0)) & (key.mask?.[index] ?? 0xff)) === 0);
}

/** True for a question, which leaves the process as it is. */
function isAsked(transaction: Transaction | undefined): boolean {
  return transaction?.key.isCommand === false;
}

function isOurs(key: TransactionKey, originator: number, sizes: AsduSizes): boolean {
  return sizes.cause === 1 || originator === key.originator || (!key.isCommand && originator === 0);
}

/** True when N(R) acknowledges the frame of a request. */
function covers(nr: number, { sendNumber }: Transaction): boolean {
  if (sendNumber === undefined) return false;
  const distance = (nr - sendNumber + SEQUENCE_MODULO) % SEQUENCE_MODULO;
  return distance > 0 && distance <= SEQUENCE_MODULO / 2;
}
