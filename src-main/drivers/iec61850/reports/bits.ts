/** Bits of report control blocks and reports (IEC 61850-7-2, 17.2; IEC 61850-8-1, 17.2.3): OptFlds, TrgOps, reasons for inclusion. */
import { type Names, names } from '#shared/messages/message.ts';
import type { MmsValue } from '../mms/types.ts';
import { hasBit } from '../model/quality.ts';

/** What a report carries beside values, by the bit of OptFlds; bit 0 is reserved. */
export const OPTION = {
  sequence_number: 1,
  time_stamp: 2,
  reason: 3,
  data_set: 4,
  data_reference: 5,
  buffer_overflow: 6,
  entry_id: 7,
  revision: 8,
  segmentation: 9,
} as const;
export type Option = keyof typeof OPTION;
export const OPTION_BITS = 10;

/** What makes a block send, by the bit of TrgOps; bit 0 is reserved. */
export const TRIGGER = {
  data_change: 1,
  quality_change: 2,
  data_update: 3,
  integrity: 4,
  general_interrogation: 5,
} as const;
export type Trigger = keyof typeof TRIGGER;

/** Names of the reasons for inclusion by their bit; one bit more than the triggers. */
const REASONS = [
  names('', ''),
  names('data-change', '数据变化'),
  names('quality-change', '品质变化'),
  names('data-update', '数据刷新'),
  names('integrity', '完整性周期'),
  names('general-interrogation', '总召唤'),
  names('application-trigger', '应用触发'),
] as const;
/** Lengths of a reason: editions differ by the application trigger. */
export const REASON_SIZES: ReadonlySet<number> = new Set([6, 7]);
const FIRST_REASON = 1;

/** Words of the bits that are set. */
export function wordsOf<Word extends string>(table: Readonly<Record<Word, number>>, octets: Uint8Array): Word[] {
  return (Object.keys(table) as Word[]).filter((word) => hasBit(octets, table[word]));
}

/** A bit string of `size` bits with these words. */
export function bitsOf<Word extends string>(table: Readonly<Record<Word, number>>, words: readonly Word[], size: number): MmsValue {
  const octets = new Uint8Array(Math.ceil(size / 8));
  for (const word of words) {
    const bit = table[word];
    octets[bit >> 3] = (octets[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  }
  return { kind: 'bit-string', size, octets };
}

/** Bits of every reason there is, by its octet. */
const REASON_BITS: readonly (readonly number[])[] = Array.from({ length: 256 }, (_, octet) =>
  REASONS.flatMap((_name, bit) => (bit >= FIRST_REASON && hasBit(Uint8Array.of(octet), bit) ? [bit] : [])),
);

/** Bits of a reason that are set, the lowest first; the same list for the same reason. */
export function reasonBits(octets: Uint8Array): readonly number[] {
  return REASON_BITS[octets[0] ?? 0] ?? [];
}

/** `data-change`, or several joined with `+`. */
export function reasonName(bits: readonly number[]): string {
  return bits.map((bit) => REASONS[bit]?.en ?? '').join('+');
}

/** Each reason once, in both languages. */
export function reasonNames(reasons: readonly (readonly number[])[]): Names[] {
  return [...new Set(reasons.flat())].flatMap((bit) => REASONS[bit] ?? []);
}

/** True where one of the reasons is a change, and not that everything is sent. */
export function isChange(bits: readonly number[]): boolean {
  return bits.some((bit) => bit !== TRIGGER.integrity && bit !== TRIGGER.general_interrogation);
}
