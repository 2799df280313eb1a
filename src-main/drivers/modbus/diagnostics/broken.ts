/** Beginnings of answers that never come to a valid end: cut off, or two answers at once. Pure. */
import { u8, u16 } from '../../../protocol-kit/bytes.ts';
import { EXCEPTION_BIT } from '../codec/functions.ts';

const READ_BITS = 2;
const READ_REGISTERS = 4;
/** Transaction and protocol id. */
const MBAP_START = 4;

/**
 * True when `octets` begin as the answer to a read: unit, function and count of octets as far as they go, unit and function at least. `request` is
 * the frame that was sent, unit first.
 */
export function beginsAnswer(octets: Uint8Array, request: Uint8Array): boolean {
  const functionCode = u8(request, 1);
  if (octets.length < 2 || u8(octets, 0) !== u8(request, 0) || (u8(octets, 1) & ~EXCEPTION_BIT) !== functionCode) return false;
  if (octets.length === 2 || u8(octets, 1) !== functionCode || functionCode > READ_REGISTERS) return true;
  const quantity = u16(request, 4);
  return u8(octets, 2) === (functionCode <= READ_BITS ? Math.ceil(quantity / 8) : 2 * quantity);
}

/** How many of the regions begin as the answer to one of `sent` (RTU frames). */
export function brokenAnswers(regions: readonly Uint8Array[], sent: readonly Uint8Array[]): number {
  return regions.filter((region) => sent.some((request) => beginsAnswer(region, request))).length;
}

/** True when `octets`, which hold no whole frame of Modbus TCP, begin with the header of the answer to one of `sent`. */
export function beginsMbapAnswer(octets: Uint8Array, sent: readonly Uint8Array[]): boolean {
  if (octets.length <= MBAP_START) return false;
  return sent.some((request) => Array.from({ length: MBAP_START }, (_, at) => at).every((at) => u8(octets, at) === u8(request, at)));
}
