/**
 * The client's side of one connection: numbers the requests, matches the answers, keeps the time. One exchange at a time, or as many as the connection
 * is to keep outstanding (MODBUS Messaging on TCP/IP Implementation Guide V1.0b, 4.4.2). Knows no function but the rule of the exception bit.
 */

import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say, together } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { type Clock, cancelled, delay } from '../../../platform/clock.ts';
import { u8 } from '../../../protocol-kit/bytes.ts';
import type { CloseCause } from '../../../transport/types.ts';
import { DueTimer } from '../../kit/due-timer.ts';
import { closedHere, lostLine, notConnected } from '../../kit/line-end.ts';
import type { DriverLine, ExchangeContext, FrameSink, HealthSink } from '../../spi/index.ts';
import type { LineExchange } from '../../spi/line.ts';
import { EXCEPTION_BIT } from '../codec/functions.ts';
import type { ExchangeEnd, ExchangeSession, SessionParts } from './exchange-session.ts';
import type { Adu, Framer, FramerFault, Framing } from './framer.ts';
import { mbapFraming } from './mbap.ts';
import { checkAnswer, type SessionRequest } from './session-check.ts';

export interface SessionOptions {
  readonly clock: Clock;
  readonly framing: Framing;
  readonly line: Pick<DriverLine, 'write' | 'close'>;
  readonly frames: FrameSink;
  readonly health: HealthSink;
  /** Time to the answer, from the moment the request is handed to the line. */
  readonly timeoutMs: number;
  /** Least pause between the end of an exchange and the next request. */
  readonly requestGapMs: number;
  /** Exchanges that may be under way at once. */
  readonly window?: number;
  /** The stream cannot be trusted any more; called after the exchanges under way have failed. */
  readonly onLost: (error: AppError) => void;
}

/** An exchange under way, with its repeats. */
interface Asking {
  readonly request: SessionRequest;
  readonly context: ExchangeContext;
  /** Repeats left. */
  left: number;
  /** How the attempt before has ended; null during the first. */
  timedOut: ExchangeEnd | null;
  readonly finish: (end: ExchangeEnd) => void;
}

interface Pending {
  readonly transactionId: number;
  readonly request: SessionRequest;
  /** Number of the request in the frame log. */
  readonly seq: number;
  readonly sentAt: number;
  readonly txOctets: number;
  readonly timeoutMs: number;
  /** When it is given up. An answer to an older request moves it: devices carry out one request after the other. */
  dueAt: number;
  readonly asking: Asking;
  /** What came meanwhile and did not fit; told when the time has run out. */
  hint: Message | null;
}

/** Requests without an answer that are remembered, to link an answer that comes late. */
const REMEMBERED = 64;

export class ModbusSession implements ExchangeSession {
  readonly #options: SessionOptions;
  readonly #framer: Framer;
  readonly #deadline: DueTimer;
  readonly #ended = new AbortController();
  /** Log numbers of the latest requests that ended without an answer, by transaction id. */
  readonly #unanswered = new Map<number, number>();
  /** Requests that wait for their answer, by transaction id, the oldest first. */
  readonly #pending = new Map<number, Pending>();
  readonly #window: number;
  #busy = 0;
  #nextTransactionId: number;
  #sentCount = 0;
  #readyAt = 0;
  #endError: AppError | null = null;

  constructor(options: SessionOptions) {
    const { framing, window = 1 } = options;
    this.#options = options;
    this.#window = window;
    this.#nextTransactionId = window > 1 ? framing.firstOfMany : 1;
    this.#framer = framing.framer(window > 1);
    this.#deadline = new DueTimer(options.clock, () => this.#onTimeout());
  }

