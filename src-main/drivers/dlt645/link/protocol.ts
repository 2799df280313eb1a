/**
 * DL/T 645 as the exchange engine asks for it. A read is answered with its identifier, so most answers tell whose they are; confirmations and
 * refusals carry the control code alone.
 */

import { AppError } from '#shared/domain/errors.ts';
import { say, together } from '#shared/messages/index.ts';
import type { AskingProtocol, ExchangeView, StreamHold } from '../../kit/asking.ts';
import { decodeAddress, isWildcard } from '../codec/address.ts';
import { Function1997, Function2007, functionOf, REFUSED } from '../codec/control.ts';
import { encodeFrame, FRAME_OVERHEAD, MOST_DATA } from '../codec/frame.ts';
import { answerFits, type MeterRequest } from '../meter-request.ts';
import type { ReceivedFrame } from './framer.ts';
import type { LineTiming } from './line-time.ts';

type MeterProtocol = AskingProtocol<MeterRequest, ReceivedFrame>;

export interface MeterProtocolOptions {
  readonly timing: LineTiming;
  /** FE octets in front of a request. */
  readonly preambles: number;
  /** Reads of the meter that is asked, other than the request itself: of the point table, or of what is written. */
  readonly readsOf: (request: MeterRequest) => readonly MeterRequest[];
}

/** Functions that only read. */
const READS: readonly number[] = [
  Function2007.read,
  Function2007.readNext,
  Function2007.readAddress,
  Function1997.read,
  Function1997.readNext,
];
/** Any pair of digits of an address. */
const ANY = 0xaa;
/** Octets of an answer as most are; how long a block is, its request does not say. */
const USUAL_ANSWER = FRAME_OVERHEAD + 20;

export function meterProtocol({ timing, preambles, readsOf }: MeterProtocolOptions): MeterProtocol {
  return {
    encode: (request) => encodeFrame(request, preambles),
    addressee: ({ address }) => decodeAddress(address),
    describe: ({ address }) => say('dlt645.meter', { meter: decodeAddress(address) }),
    facts: ({ slaveId, control }) => ({ slaveId, functionCode: control }),
    problemOf,
    mayAnswer: answerFits,
    // other meters are on the line, and a meter may still answer
    failsAtOnce: () => false,
    isRefusal: ({ control }) => (control & REFUSED) !== 0,
    isRepeatable: ({ control }) => READS.includes(functionOf(control)),
    isChained,
    isSameQuestion: (a, b) => a.part === b.part && hasSame(a.address, b.address, 6) && a.control === b.control && hasSameData(a, b),
    mayBeMistaken: (a, b) =>
      isOpenChain(a, b) || (mayComeFromOne(a, b) && a.sequence === b.sequence && hasSame(a.data, b.data, Math.min(a.repeated, b.repeated))),
    mayRefuseAlike: mayComeFromOne,
    telling(request, avoided) {
      const told = readsOf(request).find(
        (read) => !avoided.some((other) => mayComeFromOne(other, read) && hasSame(other.data, read.data, read.repeated)),
      );
      return told ? { kind: 'read', request: told } : null;
    },
    isLoopback: () => false,
    lookAt: (exchange, hold) => lookAt(exchange, hold, timing),
    failureOf,
    answerOctets: () => USUAL_ANSWER,
  };
}

/** The 1997 edition gives follow-up frames no number: the meter goes on from the one before. */
function isChained({ control }: MeterRequest): boolean {
  return functionOf(control) === Function1997.readNext;
}

/** A follow-up frame that is owed could become a part of the next answer that has some. */
function isOpenChain(owed: MeterRequest, next: MeterRequest): boolean {
  return isChained(owed) && functionOf(next.control) === Function1997.read && mayBeOne(owed.address, next.address);
}

function problemOf(request: MeterRequest, frame: ReceivedFrame): AppError | null {
  if (answerFits(request, frame)) return null;
  return new AppError('PROTOCOL_MISMATCH', say('dlt645.not_awaited', { meter: decodeAddress(frame.address) }));
}

/** True when one meter could answer both, with the same control code. */
function mayComeFromOne(a: MeterRequest, b: MeterRequest): boolean {
  if (functionOf(a.control) !== functionOf(b.control)) return false;
  const [ofA, ofB] = [a, b].map(({ address, answersAs = [] }) => [address, ...answersAs]);
  return ofA?.some((one) => ofB?.some((other) => mayBeOne(one, other))) ?? false;
}

function mayBeOne(a: Uint8Array, b: Uint8Array): boolean {
  for (let at = 0; at < 6; at++) if (a[at] !== b[at] && a[at] !== ANY && b[at] !== ANY) return false;
  return true;
}

function hasSameData(a: MeterRequest, b: MeterRequest): boolean {
  return a.data.length === b.data.length && hasSame(a.data, b.data, a.data.length);
}

function hasSame(a: Uint8Array, b: Uint8Array, length: number): boolean {
  for (let at = 0; at < length; at++) if (a[at] !== b[at]) return false;
  return true;
}

/** The time of the answer, or of the rest of one that has begun. */
function lookAt({ sentEnd, timeoutMs }: ExchangeView<MeterRequest>, hold: StreamHold, { octetMs, octetGapMs }: LineTiming): number {
  const answerAt = sentEnd + timeoutMs;
  if (hold.octets === 0) return answerAt;
  // a line full of false starts ends as well
  const latest = answerAt + (FRAME_OVERHEAD + MOST_DATA) * octetMs + octetGapMs;
  return Math.min(latest, Math.max(answerAt, hold.lastOctetAt + octetGapMs));
}

/** Why the exchange failed, by what came instead of an answer. */
function failureOf({ request, timeoutMs, hasChecksumFault, noise, hint }: ExchangeView<MeterRequest>): AppError {
  const meter = decodeAddress(request.address);
  const crowd = isWildcard(meter) ? say('dlt645.crowd') : null;
  const line = say('dlt645.check_line');
  if (hasChecksumFault) return new AppError('FRAME_CHECKSUM', together(say('dlt645.bad_check', { meter }), crowd, line));
  if (noise > 0) return new AppError('FRAME_NOISE', together(say('dlt645.noise', { count: noise, meter }), crowd, line));
  return new AppError('TIMEOUT_RESPONSE', together(say('dlt645.silent', { meter, ms: Math.round(timeoutMs) }), hint));
}
