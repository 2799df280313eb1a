/**
 * Reading and writing of numbers in octets, low octet first (IEC 60870-5-101, 7.2.1). Positions outside the array read as 0
 * and write nothing: callers check lengths before.
 */

const scratch = new DataView(new ArrayBuffer(4));

/** Unsigned 16-bit number at `at`. */
export function u16le(octets: Uint8Array, at: number): number {
  return (octets[at] ?? 0) | ((octets[at + 1] ?? 0) << 8);
}

/** Signed 16-bit number at `at`. */
export function s16le(octets: Uint8Array, at: number): number {
  return (u16le(octets, at) << 16) >> 16;
}

/** Signed 32-bit number at `at`. */
export function s32le(octets: Uint8Array, at: number): number {
  return u16le(octets, at) | (u16le(octets, at + 2) << 16);
}

/** Unsigned 32-bit number at `at`. */
export function u32le(octets: Uint8Array, at: number): number {
  return s32le(octets, at) >>> 0;
}

/** IEEE 754 single at `at`; NaN and infinities as they are. */
export function f32le(octets: Uint8Array, at: number): number {
  scratch.setInt32(0, s32le(octets, at), true);
  return scratch.getFloat32(0, true);
}

/** Unsigned number of 1 to 3 octets at `at`. */
export function uintLe(octets: Uint8Array, at: number, length: 1 | 2 | 3): number {
  if (length === 1) return octets[at] ?? 0;
  return length === 2 ? u16le(octets, at) : u16le(octets, at) | ((octets[at + 2] ?? 0) << 16);
}

/** Writes the low `length` octets of `value` at `at`. */
export function putUintLe(octets: Uint8Array, at: number, value: number, length: 1 | 2 | 3 | 4): void {
  for (let index = 0; index < length; index++) octets[at + index] = (value >>> (8 * index)) & 0xff;
}

/** Writes an IEEE 754 single at `at`. */
export function putF32le(octets: Uint8Array, at: number, value: number): void {
  scratch.setFloat32(0, value, true);
  putUintLe(octets, at, scratch.getInt32(0, true), 4);
}
