import { AppError } from '#shared/domain/errors.ts';
import type { Message } from '#shared/messages/message.ts';

/** The error of octets or values that break the rules of the standard; `said` says which, and what would be right. */
export function malformed(said: Message | string): AppError {
  return new AppError('PROTOCOL_MALFORMED', said);
}

/** Throws PROTOCOL_MALFORMED unless `value` is an integer from `least` to `most`. */
export function expectRange(what: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw malformed(`The ${what} is ${value}, ${least} to ${most} would be right.`);
  }
}
