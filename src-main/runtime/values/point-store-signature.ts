import { FOLD } from './point-store-texts.ts';

/**
 * What a text consists of, as bits: a text can contain another only when it has all of its bits, which saves most of the
 * comparing when a large table is searched.
 */
export interface Signature {
  /** Pairs of neighbouring octets, spread over 64 bits. */
  readonly pairsLow: number;
  readonly pairsHigh: number;
  /** ASCII characters; letters and digits have a bit of their own. */
  readonly charsLow: number;
  readonly charsHigh: number;
}

/** Signature of the folded octets from `start` to `end`, end excluded. */
export function signatureOf(octets: Uint8Array, start: number, end: number): Signature {
  let pairsLow = 0;
  let pairsHigh = 0;
  let charsLow = 0;
  let charsHigh = 0;
  let before = -1;
  for (let i = start; i < end; i++) {
    const octet = FOLD[octets[i] as number] as number;
    if (octet >= 0x40 && octet < 0x80) charsLow |= 1 << (octet & 0x1f);
    else if (octet >= 0x20 && octet < 0x40) charsHigh |= 1 << (octet & 0x1f);
    if (before >= 0) {
      const bit = (Math.imul(before, 0x9e37_79b1) ^ Math.imul(octet, 0x85eb_ca6b)) >>> 26;
      if (bit < 32) pairsLow |= 1 << bit;
      else pairsHigh |= 1 << (bit - 32);
    }
    before = octet;
  }
  return { pairsLow, pairsHigh, charsLow, charsHigh };
}

/** True for folded octets that share their bit with no other: lower-case letters and digits. */
export function isExact(octet: number): boolean {
  return (octet >= 0x61 && octet <= 0x7a) || (octet >= 0x30 && octet <= 0x39);
}
