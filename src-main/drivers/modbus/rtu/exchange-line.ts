/**
 * One request and its answer on a line with RTU frames: the silence in front, the time of the answer, what came that was not the answer.
 * It knows which answers are still owed, and takes none of them for the one that is awaited.
 */
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { type Clock, cancelled } from '../../../platform/clock.ts';
import { u8 } from '../../../protocol-kit/bytes.ts';
import type { DriverLine, DriverSink, FrameSink, HealthSink } from '../../spi.ts';
import { EXCEPTION_BIT } from '../codec/functions.ts';
import type { ExchangeEnd, ExchangeFailure } from '../session.ts';
import { checkAnswer, type SessionRequest } from '../session-check.ts';
import { failureOf } from './failures.ts';
import { encodeRtu, type RtuFrame } from './framing.ts';
import { LineInput } from './line-input.ts';
import { LineSilence } from './line-silence.ts';
import { answersLikeEcho, type EchoState, LocalEcho } from './local-echo.ts';
import { OwedAnswers } from './owed-answers.ts';
import { Pacing } from './pacing.ts';
import { awaitedBy, exchangeOf, nextCheckAt, type Pending } from './pending.ts';
import { StrayFrames } from './strays.ts';
import type { RtuTiming } from './timing.ts';

export interface ExchangeLineOptions {
  readonly clock: Clock;
  readonly line: Pick<DriverLine, 'write'>;
  readonly frames: FrameSink;
  readonly health: HealthSink;
  readonly timing: RtuTiming;
  /** Time from the last octet of a request to the first of its answer. */
  readonly timeoutMs: number;
  /** Least pause between two requests, where the channel asks for more than the silent gap. */
  readonly requestGapMs: number;
  /** Whether the adapter echoes what is sent; `unknown` finds it out. */
  readonly echo: EchoState;
  readonly notice: DriverSink['notice'];
  /** Longest turn-round that was measured lately; null where nothing was. */
  slowestMs(unitId: number): number | null;
}

/** An unanswered request is not expected to be answered after so many timeouts, and is after less than so long. */
const EXPIRY_TIMEOUTS = 10;
const LEAST_EXPIRY_MS = 10_000;
/** A doubtful answer is held for a second one so many times the slowest turn-round of the slave, and not less than this. */
const GUARD_FACTOR = 3;
const LEAST_GUARD_MS = 50;

/** A timer that fires later than this says that the process stood still; so long it then waits for what has come. */
const STALL_MS = 50;

const NO_BYTES = new Uint8Array(0);

/** How an exchange is run, where not as usual. */
export interface ExchangeManner {
  /** Goes into the frame log beside the request. */
  readonly remark?: string;
  /** The request is asked a second time, because the first answer was doubtful: the answer to either will do. */
  readonly isRepeat?: boolean;
}

/** `doubtful`: one answer came, and it fits this request as well as an earlier one that is unanswered. */
export type LineEnd = ExchangeEnd | { readonly kind: 'doubtful'; readonly isSent: true };

export class ExchangeLine {
  readonly owed = new OwedAnswers();
  readonly #options: ExchangeLineOptions;
  readonly #input: LineInput;
  readonly #silence: LineSilence;
  readonly #echo: LocalEcho;
  readonly #pacing: Pacing;
  readonly #strays: StrayFrames;
  readonly #ended = new AbortController();
  #pending: Pending | null = null;
  #endError: AppError | null = null;

  constructor(options: ExchangeLineOptions) {
    const { clock, frames, health, timing, echo, notice } = options;
    this.#options = options;
    this.#silence = new LineSilence(clock, timing);
    // what was on the line before it was opened is not known
    if (timing.gapMs > 0) this.#silence.received(clock.monotonicMs());
    // nothing echoes on a socket until it is seen to
    this.#echo = new LocalEcho(echo === 'unknown' && timing.octetMs === 0 ? 'no' : echo, echo !== 'unknown');
    this.#strays = new StrayFrames({ clock, frames, health, owed: this.owed, notice });
    this.#input = new LineInput(timing, this.#echo);
    this.#pacing = new Pacing(timing.octetMs);
  }

