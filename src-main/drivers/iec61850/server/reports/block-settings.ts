/** Attributes of a report block that clients set, and the values that they may have (IEC 61850-7-2, 17.2). */
import type { MmsValue } from '../../mms/types.ts';
import { hasBit } from '../../model/quality.ts';
import { OPTION_BITS, TRIGGER } from '../../reports/bits.ts';

/** What only the device sets. */
export const READ_ONLY: ReadonlySet<string> = new Set(['ConfRev', 'SqNum', 'TimeofEntry', 'Owner']);
/** Settings whose change empties a buffer: its entries would no longer be what the block says. */
export const PURGING: ReadonlySet<string> = new Set(['RptID', 'DatSet', 'TrgOps', 'IntgPd', 'BufTm']);
const TRIGGER_BITS = 6;
/** A shorter period would be all that the line is busy with. */
const LEAST_INTEGRITY_MS = 100;
const MOST_INTEGRITY_MS = 86_400_000;
const MOST_BUFFER_MS = 3_600_000;

/** BufTm as it is kept to, whatever a file says. */
export function bufferTime(written: number): number {
  return Math.min(written, MOST_BUFFER_MS);
}

/** IntgPd as it is kept to; 0: none. */
export function integrityPeriod(written: number): number {
  return written === 0 ? 0 : Math.min(Math.max(written, LEAST_INTEGRITY_MS), MOST_INTEGRITY_MS);
}

/** False for a BufTm or IntgPd that would not be kept to. */
export function isWithinBounds(name: string, value: MmsValue): boolean {
  const number = numberOf(value);
  if (name === 'BufTm') return bufferTime(number) === number;
  return name !== 'IntgPd' || integrityPeriod(number) === number;
}

/** Bit strings in the length that the attribute has; what was left out is not set. */
export function normalized(name: string, value: MmsValue): MmsValue {
  const size = name === 'OptFlds' ? OPTION_BITS : name === 'TrgOps' ? TRIGGER_BITS : null;
  if (size === null || value.kind !== 'bit-string') return value;
  const octets = new Uint8Array(Math.ceil(size / 8));
  for (let bit = 0; bit < Math.min(size, value.size); bit++) {
    if (hasBit(value.octets, bit)) octets[bit >> 3] = (octets[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  }
  return { kind: 'bit-string', size, octets };
}

/** Bits `1 << TRIGGER` of the octets of TrgOps. */
export function triggerMask(octets: Uint8Array): number {
  return Object.values(TRIGGER).reduce((mask, bit) => (hasBit(octets, bit) ? mask | (1 << bit) : mask), 0);
}

/** False also for what is no boolean. */
export function isTrue(value: MmsValue): boolean {
  return value.kind === 'boolean' && value.value;
}

/** 0 for what is no whole number. */
export function numberOf(value: MmsValue): number {
  return value.kind === 'unsigned' || value.kind === 'integer' ? Number(value.value) : 0;
}
