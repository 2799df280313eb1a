/** Packed BCD, low octet first. */

import { english, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { unscaledInteger } from '../../../protocol-kit/scaling.ts';

const PLAIN = { mul_coe: 1, add_coe: 0 } as const;

/** Octets that are not what their format says: a nibble above 9, a wrong number of octets. `said` says which, `message` in English. */
export class BadValue extends Error {
  readonly said: Message;

  constructor(said: Message) {
    super(english(said));
    this.name = 'BadValue';
    this.said = said;
  }
}

/** True when every octet is FF: no such phase, or no data. */
export function isAllFf(bytes: Uint8Array): boolean {
  return bytes.length > 0 && bytes.every((octet) => octet === 0xff);
}

/** Decimal digits, the highest first. Throws `BadValue` for a nibble above 9. */
export function bcdDigits(bytes: Uint8Array): string {
  let text = '';
  for (let at = bytes.length - 1; at >= 0; at--) {
    const octet = bytes[at] ?? 0;
    if (octet >> 4 > 9 || (octet & 15) > 9) {
      throw new BadValue(say('dlt645frame.no_digits', { octet: octet.toString(16).toUpperCase().padStart(2, '0') }));
    }
    text += String(octet >> 4) + String(octet & 15);
  }
  return text;
}

/** Octets of digits, low octet first; an even number of digits. */
export function encodeBcd(digits: string): Uint8Array {
  const bytes = new Uint8Array(digits.length / 2);
  for (let at = 0; at < bytes.length; at++) {
    const from = digits.length - 2 * at - 2;
    bytes[at] = Number.parseInt(digits.slice(from, from + 2), 16);
  }
  return bytes;
}

/** A number as its octets carry it. */
export interface BcdNumber {
  /** With the decimal point set. */
  readonly value: number;
  /** The digits as an integer, without the point. */
  readonly integer: number;
  /** As it is written: `-12.50`, leading zeros of the integer part left out. */
  readonly text: string;
}

/** A number of packed BCD; `isSigned` takes the top bit of the highest octet as its sign. Throws `BadValue`. */
export function decodeNumber(bytes: Uint8Array, decimals: number, isSigned: boolean): BcdNumber {
  const top = bytes.at(-1) ?? 0;
  const isNegative = isSigned && (top & 0x80) !== 0;
  let octets = bytes;
  if (isNegative) {
    octets = bytes.slice();
    octets[octets.length - 1] = top & 0x7f;
  }
  const digits = bcdDigits(octets);
  const magnitude = Number(digits);
  const sign = isNegative && magnitude !== 0 ? '-' : '';
  const point = digits.length - decimals;
  const whole = digits.slice(0, point).replace(/^0+(?=\d)/, '') || '0';
  const text = sign + whole + (decimals > 0 ? `.${digits.slice(point)}` : '');
  return { value: Number(text), integer: sign === '' ? magnitude : -magnitude, text };
}

/** Octets of a number in `size` octets, rounded to its last digit. Throws RangeError when it does not fit. */
export function encodeNumber(value: number, size: number, decimals: number, isSigned: boolean): Uint8Array {
  const integer = Number.isFinite(value) ? unscaledInteger(PLAIN, Math.abs(value), decimals) : 0n;
  const isNegative = value < 0 && integer > 0;
  const most = (isSigned ? 8 : 10) * 10 ** (2 * size - 1) - 1;
  if (!Number.isFinite(value) || integer > most || (isNegative && !isSigned)) {
    const least = isSigned ? `-${most / 10 ** decimals}` : '0';
    throw new RangeError(`${value} does not fit: ${least} to ${most / 10 ** decimals} would.`);
  }
  const bytes = encodeBcd(String(integer).padStart(2 * size, '0'));
  if (isNegative) bytes[size - 1] = (bytes[size - 1] ?? 0) | 0x80;
  return bytes;
}
