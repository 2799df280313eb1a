/** Time tags as they stand on the wire (IEC 60870-5-101, 7.2.6.18 to 7.2.6.20). Fields are carried as they are, also impossible ones. */
import { expectRange } from './checks.ts';
import { putUintLe, u16le } from './octets.ts';

/** Three-octet time CP24Time2a: a place within the hour. */
export interface Cp24 {
  readonly kind: 'cp24';
  /** Milliseconds within the minute, 0 to 59999 (the field holds up to 65535). */
  readonly milliseconds: number;
  /** 0 to 59 (the field holds up to 63). */
  readonly minute: number;
  /** GEN, octet 3 bit 6: 0 genuine time, 1 substituted by the receiving end of a slower link. */
  readonly isSubstituted: boolean;
  /** IV, octet 3 bit 7. Says nothing about the value beside it. */
  readonly isInvalid: boolean;
}

/** Seven-octet time CP56Time2a: local or universal time without century and zone. */
export interface Cp56 {
  readonly kind: 'cp56';
  /** Milliseconds within the minute, 0 to 59999 (the field holds up to 65535). */
  readonly milliseconds: number;
  /** 0 to 59 (the field holds up to 63). */
  readonly minute: number;
  readonly isSubstituted: boolean;
  readonly isInvalid: boolean;
  /** 0 to 23 (the field holds up to 31). */
  readonly hour: number;
  /** SU, octet 4 bit 7: summer time. */
  readonly isSummerTime: boolean;
  /** Day of month, 1 to 31; 0 is impossible but may be sent. */
  readonly day: number;
  /** 1 Monday to 7 Sunday, 0 not used. */
  readonly dayOfWeek: number;
  /** 1 to 12 (the field holds up to 15). */
  readonly month: number;
  /** 0 to 99 (the field holds up to 127). */
  readonly year: number;
}

export type TimeTag = Cp24 | Cp56;

/** Octets of each time tag. */
export const TIME_TAG_LENGTH = { cp24: 3, cp56: 7 } as const;

/** Reads a CP24Time2a at `at`. */
export function decodeCp24(octets: Uint8Array, at: number): Cp24 {
  const third = octets[at + 2] ?? 0;
  return {
    kind: 'cp24',
    milliseconds: u16le(octets, at),
    minute: third & 0x3f,
    isSubstituted: (third & 0x40) !== 0,
    isInvalid: (third & 0x80) !== 0,
  };
}

/** Reads a CP56Time2a at `at`; reserved bits are dropped. */
export function decodeCp56(octets: Uint8Array, at: number): Cp56 {
  const third = octets[at + 2] ?? 0;
  const fourth = octets[at + 3] ?? 0;
  const fifth = octets[at + 4] ?? 0;
  return {
    kind: 'cp56',
    milliseconds: u16le(octets, at),
    minute: third & 0x3f,
    isSubstituted: (third & 0x40) !== 0,
    isInvalid: (third & 0x80) !== 0,
    hour: fourth & 0x1f,
    isSummerTime: (fourth & 0x80) !== 0,
    day: fifth & 0x1f,
    dayOfWeek: fifth >> 5,
    month: (octets[at + 5] ?? 0) & 0x0f,
    year: (octets[at + 6] ?? 0) & 0x7f,
  };
}

/** Writes a time tag at `at`, 3 or 7 octets. Throws PROTOCOL_MALFORMED for a number its field cannot hold. */
export function encodeTimeTag(tag: TimeTag, octets: Uint8Array, at: number): void {
  expectRange('millisecond of the time tag', tag.milliseconds, 0, 0xffff);
  expectRange('minute of the time tag', tag.minute, 0, 0x3f);
  putUintLe(octets, at, tag.milliseconds, 2);
  octets[at + 2] = tag.minute | (tag.isSubstituted ? 0x40 : 0) | (tag.isInvalid ? 0x80 : 0);
  if (tag.kind === 'cp24') return;
  expectRange('hour of the time tag', tag.hour, 0, 0x1f);
  expectRange('day of the time tag', tag.day, 0, 0x1f);
  expectRange('day of week of the time tag', tag.dayOfWeek, 0, 7);
  expectRange('month of the time tag', tag.month, 0, 0x0f);
  expectRange('year of the time tag', tag.year, 0, 0x7f);
  octets[at + 3] = tag.hour | (tag.isSummerTime ? 0x80 : 0);
  octets[at + 4] = tag.day | (tag.dayOfWeek << 5);
  octets[at + 5] = tag.month;
  octets[at + 6] = tag.year;
}
