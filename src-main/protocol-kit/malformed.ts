import { AppError } from '#shared/domain/errors.ts';
import type { Message } from '#shared/messages/message.ts';

/** The error of octets or values that break the rules of their standard; `said` says which, and what would be right. */
export function malformed(said: Message): AppError {
  return new AppError('PROTOCOL_MALFORMED', said);
}
