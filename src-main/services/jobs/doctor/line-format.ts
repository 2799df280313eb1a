/**
 * What octets that form no frames tell about the settings of their sender. Pure, and about the line alone: start bit, data bits low first,
 * parity, stop bits. Real receivers differ in what they do with a character whose stop bit is missing: they drop it, replace it by a zero, or
 * pass it on; a guess is made only where the octets leave little doubt.
 */

/** What the sender seems to use: another parity, a lower baud rate, or nothing but a line that is held low. */
export type LineGuess =
  | { readonly kind: 'format'; readonly format: '8E1' | '8O1' | '7E1' | '7O1' }
  | { readonly kind: 'slower'; readonly baudRate: number }
  | { readonly kind: 'break' };

/** Rates that devices use. */
const RATES = [300, 600, 1200, 2400, 4800, 9600, 14_400, 19_200, 38_400, 57_600, 115_200];
/** A guess that random octets would lead to less than once in about a thousand. */
const LEAST_OCTETS = 10;
/** Bits of evidence for a lower rate. */
const LEAST_EVIDENCE = 16;
const LEAST_BREAK = 4;

/** The guess; null where the octets say nothing, as those of a sender with a higher rate. */
export function guessLine(octets: Uint8Array, set: { readonly baudRate: number; readonly parity: 'N' | 'E' | 'O' }): LineGuess | null {
  const present = octets.filter((octet) => octet !== 0);
  if (present.length === 0) return octets.length >= LEAST_BREAK ? { kind: 'break' } : null;
  return slowerSender(octets, set.baudRate) ?? (set.parity === 'N' ? parityOfSender(present) : null);
}

/**
 * Read without parity, the parity bit of the sender stands where the stop bit belongs. Characters with a 0 there are lost or become zeros,
 * so what is left has ones of one parity only: odd when the sender uses even parity, whose bit is then 1. With seven data bits the parity
 * bit is read as the eighth data bit, which makes all of them alike too, and the rest is text.
 */
function parityOfSender(present: Uint8Array): LineGuess | null {
  if (present.length < LEAST_OCTETS) return null;
  const odd = present.filter((octet) => onesIn(octet) % 2 === 1).length;
  if (odd !== 0 && odd !== present.length) return null;
  const isOdd = odd > 0;
  if (present.every((octet) => isTextual(octet & 0x7f))) return { kind: 'format', format: isOdd ? '7O1' : '7E1' };
  return { kind: 'format', format: isOdd ? '8E1' : '8O1' };
}

/**
 * A slower sender holds each of its bits over several of ours, so only some octets can appear. The rate that allows the fewest octets and
 * still all that were seen is the guess.
 */
function slowerSender(octets: Uint8Array, baudRate: number): LineGuess | null {
  let best: LineGuess | null = null;
  let fewest = 256;
  for (const rate of RATES) {
    const ratio = baudRate / rate;
    if (ratio < 1.4) break;
    const allowed = octetsOfSlower(ratio);
    if (allowed.size >= fewest || !octets.every((octet) => allowed.has(octet))) continue;
    if (octets.length * Math.log2(256 / allowed.size) < LEAST_EVIDENCE) continue;
    fewest = allowed.size;
    best = { kind: 'slower', baudRate: rate };
  }
  return best;
}

/** Octets that can be read when each bit of the sender lasts `ratio` of ours: our bit n, counted from the start bit, lies in its bit ⌊(n + ½) / ratio⌋. */
function octetsOfSlower(ratio: number): Set<number> {
  const places = Array.from({ length: 8 }, (_, bit) => Math.floor((bit + 1.5) / ratio));
  const allowed = new Set<number>();
  for (let octet = 0; octet < 256; octet++) {
    const fits = places.every((place, bit) => {
      const value = (octet >> bit) & 1;
      const first = places.indexOf(place);
      return place === 0 ? value === 0 : value === ((octet >> first) & 1);
    });
    if (fits) allowed.add(octet);
  }
  return allowed;
}

function onesIn(octet: number): number {
  let ones = 0;
  for (let rest = octet; rest > 0; rest >>= 1) ones += rest & 1;
  return ones;
}

function isTextual(code: number): boolean {
  return (code >= 0x20 && code < 0x7f) || code === 0x0d || code === 0x0a;
}
