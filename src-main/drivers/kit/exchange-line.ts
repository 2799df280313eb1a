/**
 * One request and its answer on a line whose frames carry no number: the silence in front, the time of the answer, what came that was not the
 * answer. What a frame can be, the ledger of owed answers says.
 */

import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { cancelled } from '../../platform/clock.ts';
import type { LineExchange } from '../spi/line.ts';
import { AnswerLedger } from './answer-ledger.ts';
import { AnswerWaits, type Held, type Pending } from './answer-waits.ts';
import type { Answer, Asked, AskFailure, StreamHold, StreamItem } from './asking.ts';
import { type LineEnd, notConnected } from './line-end.ts';
import type { LineMemory } from './line-memory.ts';
import type { ExchangeLineOptions, ExchangeManner } from './line-options.ts';
import { LineSilence } from './line-silence.ts';
import { Pacing } from './pacing.ts';
import { StrayAnswers } from './stray-answers.ts';
import { StrayFrames } from './stray-frames.ts';

/** An unanswered request is not expected to be answered after so many timeouts, and is after less than so long. */
const EXPIRY_TIMEOUTS = 10;
const LEAST_EXPIRY_MS = 10_000;
/** A timer that fires later than this says that the process stood still; so long it then waits for what has come. */
const STALL_MS = 50;
const NO_BYTES = new Uint8Array(0);

type AnswerItem<Frame> = Extract<StreamItem<Frame>, { readonly kind: 'answer' }>;
/** An answer, and when its last octet was delivered: what it was held for behind that is no time of the device. */
type Come<Frame> = Omit<AnswerItem<Frame>, 'kind'> & { readonly cameAt: number };
type Ending = Pick<LineExchange, 'rxOctets' | 'turnRoundMs'> & { readonly endedAt: number };

export class ExchangeLine<Request extends Asked, Frame extends Answer> {
  readonly ledger: AnswerLedger<Request, Frame>;
  readonly #options: ExchangeLineOptions<Request, Frame>;
  readonly #silence: LineSilence;
  readonly #pacing: Pacing;
  readonly #strays: StrayFrames<Request, Frame>;
  readonly #stray: StrayAnswers<Request, Frame>;
  readonly #ended = new AbortController();
  readonly #waits: AnswerWaits<Request, Frame>;
  #pending: Pending<Request, Frame> | null = null;
  #endError: AppError | null = null;
  #lastOctetAt = Number.NEGATIVE_INFINITY;
  /** A telling request was answered, in its time or later. */
  onTellingAnswered: (request: Request) => void = () => undefined;

  constructor(options: ExchangeLineOptions<Request, Frame>, memory: LineMemory<Request, Frame>) {
    const { clock, times, protocol } = options;
    this.#options = options;
    this.ledger = new AnswerLedger(protocol, memory);
    this.#waits = new AnswerWaits(options, memory.answers);
    this.#silence = new LineSilence(clock, times);
    if (options.isBusyAtFirst) this.#silence.received(clock.monotonicMs());
    this.#strays = new StrayFrames(options, memory);
    this.#stray = new StrayAnswers(options, this.ledger, this.#strays, (request) => this.onTellingAnswered(request));
    memory.pacing ??= new Pacing(times.octetMs);
    this.#pacing = memory.pacing;
  }

  /** When the last octet came, in monotonic milliseconds. */
  get lastOctetAt(): number {
    return this.#lastOctetAt;
  }

