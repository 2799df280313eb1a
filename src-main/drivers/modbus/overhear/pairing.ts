/**
 * Which answer belongs to which request, among frames of a master and its slaves that were overheard. Nothing in a frame of Modbus on a serial line says it:
 * unit, function, length and order do. Where these leave a doubt, no value is made, and the doubt is told.
 */
import { hexText, u8 } from '../../../protocol-kit/bytes.ts';
import { UsualLatency } from '../../kit/usual-latency.ts';
import { EXCEPTION_BIT } from '../codec/functions.ts';
import { isAnsweredAlike, mayAnswer } from '../rtu/protocol.ts';
import type { OverheardFrame } from './frames.ts';

/** A frame with the time of its first and its last octet, in monotonic milliseconds, as coarse as the octets were delivered. */
export interface TimedFrame extends OverheardFrame {
  readonly startedAt: number;
  readonly endedAt: number;
}

/**
 * Why an answer makes no value: `unasked`, its request was not heard; `two_ways`, the octets can be read as a request or otherwise as well; `late`, it may be
 * the answer to an earlier request that was not answered in time, or to one of which nothing was heard; `noise`, octets between request and answer were lost.
 */
export type Doubt = 'unasked' | 'two_ways' | 'late' | 'noise';

export type Overheard =
  | { readonly kind: 'request'; readonly frame: TimedFrame; readonly isRepeated: boolean }
  /** `latencyMs`: from the last octet of the request to the first one of the answer. */
  | { readonly kind: 'answer'; readonly frame: TimedFrame; readonly request: TimedFrame; readonly latencyMs: number }
  /** A frame that can be nothing but an answer, to nothing that was asked. `isSecond`: the request had its answer already. */
  | { readonly kind: 'stray'; readonly frame: TimedFrame; readonly isSecond: boolean }
  | { readonly kind: 'unclear'; readonly frame: TimedFrame }
  /** What an answer says can be trusted. Comes behind its `answer`, for some only when the next frame was heard. */
  | { readonly kind: 'value'; readonly frame: TimedFrame; readonly request: TimedFrame }
  | { readonly kind: 'doubt'; readonly frame: TimedFrame; readonly why: Doubt }
  | { readonly kind: 'unanswered'; readonly request: TimedFrame };

/** An answer that comes so soon is one: no master gives its slave less time and asks again. */
const SOON_MS = 50;
/** Octets that a transceiver makes when the direction of the line turns. */
const TURN_OCTETS = 2;
/** A late answer is reckoned with for so many times of an answer. */
const LATE_TIMES = 3;
const MOST_OWED = 64;

interface Pending {
  readonly frame: TimedFrame;
  /** False where its octets can be an answer as well, whose request was not heard. */
  readonly isCertain: boolean;
  noise: number;
}

interface Owed {
  readonly frame: TimedFrame;
  readonly until: number;
}

interface Held {
  readonly frame: TimedFrame;
  readonly request: TimedFrame;
}

export class Pairing {
  readonly #answerMs: number;
  #pending: Pending | null = null;
  /** An answer that could be a request as well: what comes next tells. */
  #held: Held | null = null;
  #owed: Owed[] = [];
  readonly #usual = new UsualLatency();
  /** The request that was answered last, while nothing else was heard. */
  #answered: TimedFrame | null = null;

  /** `answerMs`: how long a slave may take to begin its answer. */
  constructor(answerMs: number) {
    this.#answerMs = answerMs;
  }

  /** When `passed` has to be called, in monotonic milliseconds; null: nothing waits. */
  get deadline(): number | null {
    const since = this.#pending?.frame.endedAt ?? this.#held?.frame.endedAt ?? null;
    return since === null ? null : since + this.#answerMs;
  }

