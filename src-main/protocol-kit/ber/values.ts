/** Values of primitive elements (ITU-T X.690, 8.2 to 8.19). All throw `PROTOCOL_MALFORMED` when the length does not suit the type. */

import { say } from '#shared/messages/index.ts';
import { malformed } from '../malformed.ts';
import type { BerPart } from './parts.ts';
import { type BerElement, partNames, tagText } from './reader.ts';

const MAX_INTEGER_OCTETS = 16;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Octets of the value, as a view. */
export function octetsOf(element: BerElement): Uint8Array {
  return element.octets.subarray(element.valueAt, element.end);
}

/** Any octet but 00 is true. */
export function booleanOf(element: BerElement): boolean {
  if (element.end - element.valueAt !== 1) throw malformed(say('ber.boolean', { tag: tagText(element.tag) }));
  return element.octets[element.valueAt] !== 0;
}

function checkInteger(element: BerElement): void {
  const length = element.end - element.valueAt;
  if (length < 1 || length > MAX_INTEGER_OCTETS) {
    throw malformed(say('ber.integer', { tag: tagText(element.tag), length, most: MAX_INTEGER_OCTETS }));
  }
}

/** Number of the octets; a bigint only where a number would not be exact. `isSigned`: the first bit is the sign. */
function wholeNumber(element: BerElement, isSigned: boolean): number | bigint {
  checkInteger(element);
  const { octets, valueAt, end } = element;
  const first = octets[valueAt] ?? 0;
  const isNegative = isSigned && first >= 0x80;
  if (end - valueAt <= 6) {
    let value = isNegative ? first - 256 : first;
    for (let at = valueAt + 1; at < end; at++) value = value * 256 + (octets[at] ?? 0);
    return value;
  }
  let value = BigInt(isNegative ? first - 256 : first);
  for (let at = valueAt + 1; at < end; at++) value = value * 256n + BigInt(octets[at] ?? 0);
  const short = Number(value);
  return Number.isSafeInteger(short) ? short : value;
}

/** Signed integer, two's complement; a bigint only beyond ±(2^53 - 1). */
export function integerOf(element: BerElement): number | bigint {
  return wholeNumber(element, true);
}

/** Unsigned integer: every octet counts, also where the leading zero is missing; a bigint only beyond 2^53 - 1. */
export function unsignedOf(element: BerElement): number | bigint {
  return wholeNumber(element, false);
}

/** An unsigned number that must not be larger than `max`; `what` names it in the error. */
export function smallUnsignedOf(element: BerElement, max: number, what: BerPart): number {
  const value = unsignedOf(element);
  if (typeof value === 'bigint' || value > max)
    throw malformed(say('ber.at_most', { what: partNames(what), value: String(value), most: max }));
  return value;
}

/** A signed number within ±`max`; `what` names it in the error. */
export function smallIntegerOf(element: BerElement, max: number, what: BerPart): number {
  const value = integerOf(element);
  if (typeof value === 'bigint' || Math.abs(value) > max)
    throw malformed(say('ber.within', { what: partNames(what), value: String(value), most: max }));
  return value;
}

/** Bits of a bit string: `size` of them, bit 0 the most significant of the first octet; the octets are a view. */
export function bitsOf(element: BerElement): { readonly size: number; readonly octets: Uint8Array } {
  const length = element.end - element.valueAt;
  const unused = element.octets[element.valueAt] ?? 0;
  if (length < 1 || unused > 7 || (length === 1 && unused > 0)) {
    throw malformed(say('ber.bit_string', { tag: tagText(element.tag) }));
  }
  return { size: (length - 1) * 8 - unused, octets: element.octets.subarray(element.valueAt + 1, element.end) };
}

/** Text of octets: UTF-8 (ASCII is part of it); what is not UTF-8 is taken as ISO 8859-1, so that no octet is lost. */
export function textOf(element: BerElement): string {
  const octets = octetsOf(element);
  if (octets.length <= 1024 && isAscii(octets)) return Reflect.apply(String.fromCharCode, null, octets);
  try {
    return utf8.decode(octets);
  } catch {
    return Array.from(octets, (octet) => String.fromCharCode(octet)).join('');
  }
}

function isAscii(octets: Uint8Array): boolean {
  for (let at = 0; at < octets.length; at++) if ((octets[at] ?? 0) >= 0x80) return false;
  return true;
}

/** Object identifier with dots, `1.0.9506.2.3`. */
export function oidOf(element: BerElement): string {
  const octets = octetsOf(element);
  const arcs: number[] = [];
  let arc = 0;
  for (const [at, octet] of octets.entries()) {
    arc = arc * 128 + (octet & 0x7f);
    if (!Number.isSafeInteger(arc)) throw malformed(say('ber.arc_too_large'));
    if (octet >= 0x80) {
      if (at === octets.length - 1) throw malformed(say('ber.arc_unfinished'));
      continue;
    }
    if (arcs.length === 0) {
      const root = Math.min(Math.floor(arc / 40), 2);
      arcs.push(root, arc - root * 40);
    } else arcs.push(arc);
    arc = 0;
  }
  if (arcs.length === 0) throw malformed(say('ber.oid_empty'));
  return arcs.join('.');
}
