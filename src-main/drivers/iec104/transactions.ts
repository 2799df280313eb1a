/**
 * Requests under way and the messages that answer them: matched by type, common address, object address and cause, never by the order of
 * arrival.
 */
import type { AppError } from '#shared/domain/errors.ts';
import type { CancelTimer, Clock } from '../../platform/clock.ts';
import type { AsduView } from './codec/asdu.ts';
import { isUnknownCause } from './codec/causes.ts';
import { uintLe } from './codec/octets.ts';
import { broadcastAddress } from './codec/sizes.ts';

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
  /** Object address; 0 for system commands. */
  readonly address: number;
  /** First octet of the element, which tells the groups of interrogations apart; null where nothing but the address counts. */
  readonly qualifier: number | null;
  /** Causes that answer beside the unknown ones (44 to 47). */
  readonly causes: readonly number[];
}

/** One request until its last answer. */
export class Transaction {
  readonly key: TransactionKey;
  readonly sentAt: number;
  /** Number of the request in the frame log. */
  seq: number | undefined;
  readonly #clock: Clock;
  readonly #replies: Reply[] = [];
  #waiter: ((reply: Reply) => void) | null = null;
  #cancelTimer: CancelTimer | null = null;
  #waitMs = 0;
  #ended: AppError | null = null;

  constructor(key: TransactionKey, clock: Clock) {
    this.key = key;
    this.#clock = clock;
    this.sentAt = clock.monotonicMs();
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

/** The requests of one connection. */
export class Transactions {
  readonly #clock: Clock;
  readonly #open = new Set<Transaction>();
  #ended: AppError | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#open.size;
  }

  open(key: TransactionKey): Transaction {
    const transaction = new Transaction(key, this.#clock);
    if (this.#ended) transaction.end(this.#ended);
    else this.#open.add(transaction);
    return transaction;
  }

  close(transaction: Transaction): void {
    this.#open.delete(transaction);
  }

  /** The connection has ended: nothing will be answered any more. */
  endAll(error: AppError): void {
    this.#ended ??= error;
    for (const transaction of this.#open) transaction.end(error);
    this.#open.clear();
  }

  /** The request that a mirrored ASDU answers; undefined for none. */
  find(view: AsduView): Transaction | undefined {
    if (this.#open.size === 0) return undefined;
    const { sizes } = view;
    const address = uintLe(view.octets, view.bodyAt, sizes.objectAddress);
    const qualifier = view.octets[view.bodyAt + sizes.objectAddress] ?? 0;
    const everyone = broadcastAddress(sizes);
    for (const transaction of this.#open) {
      const { key } = transaction;
      if (key.typeId !== view.typeId || key.address !== address) continue;
      if (key.commonAddress !== view.commonAddress && key.commonAddress !== everyone) continue;
      if (key.qualifier !== null && key.qualifier !== qualifier) continue;
      if (key.causes.includes(view.cause) || isUnknownCause(view.cause)) return transaction;
    }
    return undefined;
  }
}
