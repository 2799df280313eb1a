import { say } from '#shared/messages/index.ts';
import { type Names, names } from '#shared/messages/message.ts';
import { malformed } from '../../../protocol-kit/malformed.ts';
import { PDU_PARTS, type PduPart } from './parts.ts';

/** Throws PROTOCOL_MALFORMED unless `actual` is `expected` octets long. */
export function expectLength(what: PduPart, actual: number, expected: number): void {
  if (actual !== expected) throw malformed(say('modbusframe.has_octets', { what: partNames(what), actual, expected }));
}

/** Throws PROTOCOL_MALFORMED unless `value` is an integer from `least` to `most`. */
export function expectRange(what: PduPart, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw malformed(say('modbusframe.out_of_range', { what: partNames(what), value, least, most }));
  }
}

/** Throws PROTOCOL_MALFORMED unless `actual` is `least` octets long or longer. */
export function expectLeast(what: PduPart, actual: number, least: number): void {
  if (actual < least) throw malformed(say('modbusframe.has_octets_least', { what: partNames(what), actual, least }));
}

function partNames(what: PduPart): Names {
  return names(what, PDU_PARTS[what]);
}

/** Octets that `quantity` coils fill, eight to an octet. */
export function bitOctets(quantity: number): number {
  return (quantity + 7) >> 3;
}
