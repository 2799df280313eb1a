/** UTC time as MMS carries it (IEC 61850-8-1, 8.1.3.7): seconds since 1970, fraction in 2^-24, quality of time. */

const FRACTIONS = 2 ** 24;
/** Milliseconds: 10 bits of the fraction are valid. */
const MILLISECONDS = 0x0a;

/** Octets of a time, rounded to the nearest fraction; `quality` says 10 valid bits unless given. */
export function utcTimeOctets(utcMs: number, quality = MILLISECONDS): Uint8Array {
  const octets = new Uint8Array(8);
  const view = new DataView(octets.buffer);
  const seconds = Math.floor(utcMs / 1000);
  const fraction = Math.round(((utcMs - seconds * 1000) / 1000) * FRACTIONS);
  view.setUint32(0, seconds + Math.floor(fraction / FRACTIONS));
  view.setUint32(4, (fraction % FRACTIONS) * 256 + quality);
  return octets;
}
