/**
 * The master's side of a line: one request at a time, the silence in front of it, the time of its answer. Only a frame of the meter that was
 * asked, with the function and identifier that were asked for, is an answer; late ones are told apart and never taken.
 */
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { type Clock, cancelled, delay } from '../../platform/clock.ts';
import type { CloseCause } from '../../transport/types.ts';
import type { DriverLine, ExchangeContext, FrameSink, HealthSink } from '../spi.ts';
import { decodeAddress } from './codec/address.ts';
import { FROM_METER, REFUSED } from './codec/control.ts';
import { encodeFrame, FRAME_OVERHEAD, MOST_DATA } from './codec/frame.ts';
import { Dlt645Framer, type FramerItem, type ReceivedFrame } from './framer.ts';
import type { LineTiming } from './line-time.ts';
import { answerFits, type MeterRequest } from './meter-request.ts';
import { type OwedAnswer, OwedAnswers } from './owed-answers.ts';
import { dueAt, type ExchangeEnd, exchangeOf, failureOf, type Pending } from './pending.ts';
import { SentSecret } from './sent-secret.ts';

export interface MeterSessionOptions {
  readonly clock: Clock;
  readonly line: Pick<DriverLine, 'write'>;
  readonly frames: FrameSink;
  readonly health: HealthSink;
  readonly timing: LineTiming;
  /** Time from the last octet of a request to the first of its answer, in milliseconds. */
  readonly timeoutMs: number;
  /** FE octets in front of a request. */
  readonly preambles: number;
  /** Longest turn-round of a meter that was measured; null where nothing was. */
  slowestMs(slaveId: number): number | null;
}

type Failed = Extract<ExchangeEnd, { readonly kind: 'failed' }>;

/** Waits longer than this can be ended; the rest is waited precisely. */
const PRECISE_MS = 20;
/** A line that does not become silent is given up after this. */
const NEVER_SILENT_MS = 1000;
/** A doubtful answer is held for a second one so many times the slowest turn-round of the meter, and not less than this. */
const GUARD_FACTOR = 3;
const LEAST_GUARD_MS = 50;
const NO_BYTES = new Uint8Array(0);

export class MeterSession {
  readonly #options: MeterSessionOptions;
  readonly #framer = new Dlt645Framer();
  readonly #owed = new OwedAnswers();
  readonly #secret = new SentSecret();
  readonly #ended = new AbortController();
  #pending: Pending | null = null;
  #isBusy = false;
  #lastOctetAt = Number.NEGATIVE_INFINITY;
  /** Moment of the last octet in either direction. */
  #busyUntil = Number.NEGATIVE_INFINITY;
  #endError: AppError | null = null;

  constructor(options: MeterSessionOptions) {
    this.#options = options;
  }