  /** Octets that are no frame were heard. */
  noise(octets: number): void {
    if (this.#pending) this.#pending.noise += octets;
    this.#answered = null;
  }

  /** Octets of the line were lost before they were heard: what waits for an answer, or for what comes next, is settled by nothing that follows. */
  lost(): void {
    this.#pending = null;
    this.#held = null;
    this.#answered = null;
  }

  /** Time has passed without a frame. */
  passed(now: number): readonly Overheard[] {
    const told: Overheard[] = [];
    this.#expire(now, told);
    return told;
  }

  take(frame: TimedFrame): readonly Overheard[] {
    const told: Overheard[] = [];
    this.#expire(frame.startedAt, told);
    const held = this.#held;
    this.#held = null;
    if (held && frame.canAnswer && mayAnswer(held.frame, frame)) {
      told.push({ kind: 'doubt', frame: held.frame, why: 'two_ways' }, { kind: 'unclear', frame });
      told.push({ kind: 'doubt', frame, why: 'two_ways' });
      return told;
    }
    if (held) told.push({ kind: 'value', ...held });
    if (frame.isDoubtful) this.#unclear(frame, told);
    else if (this.#fits(frame)) this.#answer(frame, told);
    else if (frame.canAsk) this.#request(frame, told);
    else this.#stray(frame, told);
    return told;
  }

  #fits(frame: TimedFrame): boolean {
    return this.#pending !== null && frame.canAnswer && mayAnswer(this.#pending.frame, frame);
  }

  #answer(frame: TimedFrame, told: Overheard[]): void {
    const pending = this.#pending as Pending;
    const request = pending.frame;
    const latencyMs = Math.max(0, frame.startedAt - request.endedAt);
    const isTwoWay = frame.canAsk && isRead(request);
    const isSure = latencyMs < SOON_MS && pending.isCertain && !isSame(request, frame);
    if (isTwoWay && !isSure) {
      this.#request(frame, told);
      told.push({ kind: 'doubt', frame, why: 'two_ways' });
      return;
    }
    this.#pending = null;
    this.#answered = request;
    told.push({ kind: 'answer', frame, request, latencyMs });
    const why = this.#doubtOf(pending, frame, latencyMs);
    if (isRead(request)) this.#usual.answered(hexText(request.bytes), latencyMs);
    if (why) told.push({ kind: 'doubt', frame, why });
    else if (isTwoWay) this.#held = { frame, request };
    else told.push({ kind: 'value', frame, request });
  }

  #doubtOf(pending: Pending, answer: TimedFrame, latencyMs: number): Doubt | null {
    const request = pending.frame;
    if (pending.noise > TURN_OCTETS) return 'noise';
    // a refusal says nothing but whose it is, and of which function
    const isRefusal = (u8(answer.pdu, 0) & EXCEPTION_BIT) !== 0;
    const isAlike = ({ frame: { unitId, pdu } }: Owed) =>
      unitId === request.unitId && (isRefusal ? u8(pdu, 0) === u8(request.pdu, 0) : isAnsweredAlike(pdu, request.pdu));
    if (this.#owed.some((owed) => isAlike(owed) && !isSame(owed.frame, request))) return 'late';
    return isRead(request) && !this.#usual.isUsual(hexText(request.bytes), latencyMs) ? 'late' : null;
  }

  #request(frame: TimedFrame, told: Overheard[]): void {
    const before = this.#pending;
    const isRepeated = before !== null && isSame(before.frame, frame);
    this.#unanswered(told);
    this.#answered = null;
    told.push({ kind: 'request', frame, isRepeated });
    // nobody answers a broadcast
    if (frame.unitId === 0) return;
    this.#pending = { frame, isCertain: !(frame.canAnswer && isRead(frame)), noise: 0 };
  }

  #stray(frame: TimedFrame, told: Overheard[]): void {
    const isSecond = this.#answered !== null && mayAnswer(this.#answered, frame);
    const owed = this.#owed.findIndex((each) => mayAnswer(each.frame, frame));
    if (owed >= 0 && !isSecond) this.#owed.splice(owed, 1);
    told.push({ kind: 'stray', frame, isSecond }, { kind: 'doubt', frame, why: 'unasked' });
  }

  /** It cannot be told where the frame ends: what was asked before it may have been answered or not, and what it asks is not known. */
  #unclear(frame: TimedFrame, told: Overheard[]): void {
    this.#unanswered(told);
    this.#answered = null;
    told.push({ kind: 'unclear', frame }, { kind: 'doubt', frame, why: 'two_ways' });
  }

  #unanswered(told: Overheard[]): void {
    const frame = this.#pending?.frame;
    this.#pending = null;
    if (!frame) return;
    this.#owed.push({ frame, until: frame.endedAt + LATE_TIMES * this.#answerMs });
    if (this.#owed.length > MOST_OWED) this.#owed.shift();
    this.#usual.unanswered(hexText(frame.bytes));
    told.push({ kind: 'unanswered', request: frame });
  }

  #expire(now: number, told: Overheard[]): void {
    const held = this.#held;
    if (held && now - held.frame.endedAt >= this.#answerMs) {
      this.#held = null;
      told.push({ kind: 'value', ...held });
    }
    if (this.#pending && now - this.#pending.frame.endedAt >= this.#answerMs) this.#unanswered(told);
    if (this.#owed.length > 0) this.#owed = this.#owed.filter(({ until }) => until > now);
  }
}

function isRead({ pdu }: OverheardFrame): boolean {
  const code = u8(pdu, 0);
  return code >= 1 && code <= 4;
}

function isSame(a: OverheardFrame, b: OverheardFrame): boolean {
  return a.bytes.length === b.bytes.length && a.bytes.every((octet, at) => octet === b.bytes[at]);
}
