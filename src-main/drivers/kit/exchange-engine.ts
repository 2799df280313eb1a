/**
 * Exchanges of a protocol that asks one question at a time, on a line whose frames carry no number: repeats, telling requests, and what a
 * doubtful answer leads to (docs/adr/0020-one-exchange-engine.md).
 */

import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { cancelled, delay } from '../../platform/clock.ts';
import type { CloseCause } from '../../transport/types.ts';
import type { ExchangeContext } from '../spi/index.ts';
import type { Answer, AskEnd, Asked, AskFailure, Telling } from './asking.ts';
import { ExchangeLine } from './exchange-line.ts';
import { askEnd, closedHere, type DoubtfulEnd, type LineEnd, lostLine } from './line-end.ts';
import { type LineMemory, lineMemoryOf, type Teller } from './line-memory.ts';
import type { ExchangeLineOptions } from './line-options.ts';

export interface ExchangeEngineOptions<Request extends Asked, Frame extends Answer> extends ExchangeLineOptions<Request, Frame> {
  /** The channel setting `telling_requests`. */
  readonly isTelling: boolean;
  /** A read that shows whether the adapter echoes, before a request whose answer looks like its echo; null where none is needed. */
  readonly echoTest: (request: Request) => Request | null;
}

/** A device that has answered so many telling requests with silence, while it answers others, is not sent any more on this connection. */
const MOST_STRIKES = 2;
/** A question is asked again behind doubtful answers so often, each of which settles a request that was owed. */
const MOST_REPEATS = 12;
/** So many doubtful answers in a row that came at once and alone: a late one does not fall there so often. The rest is not counted any more. */
const PROMPT_ANSWERS = 3;
/** A device that was just heard is waited for so long when it is to show whether it has a loopback, in timeouts, and not less. */
const TELLING_SHARE = 0.2;
const LEAST_TELLING_MS = 100;
/** A command waits until nothing was asked of its device, and nothing came, for so many timeouts, and not less. */
const QUIET_TIMEOUTS = 2;
const LEAST_QUIET_MS = 2000;
/** A device that does not tell is left alone for so many timeouts, and not less. */
const PAUSE_TIMEOUTS = 1.4;
const LEAST_PAUSE_MS = 1000;
const NO_BYTES = new Uint8Array(0);

const AGAIN = say('exchange.again');
const ECHO_TEST = say('exchange.echo_test');
const TELLING: Readonly<Record<Telling<unknown>['kind'], Message>> = {
  read: say('exchange.tell_read'),
  loopback: say('exchange.tell_loopback'),
};

export class ExchangeEngine<Request extends Asked, Frame extends Answer> {
  readonly #options: ExchangeEngineOptions<Request, Frame>;
  readonly #line: ExchangeLine<Request, Frame>;
  readonly #memory: LineMemory<Request, Frame>;
  #isBusy = false;

