/** The three number formats that measured values, set points and parameters share (IEC 60870-5-101, 7.2.6.6 to 7.2.6.8). */
import { say } from '#shared/messages/index.ts';
import { malformed } from '../../../protocol-kit/malformed.ts';
import { expectRange } from './checks.ts';
import { f32le, putF32le, putUintLe, s16le } from './octets.ts';

/** One number format. */
export interface NumberFormat {
  readonly length: 2 | 4;
  read(octets: Uint8Array, at: number): number;
  /** Throws PROTOCOL_MALFORMED for a number that the format cannot hold. */
  write(value: number, octets: Uint8Array, at: number): void;
}

const NORMALIZED_UNIT = 32_768;

/** NVA: 16 bits signed, value = raw / 32768. Written: the nearest raw value; 1 becomes the greatest, 32767/32768. */
export const normalizedNumber: NumberFormat = {
  length: 2,
  read: (octets, at) => s16le(octets, at) / NORMALIZED_UNIT,
  write(value, octets, at) {
    if (!(value >= -1 && value <= 1)) throw malformed(say('iec104.normalized_range', { value }));
    putUintLe(octets, at, Math.min(Math.round(value * NORMALIZED_UNIT), NORMALIZED_UNIT - 1), 2);
  },
};

/** SVA: 16 bits signed integer; scale and unit are agreed outside of the protocol. */
export const scaledNumber: NumberFormat = {
  length: 2,
  read: s16le,
  write(value, octets, at) {
    expectRange('scaled value', value, -32_768, 32_767);
    putUintLe(octets, at, value, 2);
  },
};

/** R32: IEEE 754 single; NaN and infinities are carried as they are, other numbers as the nearest single. */
export const floatNumber: NumberFormat = {
  length: 4,
  read: f32le,
  write(value, octets, at) {
    if (Number.isFinite(value) && !Number.isFinite(Math.fround(value))) {
      throw malformed(say('iec104.float_range', { value }));
    }
    putF32le(octets, at, value);
  },
};
