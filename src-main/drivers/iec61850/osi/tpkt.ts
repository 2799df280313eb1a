/** TPKT: the frames that carry ISO transport over TCP (RFC 1006, 6). */

import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { putU16, u16 } from '../../../protocol-kit/bytes.ts';

/** Octets before the payload: version 3, reserved, total length. */
export const TPKT_HEADER = 4;
const VERSION = 3;
/** The header and the shortest TPDU. */
const LEAST_LENGTH = 7;
/** Octets of the longest TPKT, header included. */
export const MOST_LENGTH = 65_535;

/** A whole TPKT; `bytes` may be a view of what was pushed. */
export interface Tpkt {
  readonly kind: 'tpkt';
  readonly bytes: Uint8Array;
}

/** Octets that are no TPKT: where the next one starts cannot be known, so the connection has to be closed. */
export interface TpktFault {
  readonly kind: 'fault';
  readonly code: 'FRAME_NOISE' | 'FRAME_LENGTH';
  /** What was wrong, and what would be right. */
  readonly said: Message;
  readonly bytes: Uint8Array;
}

/** The payload with its header. The payload is at most 65531 octets. */
export function encodeTpkt(...parts: readonly Uint8Array[]): Uint8Array {
  let length = TPKT_HEADER;
  for (const part of parts) length += part.length;
  // a Buffer of the pool: a socket takes it as it is
  const bytes = Buffer.allocUnsafe(length);
  bytes[0] = VERSION;
  bytes[1] = 0;
  putU16(bytes, 2, length);
  let at = TPKT_HEADER;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** What is behind the header of a whole TPKT, as a view. */
export function tpktPayload(tpkt: Uint8Array): Uint8Array {
  return tpkt.subarray(TPKT_HEADER);
}

/** Incremental framer: any chunk sizes, no timer, holds at most one unfinished TPKT. After a fault everything is a fault. */
export class TpktFramer {
  /** The unfinished TPKT: as much room as its header says, or as a header needs. */
  #partial = new Uint8Array(0);
  #filled = 0;
  #isBroken = false;

  /** Octets of a TPKT that is not complete yet. */
  get buffered(): number {
    return this.#filled;
  }

  /** Takes the next octets; returns what they complete, in order. The chunk must not change afterwards. */
  push(chunk: Uint8Array): readonly (Tpkt | TpktFault)[] {
    const items: (Tpkt | TpktFault)[] = [];
    let at = 0;
    while (at < chunk.length && !this.#isBroken) {
      if (this.#filled > 0) {
        at += this.#complete(chunk, at, items);
        continue;
      }
      const rest = chunk.subarray(at);
      const fault = checkHeader(rest);
      if (fault) this.#break(fault, items);
      else if (rest.length < TPKT_HEADER || rest.length < u16(rest, 2)) {
        // a copy: the unfinished TPKT must not hold a whole chunk in memory
        this.#begin(rest);
        at = chunk.length;
      } else {
        const length = u16(rest, 2);
        items.push({ kind: 'tpkt', bytes: rest.subarray(0, length) });
        at += length;
      }
    }
    if (this.#isBroken && items.length === 0 && chunk.length > 0) {
      items.push({ kind: 'fault', code: 'FRAME_NOISE', said: say('osi.tpkt_behind'), bytes: chunk });
    }
    return items;
  }

  #begin(rest: Uint8Array): void {
    this.#partial = new Uint8Array(rest.length < TPKT_HEADER ? TPKT_HEADER : u16(rest, 2));
    this.#partial.set(rest);
    this.#filled = rest.length;
  }

  /** Adds octets to the unfinished TPKT; answers how many were taken. */
  #complete(chunk: Uint8Array, at: number, items: (Tpkt | TpktFault)[]): number {
    const taken = Math.min(this.#partial.length - this.#filled, chunk.length - at);
    this.#partial.set(chunk.subarray(at, at + taken), this.#filled);
    this.#filled += taken;
    const header = this.#partial.subarray(0, this.#filled);
    const fault = checkHeader(header);
    if (fault) this.#break({ ...fault, bytes: Uint8Array.from([...header, ...chunk.subarray(at + taken)]) }, items);
    else if (this.#filled === TPKT_HEADER && u16(header, 2) > TPKT_HEADER) this.#begin(header);
    else if (this.#filled === this.#partial.length) {
      items.push({ kind: 'tpkt', bytes: this.#partial });
      this.#filled = 0;
    }
    return taken;
  }

  #break(fault: TpktFault, items: (Tpkt | TpktFault)[]): void {
    this.#isBroken = true;
    this.#filled = 0;
    items.push(fault);
  }
}

/** What is wrong with the octets that are there of a header; null when nothing is. */
function checkHeader(bytes: Uint8Array): TpktFault | null {
  const version = bytes[0] ?? VERSION;
  if (version !== VERSION) {
    return { kind: 'fault', code: 'FRAME_NOISE', said: say('osi.tpkt_version', { version, right: VERSION }), bytes };
  }
  if (bytes.length < TPKT_HEADER || u16(bytes, 2) >= LEAST_LENGTH) return null;
  const said = say('osi.tpkt_length', { length: u16(bytes, 2), least: LEAST_LENGTH, most: MOST_LENGTH });
  return { kind: 'fault', code: 'FRAME_LENGTH', said, bytes };
}
