/** The exchange under way: what is known of it, when it is due, and how it failed. */
import { AppError } from '#shared/domain/errors.ts';
import type { CancelTimer } from '../../platform/clock.ts';
import type { LineExchange } from '../spi-line.ts';
import { decodeAddress, isWildcard } from './codec/address.ts';
import { FRAME_OVERHEAD, MOST_DATA } from './codec/frame.ts';
import type { ReceivedFrame } from './framer.ts';
import type { LineTiming } from './line-time.ts';
import type { MeterRequest } from './meter-request.ts';
import type { OwedAnswer } from './owed-answers.ts';

/** How an exchange ended. An answer may be a refusal. */
export type ExchangeEnd =
  | { readonly kind: 'answer'; readonly frame: ReceivedFrame }
  | { readonly kind: 'failed'; readonly error: AppError; readonly isSent: boolean };

/** An answer that may be the late one to an earlier request; taken when no other follows it until then. */
interface Held {
  readonly frame: ReceivedFrame;
  readonly owed: OwedAnswer;
  readonly until: number;
}

export interface Pending {
  readonly request: MeterRequest;
  readonly seq: number;
  readonly bytes: Uint8Array;
  readonly sentAt: number;
  readonly sentEnd: number;
  readonly timeoutMs: number;
  readonly finish: (end: ExchangeEnd) => void;
  cancelTimer: CancelTimer;
  /** When the first octet behind the request began; null before it came. */
  firstOctetAt: number | null;
  held: Held | null;
  hasChecksumFault: boolean;
  noise: number;
  hint: string;
}

/** An exchange as it goes into the line statistics; `rxOctets` 0 where no answer came. */
export function exchangeOf({ request, bytes, sentAt, sentEnd, firstOctetAt }: Pending, rxOctets: number, now: number): LineExchange {
  return {
    slaveId: request.slaveId,
    functionCode: request.control,
    txOctets: bytes.length,
    rxOctets,
    durationMs: now - sentAt,
    turnRoundMs: rxOctets === 0 || firstOctetAt === null ? null : Math.max(0, firstOctetAt - sentEnd),
  };
}

/** When the exchange is looked at next: the time of the answer, or of the rest of one that has begun. */
export function dueAt(
  { held, sentEnd, timeoutMs }: Pending,
  { octetMs, octetGapMs }: LineTiming,
  received: { readonly buffered: number; readonly lastOctetAt: number },
): number {
  if (held) return held.until;
  const answerAt = sentEnd + timeoutMs;
  if (received.buffered === 0) return answerAt;
  // a line full of false starts ends as well
  const latest = answerAt + (FRAME_OVERHEAD + MOST_DATA) * octetMs + octetGapMs;
  return Math.min(latest, Math.max(answerAt, received.lastOctetAt + octetGapMs));
}

/** Why the exchange failed, by what came instead of an answer. */
export function failureOf({ request, timeoutMs, hasChecksumFault, noise, hint }: Pending): AppError {
  const meter = decodeAddress(request.address);
  const crowd = isWildcard(meter) ? ' Several meters may have answered the wildcard at once.' : '';
  if (hasChecksumFault) {
    return new AppError(
      'FRAME_CHECKSUM',
      `The answer of meter ${meter} came with a wrong checksum or end.${crowd} Parity and baud rate may be wrong.`,
    );
  }
  if (noise > 0) {
    return new AppError(
      'FRAME_NOISE',
      `${noise} octets came instead of an answer of meter ${meter}.${crowd} Parity and baud rate may be wrong.`,
    );
  }
  return new AppError('TIMEOUT_RESPONSE', `Meter ${meter} did not answer within ${Math.round(timeoutMs)} ms. ${hint}`.trim());
}
