/**
 * The MBAP frame: transaction id, protocol id 0, length of what follows, unit id, PDU; all numbers high octet first
 * (MODBUS Messaging on TCP/IP Implementation Guide V1.0b, 3.1.3).
 */

import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { concatBytes, putU16, u8, u16 } from '../../../protocol-kit/bytes.ts';
import { MAX_PDU_LENGTH } from '../codec/functions.ts';
import type { Framer, FramerFault, FramerItem, Framing } from './framer.ts';

/** Transaction id, protocol id and length; the length counts what stands behind these octets. */
const PREFIX_LENGTH = 6;
/** The MBAP header with the unit id. */
export const MBAP_LENGTH = 7;
/** Least and most the length field may say: unit id and function code, unit id and the longest PDU. */
export const LENGTH_FIELD = { least: 2, most: 1 + MAX_PDU_LENGTH } as const;

/** Registers hold small numbers more often than those around this one, so what they hold looks like the header of an answer less often. */
const FIRST_OF_MANY = 0xa001;

/** Transaction ids this near to the awaited one start a new frame after an unfinished one was given up. */
const RESYNC_WINDOW = 256;
/** The same where many are outstanding: so many requests may have gone out before a late answer comes. */
const WINDOW_OF_MANY = 2048;
const PAGE = 256;

const EMPTY = new Uint8Array(0);

/** Wraps a PDU (1 to 253 octets). */
export function encodeMbap(transactionId: number, unitId: number, pdu: Uint8Array): Uint8Array {
  // a Buffer of the pool: a socket takes it as it is
  const bytes = Buffer.allocUnsafe(MBAP_LENGTH + pdu.length);
  putU16(bytes, 0, transactionId);
  putU16(bytes, 2, 0);
  putU16(bytes, 4, pdu.length + 1);
  bytes[6] = unitId;
  bytes.set(pdu, MBAP_LENGTH);
  return bytes;
}

/** Finds MBAP frames by their length field. A protocol id other than 0 or a length outside 2 to 254 is a fatal fault. */
export class MbapFramer implements Framer {
  #rest: Uint8Array = EMPTY;
  /** Octets still missing of a frame that was given up. */
  #owed = 0;
  #nextTransactionId = 0;
  /** Transaction id of the latest request; null before one was named. */
  #asked: number | null = null;
  #broken = false;
  readonly #hasMany: boolean;
  /** Ids before the latest one that an answer may still bear. */
  readonly #reach: number;

  constructor(hasMany = false) {
    this.#hasMany = hasMany;
    this.#reach = hasMany ? WINDOW_OF_MANY : RESYNC_WINDOW;
  }

  get unfinishedId(): number | null {
    return this.#rest.length < 2 || this.#owed > 0 ? null : u16(this.#rest, 0);
  }

  get buffered(): number {
    return this.#rest.length;
  }

  asked(transactionId: number): void {
    this.#asked = transactionId;
  }

  push(chunk: Uint8Array): readonly FramerItem[] {
    const unfinished = this.#owed > 0 ? 0 : this.#rest.length;
    const data = this.#rest.length === 0 ? chunk : concatBytes(this.#rest, chunk);
    const items: FramerItem[] = [];
    let at = 0;
    if (unfinished > 0 && !this.#broken && this.#isAnswer(chunk, 0) && !this.#goesOn(data, chunk)) {
      this.#broken = true;
      items.push(fault('FRAME_LENGTH', say('modbus.frame_over_frame'), data, true));
      at = data.length;
    }
    while (!this.#broken && data.length - at >= PREFIX_LENGTH) {
      if (this.#owed > 0) {
        const skipped = this.#skipOwed(data, at);
        if (skipped > 0) items.push(lateRest(data.subarray(at, at + skipped)));
        at += skipped;
        continue;
      }
      const problem = checkPrefix(data, at);
      if (problem !== null) {
        this.#broken = true;
        items.push(fault('FRAME_LENGTH', problem, data.subarray(at), true));
        at = data.length;
        break;
      }
      const end = at + PREFIX_LENGTH + u16(data, at + 4);
      if (end > data.length) break;
      if (this.#asked !== null && at < unfinished && end < data.length && !this.#mayFollow(data, end)) {
        this.#broken = true;
        items.push(fault('FRAME_LENGTH', say('modbus.pieces_no_answer'), data.subarray(at), true));
        at = data.length;
        break;
      }
      items.push({
        kind: 'frame',
        transactionId: u16(data, at),
        unitId: u8(data, at + 6),
        pdu: data.subarray(at + MBAP_LENGTH, end),
        bytes: data.subarray(at, end),
      });
      at = end;
    }
    if (this.#broken && at < data.length) {
      items.push(fault('FRAME_NOISE', say('modbus.behind_distrust'), data.subarray(at), true));
      at = data.length;
    }
    // a copy: the unfinished frame must not hold a whole chunk in memory
    this.#rest = at === data.length ? EMPTY : new Uint8Array(data.subarray(at));
    return items;
  }

