/**
 * Modbus on a line without numbers as the exchange engine asks for it. What tells one answer from another is unit, function and length alone, for writes
 * and the loopback also what is echoed.
 */

import { say, together } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { u8, u16 } from '../../../protocol-kit/bytes.ts';
import type { AskingProtocol, ExchangeView, StreamHold, Telling } from '../../kit/asking.ts';
import { EXCEPTION_BIT, functionMessage } from '../codec/functions.ts';
import { encodeRead, type ReadFunction } from '../codec/request.ts';
import { expectEcho, readAnswerData } from '../codec/response.ts';
import { Diagnostics } from '../codec/service-functions.ts';
import { checkAnswer, type SessionRequest } from '../link/session-check.ts';
import { failureOf } from './failures.ts';
import { answerPduLength } from './lengths.ts';
import type { LineFrame, LineFraming } from './line-framing.ts';
import type { RtuTiming } from './timing.ts';

export const DIAGNOSTICS = 8;
/** Octets of the shortest answer and of the longest one, without the frame: a number of octets that fill the first one may be an answer. */
const LEAST_ANSWER = 5;
const MOST_PDU = 253;

type LineProtocol = AskingProtocol<SessionRequest, LineFrame>;

/** The loopbacks that differ, and the first second octet of one: behind every function with a length that slaves know. */
export const TOKENS = 224;
const FIRST_TOKEN = 0x20;

/** `nextToken` gives a number below `TOKENS` that was not given lately. */
export function lineProtocol(framing: LineFraming, timing: RtuTiming, nextToken: () => number): LineProtocol {
  return {
    encode: ({ unitId, pdu }) => framing.encode(unitId, pdu),
    addressee: ({ unitId }) => unitId,
    describe: ({ unitId }) => say('modbus.unit', { unit: unitId }),
    facts: ({ unitId, pdu }) => ({ slaveId: unitId, functionCode: u8(pdu, 0) }),
    problemOf: (request, frame) => checkAnswer(frame, request),
    mayAnswer,
    failsAtOnce: ({ unitId }, frame) => frame.unitId === unitId,
    isRefusal: ({ pdu }) => (u8(pdu, 0) & EXCEPTION_BIT) !== 0,
    isRepeatable,
    isChained: () => false,
    isSameQuestion: (a, b) => a.unitId === b.unitId && a.pdu.length === b.pdu.length && startsAlike(a.pdu, b.pdu, a.pdu.length),
    mayBeMistaken: (a, b) => a.unitId === b.unitId && isAnsweredAlike(a.pdu, b.pdu),
    mayRefuseAlike: (a, b) => a.unitId === b.unitId && u8(a.pdu, 0) === u8(b.pdu, 0),
    telling: (request, avoided, withRead) => (withRead ? tellingRead(request, avoided) : null) ?? loopback(request.unitId, nextToken()),
    isLoopback: ({ pdu }) => u8(pdu, 0) === DIAGNOSTICS && u16(pdu, 1) === Diagnostics.returnQueryData,
    lookAt: (exchange, hold, guardMs) => lookAt(exchange, hold, guardMs, { framing, timing }),
    failureOf: (exchange, wasted) => failureOf(exchange, wasted, framing),
    answerOctets: ({ pdu }) => frameLengthOf(framing, pdu) ?? 0,
  };
}

/** Octets of the answer to this request, when it is no exception; null where the request does not tell. */
export function frameLengthOf(framing: LineFraming, pdu: Uint8Array): number | null {
  const length = answerPduLength(pdu);
  return length === null ? null : framing.octetsOf(length);
}

/** A frame of the asking side that was not sent here. */
export function foreignRequest(frame: LineFrame): { text: Message; notice: Message } {
  const text = say('modbus.foreign_request', { unit: frame.unitId, function: functionMessage(u8(frame.pdu, 0)) });
  return { text, notice: together(text, say('modbus.other_master')) };
}

/** The same exchange with a read in its place. */
export function readInstead(request: SessionRequest, functionCode: ReadFunction, start: number, quantity: number): SessionRequest {
  return {
    ...request,
    pdu: encodeRead(functionCode, start, quantity),
    check: (answer) => {
      readAnswerData(answer, functionCode, quantity);
    },
  };
}

function isRepeatable({ pdu }: SessionRequest): boolean {
  const functionCode = u8(pdu, 0);
  if (functionCode === DIAGNOSTICS) return !CHANGING_DIAGNOSTICS.includes(u16(pdu, 1));
  return isRead(functionCode) || QUESTIONS.includes(functionCode);
}

/** Functions beside the reads that change nothing in a slave. */
const QUESTIONS: readonly number[] = [7, 11, 12, 17, 20, 24, 43];
/** Sub-functions of Diagnostics that do. */
const CHANGING_DIAGNOSTICS: readonly number[] = [
  Diagnostics.restartCommunications,
  Diagnostics.changeDelimiter,
  Diagnostics.forceListenOnly,
  Diagnostics.clearCounters,
  Diagnostics.clearOverrun,
];

function isRead(functionCode: number): functionCode is ReadFunction {
  return functionCode >= 1 && functionCode <= 4;
}

