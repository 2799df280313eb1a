/**
 * One request and its answer on a line whose frames carry no number: the silence in front, the time of the answer, what came that was not the
 * answer. What a frame can be, the ledger of owed answers says.
 */
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { type CancelTimer, type Clock, cancelled } from '../../platform/clock.ts';
import type { DriverLine, DriverSink, FrameSink, HealthSink } from '../spi.ts';
import type { LineExchange } from '../spi-line.ts';
import { hasSameOctets } from './answer-copies.ts';
import { AnswerLedger } from './answer-ledger.ts';
import type {
  Answer,
  AnswerStream,
  AskEnd,
  Asked,
  AskFailure,
  AskingProtocol,
  ExchangeView,
  LineTimes,
  StreamHold,
  StreamItem,
} from './asking.ts';
import { LineSilence } from './line-silence.ts';
import { Pacing } from './pacing.ts';
import { type ForeignRequest, StrayFrames } from './stray-frames.ts';

export interface ExchangeLineOptions<Request extends Asked, Frame extends Answer> {
  readonly protocol: AskingProtocol<Request, Frame>;
  readonly stream: AnswerStream<Request, Frame>;
  readonly clock: Clock;
  readonly line: Pick<DriverLine, 'write'>;
  readonly frames: FrameSink;
  readonly health: HealthSink;
  readonly times: LineTimes;
  /** True: what was on the line before it was opened is not known, so the first request waits for silence as well. */
  readonly isBusyAtFirst: boolean;
  /** Time from the last octet of a request to the first of its answer. */
  readonly timeoutMs: number;
  /** Least pause between two requests, where the channel asks for more than the silent gap. */
  readonly requestGapMs: number;
  readonly notice: DriverSink['notice'];
  readonly foreignRequest: (frame: Frame) => ForeignRequest;
  /** Longest turn-round that was measured lately; null where nothing was. */
  slowestMs(slaveId: number): number | null;
}

/** An unanswered request is not expected to be answered after so many timeouts, and is after less than so long. */
const EXPIRY_TIMEOUTS = 10;
const LEAST_EXPIRY_MS = 10_000;
/** Behind a doubtful answer the line is left alone for so many times the slowest turn-round, not less than this, and so long where none is known. */
const GUARD_FACTOR = 3;
const LEAST_GUARD_MS = 50;
const UNKNOWN_GUARD_MS = 300;
/** Behind an answer to a question that was asked again one more decides nothing. */
const REPEAT_GUARD_MS = 20;
/**
 * An answer with the octets of the one before waits for another until so many times the slowest turn-round have passed since its request; more
 * while the device has answered less often than that on this connection.
 */
const ALIKE_FACTOR = 1.5;
const HARDLY_KNOWN_FACTOR = 6;
const ALIKE_MARGIN_MS = 5;
const KNOWN_ANSWERS = 16;
/** A timer that fires later than this says that the process stood still; so long it then waits for what has come. */
const STALL_MS = 50;
/** An answer that begins within this share of the timeout came soon. */
const PROMPT_SHARE = 0.25;
const NO_BYTES = new Uint8Array(0);

/** How an exchange is run, where not as usual. */
export interface ExchangeManner {
  /** Goes into the frame log beside the request. */
  readonly remark?: string;
  readonly isTelling?: boolean;
  /** The same was asked just before, so an answer that comes behind a doubtful one will do: little is waited for it. */
  readonly isRepeat?: boolean;
}

/** `doubtful`: what came may be the answer to something else. `isSure` false: it answers this question, and one more to it may come. */
export type LineEnd<Frame> =
  | { readonly kind: 'answer'; readonly frame: Frame; readonly isSure: boolean }
  | AskFailure
  | DoubtfulEnd;

export interface DoubtfulEnd {
  readonly kind: 'doubtful';
  readonly isSent: true;
  /** True for an answer that came soon behind the request, and alone. */
  readonly isPrompt: boolean;
}

/**
 * An answer that is not taken before some time has passed without another one. `early`: it began before the request can have left; `alike`: it
 * has the octets of the one before. `doubt`: it is not taken at all.
 */
interface Held<Frame> {
  readonly kind: 'early' | 'alike' | 'doubt';
  readonly frame: Frame;
  readonly startedAt: number;
  readonly beganAt: number;
  readonly until: number;
  /** True for octets that were had before. */
  readonly isLikeCopy: boolean;
}

