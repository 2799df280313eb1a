import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';

/** Octets of the longest block or packet that is read: what Wireshark allows as well. */
export const MOST_BLOCK = 16 * 1024 * 1024;

/** A packet that was read out of a capture. */
export interface ReadPacket {
  /** LINKTYPE of its interface (draft-ietf-opsawg-pcaplinktype). */
  readonly linkType: number;
  /** UTC, in nanoseconds since 1970; null where the file has none, as in a simple packet. */
  readonly timeNs: bigint | null;
  readonly bytes: Uint8Array;
  /** Octets that it had; more than `bytes` where it was cut. */
  readonly length: number;
  /** Direction at the interface that recorded; null: not told. */
  readonly direction: 'in' | 'out' | null;
  /** Packets that the recorder tells it lost in front of this one. */
  readonly dropped: number;
  readonly comments: readonly string[];
}

/** Takes each packet in the order of the file. */
export type PacketSink = (packet: ReadPacket) => void;

/** Octets of a file from a block on, and where they stand in it. */
export interface FileBlock {
  readonly bytes: Uint8Array;
  readonly at: number;
}

/** The octets as a view that reads numbers. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** `0A 0D 0D 0A`. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (octet) => octet.toString(16).padStart(2, '0').toUpperCase()).join(' ');
}

/** Refuses a length of the file that is outside of `least` to `most`; `at` is the octet where it stands. */
export function checkLength(length: number, at: number, least: number, most: number): void {
  if (length < least || length > most) throw new AppError('CONFIG_INVALID', say('capture.length', { length, at, least, most }));
}