  get echoState(): EchoState {
    return this.#echo.state;
  }

  /** Sends a request when the line is silent and waits for its answer. */
  async exchange(request: SessionRequest, signal: AbortSignal, how: ExchangeManner = {}): Promise<LineEnd> {
    const hindrance = await this.#untilSilent(signal);
    if (hindrance) return { kind: 'failed', error: hindrance, isSent: false };
    return new Promise((finish) => this.#send(request, finish, how));
  }

  /** Sends a request that nobody answers, and keeps the line free for `pauseMs` behind it. */
  async tellAll(pdu: Uint8Array, pauseMs: number, signal: AbortSignal): Promise<ExchangeFailure | null> {
    const hindrance = await this.#untilSilent(signal);
    if (hindrance) return { kind: 'failed', error: hindrance, isSent: false };
    const { clock, frames, health, line, timing } = this.#options;
    const bytes = encodeRtu(0, pdu);
    const sentEnd = clock.monotonicMs() + bytes.length * timing.octetMs;
    const seq = frames.record({ kind: 'tx', bytes });
    health.request();
    this.#clearInput();
    this.#silence.sending(sentEnd);
    this.#silence.notBefore(sentEnd + pauseMs);
    this.#echo.sent(bytes, false);
    try {
      await line.write(bytes);
      return null;
    } catch (thrown) {
      return this.#notWritten(seq, toAppError(thrown));
    }
  }

  receive(chunk: Uint8Array): void {
    const now = this.#options.clock.monotonicMs();
    this.#silence.received(now);
    const { octets, isEcho } = this.#input.take(chunk, now);
    if (isEcho) this.#toldEcho();
    if (octets.length > 0) this.#receive(octets, now);
  }

  /** The line is gone: the exchange under way fails, and every later one. */
  end(error: AppError): void {
    if (this.#endError) return;
    this.#endError = error;
    this.#ended.abort();
    this.#clearInput();
    const pending = this.#pending;
    if (pending) this.#settle(pending, { kind: 'failed', error, isSent: true });
  }

  #toldEcho(): void {
    this.#strays.once('echo', 'The adapter of this line echoes what is sent; the echo is recognised and left out.');
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
    return new AppError(
      'FRAME_NOISE',
      'The line does not become silent, so nothing was sent: another master is at work, or a device does not stop sending.',
    );
  }

  #send(request: SessionRequest, finish: (end: LineEnd) => void, { remark, isRepeat = false }: ExchangeManner): void {
    const { clock, timing, line, frames, health } = this.#options;
    this.#clearInput();
    const bytes = encodeRtu(request.unitId, request.pdu);
    const awaited = awaitedBy(request);
    this.#input.await(awaited);
    this.#echo.sent(bytes, answersLikeEcho(request.pdu));
    this.#pacing.asked();
    const seq = frames.record({ kind: 'tx', bytes, ...(remark === undefined ? {} : { text: remark }) });
    health.request();
    const sentAt = clock.monotonicMs();
    const pending: Pending = {
      request,
      awaited,
      txOctets: bytes.length,
      seq,
      sentAt,
      sentEnd: sentAt + bytes.length * timing.octetMs,
      timeoutMs: request.timeoutMs ?? this.#options.timeoutMs,
      finish,
      isRepeat,
      cancelTimer: () => undefined,
      octets: 0,
      lastOctetAt: sentAt,
      noise: 0,
      problem: null,
      held: null,
      hint: '',
    };
    this.#pending = pending;
    this.#silence.sending(this.#pacing.isFree ? sentAt : pending.sentEnd);
    this.#arm(pending);
    line.write(bytes).catch((thrown: unknown) => {
      if (this.#pending === pending) this.#settle(pending, this.#notWritten(seq, toAppError(thrown)));
    });
  }

  #notWritten(seq: number, error: AppError): ExchangeFailure {
    this.#options.frames.record({ kind: 'note', bytes: NO_BYTES, link: seq, text: `Not sent: ${error.message}` });
    return { kind: 'failed', error, isSent: error.code !== 'TRANSPORT_NOT_CONNECTED' };
  }