interface Pending<Request, Frame> extends ExchangeView<Request> {
  readonly txOctets: number;
  readonly seq: number;
  readonly isTelling: boolean;
  readonly isRepeat: boolean;
  readonly finish: (end: LineEnd<Frame>) => void;
  cancelTimer: CancelTimer;
  /** Answers that came, whosever they are. */
  frames: number;
  noise: number;
  hasChecksumFault: boolean;
  problem: AppError | null;
  hint: string;
  held: Held<Frame> | null;
}

type AnswerItem<Frame> = Extract<StreamItem<Frame>, { readonly kind: 'answer' }>;

export class ExchangeLine<Request extends Asked, Frame extends Answer> {
  readonly ledger: AnswerLedger<Request, Frame>;
  readonly #options: ExchangeLineOptions<Request, Frame>;
  readonly #silence: LineSilence;
  readonly #pacing: Pacing;
  readonly #strays: StrayFrames<Request, Frame>;
  readonly #ended = new AbortController();
  /** Answers of each device on this connection. */
  readonly #answers = new Map<string | number, number>();
  #pending: Pending<Request, Frame> | null = null;
  #endError: AppError | null = null;
  #lastOctetAt = Number.NEGATIVE_INFINITY;
  /** A telling request was answered, in its time or later. */
  onTellingAnswered: (request: Request) => void = () => undefined;

  constructor(options: ExchangeLineOptions<Request, Frame>) {
    const { clock, times, protocol } = options;
    this.#options = options;
    this.ledger = new AnswerLedger(protocol);
    this.#silence = new LineSilence(clock, times);
    if (options.isBusyAtFirst) this.#silence.received(clock.monotonicMs());
    this.#strays = new StrayFrames(options);
    this.#pacing = new Pacing(times.octetMs);
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
    if (pending) this.#settle(pending, { kind: 'failed', error, isSent: true });
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

  #send(request: Request, finish: (end: LineEnd<Frame>) => void, { remark, isTelling = false, isRepeat = false }: ExchangeManner): void {
    const { clock, times, line, frames, health, protocol, stream } = this.#options;
    this.#giveUp();
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
      hint: '',
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
    this.#options.frames.record({ kind: 'note', bytes: NO_BYTES, link: seq, text: `Not sent: ${error.message}` });
    return { kind: 'failed', error, isSent: error.code !== 'TRANSPORT_NOT_CONNECTED' };
  }

