/** UTC and binary times as MMS carries them (IEC 61850-8-1, 8.1.3.6 and 8.1.3.7): seconds since 1970, fraction in 2^-24, quality of time; days since 1984. */

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

const DAY_MS = 86_400_000;
/** Binary time counts days from 1984-01-01 (ISO 9506-2, TimeOfDay). */
const FIRST_DAY_MS = 441_763_200_000;

/** Octets of a binary time with its day: milliseconds of the day, and days since 1984. Times before 1984 are its first moment. */
export function binaryTimeOctets(utcMs: number): Uint8Array {
  const since = Math.max(0, Math.floor(utcMs) - FIRST_DAY_MS);
  const octets = new Uint8Array(6);
  const view = new DataView(octets.buffer);
  view.setUint32(0, since % DAY_MS);
  view.setUint16(4, Math.floor(since / DAY_MS) % 0x1_0000);
  return octets;
}
