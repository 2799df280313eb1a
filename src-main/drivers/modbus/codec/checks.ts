import { AppError } from '#shared/domain/errors.ts';
import { type Said, say } from '#shared/messages/index.ts';
import type { MessageParam } from '#shared/messages/message.ts';

/** The error of octets that break the rules of the standard; `what` says which, and what would be right. */
export function malformed(what: Said): AppError {
  return new AppError('PROTOCOL_MALFORMED', what);
}

/** Throws PROTOCOL_MALFORMED unless `actual` is `expected` octets long. */
export function expectLength(what: MessageParam, actual: number, expected: number): void {
  if (actual !== expected) throw malformed(say('modbus.length', { what, count: actual, expected }));
}

/** Throws PROTOCOL_MALFORMED unless `value` is an integer from `least` to `most`. */
export function expectRange(what: MessageParam, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw malformed(say('modbus.range', { what, value, least, most }));
  }
}

/** Octets that `quantity` coils fill, eight to an octet. */
export function bitOctets(quantity: number): number {
  return (quantity + 7) >> 3;
}
