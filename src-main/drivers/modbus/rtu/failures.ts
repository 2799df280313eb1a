import { AppError } from '#shared/domain/errors.ts';
import { u8 } from '../../../protocol-kit/bytes.ts';
import type { ExchangeView, WastedOctets } from '../../kit/asking.ts';
import type { SessionRequest } from '../link/session-check.ts';
import { answerPduLength, FRAME_OVERHEAD, LEAST_FRAME } from './lengths.ts';

/** Why an exchange without an answer failed, by what came: a frame that does not fit, half an answer, octets of no frame, nothing. */
export function failureOf(exchange: ExchangeView<SessionRequest>, { broken, loose }: WastedOctets): AppError {
  if (exchange.problem) return exchange.problem;
  const { unitId, pdu } = exchange.request;
  const pduLength = answerPduLength(pdu);
  const frameLength = pduLength === null ? null : pduLength + FRAME_OVERHEAD;
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
  const asked = `Unit ${unitId} did not answer function ${u8(pdu, 0)} within ${exchange.timeoutMs} ms.`;
  const noise = count > 0 ? `${count} octets that are no frame came.` : '';
  return new AppError('TIMEOUT_RESPONSE', [asked, noise, exchange.hint].filter(Boolean).join(' '));
}