  constructor(options: ExchangeEngineOptions<Request, Frame>) {
    this.#options = options;
    this.#memory = lineMemoryOf(options.memory);
    for (const teller of this.#memory.tellers.values()) teller.strikes = 0;
    this.#line = new ExchangeLine(options, this.#memory);
    this.#line.onTellingAnswered = (request) => this.#toldBy(request);
  }

  /**
   * Runs one exchange; repeats the request after a timeout or a destroyed answer as often as `context.retries` says, unless a stop is
   * requested. What the line or the device did is in the result. Throws INTERNAL when an exchange is under way.
   */
  exchange(request: Request, context: ExchangeContext): Promise<AskEnd<Frame>> {
    return this.#alone(async () => {
      const budget = { told: 0 };
      let end = await this.#attempt(request, context, budget);
      const retries = this.#options.protocol.isChained(request) ? 0 : context.retries;
      for (let left = retries; left > 0 && isLost(end) && !context.isStopping(); left--) {
        const again = await this.#attempt(request, context, budget);
        // a stop in the pause before the repeat: what was stays the result
        if (again.kind === 'failed' && !again.isSent) break;
        end = again;
      }
      return end;
    });
  }

  /** Sends a request that nobody answers; null when it was handed over. Throws INTERNAL when an exchange is under way. */
  tellAll(request: Request, pauseMs: number, context: Pick<ExchangeContext, 'signal'>): Promise<AskFailure | null> {
    return this.#alone(() => this.#line.tellAll(request, pauseMs, context.signal));
  }

  receive(chunk: Uint8Array): void {
    this.#line.receive(chunk);
  }

  /** The line ended: the exchange under way fails at once, and every later one. */
  closed(cause: CloseCause): void {
    this.#line.end(lostLine(cause));
  }

  /** Ends it, as `closed`. Idempotent. */
  close(): void {
    this.#line.end(closedHere());
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isBusy) throw new AppError('INTERNAL', say('exchange.one_at_a_time'));
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      this.#isBusy = false;
    }
  }

  async #attempt(request: Request, context: ExchangeContext, budget: { told: number }): Promise<AskEnd<Frame>> {
    const { protocol } = this.#options;
    if (protocol.isChained(request)) {
      const end = await this.#ask(request, context.signal);
      return end.kind === 'doubtful' ? this.#open(request) : askEnd(end);
    }
    const isQuestion = protocol.isRepeatable(request);
    const hindrance =
      this.#keepQuiet(request) ??
      (await this.#learnEcho(request, context)) ??
      (isQuestion ? await this.#tellBeforeQuestion(request, context, budget) : await this.#tellBeforeCommand(request, context));
    if (hindrance) return hindrance;
    const end = await this.#ask(request, context.signal);
    if (end.kind !== 'doubtful') return askEnd(end);
    return isQuestion ? this.#askOn(request, end, context, budget) : this.#open(request);
  }

  /** The answer was doubtful: a request that tells, then the question once more; each further doubtful answer has settled something owed. */
  async #askOn(request: Request, first: DoubtfulEnd, context: ExchangeContext, budget: { told: number }): Promise<AskEnd<Frame>> {
    let prompt = first.isPrompt ? 1 : 0;
    const telling = this.#isStopped(context) || budget.told > 0 ? null : this.#telling(request);
    if (telling) {
      budget.told += 1;
      const teller = this.#tellerOf(request);
      const isTrial = telling.kind === 'loopback' && !teller.hasLoopback;
      const end = await this.#tell(request, telling, context.signal, isTrial);
      if (end.kind === 'failed' && end.error.code.startsWith('TRANSPORT_')) return { ...end, isSent: true };
      if (end.kind === 'failed' && end.error.code === 'TIMEOUT_RESPONSE') {
        this.#strike(teller, telling);
        // a device that answers such a request is late now, or was not heard
        if (!isTrial) return this.#open(request);
        if (first.isPrompt) prompt += 1;
      }
    }
    for (let repeat = 0; repeat < MOST_REPEATS && !this.#isStopped(context); repeat++) {
      if (prompt >= PROMPT_ANSWERS && (repeat >= PROMPT_ANSWERS || this.#hasRivals(request))) break;
      const again = await this.#ask(request, context.signal, AGAIN);
      if (again.kind !== 'doubtful') return again.kind === 'failed' ? { ...again, isSent: true } : askEnd(again);
      prompt = again.isPrompt ? prompt + 1 : 0;
    }
    if (!this.#isStopped(context)) this.#tellerOf(request).isLeftAlone = true;
    return this.#open(request);
  }

  #hasRivals(request: Request): boolean {
    return this.#line.ledger.rivalsOf(request, this.#options.clock.monotonicMs()) > 0;
  }

  /**
   * Questions to a device whose answers nothing tells apart fail for a while without being asked. What it owed is then taken for lost: an answer
   * that is later still cannot be excluded.
   */
  #keepQuiet(request: Request): AskFailure | null {
    const { protocol, clock, frames } = this.#options;
    const addressee = protocol.addressee(request);
    const teller = this.#memory.tellers.get(addressee);
    if (!teller?.isLeftAlone || !protocol.isRepeatable(request)) return null;
    if (clock.monotonicMs() < this.#line.ledger.heardAt(addressee) + this.#pauseMs) {
      const text = say('exchange.left_alone');
      return { kind: 'failed', error: new AppError('PROTOCOL_MISMATCH', text), isSent: false };
    }
    teller.isLeftAlone = false;
    this.#line.ledger.forget(addressee);
    const text = say('exchange.taken_for_lost');
    frames.record({ kind: 'note', bytes: NO_BYTES, text });
    return null;
  }

  /** How long a device is left alone whose answers nothing tells apart. */
  get #pauseMs(): number {
    return Math.max(PAUSE_TIMEOUTS * this.#options.timeoutMs, LEAST_PAUSE_MS);
  }

  /** What came fits the request as well as another one. */
  #open(request: Request): AskFailure {
    const isQuestion = this.#options.protocol.isRepeatable(request);
    const { slaveId } = this.#options.protocol.facts(request);
    const text = say('exchange.in_doubt', { device: slaveId });
    // A device that is heard is not silent, although nothing was learnt from it; a command without a sure answer is one without an answer.
    return { kind: 'failed', error: new AppError(isQuestion ? 'PROTOCOL_MISMATCH' : 'TIMEOUT_RESPONSE', text), isSent: true };
  }

  /** A device that is off would seem to confirm what looks like its echo. The answer of the test does not matter. Not null: go no further. */
  async #learnEcho(request: Request, context: ExchangeContext): Promise<AskFailure | null> {
    if (!this.#options.stream.isEchoUnknown) return null;
    const test = this.#options.echoTest(request);
    if (!test) return null;
    const end = await this.#ask(test, context.signal, ECHO_TEST);
    return end.kind === 'failed' && !end.isSent ? end : this.#stopped(context);
  }

  /** Not null: go no further. A device that did not answer the last telling request is asked at once. */
  async #tellBeforeQuestion(request: Request, context: ExchangeContext, budget: { told: number }): Promise<AskFailure | null> {
    if (budget.told > 0 || !this.#mayBeMistaken(request)) return null;
    const teller = this.#tellerOf(request);
    const telling = teller.isUnanswered ? null : this.#telling(request);
    // whether a device has a loopback at all is found out behind an answer, when it is known to be there
    if (!telling || (telling.kind === 'loopback' && !teller.hasLoopback)) return null;
    budget.told += 1;
    const end = await this.#tell(request, telling, context.signal);
    if (end.kind !== 'failed') return this.#stopped(context);
    return end;
  }

  /** A command is sent once. What could be mistaken for its answer is told first, or waited for until the device is quiet. */
  async #tellBeforeCommand(request: Request, context: ExchangeContext): Promise<AskFailure | null> {
    if (!this.#mayBeMistaken(request)) return null;
    const telling = this.#telling(request);
    if (telling) {
      const end = await this.#tell(request, telling, context.signal);
      if (end.kind === 'failed' && !end.isSent) return end;
      const stopped = this.#stopped(context);
      if (stopped) return stopped;
    }
    if (!this.#mayBeMistaken(request)) return null;
    return this.#untilQuiet(request, context);
  }

  async #untilQuiet(request: Request, context: ExchangeContext): Promise<AskFailure | null> {
    const { clock, timeoutMs, frames, protocol } = this.#options;
    const quietMs = Math.max(QUIET_TIMEOUTS * timeoutMs, LEAST_QUIET_MS);
    const signal = AbortSignal.any([context.signal, this.#line.ended]);
    const since = this.#memory.askedAt.get(protocol.addressee(request)) ?? Number.NEGATIVE_INFINITY;
    try {
      for (let turn = 0; turn < 3; turn++) {
        const left = Math.max(since, this.#line.lastOctetAt) + quietMs - clock.monotonicMs();
        if (left <= 0 || !this.#mayBeMistaken(request)) break;
        await delay(clock, left, signal);
      }
    } catch {
      // told by the exchange that follows, or by the stop
    }
    if (this.#mayBeMistaken(request) && !signal.aborted) {
      const text = say('exchange.sent_in_doubt');
      frames.record({ kind: 'note', bytes: NO_BYTES, text });
    }
    return this.#stopped(context);
  }

  #mayBeMistaken(request: Request): boolean {
    const now = this.#options.clock.monotonicMs();
    this.#line.ledger.prune(now);
    return this.#line.ledger.mayBeMistaken(request, now);
  }

  /** The request that tells, as things are; null where there is none or none is wanted. */
  #telling(request: Request): Telling<Request> | null {
    const { isTelling, protocol, clock, stream } = this.#options;
    const teller = this.#tellerOf(request);
    if (!isTelling || teller.strikes >= MOST_STRIKES) return null;
    const avoided = this.#line.ledger.avoided(protocol.addressee(request), clock.monotonicMs());
    const telling = protocol.telling(request, avoided, !teller.hasVagueReads);
    // the answer of a loopback is its own echo
    return telling?.kind === 'loopback' && stream.isEchoUnknown ? null : telling;
  }

  async #tell(request: Request, { request: told, kind }: Telling<Request>, signal: AbortSignal, isTrial = false): Promise<LineEnd<Frame>> {
    const teller = this.#tellerOf(request);
    const usualMs = request.timeoutMs ?? this.#options.timeoutMs;
    const timeoutMs = isTrial ? Math.min(usualMs, Math.max(TELLING_SHARE * usualMs, LEAST_TELLING_MS)) : usualMs;
    const telling = { ...told, timeoutMs };
    const end = await this.#line.exchange(telling, signal, { remark: TELLING[kind], isTelling: true });
    this.#noteAsked(request);
    if (end.kind === 'failed' && end.isSent) teller.isUnanswered = true;
    if (end.kind === 'doubtful' && kind === 'read') teller.hasVagueReads = true;
    return end;
  }

  async #ask(request: Request, signal: AbortSignal, remark?: Message): Promise<LineEnd<Frame>> {
    const end = await this.#line.exchange(request, signal, remark === undefined ? {} : { remark, isRepeat: remark === AGAIN });
    this.#noteAsked(request);
    if (end.kind !== 'failed') {
      const teller = this.#memory.tellers.get(this.#options.protocol.addressee(request));
      if (teller) teller.isUnanswered = false;
    }
    return end;
  }

  #noteAsked(request: Request): void {
    this.#memory.askedAt.set(this.#options.protocol.addressee(request), this.#options.clock.monotonicMs());
  }

  #tellerOf(request: Request): Teller {
    const addressee = this.#options.protocol.addressee(request);
    const known = this.#memory.tellers.get(addressee);
    if (known) return known;
    const teller: Teller = { hasLoopback: false, strikes: 0, isUnanswered: false, hasVagueReads: false, isLeftAlone: false };
    this.#memory.tellers.set(addressee, teller);
    return teller;
  }

  #toldBy(request: Request): void {
    const teller = this.#tellerOf(request);
    teller.strikes = 0;
    teller.isUnanswered = false;
    if (this.#options.protocol.isLoopback(request)) teller.hasLoopback = true;
  }

  #strike(teller: Teller, { kind, request }: Telling<Request>): void {
    teller.strikes += 1;
    if (teller.strikes < MOST_STRIKES) return;
    const { slaveId } = this.#options.protocol.facts(request);
    this.#options.notice(
      kind === 'loopback' ? say('exchange.no_loopback', { device: slaveId }) : say('exchange.no_teller', { device: slaveId }),
    );
  }

  #isStopped({ isStopping, signal }: ExchangeContext): boolean {
    return isStopping() || signal.aborted;
  }

  /** After a stop no follow-up frame is sent. */
  #stopped(context: ExchangeContext): AskFailure | null {
    return this.#isStopped(context) ? { kind: 'failed', error: cancelled(), isSent: false } : null;
  }
}

/** True when the answer was lost on the line, so that asking again makes sense. */
function isLost(end: AskEnd<unknown>): boolean {
  return end.kind === 'failed' && end.isSent && (end.error.code === 'TIMEOUT_RESPONSE' || end.error.code.startsWith('FRAME_'));
}
