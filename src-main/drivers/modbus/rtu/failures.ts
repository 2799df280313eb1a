import { AppError } from '#shared/domain/errors.ts';
import { say, together } from '#shared/messages/index.ts';
import { u8 } from '../../../protocol-kit/bytes.ts';
import type { ExchangeView, WastedOctets } from '../../kit/asking.ts';
import type { SessionRequest } from '../link/session-check.ts';
import { answerPduLength } from './lengths.ts';
import type { LineFraming } from './line-framing.ts';

/** Why an exchange without an answer failed, by what came: a frame that does not fit, half an answer, octets of no frame, nothing. */
export function failureOf(exchange: ExchangeView<SessionRequest>, { broken, loose }: WastedOctets, framing: LineFraming): AppError {
  if (exchange.problem) return exchange.problem;
  const { unitId, pdu } = exchange.request;
  const pduLength = answerPduLength(pdu);
  const frameLength = pduLength === null ? null : framing.octetsOf(pduLength);
  if (broken >= framing.leastOctets) {
    const came = { unit: unitId, count: broken };
    const said = frameLength === null ? say('modbus.broke_off', came) : say('modbus.broke_off_of', { ...came, expected: frameLength });
    return new AppError('FRAME_LENGTH', said);
  }
  const count = broken + loose;
  if (count >= framing.leastOctets || exchange.hasChecksumFault) {
    const isMore = frameLength !== null && count > frameLength;
    const said = say('modbus.no_checksum', { count, unit: unitId });
    return new AppError('FRAME_CHECKSUM', isMore ? together(said, say('modbus.more_came')) : said);
  }
  const asked = say('modbus.silent', { unit: unitId, function: u8(pdu, 0), ms: exchange.timeoutMs });
  const noise = count > 0 ? say('modbus.noise', { count }) : null;
  return new AppError('TIMEOUT_RESPONSE', together(asked, noise, exchange.hint));
}
