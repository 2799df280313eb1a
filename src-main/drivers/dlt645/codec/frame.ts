/**
 * The frame of DL/T 645, the same in both editions: `68 A0..A5 68 C L DATA CS 16`, with FE octets in front that wake the receiver.
 * (DL/T 645-2007, 5: link layer.)
 */

/** Start of a frame, and once more behind the address. */
export const START = 0x68;
export const END = 0x16;
export const PREAMBLE = 0xfe;
/** Most data octets a frame may have: 200 for reads, 50 for writes. */
export const MOST_DATA = 200;
/** Octets of a frame beside its data. */
export const FRAME_OVERHEAD = 12;
/** Data octets are sent with this added, modulo 256. */
const OFFSET = 0x33;

/** One frame, with its data as it is meant: the offset of 33H is removed. */
export interface Dlt645Frame {
  /** Six octets as they travel, the lowest pair of digits first. */
  readonly address: Uint8Array;
  /** Control code as it stands: direction, error, more frames, function. */
  readonly control: number;
  readonly data: Uint8Array;
}

/** Sum of the octets `from` to `end` (excluded) modulo 256. */
export function checksum(bytes: Uint8Array, from: number, end: number): number {
  let sum = 0;
  for (let at = from; at < end; at++) sum += bytes[at] ?? 0;
  return sum & 0xff;
}

/** Octets of a frame with `preambles` FE octets in front. Data of more than 255 octets cannot be sent: RangeError. */
export function encodeFrame({ address, control, data }: Dlt645Frame, preambles = 0): Uint8Array {
  if (data.length > 255) throw new RangeError(`A frame carries 255 data octets at most, not ${data.length}.`);
  const bytes = new Uint8Array(preambles + FRAME_OVERHEAD + data.length);
  bytes.fill(PREAMBLE, 0, preambles);
  bytes[preambles] = START;
  bytes.set(address.subarray(0, 6), preambles + 1);
  bytes[preambles + 7] = START;
  bytes[preambles + 8] = control;
  bytes[preambles + 9] = data.length;
  for (let at = 0; at < data.length; at++) bytes[preambles + 10 + at] = ((data[at] ?? 0) + OFFSET) & 0xff;
  const checkAt = preambles + 10 + data.length;
  bytes[checkAt] = checksum(bytes, preambles, checkAt);
  bytes[checkAt + 1] = END;
  return bytes;
}

/** Data octets as they are meant, out of octets as they travel. */
export function withoutOffset(wire: Uint8Array): Uint8Array {
  return wire.map((octet) => (octet - OFFSET) & 0xff);
}

/**
 * What stands at `at`, where a 68 is: a frame with its end (excluded); `short` when more octets are needed to tell; otherwise why it is none.
 */
export type FrameCheck =
  | { readonly kind: 'frame'; readonly frame: Dlt645Frame; readonly end: number }
  | { readonly kind: 'short' }
  | { readonly kind: 'none'; readonly why: 'start' | 'length' | 'end' | 'checksum' };

/** Looks for a frame that begins at `at`. Only the length octet delimits it: 68, 16 and FE may stand anywhere inside. */
export function checkFrame(bytes: Uint8Array, at: number): FrameCheck {
  const left = bytes.length - at;
  if (left > 7 && bytes[at + 7] !== START) return { kind: 'none', why: 'start' };
  if (left < 10) return { kind: 'short' };
  const length = bytes[at + 9] ?? 0;
  if (length > MOST_DATA) return { kind: 'none', why: 'length' };
  const end = at + FRAME_OVERHEAD + length;
  if (bytes.length < end) return { kind: 'short' };
  if (bytes[end - 1] !== END) return { kind: 'none', why: 'end' };
  if (bytes[end - 2] !== checksum(bytes, at, end - 2)) return { kind: 'none', why: 'checksum' };
  const frame = {
    address: bytes.slice(at + 1, at + 7),
    control: bytes[at + 8] ?? 0,
    data: withoutOffset(bytes.subarray(at + 10, end - 2)),
  };
  return { kind: 'frame', frame, end };
}
