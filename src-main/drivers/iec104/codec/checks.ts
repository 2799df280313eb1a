import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';

/** The error of octets or values that break the rules of the standard; `what` says which, and what would be right. */
export function malformed(what: Message): AppError {
  return new AppError('PROTOCOL_MALFORMED', what);
}

/** Throws PROTOCOL_MALFORMED unless `value` is an integer from `least` to `most`. */
export function expectRange(what: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw malformed(say('iec104.not_in_range', { what, value, least, most }));
  }
}
