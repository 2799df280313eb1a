import { AppError } from '#shared/domain/errors.ts';

/** The error of octets that break the rules of the standard; `what` says which, and what would be right. */
export function malformed(what: string): AppError {
  return new AppError('PROTOCOL_MALFORMED', what);
}

/** Throws PROTOCOL_MALFORMED unless `actual` is `expected` octets long. */
export function expectLength(what: string, actual: number, expected: number): void {
  if (actual !== expected) throw malformed(`${what} has ${actual} octets, ${expected} would be right.`);
}

/** Throws PROTOCOL_MALFORMED unless `value` is an integer from `least` to `most`. */
export function expectRange(what: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw malformed(`${what} is ${value}, ${least} to ${most} would be right.`);
  }
}

/** Octets that `quantity` coils fill, eight to an octet. */
export function bitOctets(quantity: number): number {
  return (quantity + 7) >> 3;
}