  /** Empties the buffers: what is in them is taken, and what is no frame is logged. Answers how many octets began an answer. */
  #giveUp(): number {
    const { items, broken } = this.#options.stream.giveUp();
    for (const item of items) this.#take(item);
    const link = this.#pending?.seq;
    this.#strays.flushNoise(link);
    if (broken.length > 0) {
      const text = 'Unfinished answer, given up.';
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
      this.#strays.once('echo', 'The adapter of this line echoes what is sent; the echo is recognised and left out.');
      return;
    }
    this.#strays.flushNoise(pending?.seq);
    if (item.kind === 'request') this.#strays.foreignRequest(item.frame);
    else if (pending) this.#onAnswer(pending, item);
    else this.#onStray(item.frame, null, null);
  }

  #onAnswer(pending: Pending<Request, Frame>, item: AnswerItem<Frame>): void {
    const { protocol, clock } = this.#options;
    const { frame, startedAt } = item;
    const now = clock.monotonicMs();
    pending.frames += 1;
    const problem = protocol.problemOf(pending.request, frame);
    if (problem) {
      this.#onStray(frame, pending, problem);
      return;
    }
    if (this.#pacing.isTooEarly(startedAt, pending.sentEnd)) {
      if (pending.held?.kind !== 'doubt' && !this.ledger.isExpected(frame, now)) {
        if (this.#isPassedOver(pending, frame)) this.#hold(pending, item, 'early');
        return;
      }
      if (this.#pacing.isKept) {
        // it came before this request had left, on a line that keeps its time: only an earlier request can have asked for it
        this.#onStray(frame, pending, null);
        return;
      }
    }
    this.#judge(pending, item);
  }

  /** What is held gives way to another answer; false when the same octets came again, which decide nothing. */
  #isPassedOver(pending: Pending<Request, Frame>, frame: Frame): boolean {
    const { held } = pending;
    if (!held) return true;
    if (hasSameOctets(held.frame.bytes, frame.bytes)) {
      // nothing else was owed, so one of the two is a copy
      if (held.kind === 'alike') this.#sawCopy(frame);
      else this.ledger.repeated(frame, pending.request, this.#options.clock.monotonicMs());
      this.#strays.repeated(frame);
      return false;
    }
    if (held.isLikeCopy) this.#sawCopy(held.frame);
    if (held.kind === 'doubt') return true;
    if (held.isLikeCopy) this.#strays.copy(held.frame);
    else this.#strays.second(held.frame);
    pending.held = null;
    return true;
  }

  #sawCopy(frame: Frame): void {
    this.ledger.sawCopy();
    this.#strays.doubled(frame);
  }

  #judge(pending: Pending<Request, Frame>, item: AnswerItem<Frame>): void {
    const { frame } = item;
    const now = this.#options.clock.monotonicMs();
    if (!this.#isPassedOver(pending, frame)) return;
    if (pending.held === null && this.ledger.isLikeCopy(frame, pending.request, now)) {
      if (now < this.#alikeUntil(pending)) {
        this.#hold(pending, item, 'alike', true);
        return;
      }
      // the device never took so long
      this.ledger.fault(pending.request, now);
    }
    const verdict = this.ledger.judge(frame, pending.request, now);
    if (verdict.kind === 'sure' || verdict.kind === 'same') this.#accept(pending, item, verdict.kind === 'sure');
    else if (verdict.kind === 'doubtful') {
      this.#strays.doubtful(frame, verdict.owed);
      this.#hold(pending, item, 'doubt', verdict.owed === null);
    }
  }

  #hold(pending: Pending<Request, Frame>, item: AnswerItem<Frame>, kind: Held<Frame>['kind'], isLikeCopy = false): void {
    const { clock, times } = this.#options;
    const doubtUntil = Math.max(clock.monotonicMs(), pending.sentEnd + times.gapMs) + this.#doubtMs(pending);
    const until = kind === 'alike' ? this.#alikeUntil(pending) : doubtUntil;
    pending.held = { ...item, kind, isLikeCopy, until };
  }

  /** A frame that the request under way did not ask for. */
  #onStray(frame: Frame, pending: Pending<Request, Frame> | null, problem: AppError | null): void {
    const verdict = this.ledger.judge(frame, null, this.#options.clock.monotonicMs());
    if (verdict.kind === 'copy') {
      this.#strays.copy(frame);
      if (this.ledger.isDoubling) this.#strays.doubled(frame);
    } else if (verdict.kind === 'late') {
      this.ledger.fault(verdict.owed.request, this.#options.clock.monotonicMs());
      this.#strays.late(frame, verdict.owed);
      if (pending) pending.hint = 'An answer to an earlier request came late.';
      if (verdict.owed.isTelling) this.onTellingAnswered(verdict.owed.request);
    } else if (!pending || !problem) this.#strays.unasked(frame);
    else {
      this.#strays.misfit(frame, problem);
      if (this.#options.protocol.failsAtOnce(pending.request, frame)) pending.problem ??= problem;
      else pending.hint = problem.message;
    }
  }

  #accept(pending: Pending<Request, Frame>, { frame, startedAt, beganAt }: Omit<AnswerItem<Frame>, 'kind'>, isSure: boolean): void {
    const { frames, health, protocol, stream } = this.#options;
    if (isSure && this.#pacing.answered(startedAt, pending.sentEnd)) this.#silence.isFree(this.#lastOctetAt);
    frames.record({ kind: 'rx', bytes: frame.bytes, link: pending.seq });
    const turnRoundMs = Math.max(0, beganAt - (this.#pacing.isFree ? pending.sentAt : pending.sentEnd));
    const exchange = this.#exchangeOf(pending, frame.bytes.length, turnRoundMs);
    health.response(exchange.durationMs, exchange);
    if (protocol.isRefusal(frame)) health.refusal(exchange);
    if (pending.noise > 0 && !pending.hasChecksumFault) health.fault('noise');
    const addressee = protocol.addressee(pending.request);
    this.#answers.set(addressee, (this.#answers.get(addressee) ?? 0) + 1);
    stream.ended('answer');
    this.#silence.disturbed(false);
    this.#strays.answered(pending.request, pending.seq);
    // of a part that comes twice the octets tell
    if (!isSure && !protocol.isChained(pending.request)) this.#owe(pending);
    if (pending.isTelling) this.onTellingAnswered(pending.request);
    this.#settle(pending, { kind: 'answer', frame, isSure });
  }

  /** How long the line is left alone for a second answer. */
  #doubtMs(pending: Pending<Request, Frame>): number {
    const octetsMs = this.#options.protocol.answerOctets(pending.request) * this.#options.times.octetMs;
    const most = pending.isRepeat ? REPEAT_GUARD_MS : LEAST_GUARD_MS;
    return Math.min(this.#guardMs(pending), most + octetsMs);
  }

  /** How long an answer may take behind one that is none. */
  #guardMs({ request, timeoutMs }: Pending<Request, Frame>): number {
    const { protocol, times } = this.#options;
    const slowest = this.#options.slowestMs(protocol.facts(request).slaveId);
    const waitMs = slowest === null ? UNKNOWN_GUARD_MS : Math.max(GUARD_FACTOR * slowest, LEAST_GUARD_MS);
    return Math.min(timeoutMs, waitMs) + protocol.answerOctets(request) * times.octetMs;
  }

  /** Until when an answer with the octets of the one before waits for another: the moment at which the device has always answered so far. */
  #alikeUntil({ request, sentEnd, timeoutMs }: Pending<Request, Frame>): number {
    const { protocol, times } = this.#options;
    const slowest = this.#options.slowestMs(protocol.facts(request).slaveId);
    // a part that is taken wrongly spoils all behind it
    const isKnown = (this.#answers.get(protocol.addressee(request)) ?? 0) >= KNOWN_ANSWERS;
    const usualMs = isKnown ? ALIKE_FACTOR * (slowest ?? 0) + ALIKE_MARGIN_MS : Math.max(HARDLY_KNOWN_FACTOR * (slowest ?? 0), 2 * LEAST_GUARD_MS);
    const waitMs = slowest === null || protocol.isChained(request) ? timeoutMs : Math.min(timeoutMs, usualMs);
    return sentEnd + times.gapMs + waitMs + protocol.answerOctets(request) * times.octetMs;
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
    return protocol.lookAt(pending, hold, this.#guardMs(pending));
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
    else if (held.kind === 'doubt' || this.#isSpoilt(pending)) this.#leaveOpen(pending);
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
    this.#settle(pending, { kind: 'doubtful', isSent: true, isPrompt: this.#isPrompt(pending) });
  }

  #isPrompt({ held, frames, noise, sentEnd, timeoutMs }: Pending<Request, Frame>): boolean {
    if (!held || frames > 1 || noise > 0) return false;
    return held.startedAt - sentEnd - this.#options.times.gapMs <= Math.max(PROMPT_SHARE * timeoutMs, LEAST_GUARD_MS);
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
      health.timeout(this.#exchangeOf(pending, 0, null));
      const text = `No answer within ${Math.round(pending.timeoutMs)} ms.`;
      frames.record({ kind: 'note', bytes: NO_BYTES, link: pending.seq, text });
    } else if (error.code.startsWith('FRAME_') && !pending.hasChecksumFault) {
      health.fault(error.code === 'FRAME_CHECKSUM' ? 'checksum' : 'noise');
    }
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

  #exchangeOf(pending: Pending<Request, Frame>, rxOctets: number, turnRoundMs: number | null): LineExchange {
    const durationMs = this.#options.clock.monotonicMs() - pending.sentAt;
    return { ...this.#options.protocol.facts(pending.request), txOctets: pending.txOctets, rxOctets, durationMs, turnRoundMs };
  }

  #settle(pending: Pending<Request, Frame>, end: LineEnd<Frame>): void {
    pending.cancelTimer();
    this.#pending = null;
    const { clock, requestGapMs } = this.#options;
    if (requestGapMs > 0) this.#silence.notBefore(clock.monotonicMs() + requestGapMs);
    pending.finish(end);
  }
}

/** The failure of an exchange on a line that has ended before. */
function notConnected(error: AppError): AppError {
  return error.code === 'TRANSPORT_NOT_CONNECTED'
    ? error
    : new AppError('TRANSPORT_NOT_CONNECTED', `The connection has ended: ${error.message}`);
}

/** What a caller learns of the end of a line exchange that was not doubtful. */
export function askEnd<Frame>(end: Exclude<LineEnd<Frame>, { readonly kind: 'doubtful' }>): AskEnd<Frame> {
  return end.kind === 'answer' ? { kind: 'answer', frame: end.frame } : end;
}
