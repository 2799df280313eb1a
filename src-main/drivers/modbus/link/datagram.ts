/**
 * MBAP frames in datagrams, which devices call Modbus UDP. The guide knows TCP alone (MODBUS Messaging on TCP/IP V1.0b, 3.1); with datagrams the frame is the
 * same, and one datagram is one frame. Nothing is put together, so a wrong datagram spoils no other one.
 */

import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { u8, u16 } from '../../../protocol-kit/bytes.ts';
import { EXCEPTION_BIT } from '../codec/functions.ts';
import type { Framer, FramerItem, Framing } from './framer.ts';
import { checkPrefix, LENGTH_FIELD, MBAP_LENGTH, mbapFraming, PREFIX_LENGTH } from './mbap.ts';

/** A datagram is a frame, or a fault that is not fatal. */
class DatagramFramer implements Framer {
  readonly buffered = 0;
  readonly unfinishedId = null;
  readonly #takesRefusals: boolean;

  constructor(takesRefusals: boolean) {
    this.#takesRefusals = takesRefusals;
  }

  push(datagram: Uint8Array): readonly FramerItem[] {
    const problem = problemOf(datagram) ?? this.#refusalOf(datagram);
    if (problem) return [{ kind: 'fault', code: 'FRAME_LENGTH', message: problem, bytes: datagram, isFatal: false }];
    const pdu = datagram.subarray(MBAP_LENGTH);
    return [{ kind: 'frame', transactionId: u16(datagram, 0), unitId: u8(datagram, MBAP_LENGTH - 1), pdu, bytes: datagram }];
  }

  asked(): void {}

  giveUp(): Uint8Array {
    return NO_BYTES;
  }

  /** Two servers that answer each other's refusals, because somebody sent one in the name of the other, would never end. */
  #refusalOf(datagram: Uint8Array): Message | null {
    const isRefusal = (u8(datagram, MBAP_LENGTH) & EXCEPTION_BIT) !== 0;
    return isRefusal && !this.#takesRefusals ? say('modbus.datagram_answer') : null;
  }
}

const NO_BYTES = new Uint8Array(0);

/** What makes a datagram no frame; null when nothing does. */
function problemOf(datagram: Uint8Array): Message | null {
  if (datagram.length < PREFIX_LENGTH + LENGTH_FIELD.least) return say('modbus.datagram_short', { count: datagram.length });
  const problem = checkPrefix(datagram, 0);
  if (problem) return problem;
  const length = u16(datagram, 4);
  const count = datagram.length - PREFIX_LENGTH;
  return length === count ? null : say('modbus.datagram_length', { length, count });
}

/** Datagrams of a server, as a client takes them. */
export const answerDatagrams: Framing = { ...mbapFraming, framer: () => new DatagramFramer(true) };
/** Datagrams of clients, as a server takes them. */
export const requestDatagrams: Framing = { ...mbapFraming, framer: () => new DatagramFramer(false) };
