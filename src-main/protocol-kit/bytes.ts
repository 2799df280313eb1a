/**
 * Reading and writing of numbers in octets, high octet first. Positions outside the array read as 0 and write nothing:
 * callers check lengths before.
 */

/** Unsigned 8-bit number at `at`. */
export function u8(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

/** Unsigned 16-bit number at `at`, high octet first. */
export function u16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

/** Writes the low 16 bits of `value` at `at`, high octet first. */
export function putU16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = (value >>> 8) & 0xff;
  bytes[at + 1] = value & 0xff;
}

/** New array with the octets of all parts, in order. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Octets as people write them: upper-case hex with spaces, `44 9A`. */
export function hexText(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at++) {
    if (at > 0) text += ' ';
    text += (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, '0');
  }
  return text;
}