/** Whether a frame can be the answer to a request, its refusal included. */
export function mayAnswer({ unitId, pdu }: Pick<SessionRequest, 'unitId' | 'pdu'>, frame: Pick<LineFrame, 'unitId' | 'pdu'>): boolean {
  if (frame.unitId !== unitId) return false;
  const asked = u8(pdu, 0);
  const answered = u8(frame.pdu, 0);
  if (answered === (asked | EXCEPTION_BIT)) return true;
  if (answered !== asked) return false;
  const length = answerPduLength(pdu);
  if (length !== null && length !== frame.pdu.length) return false;
  return startsAlike(frame.pdu, pdu, echoedOctets(pdu));
}

/** Whether two requests have answers that cannot be told apart, exceptions left out. */
export function isAnsweredAlike(a: Uint8Array, b: Uint8Array): boolean {
  const functionCode = u8(a, 0);
  if (functionCode !== u8(b, 0)) return false;
  const length = answerPduLength(a);
  if (length === null || length !== answerPduLength(b)) return length === null;
  return startsAlike(a, b, Math.min(echoedOctets(a), echoedOctets(b)));
}

/**
 * A read whose answer has a length that none of the avoided answers has, of addresses that the request names anyway: fewer of those that are
 * read, or those that are written.
 */
function tellingRead(request: SessionRequest, avoided: readonly SessionRequest[]): Telling<SessionRequest> | null {
  const { unitId, pdu } = request;
  const asked = u8(pdu, 0);
  const functionCode = readingOf(asked);
  if (functionCode === null) return null;
  const step = functionCode <= 2 ? 8 : 1;
  const named = asked === 5 || asked === 6 || asked === 22 ? 1 : u16(pdu, 3);
  const most = isRead(asked) ? Math.ceil(named / step) - 1 : Math.ceil(named / step);
  for (let units = most; units > 0; units--) {
    const quantity = isRead(asked) ? units * step : Math.min(units * step, named);
    const told = readInstead(request, functionCode, u16(pdu, 1), quantity);
    if (!avoided.some((other) => other.unitId === unitId && isAnsweredAlike(other.pdu, told.pdu))) return { kind: 'read', request: told };
  }
  return null;
}

/**
 * Return Query Data (V1.1b3, 6.8, sub-function 0). A slave that has the function echoes the token, every other one answers an exception; neither
 * touches a register. A slave may take a function it does not know for a frame without data and read on in its token: there is its own
 * address and one more function of that kind, so that it loses nothing but this frame. At another address it would wait for that slave's
 * answer, and pass over the next request (libmodbus does).
 */
function loopback(unitId: number, token: number): Telling<SessionRequest> {
  const pdu = Uint8Array.of(DIAGNOSTICS, 0, 0, unitId, FIRST_TOKEN + token);
  return { kind: 'loopback', request: { unitId, pdu, check: (answer) => expectEcho(pdu, answer) } };
}

/** The function that reads what a request is about; null for those that are about nothing of the kind. */
function readingOf(functionCode: number): ReadFunction | null {
  if (isRead(functionCode)) return functionCode;
  if (functionCode === 5 || functionCode === 15) return 1;
  return functionCode === 6 || functionCode === 16 || functionCode === 22 ? 3 : null;
}

/** Octets at the beginning of the answer that are those of the request. */
function echoedOctets(pdu: Uint8Array): number {
  switch (u8(pdu, 0)) {
    case 5:
    case 6:
    case 15:
    case 16:
      return 5;
    case DIAGNOSTICS:
      return TELLING_DIAGNOSTICS.includes(u16(pdu, 1)) ? 3 : 5;
    case 21:
    case 22:
      return pdu.length;
    default:
      return 0;
  }
}

/** Sub-functions of Diagnostics whose answer has data of its own. */
const TELLING_DIAGNOSTICS: readonly number[] = [
  Diagnostics.returnDiagnosticRegister,
  ...Array.from({ length: 8 }, (_, at) => Diagnostics.busMessageCount + at),
];

function startsAlike(a: Uint8Array, b: Uint8Array, length: number): boolean {
  for (let at = 0; at < length; at++) if (a[at] !== b[at]) return false;
  return true;
}

/**
 * The end of the time for the first octet; for an answer that has begun, its transfer time by the baud rate; for octets that fill an answer
 * and are none, the moment the line is quiet.
 */
function lookAt(
  exchange: ExchangeView<SessionRequest>,
  hold: StreamHold,
  guardMs: number,
  { framing, timing }: { readonly framing: LineFraming; readonly timing: RtuTiming },
): number {
  // the slave waits out the gap as well
  const base = exchange.sentEnd + timing.gapMs + exchange.timeoutMs;
  const length = frameLengthOf(framing, exchange.request.pdu);
  const lastOctetAt = Math.max(hold.lastOctetAt, exchange.sentAt);
  if (hold.startedAt !== null) {
    const transferMs = (length ?? framing.octetsOf(MOST_PDU)) * timing.octetMs + timing.settleMs;
    const whole = Math.max(hold.startedAt + transferMs, lastOctetAt + timing.brokenMs);
    return Math.min(whole, base + Math.max(transferMs, timing.brokenMs));
  }
  if (exchange.problem) return Math.min(base, lastOctetAt + guardMs);
  const isFull = exchange.noise + hold.octets >= (length ?? framing.octetsOf(LEAST_ANSWER));
  return isFull ? Math.min(base, lastOctetAt + timing.settleMs) : base;
}