  /** Ends when the line does. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Sends a request when the line is silent and waits for its answer. */
  async exchange(request: Request, signal: AbortSignal, how: ExchangeManner = {}): Promise<LineEnd<Frame>> {
    const hindrance = await this.#untilSilent(signal);
    if (hindrance) return { kind: 'failed', error: hindrance, isSent: false };
    return new Promise((finish) => this.#send(request, finish, how));
  }

  /** Sends a request that nobody answers, and keeps the line free for `pauseMs` behind it. */
  async tellAll(request: Request, pauseMs: number, signal: AbortSignal): Promise<AskFailure | null> {
    const hindrance = await this.#untilSilent(signal);
    if (hindrance) return { kind: 'failed', error: hindrance, isSent: false };
    const { clock, frames, health, line, times, protocol, stream } = this.#options;
    const bytes = protocol.encode(request);
    const sentEnd = clock.monotonicMs() + bytes.length * times.octetMs;
    this.#giveUp();
    const seq = frames.record({ kind: 'tx', bytes });
    health.request();
    this.#silence.sending(sentEnd);
    this.#silence.notBefore(sentEnd + pauseMs);
    this.ledger.commanded();
    stream.sent(request, bytes);
    try {
      await line.write(bytes);
      return null;
    } catch (thrown) {
      return this.#notWritten(seq, toAppError(thrown));
    }
  }

  receive(chunk: Uint8Array): void {
    const now = this.#options.clock.monotonicMs();
    this.#lastOctetAt = now;
    this.#silence.received(now);
    for (const item of this.#options.stream.push(chunk, now)) this.#take(item);
    const pending = this.#pending;
    if (pending) this.#arm(pending);
    else this.#strays.flushNoise(undefined);
  }

  /** The line is gone: the exchange under way fails, and every later one. */
  end(error: AppError): void {
    if (this.#endError) return;
    this.#endError = error;
    this.#ended.abort();
    this.#giveUp();
    const pending = this.#pending;
    if (!pending) return;
    // the next connection may be on the same line
    this.#owe(pending);
    this.#settle(pending, { kind: 'failed', error, isSent: true });
  }

  /** Null when a request may be sent now. */
  async #untilSilent(signal: AbortSignal): Promise<AppError | null> {
    let isSilent = false;
    if (this.#endError) return notConnected(this.#endError);
    try {
      isSilent = await this.#silence.wait(() => AbortSignal.any([signal, this.#ended.signal]));
    } catch {
      // told below: by the signal, or by the end of the line
    }
    if (this.#endError) return notConnected(this.#endError);
    if (signal.aborted) return cancelled();
    if (isSilent) return null;
    this.#options.health.fault('noise');
    return new AppError('FRAME_NOISE', say('exchange.not_silent'));
  }

  #send(request: Request, finish: (end: LineEnd<Frame>) => void, { remark, isTelling = false, isRepeat = false }: ExchangeManner): void {
    const { clock, times, line, frames, health, protocol, stream } = this.#options;
    this.#giveUp();
    this.#strays.doubling(this.ledger.isDoubling(clock.monotonicMs()));
    const bytes = protocol.encode(request);
    stream.sent(request, bytes);
    this.#pacing.asked();
    const seq = frames.record({ kind: 'tx', bytes, ...(remark === undefined ? {} : { text: remark }) });
    health.request();
    const sentAt = clock.monotonicMs();
    this.ledger.prune(sentAt);
    if (!protocol.isRepeatable(request)) this.ledger.commanded();
    const pending: Pending<Request, Frame> = {
      request,
      txOctets: bytes.length,
      seq,
      isTelling,
      isRepeat,
      sentAt,
      sentEnd: sentAt + bytes.length * times.octetMs,
      timeoutMs: request.timeoutMs ?? this.#options.timeoutMs,
      finish,
      cancelTimer: () => undefined,
      frames: 0,
      noise: 0,
      hasChecksumFault: false,
      problem: null,
      hint: null,
      early: 0,
      held: null,
    };
    this.#pending = pending;
    this.#silence.sending(this.#pacing.isFree ? sentAt : pending.sentEnd);
    this.#arm(pending);
    line.write(bytes).catch((thrown: unknown) => {
      if (this.#pending === pending) this.#settle(pending, this.#notWritten(seq, toAppError(thrown)));
    });
  }

  #notWritten(seq: number, error: AppError): AskFailure {
    this.#options.frames.record({ kind: 'note', bytes: NO_BYTES, link: seq, text: say('exchange.not_sent', { reason: error.said }) });
    return { kind: 'failed', error, isSent: error.code !== 'TRANSPORT_NOT_CONNECTED' };
  }

  /** Empties the buffers: what is in them is taken, and what is no frame is logged. Answers how many octets began an answer. */
  #giveUp(): number {
    const { items, broken } = this.#options.stream.giveUp();
    for (const item of items) this.#take(item);
    const link = this.#pending?.seq;
    this.#strays.flushNoise(link);
    if (broken.length > 0) {
      const text = say('exchange.unfinished');
      this.#options.frames.record({ kind: 'noise', bytes: broken, text, ...(link === undefined ? {} : { link }) });
    }
    return broken.length;
  }

  #take(item: StreamItem<Frame>): void {
    const pending = this.#pending;
    if (item.kind === 'noise') {
      this.#strays.noise(item, pending?.seq);
      if (pending) this.ledger.fault(pending.request, this.#options.clock.monotonicMs());
      if (!pending || item.fault === 'checksum') this.#options.health.fault(item.fault);
      if (!pending) return;
      pending.noise += item.bytes.length;
      if (item.fault === 'checksum') pending.hasChecksumFault = true;
      return;
    }
    if (item.kind === 'echo') {
      this.#strays.once('echo', say('exchange.echo'));
      return;
    }
    this.#strays.flushNoise(pending?.seq);
    if (item.kind === 'request') this.#strays.foreignRequest(item.frame);
    else if (pending) this.#onAnswer(pending, item);
    else this.#stray.judge(item.frame, null, null);
  }

  #onAnswer(pending: Pending<Request, Frame>, item: AnswerItem<Frame>): void {
    const { protocol, clock } = this.#options;
    const { frame, startedAt } = item;
    const now = clock.monotonicMs();
    pending.frames += 1;
    const problem = protocol.problemOf(pending.request, frame);
    if (problem) {
      this.#stray.judge(frame, pending, problem);
      return;
    }
    if (this.#pacing.isTooEarly(startedAt, pending.sentEnd)) {
      if (pending.held?.kind !== 'doubt' && !this.ledger.isExpected(frame, now)) {
        if (this.#stray.isPassedOver(pending, frame)) this.#hold(pending, item, 'early');
        return;
      }
      if (this.#pacing.isKept) {
        if (pending.held === null && this.ledger.isOnlyCopy(frame, pending.request, now)) {
          this.#hold(pending, item, 'ahead', true);
          return;
        }
        // it came before this request had left, on a line that keeps its time: only an earlier request can have asked for it
        pending.early += 1;
        this.#stray.judge(frame, pending, null);
        return;
      }
    }
    this.#judge(pending, item);
  }

  #judge(pending: Pending<Request, Frame>, item: AnswerItem<Frame>): void {
    const { frame } = item;
    const now = this.#options.clock.monotonicMs();
    if (!this.#stray.isPassedOver(pending, frame)) return;
    if (pending.held === null && this.ledger.isLikeCopy(frame, pending.request, now)) {
      if (this.#waits.alikeUntil(pending, now) !== null) {
        this.#hold(pending, item, 'alike', true);
        return;
      }
      // the device never took so long
      this.ledger.fault(pending.request, now);
    }
    const verdict = this.ledger.judge(frame, pending.request, now);
    if (verdict.kind === 'sure' || verdict.kind === 'same') this.#accept(pending, { ...item, cameAt: now }, verdict.kind === 'sure');
    else if (verdict.kind === 'doubtful') {
      this.#strays.doubtful(frame, verdict.owed);
      this.#hold(pending, item, 'doubt', verdict.owed === null);
    }
  }

  #hold(pending: Pending<Request, Frame>, item: AnswerItem<Frame>, kind: Held<Frame>['kind'], isLikeCopy = false): void {
    const { clock, times } = this.#options;
    const cameAt = clock.monotonicMs();
    const doubtUntil = Math.max(cameAt, pending.sentEnd + times.gapMs) + this.#waits.doubtMs(pending);
    const alikeUntil = kind === 'alike' || kind === 'ahead' ? this.#waits.alikeUntil(pending, cameAt) : null;
    pending.held = { ...item, kind, isLikeCopy, cameAt, until: alikeUntil ?? doubtUntil };
  }

  #accept(pending: Pending<Request, Frame>, { frame, startedAt, beganAt, cameAt }: Come<Frame>, isSure: boolean): void {
    const { frames, health, protocol, stream } = this.#options;
    if (isSure && this.#pacing.answered(startedAt, pending.sentEnd)) this.#silence.isFree(this.#lastOctetAt);
    frames.record({ kind: 'rx', bytes: frame.bytes, link: pending.seq });
    const turnRoundMs = Math.max(0, beganAt - (this.#pacing.isFree ? pending.sentAt : pending.sentEnd));
    const exchange = this.#exchangeOf(pending, { rxOctets: frame.bytes.length, endedAt: cameAt, turnRoundMs });
    health.response(exchange.durationMs, exchange);
    if (protocol.isRefusal(frame)) health.refusal(exchange);
    if (pending.noise > 0 && !pending.hasChecksumFault) health.fault('noise');
    this.#waits.answered(pending.request);
    stream.ended('answer');
    this.#silence.disturbed(false);
    this.#strays.answered(pending.request, pending.seq);
    // of a part that comes twice the octets tell
    if (!isSure && !protocol.isChained(pending.request)) this.#owe(pending);
    if (pending.isTelling) this.onTellingAnswered(pending.request);
    this.#settle(pending, { kind: 'answer', frame, isSure });
  }

  /** Sets the time of the next look at the exchange. */
  #arm(pending: Pending<Request, Frame>): void {
    const { clock } = this.#options;
    pending.cancelTimer();
    const at = this.#lookAt(pending);
    pending.cancelTimer = clock.after(at - clock.monotonicMs(), () => this.#check(pending, at));
  }

  #lookAt(pending: Pending<Request, Frame>): number {
    const { protocol, stream } = this.#options;
    const hold: StreamHold = stream.hold;
    // a second answer that has begun is waited for
    if (pending.held)
      return hold.octets === 0 ? pending.held.until : Math.max(pending.held.until, hold.lastOctetAt + this.#options.times.settleMs);
    return protocol.lookAt(pending, hold, this.#waits.guardMs(pending));
  }

  #check(pending: Pending<Request, Frame>, dueAt: number): void {
    if (this.#pending !== pending) return;
    const { clock } = this.#options;
    const now = clock.monotonicMs();
    if (now - dueAt > STALL_MS) {
      // the process stood still: octets that came meanwhile are delivered behind the timers
      pending.cancelTimer = clock.after(STALL_MS, () => this.#check(pending, clock.monotonicMs()));
      return;
    }
    if (now < this.#lookAt(pending)) {
      this.#arm(pending);
      return;
    }
    const { held } = pending;
    if (!held) this.#fail(pending);
    else if (held.kind === 'ahead') {
      this.#pacing.doubt();
      this.ledger.repeated(held.frame, pending.request, now);
      this.#strays.doubtful(held.frame, null);
      this.#leaveOpen(pending);
    } else if (held.kind === 'doubt' || this.#isSpoilt(pending)) this.#leaveOpen(pending);
    else {
      const { kind } = this.ledger.judge(held.frame, pending.request, now);
      if (kind === 'sure' || kind === 'same') this.#accept(pending, held, kind === 'sure');
      else this.#leaveOpen(pending);
    }
  }

  /** What else came may be what is left of the answer, and what is held a copy. */
  #isSpoilt({ held, noise }: Pending<Request, Frame>): boolean {
    return held?.kind === 'alike' && (noise > 0 || this.#options.stream.hold.octets > 0);
  }

  #leaveOpen(pending: Pending<Request, Frame>): void {
    this.#options.stream.ended('failed');
    this.#silence.disturbed(true);
    this.#owe(pending);
    this.#settle(pending, { kind: 'doubtful', isSent: true, isPrompt: this.#waits.isPrompt(pending) });
  }

  /** The time has run out, or what came is no answer and the line is quiet. */
  #fail(pending: Pending<Request, Frame>): void {
    const { frames, health, protocol, stream } = this.#options;
    const broken = this.#giveUp();
    // a false start may have hidden the answer
    if (this.#pending !== pending) return;
    if (pending.held) {
      this.#arm(pending);
      return;
    }
    const error = protocol.failureOf(pending, { broken, loose: pending.noise });
    if (error.code === 'TIMEOUT_RESPONSE') {
      health.timeout(this.#exchangeOf(pending, { rxOctets: 0, endedAt: this.#options.clock.monotonicMs(), turnRoundMs: null }));
      const text = say('exchange.no_answer', { ms: Math.round(pending.timeoutMs) });
      frames.record({ kind: 'note', bytes: NO_BYTES, link: pending.seq, text });
    } else if (error.code.startsWith('FRAME_') && !pending.hasChecksumFault) {
      health.fault(error.code === 'FRAME_CHECKSUM' ? 'checksum' : 'noise');
    }
    // nothing but an answer that was too early for a line that keeps its time: perhaps it keeps none
    if (pending.early > 0 && pending.frames === pending.early) this.#pacing.doubt();
    stream.ended('failed');
    this.ledger.fault(pending.request, this.#options.clock.monotonicMs());
    this.#silence.disturbed(true);
    this.#owe(pending);
    this.#settle(pending, { kind: 'failed', error, isSent: true });
  }

  /** Its answer may still come. */
  #owe({ sentAt, seq, request, timeoutMs, isTelling }: Pending<Request, Frame>): void {
    // a probe waits for less than the device may take
    const patienceMs = Math.max(this.#options.timeoutMs, timeoutMs);
    this.ledger.owe({ request, seq, isTelling, expiresAt: sentAt + Math.max(EXPIRY_TIMEOUTS * patienceMs, LEAST_EXPIRY_MS) });
  }

  #exchangeOf({ request, sentAt, txOctets }: Pending<Request, Frame>, { endedAt, ...answer }: Ending): LineExchange {
    return { ...this.#options.protocol.facts(request), ...answer, txOctets, durationMs: endedAt - sentAt };
  }

  #settle(pending: Pending<Request, Frame>, end: LineEnd<Frame>): void {
    pending.cancelTimer();
    this.#pending = null;
    const { clock, requestGapMs } = this.#options;
    if (requestGapMs > 0) this.#silence.notBefore(clock.monotonicMs() + requestGapMs);
    pending.finish(end);
  }
}
