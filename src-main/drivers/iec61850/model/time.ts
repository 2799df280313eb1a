/** Times of MMS as UTC milliseconds (IEC 61850-8-1, 8.1.3.6 and 8.1.3.7). */
import type { MmsValue } from '../mms/types.ts';

const MS_PER_DAY = 86_400_000;
/** 1984-01-01, from which binary time counts its days. */
const BINARY_TIME_ZERO = Date.UTC(1984, 0, 1);
const FRACTION = 0x100_0000;

/** UTC milliseconds of a time; null for one that was never set (all zero) and for anything that is no time. */
export function utcMs(value: MmsValue | null): number | null {
  if (value?.kind === 'utc-time') return fromUtcTime(value.octets);
  return value?.kind === 'binary-time' && value.octets.length === 6 ? fromBinaryTime(value.octets) : null;
}

function fromUtcTime(octets: Uint8Array): number | null {
  const seconds = uint(octets, 0, 4);
  const fraction = uint(octets, 4, 3);
  if (seconds === 0 && fraction === 0) return null;
  return seconds * 1000 + Math.round((fraction * 1000) / FRACTION);
}

function fromBinaryTime(octets: Uint8Array): number | null {
  const [ms, days] = [uint(octets, 0, 4), uint(octets, 4, 2)];
  return ms === 0 && days === 0 ? null : BINARY_TIME_ZERO + days * MS_PER_DAY + ms;
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

function uint(octets: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = at; index < at + length; index++) value = value * 256 + (octets[index] ?? 0);
  return value;
}
