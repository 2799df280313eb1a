/**
 * What the session needs of a framing. MBAP over TCP is one; RTU with length and checksum stands beside it.
 */

import type { ErrorCode } from '#shared/domain/errors.ts';
import type { Message } from '#shared/messages/message.ts';

/** One frame: unit id and PDU, as views of the octets that were pushed, valid as long as those are. */
export interface Adu {
  readonly kind: 'frame';
  /** Null where the framing carries none; an answer then belongs to the request under way. */
  readonly transactionId: number | null;
  readonly unitId: number;
  /** 1 to 253 octets. */
  readonly pdu: Uint8Array;
  /** The whole frame. */
  readonly bytes: Uint8Array;
}

/** Octets that were no frame. */
export interface FramerFault {
  readonly kind: 'fault';
  readonly code: Extract<ErrorCode, `FRAME_${string}`>;
  readonly message: Message;
  readonly bytes: Uint8Array;
  /** True when the place where the next frame starts is lost: the line has to be closed and opened anew. */
  readonly isFatal: boolean;
}

export type FramerItem = Adu | FramerFault;

/** Cuts a stream of octets into frames. Bounded buffer, no timer, any chunk sizes. After a fatal fault all further octets are faults. */
export interface Framer {
  /** Takes the next octets; returns the frames and faults they complete, in order. The chunk must not change afterwards. */
  push(chunk: Uint8Array): readonly FramerItem[];
  /**
   * Names the request that goes out. What completes an unfinished frame may be the beginning of another answer: a frame that came in pieces
   * is not used, and the place of the next one is lost, where octets behind its beginning begin another answer to one of the latest requests, or
   * where octets behind its end do not.
   */
  asked(transactionId: number): void;
  /** Octets of a frame that is not complete yet. */
  readonly buffered: number;
  /** Transaction id of that frame, as soon as it is there; null before, and where the framing has none. */
  readonly unfinishedId: number | null;
  /**
   * Gives up the unfinished frame, because its time ran out, and returns its octets. Should its rest still come, it is
   * reported as a fault that is not fatal; a frame with a transaction id near `nextTransactionId` is taken as new.
   */
  giveUp(nextTransactionId: number): Uint8Array;
}

/** A framing: how a PDU is wrapped, and how frames are found again. */
export interface Framing {
  /** First transaction id of a connection that keeps several requests outstanding. */
  readonly firstOfMany: number;
  /** Wraps a PDU of 1 to 253 octets; transaction id 0 to 65535 (ignored where the framing has none), unit id 0 to 255. */
  encode(transactionId: number, unitId: number, pdu: Uint8Array): Uint8Array;
  /** `hasMany`: answers may follow each other at once, because several requests are outstanding. */
  framer(hasMany?: boolean): Framer;
}