  giveUp(nextTransactionId: number): Uint8Array {
    const given = this.#rest;
    this.#rest = EMPTY;
    this.#nextTransactionId = nextTransactionId;
    if (this.#owed > 0) this.#owed = Math.max(0, this.#owed - given.length);
    else if (given.length >= PREFIX_LENGTH) this.#owed = PREFIX_LENGTH + u16(given, 4) - given.length;
    return given;
  }

  /** True when an answer may begin behind one that came in pieces. Where several are awaited, its header may still be cut off. */
  #mayFollow(data: Uint8Array, at: number): boolean {
    return data.length - at >= PREFIX_LENGTH || !this.#hasMany ? this.#isAnswer(data, at) : this.#mayBegin(data, at);
  }

  /** True where the octets that are there are the beginning of the header of an answer to one of the latest requests. */
  #mayBegin(data: Uint8Array, at: number): boolean {
    const asked = this.#asked ?? 0;
    const [high, low, ...rest] = data.subarray(at);
    if (low === undefined)
      return Array.from({ length: 1 + this.#reach / PAGE }, (_, page) => (asked - page * PAGE) & 0xffff).some((id) => id >> 8 === high);
    if (((asked - (((high ?? 0) << 8) | low)) & 0xffff) >= this.#reach) return false;
    return rest.every((octet) => octet === 0);
  }

  /**
   * Where several answers are awaited, octets of one that comes in pieces may look like the header of another. They are taken for its rest where
   * answers follow each other that way and not the other.
   */
  #goesOn(data: Uint8Array, chunk: Uint8Array): boolean {
    return this.#hasMany && this.#isChain(data) && !this.#isChain(chunk);
  }

  /** True when the octets are answers, one behind the other, of which the last one may be cut off. */
  #isChain(data: Uint8Array): boolean {
    let at = 0;
    while (data.length - at >= PREFIX_LENGTH) {
      if (!this.#isAnswer(data, at)) return false;
      at += PREFIX_LENGTH + u16(data, at + 4);
    }
    return at >= data.length || this.#mayBegin(data, at);
  }

  /** True when an answer to one of the latest requests may begin at `at`. */
  #isAnswer(data: Uint8Array, at: number): boolean {
    const length = data.length - at;
    if (this.#asked === null || length < PREFIX_LENGTH) return false;
    return ((this.#asked - u16(data, at)) & 0xffff) < this.#reach && checkPrefix(data, at) === null;
  }

  /** How many octets at `at` belong to the frame that was given up; 0 when a new frame starts there. */
  #skipOwed(data: Uint8Array, at: number): number {
    const distance = (u16(data, at) - this.#nextTransactionId + RESYNC_WINDOW) & 0xffff;
    if (distance <= 2 * RESYNC_WINDOW && checkPrefix(data, at) === null) {
      this.#owed = 0;
      return 0;
    }
    const skipped = Math.min(this.#owed, data.length - at);
    this.#owed -= skipped;
    return skipped;
  }
}

/** The framing of Modbus TCP. */
export const mbapFraming: Framing = {
  firstOfMany: FIRST_OF_MANY,
  encode: encodeMbap,
  framer: (hasMany) => new MbapFramer(hasMany),
};

/** What is wrong with the prefix at `at`; null when nothing is. */
function checkPrefix(data: Uint8Array, at: number): Message | null {
  const protocolId = u16(data, at + 2);
  if (protocolId !== 0) return say('modbus.protocol_id', { id: protocolId });
  const length = u16(data, at + 4);
  if (length < LENGTH_FIELD.least || length > LENGTH_FIELD.most) {
    return say('modbus.mbap_length', { length, least: LENGTH_FIELD.least, most: LENGTH_FIELD.most });
  }
  return null;
}

function lateRest(bytes: Uint8Array): FramerFault {
  return fault('FRAME_NOISE', say('modbus.rest_of_frame'), bytes, false);
}

function fault(code: FramerFault['code'], message: Message, bytes: Uint8Array, isFatal: boolean): FramerFault {
  return { kind: 'fault', code, message, bytes, isFatal };
}