  /**
   * Runs one exchange; repeats the request after a timeout as often as `context.retries` says, unless a stop is requested.
   * Never throws what the line or the device did: that is in the result. Rejects with INTERNAL when as many exchanges are under way as may be.
   */
  exchange(request: SessionRequest, context: ExchangeContext): Promise<ExchangeEnd> {
    if (this.#busy >= this.#window) return Promise.reject(new AppError('INTERNAL', say('modbus.one_at_a_time')));
    this.#busy += 1;
    return new Promise((finish) => this.#attempt({ request, context, left: context.retries, timedOut: null, finish }));
  }

  /** Octets from the line. */
  receive(chunk: Uint8Array): void {
    for (const item of this.#framer.push(chunk)) {
      if (item.kind === 'frame') this.#onFrame(item);
      else this.#onFault(item);
    }
  }

  /** The line ended: the exchanges under way fail at once. */
  closed(cause: CloseCause): void {
    this.#end(lostLine(cause));
  }

  /** Datagrams do not arrive. A notice may be about an earlier one, and may be false: what is awaited is still awaited, and says so when its time is over. */
  troubled(error: AppError): void {
    const pending = this.#oldest;
    const link = pending ? { link: pending.seq } : {};
    this.#options.frames.record({ kind: 'note', bytes: NO_BYTES, text: error.said, ...link });
    for (const waiting of this.#pending.values()) waiting.hint = error.said;
  }

  /** Ends the session; exchanges under way fail. Idempotent. */
  close(): void {
    this.#end(closedHere());
  }

  /** One sending of the request of an exchange, in its turn. */
  #attempt(asking: Asking): void {
    const { requestGapMs, clock } = this.#options;
    const wait = requestGapMs > 0 ? this.#readyAt - clock.monotonicMs() : 0;
    if (wait <= 0) {
      this.#send(asking);
      return;
    }
    const send = () => this.#send(asking);
    // an end of the wait is told by the signal, or by the end of the line
    delay(clock, wait, AbortSignal.any([asking.context.signal, this.#ended.signal]))
      .then(send, send)
      .catch((thrown: unknown) => this.#finish(asking, notSent(toAppError(thrown))));
  }

  #send(asking: Asking): void {
    const { request, context } = asking;
    const obstacle = this.#endError ? notConnected(this.#endError) : context.signal.aborted ? cancelled() : null;
    if (obstacle) {
      this.#finish(asking, notSent(obstacle));
      return;
    }
    const { clock, framing, line, frames, health } = this.#options;
    const timeoutMs = request.timeoutMs ?? this.#options.timeoutMs;
    const transactionId = this.#nextTransactionId;
    this.#nextTransactionId = (transactionId + 1) & 0xffff;
    this.#sentCount += 1;
    if (this.#unanswered.size > 0) this.#unanswered.delete(transactionId);
    this.#framer.asked(transactionId);
    const bytes = framing.encode(transactionId, request.unitId, request.pdu);
    const seq = frames.record({ kind: 'tx', bytes });
    health.request();
    const sentAt = clock.monotonicMs();
    const dueAt = sentAt + timeoutMs;
    const pending: Pending = { transactionId, request, seq, sentAt, txOctets: bytes.length, timeoutMs, dueAt, asking, hint: null };
    this.#pending.set(transactionId, pending);
    this.#setDeadline();
    line.write(bytes).catch((thrown: unknown) => this.#onWriteFailed(pending, toAppError(thrown)));
  }

  /** An attempt has ended: the request is repeated, or the exchange is over. */
  #finish(asking: Asking, end: ExchangeEnd): void {
    if (asking.left > 0 && isTimeout(end) && !asking.context.isStopping()) {
      asking.left -= 1;
      asking.timedOut = end;
      this.#attempt(asking);
      return;
    }
    this.#busy -= 1;
    // a stop in the pause before the repeat: the timeout stays the result
    const isUnsent = end.kind === 'failed' && !end.isSent;
    asking.finish(isUnsent && asking.timedOut ? asking.timedOut : end);
  }

  #onWriteFailed(pending: Pending, error: AppError): void {
    if (this.#pending.get(pending.transactionId) !== pending) return;
    const isSent = error.code !== 'TRANSPORT_NOT_CONNECTED';
    this.#options.frames.record({
      kind: 'note',
      bytes: NO_BYTES,
      link: pending.seq,
      text: say('exchange.not_sent', { reason: error.said }),
    });
    this.#settle(pending, { kind: 'failed', error, isSent });
  }

  /** Gives up what is due by now. */
  #onTimeout(): void {
    const now = this.#options.clock.monotonicMs();
    for (const pending of [...this.#pending.values()]) if (pending.dueAt <= now) this.#giveUp(pending);
    this.#setDeadline();
  }

  /** True where what has begun to come may be the answer to this request, or to none that is still waited for. */
  #isHeldFor({ transactionId }: Pending): boolean {
    const { unfinishedId, buffered } = this.#framer;
    if (buffered === 0) return false;
    if (this.#pending.size < 2) return true;
    return unfinishedId !== null && (unfinishedId === transactionId || !this.#pending.has(unfinishedId));
  }

  #giveUp(pending: Pending): void {
    const { clock, frames, health } = this.#options;
    const { timeoutMs } = pending;
    health.timeout(exchangeOf(pending, 0, clock.monotonicMs()));
    let hint = pending.hint;
    if (this.#isHeldFor(pending)) {
      const half = this.#framer.giveUp(this.#nextTransactionId);
      health.fault();
      hint = together(say('modbus.unfinished', { count: half.length }), hint);
      frames.record({ kind: 'noise', bytes: half, link: pending.seq, text: say('modbus.unfinished_given_up') });
    }
    const { unitId, pdu } = pending.request;
    const message = together(say('modbus.silent', { unit: unitId, function: u8(pdu, 0), ms: timeoutMs }), hint);
    this.#remember(pending);
    this.#settle(pending, { kind: 'failed', error: new AppError('TIMEOUT_RESPONSE', message), isSent: true });
  }

  #onFrame(adu: Adu): void {
    const pending = adu.transactionId === null ? this.#oldest : this.#pending.get(adu.transactionId);
    if (!pending) {
      this.#onStray(adu, this.#oldest);
      return;
    }
    const { clock, frames, health } = this.#options;
    this.#putOff(pending);
    const problem = checkAnswer(adu, pending.request);
    if (problem) {
      frames.record({ kind: 'rx', bytes: adu.bytes, link: pending.seq, text: problem.said });
      health.fault();
      this.#settle(pending, { kind: 'failed', error: problem, isSent: true });
      return;
    }
    frames.record({ kind: 'rx', bytes: adu.bytes, link: pending.seq });
    const exchange = exchangeOf(pending, adu.bytes.length, clock.monotonicMs());
    health.response(exchange.durationMs, exchange);
    if ((u8(adu.pdu, 0) & EXCEPTION_BIT) !== 0) health.refusal(exchange);
    this.#settle(pending, { kind: 'answer', pdu: adu.pdu });
  }

  get #oldest(): Pending | null {
    for (const pending of this.#pending.values()) return pending;
    return null;
  }

  /** The device is at work: what was asked behind an answered request has its time from now on. */
  #putOff(answered: Pending): void {
    if (this.#pending.size < 2) return;
    const now = this.#options.clock.monotonicMs();
    let isBehind = false;
    for (const pending of this.#pending.values()) {
      if (isBehind) pending.dueAt = Math.max(pending.dueAt, now + pending.timeoutMs);
      isBehind ||= pending === answered;
    }
  }

  /** A frame nobody waits for: logged and counted, never used. */
  #onStray(adu: Adu, pending: Pending | null): void {
    const { frames, health } = this.#options;
    const id = adu.transactionId;
    const link = id === null ? undefined : this.#unanswered.get(id);
    if (this.#wasSent(id)) {
      health.late();
      const text = say('modbus.late_transaction', { id: id ?? '' });
      frames.record({ kind: 'late', bytes: adu.bytes, text, ...(link === undefined ? {} : { link }) });
      if (id !== null) this.#unanswered.delete(id);
      return;
    }
    health.fault();
    const text = pending
      ? say('modbus.never_sent_awaited', { id: id ?? '', awaited: pending.transactionId })
      : say('modbus.never_sent', { id: id ?? '' });
    frames.record({ kind: 'late', bytes: adu.bytes, text });
    if (pending) pending.hint = text;
  }

  /** True when this transaction id was used on this connection before the request under way. */
  #wasSent(transactionId: number | null): boolean {
    if (transactionId === null) return true;
    const back = (this.#nextTransactionId - transactionId) & 0xffff;
    return back > 0 && back <= this.#sentCount;
  }

  #onFault(fault: FramerFault): void {
    const { frames, health, line, onLost } = this.#options;
    const pending = this.#oldest;
    frames.record({ kind: 'noise', bytes: fault.bytes, text: fault.message, ...(pending && fault.isFatal ? { link: pending.seq } : {}) });
    if (this.#endError) return;
    health.fault();
    if (!fault.isFatal) {
      if (pending) pending.hint = fault.message;
      return;
    }
    const error = new AppError(fault.code, fault.message);
    this.#end(error);
    onLost(error);
    line.close().catch(() => {});
  }

  #end(error: AppError): void {
    if (this.#endError) return;
    this.#endError = error;
    this.#ended.abort();
    this.#deadline.dispose();
    if (this.#framer.buffered > 0) {
      const half = this.#framer.giveUp(this.#nextTransactionId);
      this.#options.frames.record({ kind: 'noise', bytes: half, text: say('modbus.unfinished_at_end') });
    }
    for (const pending of [...this.#pending.values()]) this.#settle(pending, { kind: 'failed', error, isSent: true });
  }

  #settle(pending: Pending, end: ExchangeEnd): void {
    this.#pending.delete(pending.transactionId);
    this.#setDeadline();
    if (this.#options.requestGapMs > 0) this.#readyAt = this.#options.clock.monotonicMs() + this.#options.requestGapMs;
    this.#finish(pending.asking, end);
  }

  #setDeadline(): void {
    let due = Number.POSITIVE_INFINITY;
    for (const { dueAt } of this.#pending.values()) if (dueAt < due) due = dueAt;
    if (this.#endError || due === Number.POSITIVE_INFINITY) this.#deadline.clear();
    else this.#deadline.set(due);
  }

  #remember(pending: Pending): void {
    this.#unanswered.set(pending.transactionId, pending.seq);
    if (this.#unanswered.size <= REMEMBERED) return;
    for (const oldest of this.#unanswered.keys()) {
      this.#unanswered.delete(oldest);
      break;
    }
  }
}

const NO_BYTES = new Uint8Array(0);

function exchangeOf(pending: Pending, rxOctets: number, now: number): LineExchange {
  const { request, txOctets, sentAt } = pending;
  return { slaveId: request.unitId, functionCode: u8(request.pdu, 0), txOctets, rxOctets, durationMs: now - sentAt, turnRoundMs: null };
}

function isTimeout(end: ExchangeEnd): boolean {
  return end.kind === 'failed' && end.error.code === 'TIMEOUT_RESPONSE';
}

function notSent(error: AppError): ExchangeEnd {
  return { kind: 'failed', error, isSent: false };
}

/** A session of Modbus TCP that keeps so many requests outstanding; with another framing, of Modbus UDP. */
export function mbapSession({ io, health }: SessionParts, window = 1, framing = mbapFraming): ModbusSession {
  const { clock, line, frames, settings, sink } = io;
  return new ModbusSession({
    window,
    clock,
    framing,
    line,
    frames,
    health,
    timeoutMs: settings.timeoutMs,
    requestGapMs: settings.requestGapMs ?? 0,
    onLost: (error) => sink.lost(error),
  });
}