  /** What is left in the buffers belongs to nothing that is sent from now on. */
  #clearInput(): void {
    const { echo, rest } = this.#input.giveUp();
    for (const octets of [echo, rest]) if (octets.length > 0) this.#strays.noise(octets);
    this.#strays.flushNoise(this.#pending?.seq);
  }

  #receive(octets: Uint8Array, now: number): void {
    const asked = this.#pending;
    if (asked) {
      asked.octets += octets.length;
      asked.lastOctetAt = now;
    }
    for (const item of this.#input.push(octets)) {
      if (item.kind === 'frame') {
        this.#strays.flushNoise(this.#pending?.seq);
        this.#onFrame(item);
      } else {
        if (this.#pending) this.#pending.noise += item.bytes.length;
        else this.#options.health.fault('noise');
        this.#strays.noise(item.bytes);
      }
    }
    this.#input.settle();
    const pending = this.#pending;
    if (pending) this.#arm(pending);
    else this.#strays.flushNoise(undefined);
  }

  #onFrame(frame: RtuFrame): void {
    const pending = this.#pending;
    if (this.#echo.claims(frame.bytes)) {
      this.#toldEcho();
      return;
    }
    if (!pending || frame.side === 'request') {
      this.#strays.unasked(frame);
      return;
    }
    const problem = checkAnswer(frame, pending.request);
    if (problem === null) {
      this.#onFitting(pending, frame);
      return;
    }
    const owed = this.owed.match(frame);
    if (owed) {
      this.#strays.late(frame, owed);
      pending.hint = 'An answer to an earlier request came late.';
      return;
    }
    this.#strays.misfit(frame, problem);
    if (frame.unitId === pending.request.unitId) pending.problem ??= problem;
    else pending.hint = problem.message;
  }

  /** An answer that fits; whether it is the answer depends on what else could fit. */
  #onFitting(pending: Pending, frame: RtuFrame): void {
    const { held } = pending;
    if (held && hasSameOctets(held.frame.bytes, frame.bytes)) {
      // the line repeats what it carries; a second answer that says the same decides nothing either
      this.#strays.repeated(frame);
      return;
    }
    if (held) this.#strays.passedOver(held);
    pending.held = null;
    const startedAt = this.#input.arrivalOf(frame.at);
    const owed = this.owed.match(frame, pending.isRepeat ? pending.request.pdu : null) ?? null;
    const isEarly = this.#pacing.isTooEarly(startedAt, pending.sentEnd);
    const isSettled = !owed && !isEarly && (!pending.isRepeat || held !== null);
    if (isSettled) {
      this.#accept(pending, frame, startedAt);
      return;
    }
    const from = Math.max(this.#options.clock.monotonicMs(), pending.sentEnd + this.#options.timing.gapMs);
    pending.held = { frame, startedAt, owed, isEarly, until: from + this.#guardMs(pending) };
  }

  #accept(pending: Pending, frame: RtuFrame, startedAt: number): void {
    const { clock, frames, health } = this.#options;
    const { unitId } = pending.request;
    if (this.#pacing.answered(startedAt, pending.sentEnd)) this.#silence.isFree(this.#input.lastOctetAt);
    frames.record({ kind: 'rx', bytes: frame.bytes, link: pending.seq });
    const turnRoundMs = Math.max(0, startedAt - (this.#pacing.isFree ? pending.sentAt : pending.sentEnd));
    const exchange = exchangeOf(pending, frame.bytes.length, clock.monotonicMs(), turnRoundMs);
    health.response(exchange.durationMs, exchange);
    if ((u8(frame.pdu, 0) & EXCEPTION_BIT) !== 0) health.refusal(exchange);
    if (pending.noise > 0) health.fault('noise');
    this.owed.clear(unitId);
    this.#echo.ended('answer');
    this.#silence.disturbed(false);
    this.#strays.answered(unitId, pending.awaited.functionCode, pending.seq);
    this.#settle(pending, { kind: 'answer', pdu: frame.pdu });
  }

  #guardMs(pending: Pending): number {
    const slowest = this.#options.slowestMs(pending.request.unitId);
    const transferMs = (pending.awaited.frameLength ?? 0) * this.#options.timing.octetMs;
    if (slowest === null) return pending.timeoutMs + transferMs;
    return Math.min(pending.timeoutMs, Math.max(GUARD_FACTOR * slowest, LEAST_GUARD_MS)) + transferMs;
  }

  /** Sets the time of the next look at the exchange. */
  #arm(pending: Pending): void {
    const { clock } = this.#options;
    pending.cancelTimer();
    const at = this.#nextCheckAt(pending);
    pending.cancelTimer = clock.after(at - clock.monotonicMs(), () => this.#check(pending, at));
  }

  #nextCheckAt(pending: Pending): number {
    return nextCheckAt(pending, this.#options.timing, this.#input.hold, this.#guardMs(pending));
  }

  #check(pending: Pending, dueAt: number): void {
    if (this.#pending !== pending) return;
    const { clock } = this.#options;
    const now = clock.monotonicMs();
    if (now - dueAt > STALL_MS) {
      // the process stood still: octets that came meanwhile are delivered behind the timers
      pending.cancelTimer = clock.after(STALL_MS, () => this.#check(pending, clock.monotonicMs()));
      return;
    }
    if (now < this.#nextCheckAt(pending)) {
      this.#arm(pending);
      return;
    }
    const { held } = pending;
    if (!held) this.#fail(pending);
    else if (!held.owed) this.#accept(pending, held.frame, held.startedAt);
    else if (held.isEarly && this.#pacing.isKept) {
      // it came before this request had left, on a line that keeps its time: only the earlier request can have asked for it
      this.#strays.late(held.frame, held.owed);
      this.#fail(pending);
    } else {
      this.#strays.doubtful(held.frame, held.owed);
      this.#owe(pending);
      this.#settle(pending, { kind: 'doubtful', isSent: true });
    }
  }

  /** The time has run out, or what came is no answer and the line is quiet. */
  #fail(pending: Pending): void {
    const { clock, frames, health } = this.#options;
    const { echo, rest, isBroken } = this.#input.giveUp();
    const octets = { broken: isBroken ? rest.length : 0, loose: pending.noise + echo.length + (isBroken ? 0 : rest.length) };
    if (echo.length > 0) this.#strays.noise(echo);
    if (!isBroken && rest.length > 0) this.#strays.noise(rest);
    this.#strays.flushNoise(pending.seq);
    if (isBroken) frames.record({ kind: 'noise', bytes: rest, link: pending.seq, text: 'Unfinished answer, given up.' });
    const error = failureOf(pending, octets);
    if (error.code === 'TIMEOUT_RESPONSE') health.timeout(exchangeOf(pending, 0, clock.monotonicMs(), null));
    else if (error.code.startsWith('FRAME_')) health.fault(error.code === 'FRAME_CHECKSUM' ? 'checksum' : 'noise');
    this.#echo.ended(pending.octets === 0 && echo.length === 0 ? 'nothing' : 'disturbed');
    this.#silence.disturbed(true);
    this.#owe(pending);
    this.#settle(pending, { kind: 'failed', error, isSent: true });
  }

  /** Its answer may still come. */
  #owe({ sentAt, seq, request, timeoutMs }: Pending): void {
    // a probe waits for less than the slave may take
    const patienceMs = Math.max(this.#options.timeoutMs, timeoutMs);
    this.owed.add({
      unitId: request.unitId,
      pdu: request.pdu,
      seq,
      expiresAt: sentAt + Math.max(EXPIRY_TIMEOUTS * patienceMs, LEAST_EXPIRY_MS),
    });
  }

  #settle(pending: Pending, end: LineEnd): void {
    pending.cancelTimer();
    this.#pending = null;
    this.#input.await(null);
    const { clock, requestGapMs } = this.#options;
    if (requestGapMs > 0) this.#silence.notBefore(clock.monotonicMs() + requestGapMs);
    pending.finish(end);
  }
}

function hasSameOctets(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((octet, at) => octet === b[at]);
}

function notConnected(error: AppError): AppError {
  return error.code === 'TRANSPORT_NOT_CONNECTED'
    ? error
    : new AppError('TRANSPORT_NOT_CONNECTED', `The connection has ended: ${error.message}`);
}
