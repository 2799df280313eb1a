/** How PDUs travel on a line whose frames carry no number: RTU and ASCII (MODBUS over Serial Line V1.02, 2.5). */
import type { LineFormat, LineFrames } from '../client/line-time.ts';
import type { Adu, FramerFault } from '../link/framer.ts';

/** A frame with a right checksum. `side` is what it can be; where it can be both, what was looked for first. */
export interface LineFrame extends Adu {
  readonly transactionId: null;
  readonly side: 'request' | 'answer';
  /** Place of its first octet in the stream, counted from 0. */
  readonly at: number;
}

/** Octets that belong to no frame. */
export interface LineNoise extends FramerFault {
  readonly isFatal: false;
  readonly at: number;
  /** `checksum`: a whole frame but for its checksum, where the framing tells where a frame ends. */
  readonly fault: 'noise' | 'checksum';
}

export type LineItem = LineFrame | LineNoise;

/** The answer somebody waits for: while it is coming, nothing inside it is taken for a frame. */
export interface Awaited {
  readonly unitId: number;
  readonly functionCode: number;
  /** Length of its frame without exception; null where it is not known. */
  readonly frameLength: number | null;
}

/** Cuts the octets of a line into frames and noise, in any pieces. Bounded. */
export interface LineFramer {
  /** Octets that are no frame yet and may become one. */
  readonly buffered: number;
  /** True when what is buffered is the beginning of a frame that is waited for, from its first octet on. */
  readonly isWaiting: boolean;
  /** Octets pushed so far. */
  readonly received: number;
  /** Who is waited for; null lets any frame hold back what follows until it is complete or refuted. */
  await(awaited: Awaited | null): void;
  /** Takes the next octets; returns the frames and the noise they complete, in order. The chunk must not change afterwards. */
  push(chunk: Uint8Array): readonly LineItem[];
  /** What is buffered has been waiting for too long to hold anything back; should it be completed all the same, it is still taken. */
  markStale(): void;
  /** Gives up what is buffered and returns it. */
  giveUp(): Uint8Array;
}

export interface LineFraming extends LineFrames {
  /** Unit and PDU of a frame; null where the octets are none. The checksum is not looked at. */
  bodyOf(frame: Uint8Array): Uint8Array | null;
  /** Wraps a PDU of 1 to 253 octets. */
  encode(unitId: number, pdu: Uint8Array): Uint8Array;
  /** `looksFor` is the side of the line that is listened to; frames of the other side are found as well, since a bus carries both. */
  framer(looksFor: LineFrame['side']): LineFramer;
  /** Octets of the shortest frame. */
  readonly leastOctets: number;
  /** Silence inside a frame in milliseconds behind which the rest is not waited for. */
  brokenMs(format: LineFormat): number;
}
