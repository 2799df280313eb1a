/** The request under way on an RTU line, and when to look at it next. */
import type { AppError } from '#shared/domain/errors.ts';
import type { CancelTimer } from '../../../platform/clock.ts';
import { u8 } from '../../../protocol-kit/bytes.ts';
import type { LineExchange } from '../../spi-line.ts';
import type { SessionRequest } from '../session-check.ts';
import type { LineEnd } from './exchange-line.ts';
import type { Awaited, RtuFrame } from './framing.ts';
import { answerPduLength, FRAME_OVERHEAD, MOST_FRAME } from './lengths.ts';
import type { OwedAnswer } from './owed-answers.ts';
import type { RtuTiming } from './timing.ts';

/** An answer that fits and may yet be another one's: it is taken when no second one comes. */
export interface HeldAnswer {
  readonly frame: RtuFrame;
  readonly startedAt: number;
  readonly until: number;
  /** The earlier request it could answer as well; null when it is held for another reason. */
  readonly owed: OwedAnswer | null;
  /** It began before the request can have left the line. */
  readonly isEarly: boolean;
}

export interface Pending {
  readonly request: SessionRequest;
  readonly awaited: Awaited;
  /** Octets of the request on the line. */
  readonly txOctets: number;
  /** Number of the request in the frame log. */
  readonly seq: number;
  readonly sentAt: number;
  /** The earliest moment at which all of it can have left the line. */
  readonly sentEnd: number;
  readonly timeoutMs: number;
  /** The same was asked just before, and its answer will do. */
  readonly isRepeat: boolean;
  readonly finish: (end: LineEnd) => void;
  cancelTimer: CancelTimer;
  /** Octets that came since, the echo not counted, and when the last of them did. */
  octets: number;
  lastOctetAt: number;
  /** Octets among them that belong to no frame. */
  noise: number;
  /** What was wrong with a frame of the right unit that did not fit. */
  problem: AppError | null;
  held: HeldAnswer | null;
  /** What else came; told when the time has run out. */
  hint: string;
}

/** What is waited for after this request. */
export function awaitedBy(request: SessionRequest): Awaited {
  const length = answerPduLength(request.pdu);
  return { unitId: request.unitId, functionCode: u8(request.pdu, 0), frameLength: length === null ? null : length + FRAME_OVERHEAD };
}

/** The first octet of the answer has to be there by then: the slave waits out the gap as well. */
export function firstOctetBy(pending: Pending, timing: RtuTiming): number {
  return pending.sentEnd + timing.gapMs + pending.timeoutMs;
}

/** What the framer holds: octets that may become a frame, and since when they are the beginning of the awaited answer. */
export interface FramerHold {
  readonly octets: number;
  /** Null when what is held is not the beginning of the awaited answer. */
  readonly startedAt: number | null;
}

/**
 * When the exchange has to be looked at next, unless more octets come: the end of the time for the first octet; for an answer that has
 * begun, its transfer time by the baud rate; for octets that fill an answer and are none, the moment the line is quiet.
 */
export function nextCheckAt(pending: Pending, timing: RtuTiming, held: FramerHold, guardMs: number): number {
  if (pending.held) return pending.held.until;
  const base = firstOctetBy(pending, timing);
  const frameLength = pending.awaited.frameLength ?? MOST_FRAME;
  if (held.startedAt !== null) {
    const transferMs = frameLength * timing.octetMs + timing.settleMs;
    const whole = Math.max(held.startedAt + transferMs, pending.lastOctetAt + timing.brokenMs);
    return Math.min(whole, base + Math.max(transferMs, timing.brokenMs));
  }
  if (pending.problem) return Math.min(base, pending.lastOctetAt + guardMs);
  const isFull = pending.noise + held.octets >= (pending.awaited.frameLength ?? FRAME_OVERHEAD + 5);
  return isFull ? Math.min(base, pending.lastOctetAt + timing.settleMs) : base;
}

/** The exchange as the line statistics take it. `startedAt` null: no answer. */
export function exchangeOf(pending: Pending, rxOctets: number, now: number, turnRoundMs: number | null): LineExchange {
  return {
    slaveId: pending.request.unitId,
    functionCode: u8(pending.request.pdu, 0),
    txOctets: pending.txOctets,
    rxOctets,
    durationMs: now - pending.sentAt,
    turnRoundMs,
  };
}
