import { say } from '#shared/messages/index.ts';
import { malformed } from '../../../protocol-kit/malformed.ts';

/** Throws PROTOCOL_MALFORMED unless `value` is an integer from `least` to `most`. */
export function expectRange(what: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw malformed(say('iec104.not_in_range', { what, value, least, most }));
  }
}
