/**
 * Requests that ended without an answer, whose answer may still come. RTU frames carry no number: what tells a late answer from the one
 * that is awaited is unit, function and length alone (for writes also the echoed address and value). Slaves answer in the order in
 * which they were asked, so an answer that can only belong to one request settles all older ones of its unit.
 */
import { u8, u16 } from '../../../protocol-kit/bytes.ts';
import { EXCEPTION_BIT } from '../codec/functions.ts';
import { encodeRead, type ReadFunction, type ReadRequest } from '../codec/request.ts';
import type { SessionRequest } from '../session-check.ts';
import { answerPduLength } from './lengths.ts';

export interface OwedAnswer {
  readonly unitId: number;
  readonly pdu: Uint8Array;
  /** Number of the request in the frame log. */
  readonly seq: number;
  /** After that it is not expected any more. */
  readonly expiresAt: number;
}

type AnswerFrame = { readonly unitId: number; readonly pdu: Uint8Array };

/** Oldest entries go when a unit has more; a dead slave must not make the list grow. */
const MOST = 64;

export class OwedAnswers {
  #entries: OwedAnswer[] = [];

  add(entry: OwedAnswer): void {
    this.#entries.push(entry);
    if (this.#entries.length > MOST) this.#entries.shift();
  }

  /** Forgets what is not expected any more. */
  prune(now: number): void {
    if (this.#entries.some((entry) => entry.expiresAt <= now)) this.#entries = this.#entries.filter((entry) => entry.expiresAt > now);
  }

  /** The oldest request this frame can answer; `same` are the octets of a request that may be answered by either. */
  match(frame: AnswerFrame, same: Uint8Array | null = null): OwedAnswer | undefined {
    return this.#entries.find((entry) => entry.pdu !== same && fits(frame, entry));
  }

  /** This request is answered, and so is every older one of its unit. */
  settle(entry: OwedAnswer): void {
    const at = this.#entries.indexOf(entry);
    this.#entries = this.#entries.filter((other, index) => index > at || other.unitId !== entry.unitId);
  }

  /** The unit has answered a later request: nothing older is expected from it. */
  clear(unitId: number): void {
    if (this.#entries.length > 0) this.#entries = this.#entries.filter((entry) => entry.unitId !== unitId);
  }

  /** True when an owed answer could be taken for the one to this request. */
  hasLike(request: Pick<SessionRequest, 'unitId' | 'pdu'>): boolean {
    return this.#entries.some((entry) => entry.unitId === request.unitId && sameAnswer(entry.pdu, request.pdu));
  }

  /** True when a refusal of an earlier request could be taken for one of this request. */
  hasFunction(unitId: number, functionCode: number): boolean {
    return this.#entries.some((entry) => entry.unitId === unitId && u8(entry.pdu, 0) === functionCode);
  }

  /**
   * A read whose answer has a length that no owed answer of its unit has, of addresses that the request names anyway: fewer of those that are
   * read, or those that are written. Null where there is none. Its answer shows that nothing older is to come any more.
   */
  tellingRead({ unitId, pdu }: Pick<SessionRequest, 'unitId' | 'pdu'>): ReadRequest | null {
    const asked = u8(pdu, 0);
    const functionCode = readingOf(asked);
    if (functionCode === null) return null;
    const step = functionCode <= 2 ? 8 : 1;
    const named = asked === 5 || asked === 6 || asked === 22 ? 1 : u16(pdu, 3);
    const most = isRead(asked) ? Math.ceil(named / step) - 1 : Math.ceil(named / step);
    for (let units = most; units > 0; units--) {
      const read = { functionCode, start: u16(pdu, 1), quantity: isRead(asked) ? units * step : Math.min(units * step, named) };
      if (!this.hasLike({ unitId, pdu: encodeRead(functionCode, read.start, read.quantity) })) return read;
    }
    return null;
  }
}

function isRead(functionCode: number): functionCode is ReadFunction {
  return functionCode >= 1 && functionCode <= 4;
}

/** The function that reads what a request is about; null for those that are about nothing of the kind. */
function readingOf(functionCode: number): ReadFunction | null {
  if (isRead(functionCode)) return functionCode;
  if (functionCode === 5 || functionCode === 15) return 1;
  return functionCode === 6 || functionCode === 16 || functionCode === 22 ? 3 : null;
}

/** Whether two requests have answers that cannot be told apart. */
function sameAnswer(a: Uint8Array, b: Uint8Array): boolean {
  const functionCode = u8(a, 0);
  if (functionCode !== u8(b, 0)) return false;
  const length = answerPduLength(a);
  if (length === null || length !== answerPduLength(b)) return length === null;
  return isEchoed(functionCode) ? startsAlike(a, b, length) : true;
}

function fits(frame: AnswerFrame, entry: OwedAnswer): boolean {
  if (frame.unitId !== entry.unitId) return false;
  const asked = u8(entry.pdu, 0);
  const answered = u8(frame.pdu, 0);
  if (answered === (asked | EXCEPTION_BIT)) return true;
  if (answered !== asked) return false;
  const length = answerPduLength(entry.pdu);
  if (length !== null && length !== frame.pdu.length) return false;
  return length === null || !isEchoed(asked) || startsAlike(frame.pdu, entry.pdu, length);
}

/** Functions whose answer repeats the request or its beginning. */
function isEchoed(functionCode: number): boolean {
  return functionCode === 5 || functionCode === 6 || functionCode === 15 || functionCode === 16 || functionCode === 22;
}

function startsAlike(a: Uint8Array, b: Uint8Array, length: number): boolean {
  for (let at = 0; at < length; at++) if (a[at] !== b[at]) return false;
  return true;
}
