/** What a driver answers for a point: a value, or why there is none. */
import type { QualityFlag } from '#shared/domain/enums.ts';
import type { AppError } from '#shared/domain/errors.ts';
import type { Message } from '#shared/messages/message.ts';

/** Why a device sent a value: number and words of its protocol (IEC 104 cause of transmission, IEC 61850 reason for inclusion). */
export interface ReadingCause {
  /** 0 or more. */
  readonly code: number;
  readonly name: string;
}

/**
 * What a protocol tells beside value, quality and time. A field that the protocol does not tell is left out. Readings with the same detail
 * share one object where they can: the table then packs it once.
 */
export interface ReadingDetail {
  readonly cause?: ReadingCause | undefined;
  /** P/N of IEC 104: the device says no to what was asked. */
  readonly negative?: boolean | undefined;
  /** Sequence number of a counter reading, 0 to 31 (IEC 60870-5-101, 7.2.6.9). */
  readonly sequence?: number | undefined;
  /** CA: the counter was adjusted since it was read last. */
  readonly adjusted?: boolean | undefined;
  /** CY: the counter overflowed in the period. */
  readonly carry?: boolean | undefined;
  /** The device's time as it wrote it, where it is no valid one; `sourceTime` is null then. */
  readonly sourceTimeText?: string | undefined;
  /** Bits of the fraction of a second that are exact, 0 to 24 (IEC 61850-7-2, TimeAccuracy). */
  readonly timeAccuracy?: number | undefined;
}

/** One way to read octets as a number. */
export interface OctetReading {
  /** Decode code that reads them so. */
  readonly decode: string;
  /** The whole `protocol` object of the point under which they are read so; left out: that of the point as it is. */
  readonly protocol?: Readonly<Record<string, unknown>>;
  /** The number, before factor and offset; NaN and infinities as they are. A bigint for an integer beyond 2^53. Null: they are words and no number. */
  readonly value: number | bigint | null;
  /** Words in place of the number. Left out: none. */
  readonly text?: string;
}

/**
 * A value as it was taken from the device. Factor, offset, `reverse` and what follows from them are the business of the table
 * (runtime/values/engineering-value.ts), once and for every protocol.
 */
export interface PointValue {
  readonly kind: 'value';
  readonly pointId: number;
  /** The number of the device; NaN and infinities as they came, a bigint for an integer beyond 2^53. Null: it sent no number, but text or nothing. */
  readonly value: number | bigint | null;
  /**
   * What kind of number it is. Left out: a quantity, to which factor and offset apply. `state`: off 0, on 1, intermediate 2, bad 3 or another
   * state that has no unit. `written`: the engineering value of a write that was taken, to which nothing applies any more.
   */
  readonly form?: 'state' | 'written' | undefined;
  /** Power of ten that the device gives with the number: the quantity is `value` × 10^`exponent`. Left out: 0. */
  readonly exponent?: number | undefined;
  /** Words of the protocol that a number cannot say: of an enumeration, a string, a time. Empty otherwise. */
  readonly valueText: string;
  /** What stands behind the engineering value in its text, where both belong together: the time of a maximum demand. Then `valueText` is empty. */
  readonly textBehind?: string | undefined;
  /** Octets the value came from, as they arrived. */
  readonly raw: Uint8Array;
  readonly quality: 'good' | 'invalid';
  /** Why it is invalid, where that has to be told. */
  readonly remark?: Message | undefined;
  readonly flags: readonly QualityFlag[];
  /** Time tag of the device, UTC milliseconds since 1970; null where it gives none. */
  readonly sourceTime: number | null;
  readonly detail?: ReadingDetail | undefined;
}

/**
 * A point that was asked for and has no value. `DEVICE_*` codes make the point `invalid`, all others `stale`.
 */
export interface PointFailure {
  readonly kind: 'failure';
  readonly pointId: number;
  readonly error: AppError;
}

export type PointReading = PointValue | PointFailure;
