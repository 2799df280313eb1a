/** Meter addresses: twelve decimal digits, sent as BCD with the lowest pair first; AA stands for any pair. */

/** Address that every meter hears and none answers: clock and freeze (DL/T 645-2007, 5.2). */
export const BROADCAST = '999999999999';
/** Address of the only meter on a line, whatever its own is. */
export const ANY_METER = 'AAAAAAAAAAAA';

const WILDCARD = 0xaa;
const DIGITS = 12;
const ADDRESS_TEXT = /^(?:AA)*\d*$/;

/**
 * The twelve characters of a written address in upper case: digits, or pairs of `A` from the high end. Null when it is none: an odd
 * number of digits is not filled up, because a digit that is missing may be missing anywhere.
 */
export function parseAddress(text: string): string | null {
  const written = text.trim().toUpperCase();
  return written.length === DIGITS && ADDRESS_TEXT.test(written) ? written : null;
}

/** The address of a meter number, 0 to 999999999999, with zeros at the high end. */
export function addressOfNumber(meter: number): string {
  return String(meter).padStart(DIGITS, '0');
}

/** True when the address leaves pairs open. */
export function isWildcard(address: string): boolean {
  return address.includes('A');
}

/** Six octets as they travel, of twelve characters as `parseAddress` gives them. */
export function encodeAddress(address: string): Uint8Array {
  const bytes = new Uint8Array(6);
  for (let at = 0; at < 6; at++) bytes[5 - at] = Number.parseInt(address.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

/** Twelve characters of six octets as they travel; octets that are no digits show their hexadecimal digits. */
export function decodeAddress(bytes: Uint8Array): string {
  let text = '';
  for (let at = 5; at >= 0; at--) text += (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, '0');
  return text;
}

/** True when a meter with this address is meant by `asked`, octet by octet; AA means any. */
export function isMeant(asked: Uint8Array, meter: Uint8Array): boolean {
  for (let at = 0; at < 6; at++) if (asked[at] !== WILDCARD && asked[at] !== meter[at]) return false;
  return true;
}

/** True when an answer may come from the meter that was asked: its own address, or the wildcard come back as some meters send it. */
export function isAnswerAddress(asked: Uint8Array, answer: Uint8Array): boolean {
  return isMeant(asked, answer) || asked.every((octet, at) => octet === answer[at]);
}