  /**
   * Runs one exchange; repeats the request after silence or a broken answer as often as `context.retries` says, unless a stop is requested.
   * What the line or the meter did is in the result. Throws INTERNAL when an exchange is under way.
   */
  async exchange(request: MeterRequest, context: ExchangeContext): Promise<ExchangeEnd> {
    if (this.#isBusy) throw new AppError('INTERNAL', 'A DL/T 645 line carries one exchange at a time.');
    this.#isBusy = true;
    try {
      let end = await this.#once(request, context.signal);
      for (let left = context.retries; left > 0 && isLost(end) && !context.isStopping(); left--) {
        const again = await this.#once(request, context.signal);
        // a stop in the pause before the repeat: what was stays the result
        if (again.kind === 'failed' && !again.isSent) break;
        end = again;
      }
      return end;
    } finally {
      this.#isBusy = false;
    }
  }

  /** Sends what no meter answers; null when it was handed over, otherwise what prevented that. Throws INTERNAL when an exchange is under way. */
  async broadcast(request: MeterRequest, signal: AbortSignal): Promise<Failed | null> {
    if (this.#isBusy) throw new AppError('INTERNAL', 'A DL/T 645 line carries one exchange at a time.');
    this.#isBusy = true;
    try {
      const refused = await this.#untilFree(signal);
      if (refused) return refused;
      const { clock, timing, line, frames, health, preambles } = this.#options;
      this.#take(this.#framer.silence());
      const bytes = encodeFrame(request, preambles);
      frames.record({ kind: 'tx', bytes });
      health.request();
      this.#busyUntil = Math.max(this.#busyUntil, clock.monotonicMs() + bytes.length * timing.octetMs);
      await line.write(bytes);
      return null;
    } catch (thrown) {
      const error = toAppError(thrown);
      return { kind: 'failed', error, isSent: error.code !== 'TRANSPORT_NOT_CONNECTED' };
    } finally {
      this.#isBusy = false;
    }
  }

  /** Octets from the line. */
  receive(chunk: Uint8Array): void {
    const now = this.#options.clock.monotonicMs();
    if (now - this.#lastOctetAt > this.#options.timing.octetGapMs) this.#take(this.#framer.silence());
    this.#lastOctetAt = now;
    this.#busyUntil = Math.max(this.#busyUntil, now);
    const asked = this.#pending;
    if (asked) asked.firstOctetAt ??= now - chunk.length * this.#options.timing.octetMs;
    this.#take(this.#framer.push(chunk));
    if (asked && this.#pending === asked) this.#arm(asked);
  }

  /** The line ended: the exchange under way fails at once. */
  closed(cause: CloseCause): void {
    this.#end(cause.kind === 'failed' ? cause.error : new AppError('TRANSPORT_LOST', 'The other side closed the line.'));
  }

  /** Ends the session; an exchange under way fails. Idempotent. */
  close(): void {
    this.#end(new AppError('TRANSPORT_LOST', 'The connection was closed.'));
  }

  async #once(request: MeterRequest, signal: AbortSignal): Promise<ExchangeEnd> {
    const refused = await this.#untilFree(signal);
    return refused ?? new Promise((finish) => this.#send(request, finish));
  }

  /** Waits until a request may be sent; answers why none may. */
  async #untilFree(signal: AbortSignal): Promise<Failed | null> {
    let isSilent = false;
    try {
      if (!this.#endError) isSilent = await this.#untilSilent(AbortSignal.any([signal, this.#ended.signal]));
    } catch {
      // told below: by the signal, or by the end of the line
    }
    if (this.#endError) return notSent(new AppError('TRANSPORT_NOT_CONNECTED', `The connection has ended: ${this.#endError.message}`));
    if (signal.aborted) return notSent(cancelled());
    if (!isSilent) {
      this.#options.health.fault('noise');
      return notSent(
        new AppError(
          'FRAME_NOISE',
          'The line does not become silent, so nothing was sent: another master is at work, or a device does not stop sending.',
        ),
      );
    }
    return null;
  }

  /** False when the line does not become silent. */
  async #untilSilent(signal: AbortSignal): Promise<boolean> {
    const { clock, timing } = this.#options;
    const began = clock.monotonicMs();
    for (;;) {
      const now = clock.monotonicMs();
      const at = this.#busyUntil + timing.silenceMs;
      if (now >= at) return true;
      if (now - began > NEVER_SILENT_MS + timing.silenceMs) return false;
      if (at - now > PRECISE_MS) await delay(clock, at - now - PRECISE_MS / 2, signal);
      else await clock.until(at);
      if (signal.aborted) return false;
    }
  }

  #send(request: MeterRequest, finish: (end: ExchangeEnd) => void): void {
    const { clock, timing, line, frames, health, preambles } = this.#options;
    this.#take(this.#framer.silence());
    const bytes = encodeFrame(request, preambles);
    const seq = frames.record({ kind: 'tx', bytes });
    this.#secret.sent(request.control, bytes);
    health.request();
    const sentAt = clock.monotonicMs();
    const pending: Pending = {
      request,
      seq,
      bytes,
      sentAt,
      sentEnd: sentAt + bytes.length * timing.octetMs,
      timeoutMs: request.timeoutMs ?? this.#options.timeoutMs,
      finish,
      cancelTimer: () => undefined,
      firstOctetAt: null,
      held: null,
      hasChecksumFault: false,
      noise: 0,
      hint: '',
    };
    this.#pending = pending;
    this.#busyUntil = Math.max(this.#busyUntil, pending.sentEnd);
    this.#owed.prune(sentAt);
    this.#arm(pending);
    line.write(bytes).catch((thrown: unknown) => {
      if (this.#pending !== pending) return;
      const error = toAppError(thrown);
      frames.record({ kind: 'note', bytes: NO_BYTES, link: seq, text: `Not sent: ${error.message}` });
      this.#settle(pending, { kind: 'failed', error, isSent: error.code !== 'TRANSPORT_NOT_CONNECTED' });
    });
  }

  #take(items: readonly FramerItem[]): void {
    const { frames, health } = this.#options;
    for (const item of items) {
      if (item.kind === 'frame') {
        this.#onFrame(item);
        continue;
      }
      const pending = this.#pending;
      const link = pending ? { link: pending.seq } : {};
      const text = item.fault === 'checksum' ? 'A frame with a wrong checksum or end.' : 'Octets that are no frame.';
      if (this.#secret.isPiece(item.bytes)) {
        frames.record({ kind: 'note', bytes: NO_BYTES, text: `${item.bytes.length} octets of the request came back; not shown.`, ...link });
      } else frames.record({ kind: 'noise', bytes: item.bytes, text, ...link });
      health.fault(item.fault);
      if (!pending) continue;
      pending.noise += item.bytes.length;
      if (item.fault === 'checksum') pending.hasChecksumFault = true;
    }
  }

  #onFrame(frame: ReceivedFrame): void {
    const pending = this.#pending;
    if (!pending || !answerFits(pending.request, frame)) {
      this.#onStray(frame, pending);
      return;
    }
    const { held } = pending;
    if (held) this.#recordLate(held.frame, held.owed);
    pending.held = null;
    const owed = held ? null : this.#owed.match(frame);
    if (!owed) {
      this.#accept(pending, frame);
      return;
    }
    pending.held = { frame, owed, until: Math.max(this.#options.clock.monotonicMs(), pending.sentEnd) + this.#guardMs(pending) };
  }

  /** A frame that is not the answer: the request come back, an answer nobody waits for any more, or one of another meter. */
  #onStray(frame: ReceivedFrame, pending: Pending | null): void {
    const { frames, health } = this.#options;
    if ((frame.control & FROM_METER) === 0) {
      frames.record({ kind: 'note', bytes: frame.bytes, text: 'A request: the adapter echoes, or another master is at work; not used.' });
      return;
    }
    const owed = this.#owed.match(frame);
    if (owed) {
      this.#recordLate(frame, owed);
      if (pending) pending.hint = 'An answer to an earlier request came late.';
      return;
    }
    health.fault('protocol');
    const text = `An answer of meter ${decodeAddress(frame.address)} to something that is not awaited; not used.`;
    frames.record({ kind: 'late', bytes: frame.bytes, text });
    if (pending) pending.hint = text;
  }

  #recordLate(frame: ReceivedFrame, owed: OwedAnswer): void {
    const { frames, health } = this.#options;
    this.#owed.remove(owed);
    health.late();
    frames.record({ kind: 'late', bytes: frame.bytes, link: owed.seq, text: 'Answer after its request had ended; not used.' });
  }

  #accept(pending: Pending, frame: ReceivedFrame): void {
    const { clock, frames, health } = this.#options;
    frames.record({ kind: 'rx', bytes: frame.bytes, link: pending.seq });
    const exchange = exchangeOf(pending, frame.bytes.length, clock.monotonicMs());
    health.response(clock.monotonicMs() - pending.sentAt, exchange);
    if ((frame.control & REFUSED) !== 0) health.refusal(exchange);
    this.#owed.answered(pending.request);
    // ports that are no serial lines bring answers before the request could have left
    this.#busyUntil = this.#lastOctetAt;
    this.#settle(pending, { kind: 'answer', frame });
  }

  #guardMs({ request, timeoutMs }: Pending): number {
    const slowest = this.#options.slowestMs(request.slaveId);
    const transferMs = (FRAME_OVERHEAD + MOST_DATA) * this.#options.timing.octetMs;
    return slowest === null ? timeoutMs : Math.min(timeoutMs, Math.max(GUARD_FACTOR * slowest, LEAST_GUARD_MS) + transferMs);
  }

