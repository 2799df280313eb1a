/** Times of MMS as UTC milliseconds (IEC 61850-8-1, 8.1.3.6 and 8.1.3.7). */
import type { QualityFlag } from '#shared/domain/enums.ts';
import type { MmsValue } from '../mms/types.ts';

const MS_PER_DAY = 86_400_000;
/** 1984-01-01, from which binary time counts its days. */
const BINARY_TIME_ZERO = Date.UTC(1984, 0, 1);
const FRACTION = 0x100_0000;
/** 10 bits of the fraction are exact. */
const MILLISECONDS = 0x0a;

/** UTC milliseconds of a time; null for one that was never set (all zero) and for anything that is no time. */
export function utcMs(value: MmsValue | null): number | null {
  if (value?.kind === 'utc-time') return fromUtcTime(value.octets);
  return value?.kind === 'binary-time' && value.octets.length === 6 ? fromBinaryTime(value.octets) : null;
}

function fromUtcTime(octets: Uint8Array): number | null {
  const seconds = word(octets, 0);
  const fraction = word(octets, 4) >>> 8;
  if (seconds === 0 && fraction === 0) return null;
  return seconds * 1000 + Math.round((fraction * 1000) / FRACTION);
}

function fromBinaryTime(octets: Uint8Array): number | null {
  const ms = word(octets, 0);
  const days = word(octets, 4) >>> 16;
  return ms === 0 && days === 0 ? null : BINARY_TIME_ZERO + days * MS_PER_DAY + ms;
}

/** What a device says of the clock behind a time. */
export interface TimeQuality {
  readonly flags: readonly QualityFlag[];
  /** Bits of the fraction of a second that are exact; null where it is unspecified (31) or no number of bits (25 to 30). */
  readonly accuracy: number | null;
}

const MOST_ACCURATE = 24;
/** Bits of the quality of a time (IEC 61850-8-1, 8.1.3.7). */
const CLOCK_FLAGS: readonly (readonly [bit: number, flag: QualityFlag])[] = [
  [0x80, 'leap_second_known'],
  [0x40, 'clock_failure'],
  [0x20, 'clock_not_synchronised'],
];
/** All there are, by the octet. */
const TIME_QUALITIES: readonly TimeQuality[] = Array.from({ length: 256 }, (_, octet) => {
  const flags = CLOCK_FLAGS.filter(([bit]) => (octet & bit) !== 0).map(([, flag]) => flag);
  return { flags, accuracy: (octet & 0x1f) <= MOST_ACCURATE ? octet & 0x1f : null };
});

/** Quality of a UTC time; null for other values and for a time that was never set and says nothing (all zero). */
export function timeQuality(value: MmsValue | null): TimeQuality | null {
  if (value?.kind !== 'utc-time') return null;
  const quality = value.octets[7] ?? 0;
  const isUnset = quality === 0 && fromUtcTime(value.octets) === null;
  return isUnset ? null : (TIME_QUALITIES[quality] ?? null);
}

/** The octet of these flags and an accuracy of milliseconds (10 bits). */
export function timeQualityOctet(flags: readonly QualityFlag[]): number {
  return CLOCK_FLAGS.reduce((octet, [bit, flag]) => (flags.includes(flag) ? octet | bit : octet), MILLISECONDS);
}

/** 6 octets of BinaryTime for UTC milliseconds. */
export function binaryTimeOctets(ms: number): Uint8Array {
  const octets = new Uint8Array(6);
  const view = new DataView(octets.buffer);
  const sinceZero = Math.max(0, ms - BINARY_TIME_ZERO);
  view.setUint32(0, sinceZero % MS_PER_DAY);
  view.setUint16(4, Math.floor(sinceZero / MS_PER_DAY));
  return octets;
}

/** Four octets as a number, the first one highest; those behind the end are 0. */
function word(octets: Uint8Array, at: number): number {
  const high = ((octets[at] ?? 0) << 8) | (octets[at + 1] ?? 0);
  return ((high << 16) | ((octets[at + 2] ?? 0) << 8) | (octets[at + 3] ?? 0)) >>> 0;
}
