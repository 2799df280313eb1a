/** The exchange under way, and how long its answer, or another one, is waited for. */

import type { AppError } from '#shared/domain/errors.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Answer, Asked, ExchangeView } from './asking.ts';
import type { LineEnd } from './line-end.ts';
import type { ExchangeLineOptions } from './line-options.ts';

/** Behind a doubtful answer the line is left alone for so many times the slowest turn-round, not less than this, and so long where none is known. */
const GUARD_FACTOR = 3;
const LEAST_GUARD_MS = 50;
const UNKNOWN_GUARD_MS = 300;
/** Behind an answer to a question that was asked again one more decides nothing. */
const REPEAT_GUARD_MS = 20;
/**
 * An answer with the octets of the one before waits for another until so many times the slowest turn-round have passed since its request; more
 * while the device has answered less often than that.
 */
const ALIKE_FACTOR = 1.5;
const HARDLY_KNOWN_FACTOR = 6;
const ALIKE_MARGIN_MS = 5;
const KNOWN_ANSWERS = 16;
/** A device may have become slower than it was by this, where the time is more than what counts as soon. */
const SLOWER_FACTOR = 2;
/** An answer that begins within this share of the timeout came soon. */
const PROMPT_SHARE = 0.25;

/**
 * An answer that is not taken before some time has passed without another one. `early`: it began before the request can have left; `alike`: it
 * has the octets of the one before. `doubt`: it is not taken at all. `ahead`: it began too early for a line that was seen to keep its time, and
 * has octets that were had: a copy, unless nothing else comes; then perhaps the line keeps no time, and the answer is in doubt.
 */
export interface Held<Frame> {
  readonly kind: 'early' | 'alike' | 'doubt' | 'ahead';
  readonly frame: Frame;
  readonly startedAt: number;
  readonly beganAt: number;
  /** When its last octet was delivered. */
  readonly cameAt: number;
  readonly until: number;
  /** True for octets that were had before. */
  readonly isLikeCopy: boolean;
}

export interface Pending<Request, Frame> extends ExchangeView<Request> {
  readonly txOctets: number;
  readonly seq: number;
  readonly isTelling: boolean;
  readonly isRepeat: boolean;
  readonly finish: (end: LineEnd<Frame>) => void;
  cancelTimer: () => void;
  /** Answers that came, whosever they are. */
  frames: number;
  /** Those that came before the request can have left, on a line that keeps its time. */
  early: number;
  noise: number;
  hasChecksumFault: boolean;
  problem: AppError | null;
  hint: Message | null;
  held: Held<Frame> | null;
}

export class AnswerWaits<Request extends Asked, Frame extends Answer> {
  readonly #line: Pick<ExchangeLineOptions<Request, Frame>, 'protocol' | 'times' | 'slowestMs'>;
  readonly #answers: Map<string | number, number>;

  /** `answers`: how many of each device came. */
  constructor(line: Pick<ExchangeLineOptions<Request, Frame>, 'protocol' | 'times' | 'slowestMs'>, answers: Map<string | number, number>) {
    this.#line = line;
    this.#answers = answers;
  }

  /** A device has answered. */
  answered(request: Request): void {
    const addressee = this.#line.protocol.addressee(request);
    this.#answers.set(addressee, (this.#answers.get(addressee) ?? 0) + 1);
  }

  /** How long the line is left alone for a second answer. */
  doubtMs(pending: Pending<Request, Frame>): number {
    const octetsMs = this.#line.protocol.answerOctets(pending.request) * this.#line.times.octetMs;
    const most = pending.isRepeat ? REPEAT_GUARD_MS : LEAST_GUARD_MS;
    return Math.min(this.guardMs(pending), most + octetsMs);
  }

  /** How long an answer may take behind one that is none. */
  guardMs({ request, timeoutMs }: Pending<Request, Frame>): number {
    const { protocol, times } = this.#line;
    const slowest = this.#line.slowestMs(protocol.facts(request).slaveId);
    const waitMs = slowest === null ? UNKNOWN_GUARD_MS : Math.max(GUARD_FACTOR * slowest, LEAST_GUARD_MS);
    return Math.min(timeoutMs, waitMs) + protocol.answerOctets(request) * times.octetMs;
  }

  /**
   * Until when an answer with the octets of the one before waits for another: the moment at which the device has always answered so far. One
   * that comes a little behind that moment waits as long again as it took: the device may be slower than it was, or the answer still to come.
   * Null where it comes later still.
   */
  alikeUntil({ request, sentEnd, timeoutMs }: Pending<Request, Frame>, now: number): number | null {
    const { protocol, times } = this.#line;
    const slowest = this.#line.slowestMs(protocol.facts(request).slaveId);
    // a part that is taken wrongly spoils all behind it
    const isKnown = (this.#answers.get(protocol.addressee(request)) ?? 0) >= KNOWN_ANSWERS;
    const usualMs = isKnown
      ? ALIKE_FACTOR * (slowest ?? 0) + ALIKE_MARGIN_MS
      : Math.max(HARDLY_KNOWN_FACTOR * (slowest ?? 0), 2 * LEAST_GUARD_MS);
    const waitMs = slowest === null || protocol.isChained(request) ? timeoutMs : Math.min(timeoutMs, usualMs);
    const goneMs = times.gapMs + protocol.answerOctets(request) * times.octetMs;
    const until = sentEnd + goneMs + waitMs;
    if (now < until) return until;
    const tookMs = now - sentEnd - goneMs;
    if (protocol.isChained(request) || tookMs > Math.max(SLOWER_FACTOR * waitMs, PROMPT_SHARE * timeoutMs)) return null;
    return now + Math.max(tookMs, LEAST_GUARD_MS);
  }

  /** True for an answer that came soon behind its request, and alone. */
  isPrompt({ held, frames, noise, sentEnd, timeoutMs }: Pending<Request, Frame>): boolean {
    if (!held || frames > 1 || noise > 0) return false;
    return held.startedAt - sentEnd - this.#line.times.gapMs <= Math.max(PROMPT_SHARE * timeoutMs, LEAST_GUARD_MS);
  }
}