  #dueAt(pending: Pending): number {
    return dueAt(pending, this.#options.timing, { buffered: this.#framer.buffered, lastOctetAt: this.#lastOctetAt });
  }

  #arm(pending: Pending): void {
    const { clock } = this.#options;
    pending.cancelTimer();
    pending.cancelTimer = clock.after(this.#dueAt(pending) - clock.monotonicMs(), () => this.#due(pending));
  }

  #due(pending: Pending): void {
    if (this.#pending !== pending) return;
    if (this.#options.clock.monotonicMs() < this.#dueAt(pending)) {
      this.#arm(pending);
      return;
    }
    if (!pending.held && this.#framer.buffered > 0) {
      // a false start may hide the answer
      this.#take(this.#framer.silence());
      if (this.#pending !== pending) return;
    }
    if (pending.held) this.#accept(pending, pending.held.frame);
    else this.#fail(pending);
  }

  #fail(pending: Pending): void {
    const { frames, health, clock } = this.#options;
    const error = failureOf(pending);
    if (error.code === 'TIMEOUT_RESPONSE') {
      health.timeout(exchangeOf(pending, 0, clock.monotonicMs()));
      frames.record({ kind: 'note', bytes: NO_BYTES, link: pending.seq, text: `No answer within ${Math.round(pending.timeoutMs)} ms.` });
    }
    this.#owed.add(pending.request, pending.seq, clock.monotonicMs(), Math.max(pending.timeoutMs, this.#options.timeoutMs));
    this.#settle(pending, { kind: 'failed', error, isSent: true });
  }

  #end(error: AppError): void {
    if (this.#endError) return;
    this.#endError = error;
    this.#ended.abort();
    this.#take(this.#framer.silence());
    const pending = this.#pending;
    if (pending) this.#settle(pending, { kind: 'failed', error, isSent: true });
  }

  #settle(pending: Pending, end: ExchangeEnd): void {
    pending.cancelTimer();
    this.#pending = null;
    pending.finish(end);
  }
}

/** True when the answer was lost on the line, so that asking again makes sense. */
function isLost(end: ExchangeEnd): boolean {
  return end.kind === 'failed' && end.isSent && (end.error.code === 'TIMEOUT_RESPONSE' || end.error.code.startsWith('FRAME_'));
}

function notSent(error: AppError): Failed {
  return { kind: 'failed', error, isSent: false };
}
