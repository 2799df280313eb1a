/** Confirmed requests of one association: their numbers, the window, time limits, and what becomes of answers that come too late. */

import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { type CancelTimer, type Clock, cancelled } from '../../../platform/clock.ts';

export interface CallOptions {
  /** From the sending to the answer. */
  readonly timeoutMs: number;
  /** Ends the wait for a place in the window with `CANCELLED`; a request that was sent waits for its answer or its time limit. */
  readonly signal?: AbortSignal | undefined;
  /** The request is on its way: from here on nobody knows what becomes of it until it is answered. */
  readonly onSent?: (() => void) | undefined;
}

/** A request that was sent. */
export interface OpenCall<Answer> {
  readonly invokeId: number;
  readonly sentAt: number;
  /** Number of its first frame in the log. */
  readonly seq: number;
  resolve(answer: Answer): void;
  reject(error: AppError): void;
}

export interface CallsOptions {
  readonly clock: Clock;
  /** Puts a request on its way; answers the number of its first frame. May throw: the call then fails with that. */
  send(invokeId: number, service: Uint8Array): number;
  /** A request had no answer in time. */
  onTimeout(): void;
}

/** The invokeID stays positive in every stack; it begins anew behind this. */
const MOST_INVOKE_ID = 0x7fff_ffff;
/** How long an unanswered request still takes a place in the window, where others are left. */
const ABANDONED_MS = 60_000;
/** Unanswered requests whose late answers are still known as such. */
const MOST_ABANDONED = 256;

interface Waiting {
  start(): void;
  refuse(error: AppError): void;
}

export class Calls<Answer> {
  readonly #options: CallsOptions;
  readonly #open = new Map<number, OpenCall<Answer> & { readonly cancel: CancelTimer }>();
  /** Requests whose time ran out: their invokeID is not used again before it wraps. */
  readonly #abandoned = new Map<number, { readonly at: number; readonly seq: number }>();
  readonly #waiting = new Set<Waiting>();
  #window = 1;
  #lastInvokeId = 0;
  #ended: AppError | null = null;
  #onIdle: (() => void) | null = null;

  constructor(options: CallsOptions) {
    this.#options = options;
  }

  /** Most requests outstanding, 1 or more. */
  set window(size: number) {
    this.#window = Math.max(1, size);
    this.#pump();
  }

  get window(): number {
    return this.#window;
  }

  /** Requests that were sent and wait for their answer. */
  get outstanding(): number {
    return this.#open.size;
  }

  /** Requests that wait for a place in the window. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** The request with this number, while it waits for its answer. */
  find(invokeId: number): OpenCall<Answer> | undefined {
    return this.#open.get(invokeId);
  }

  /** Frame number of a request whose time ran out; undefined when there was none. */
  abandoned(invokeId: number): number | undefined {
    return this.#abandoned.get(invokeId)?.seq;
  }

  /** The late answer of a request came: its place is free. */
  settleLate(invokeId: number): void {
    if (this.#abandoned.delete(invokeId)) this.#pump();
  }

  /**
   * Sends a request, whose service is given as octets, as soon as the window allows. Rejects with `TIMEOUT_RESPONSE`, `CANCELLED`, or with
   * what ended the association.
   */
  call(service: Uint8Array, options: CallOptions): Promise<Answer> {
    if (this.#ended) return Promise.reject(this.#ended);
    if (options.signal?.aborted) return Promise.reject(cancelled());
    return new Promise((resolve, reject) => {
      const start = () => this.#start(service, options, resolve, reject);
      if (this.#waiting.size === 0 && this.#open.size < this.#room()) start();
      else this.#wait(start, reject, options.signal);
    });
  }

  /** Waits for a place in the window. */
  #wait(start: () => void, reject: (error: AppError) => void, signal: AbortSignal | undefined): void {
    const leave = () => {
      this.#waiting.delete(waiting);
      signal?.removeEventListener('abort', onAbort);
    };
    const waiting: Waiting = {
      start: () => {
        leave();
        start();
      },
      refuse: (error) => {
        leave();
        reject(error);
      },
    };
    const onAbort = () => waiting.refuse(cancelled());
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#waiting.add(waiting);
  }

  /** Resolves once nothing is outstanding; requests that still wait for a place are refused with `error`, and so are later ones. */
  drain(error: AppError): Promise<void> {
    this.#ended ??= error;
    for (const waiting of [...this.#waiting]) waiting.refuse(error);
    if (this.#open.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }

  /** Nothing is answered any more. */
  end(error: AppError): void {
    this.#ended ??= error;
    for (const waiting of [...this.#waiting]) waiting.refuse(error);
    for (const call of [...this.#open.values()]) call.reject(error);
  }

  #pump(): void {
    for (const waiting of this.#waiting) {
      if (this.#ended || this.#open.size >= this.#room()) return;
      waiting.start();
    }
  }

  /** The peer may still work on what was given up: such requests keep their place for a while, as long as one is left. */
  #room(): number {
    if (this.#abandoned.size === 0) return this.#window;
    const since = this.#options.clock.monotonicMs() - ABANDONED_MS;
    let recent = 0;
    for (const { at } of this.#abandoned.values()) if (at > since) recent += 1;
    return Math.max(1, this.#window - recent);
  }

  #start(
    service: Uint8Array,
    { timeoutMs, onSent }: CallOptions,
    resolve: (answer: Answer) => void,
    reject: (error: AppError) => void,
  ): void {
    const { clock } = this.#options;
    const invokeId = this.#nextInvokeId();
    let seq: number;
    try {
      seq = this.#options.send(invokeId, service);
    } catch (thrown) {
      reject(toAppError(thrown));
      return;
    }
    onSent?.();
    const sentAt = clock.monotonicMs();
    const cancel = clock.after(timeoutMs, () => {
      this.#settle(invokeId);
      this.#abandon(invokeId, seq);
      reject(new AppError('TIMEOUT_RESPONSE', say('iec61850.silent', { ms: timeoutMs })));
      this.#options.onTimeout();
      this.#pump();
    });
    const finish = (act: () => void) => {
      if (!this.#settle(invokeId)) return;
      act();
      this.#pump();
    };
    this.#open.set(invokeId, {
      invokeId,
      sentAt,
      seq,
      cancel,
      resolve: (answer) => finish(() => resolve(answer)),
      reject: (error) => finish(() => reject(error)),
    });
  }

  /** Takes a request out; false when it is out already. */
  #settle(invokeId: number): boolean {
    this.#open.get(invokeId)?.cancel();
    const wasOpen = this.#open.delete(invokeId);
    if (this.#open.size === 0) this.#onIdle?.();
    return wasOpen;
  }

  #abandon(invokeId: number, seq: number): void {
    this.#abandoned.set(invokeId, { at: this.#options.clock.monotonicMs(), seq });
    const [oldest] = this.#abandoned.keys();
    if (this.#abandoned.size > MOST_ABANDONED && oldest !== undefined) this.#abandoned.delete(oldest);
  }

  #nextInvokeId(): number {
    do this.#lastInvokeId = this.#lastInvokeId >= MOST_INVOKE_ID ? 1 : this.#lastInvokeId + 1;
    while (this.#open.has(this.#lastInvokeId) || this.#abandoned.has(this.#lastInvokeId));
    return this.#lastInvokeId;
  }
}
