import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { u8 } from '../../../protocol-kit/bytes.ts';
import { EXCEPTION_BIT } from '../codec/functions.ts';
import type { Adu } from './framer.ts';

/** One request of a client, and what makes an answer fit. */
export interface SessionRequest {
  readonly unitId: number;
  readonly pdu: Uint8Array;
  /** How long to wait for the answer, in milliseconds, where that is not what the channel says. */
  readonly timeoutMs?: number;
  /** Throws an AppError when an answer without exception does not fit the request. */
  readonly check: (answer: Uint8Array) => void;
}

/**
 * What is wrong with an answer to this request, null when nothing is: PROTOCOL_MISMATCH for another unit or function, PROTOCOL_MALFORMED
 * for an exception answer of another length, otherwise what the request's own check says.
 */
export function checkAnswer(adu: Adu, request: SessionRequest): AppError | null {
  if (adu.unitId !== request.unitId) {
    return new AppError('PROTOCOL_MISMATCH', say('modbus.other_unit', { answered: adu.unitId, asked: request.unitId }));
  }
  const asked = u8(request.pdu, 0);
  const answered = u8(adu.pdu, 0);
  if ((answered & ~EXCEPTION_BIT) !== asked) {
    return new AppError('PROTOCOL_MISMATCH', say('modbus.other_function', { answered, asked }));
  }
  try {
    if (answered === asked) request.check(adu.pdu);
    else if (adu.pdu.length !== 2 || u8(adu.pdu, 1) === 0) {
      return new AppError('PROTOCOL_MALFORMED', say('modbus.exception_length', { count: adu.pdu.length }));
    }
    return null;
  } catch (thrown) {
    return toAppError(thrown);
  }
}
