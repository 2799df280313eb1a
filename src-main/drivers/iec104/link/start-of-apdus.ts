import { fittingSizes } from '../codec/fitting-sizes.ts';
import { APCI_LENGTH, decodeApdu, LENGTH_FIELD, START_OCTET } from './apci.ts';

/**
 * Where APDUs begin in octets of which the beginning is not known: the first place from which whole ones follow each other, up to the end or to one that is not whole yet. The first
 * octet is believed with less: a segment mostly begins with an APDU. Null where there is no such place.
 */
export function startOfApdus(bytes: Uint8Array): number | null {
  for (let at = bytes.indexOf(START_OCTET); at >= 0; at = bytes.indexOf(START_OCTET, at + 1)) {
    const whole = wholeFrom(bytes, at);
    if (whole !== null && (whole > 0 || at === 0)) return at;
  }
  return null;
}

/** How many whole APDUs follow each other from a place; null where something else is among them. */
function wholeFrom(bytes: Uint8Array, from: number): number | null {
  let count = 0;
  for (let at = from; at < bytes.length; count++) {
    const length = bytes[at + 1];
    if (bytes[at] !== START_OCTET) return null;
    if (length === undefined) return count;
    if (length < LENGTH_FIELD.least || length > LENGTH_FIELD.most) return null;
    const end = at + 2 + length;
    if (end > bytes.length) return count;
    if (!isApdu(bytes.subarray(at, end))) return null;
    at = end;
  }
  return count;
}

function isApdu(bytes: Uint8Array): boolean {
  const apdu = decodeApdu(bytes);
  if (apdu.kind === 'fault') return false;
  return apdu.format !== 'I' || fittingSizes(bytes, APCI_LENGTH).length > 0;
}
