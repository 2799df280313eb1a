/** Cuts a TCP stream into APDUs by start and length octet (IEC 60870-5-104, 5). */
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import { type Apdu, type ApduFault, decodeApdu, fault, hexOctet, LENGTH_FIELD, START_OCTET } from './apci.ts';

const EMPTY = new Uint8Array(0);

/**
 * Incremental framer: bounded buffer (below 255 octets), no timer, any chunk sizes. A wrong start octet or length is a fatal fault, and
 * all further octets are faults: 104 has no checksum, so a place to start again cannot be known, and the connection is closed.
 */
export class ApduFramer {
  #rest: Uint8Array = EMPTY;
  #broken = false;

  /** Octets of an APDU that is not complete yet, 0 to 254. */
  get buffered(): number {
    return this.#rest.length;
  }

  /** Takes the next octets; returns the frames and faults they complete, in order. The chunk must not change afterwards. */
  push(chunk: Uint8Array): readonly (Apdu | ApduFault)[] {
    const data = this.#rest.length === 0 ? chunk : concatBytes(this.#rest, chunk);
    const items: (Apdu | ApduFault)[] = [];
    let at = 0;
    while (!this.#broken && at < data.length) {
      const problem = checkStart(data, at);
      if (problem !== null) {
        this.#broken = true;
        items.push(fault(problem.code, problem.said, data.subarray(at), true));
        at = data.length;
        break;
      }
      const end = at + 2 + (data[at + 1] ?? LENGTH_FIELD.most);
      if (end > data.length) break;
      const item = decodeApdu(data.subarray(at, end));
      items.push(item);
      at = end;
      if (item.kind === 'fault' && item.isFatal) this.#broken = true;
    }
    if (this.#broken && at < data.length) {
      items.push(fault('FRAME_NOISE', say('iec104frame.not_trusted'), data.subarray(at), true));
      at = data.length;
    }
    // a copy: the unfinished frame must not hold a whole chunk in memory
    this.#rest = at === data.length ? EMPTY : new Uint8Array(data.subarray(at));
    return items;
  }
}

/** What is wrong with the octets that are there of start and length; null when nothing is. */
function checkStart(data: Uint8Array, at: number): { code: 'FRAME_NOISE' | 'FRAME_LENGTH'; said: Message } | null {
  const start = data[at] ?? 0;
  if (start !== START_OCTET) {
    return { code: 'FRAME_NOISE', said: say('iec104frame.start_octet', { octet: hexOctet(start), right: hexOctet(START_OCTET) }) };
  }
  const length = data[at + 1];
  if (length !== undefined && (length < LENGTH_FIELD.least || length > LENGTH_FIELD.most)) {
    return { code: 'FRAME_LENGTH', said: say('iec104frame.length_octet', { length, ...LENGTH_FIELD }) };
  }
  return null;
}
