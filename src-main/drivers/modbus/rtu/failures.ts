import { AppError } from '#shared/domain/errors.ts';
import { u8 } from '../../../protocol-kit/bytes.ts';
import { LEAST_FRAME } from './lengths.ts';
import type { Pending } from './pending.ts';

/** Octets that came instead of an answer: the beginning of one, and others. */
export interface WastedOctets {
  readonly broken: number;
  readonly loose: number;
}

/** Why an exchange without an answer failed, by what came: a frame that does not fit, half an answer, octets of no frame, nothing. */
export function failureOf(pending: Pending, { broken, loose }: WastedOctets): AppError {
  if (pending.problem) return pending.problem;
  const { unitId, pdu } = pending.request;
  const { frameLength } = pending.awaited;
  if (broken >= LEAST_FRAME) {
    const whole = frameLength === null ? 'its end was missing' : `${frameLength} would be right`;
    return new AppError('FRAME_LENGTH', `The answer of unit ${unitId} broke off: ${broken} octets came, ${whole}.`);
  }
  const count = broken + loose;
  if (count >= LEAST_FRAME) {
    const isMore = frameLength !== null && count > frameLength;
    const more = isMore ? ' More came than an answer has: two slaves may have answered at once.' : '';
    const cause = 'the line is disturbed, or its baud rate or parity is another one';
    return new AppError(
      'FRAME_CHECKSUM',
      `${count} octets came after the request to unit ${unitId}, and no frame with a right checksum: ${cause}.${more}`,
    );
  }
  const asked = `Unit ${unitId} did not answer function ${u8(pdu, 0)} within ${pending.timeoutMs} ms.`;
  const noise = count > 0 ? `${count} octets that are no frame came.` : '';
  return new AppError('TIMEOUT_RESPONSE', [asked, noise, pending.hint].filter(Boolean).join(' '));
}
