/**
 * Cuts what a master and its slaves say to each other into frames: requests and answers in one stream, without gaps that could be relied on
 * (MODBUS over Serial Line V1.02, 2.5.1). By length and checksum alone, so that the frames do not depend on how the stream was delivered.
 *
 * Behind a right checksum octets of 0 leave it right, so a frame and the same with octets of 0 behind it are right both: a request whose checksum has 0 as
 * its high octet is right one octet sooner as well, as an answer with one register. Where octets of 0 alone make the difference, the
 * frame is doubtful; otherwise the shortest reading is taken.
 */
import { concatBytes, u8 } from '../../../protocol-kit/bytes.ts';
import { CRC16_START, crc16, crc16Next } from '../../../protocol-kit/crc.ts';
import { decodeRequest } from '../codec/request.ts';
import { answerLength, LEAST_FRAME, MORE_NEEDED, MOST_FRAME, requestLength } from '../rtu/lengths.ts';

/** A frame with a right checksum, and what it can be by its octets alone. */
export interface OverheardFrame {
  readonly bytes: Uint8Array;
  readonly unitId: number;
  readonly pdu: Uint8Array;
  readonly canAsk: boolean;
  readonly canAnswer: boolean;
  /** True where octets of 0 at its end may not belong to it. */
  readonly isDoubtful: boolean;
  /** Place of its first octet in the stream, from 0. */
  readonly at: number;
}

export type OverheardItem =
  | { readonly kind: 'frame'; readonly frame: OverheardFrame }
  | { readonly kind: 'noise'; readonly bytes: Uint8Array; readonly at: number };

/** What finds frames in the octets of a line. */
export interface OverheardCutter {
  /** Octets that are no frame yet and may become one; bounded. */
  readonly buffered: number;
  /** Octets pushed so far. */
  readonly received: number;
  /** Takes octets in any pieces. */
  push(chunk: Uint8Array): readonly OverheardItem[];
  /** The line has been silent for so long that nothing that has begun goes on. Empty afterwards. */
  silence(): readonly OverheardItem[];
}

interface Reading {
  readonly length: number;
  readonly side: 'request' | 'answer';
}

type Verdict =
  | { readonly kind: 'frame'; readonly length: number; readonly frame: OverheardFrame }
  | { readonly kind: 'wait' | 'open' | 'none' };

const EMPTY = new Uint8Array(0);
const WAIT: Verdict = { kind: 'wait' };
const OPEN: Verdict = { kind: 'open' };
const NONE: Verdict = { kind: 'none' };

/** The cutter of Modbus RTU. */
export class OverheardRtu implements OverheardCutter {
  #rest: Uint8Array = EMPTY;
  #passed = 0;

  get buffered(): number {
    return this.#rest.length;
  }

  get received(): number {
    return this.#passed + this.#rest.length;
  }

  push(chunk: Uint8Array): readonly OverheardItem[] {
    return this.#cut(this.#rest.length === 0 ? chunk : concatBytes(this.#rest, chunk), false);
  }

  silence(): readonly OverheardItem[] {
    return this.#cut(this.#rest, true);
  }

  #cut(data: Uint8Array, isSilent: boolean): readonly OverheardItem[] {
    const items: OverheardItem[] = [];
    const passed = this.#passed;
    let from = 0;
    for (;;) {
      const found = find(data, from, { passed, isSilent });
      const noiseEnd = found.frame ? found.frame.at - passed : isSilent ? data.length : found.keepFrom;
      if (noiseEnd > from) items.push({ kind: 'noise', bytes: data.slice(from, noiseEnd), at: passed + from });
      if (!found.frame) {
        this.#rest = noiseEnd === data.length ? EMPTY : data.slice(noiseEnd);
        this.#passed = passed + noiseEnd;
        return items;
      }
      items.push({ kind: 'frame', frame: found.frame });
      from = noiseEnd + found.frame.bytes.length;
    }
  }
}

interface Place {
  readonly passed: number;
  readonly isSilent: boolean;
}

/** The first frame from `from` on; else from where on octets have to be kept. */
function find(data: Uint8Array, from: number, place: Place): { frame: OverheardFrame | null; keepFrom: number } {
  let firstOpen = data.length;
  for (let at = from; at < data.length; at++) {
    const verdict = judge(data, at, place);
    if (verdict.kind === 'frame') return { frame: verdict.frame, keepFrom: at };
    if (verdict.kind === 'none') continue;
    if (at < firstOpen) firstOpen = at;
    if (verdict.kind === 'wait') break;
  }
  return { frame: null, keepFrom: firstOpen };
}

function judge(data: Uint8Array, at: number, place: Place): Verdict {
  const { isSilent } = place;
  const left = data.length - at;
  const whole: Reading[] = [];
  /** The least length of what has begun and may still become a frame. */
  let begun: Reading | null = null;
  for (const side of ['request', 'answer'] as const) {
    const length = (side === 'request' ? requestLength : answerLength)(data, at, left);
    if (length === MORE_NEEDED) begun ??= { length: left + 1, side };
    if (length <= 0) continue;
    const reading = { length, side };
    if (!isPlausible(data, at, reading)) continue;
    if (length > left) begun = reading;
    else if (crc16(data, at, at + length) === 0) whole.push(reading);
  }
  const [shortest, other] = whole.sort((a, b) => a.length - b.length);
  if (!shortest) {
    if (begun) return isSilent ? NONE : WAIT;
    return isOfUser(data, at) ? byChecksum(data, at, place) : NONE;
  }
  const end = at + shortest.length;
  // a longer one is right as well when nothing but octets of 0 follows
  if (begun && !isSilent && begun.length - shortest.length <= 2 && areZero(data, end, data.length)) return WAIT;
  if (other && other.length > shortest.length && other.length - shortest.length <= 2 && areZero(data, end, at + other.length)) {
    return frameAt(data, at, { ...place, length: other.length, sides: ['request', 'answer'], isDoubtful: true });
  }
  const sides = whole.filter(({ length }) => length === shortest.length).map(({ side }) => side);
  return frameAt(data, at, { ...place, length: shortest.length, sides, isDoubtful: false });
}

/** The function codes that are left to makers (V1.1b3, 5.1); of others that are not known here no frames are looked for. */
function isOfUser(data: Uint8Array, at: number): boolean {
  const code = u8(data, at + 1);
  return (code >= 65 && code <= 72) || (code >= 100 && code <= 110);
}

/** A function without a known length: the checksum finds its end, unless a frame of a known one ends sooner behind its beginning. */
function byChecksum(data: Uint8Array, at: number, place: Place): Verdict {
  const most = Math.min(MOST_FRAME, data.length - at);
  let crc = CRC16_START;
  for (let length = 1; length <= most; length++) {
    crc = crc16Next(crc, u8(data, at + length - 1));
    if (crc !== 0 || length < LEAST_FRAME) continue;
    const inner = find(data.subarray(0, at + length - 1), at + 1, { ...place, isSilent: true });
    if (inner.frame) return NONE;
    return frameAt(data, at, { ...place, length, sides: ['request', 'answer'], isDoubtful: false });
  }
  return place.isSilent || most === MOST_FRAME ? NONE : OPEN;
}

interface Cut extends Place {
  readonly length: number;
  readonly sides: readonly Reading['side'][];
  readonly isDoubtful: boolean;
}

function frameAt(data: Uint8Array, at: number, { passed, length, sides, isDoubtful }: Cut): Verdict {
  const bytes = data.slice(at, at + length);
  const frame: OverheardFrame = {
    bytes,
    unitId: u8(bytes, 0),
    pdu: bytes.subarray(1, -2),
    canAsk: sides.includes('request'),
    canAnswer: sides.includes('answer'),
    isDoubtful,
    at: passed + at,
  };
  return { kind: 'frame', length, frame };
}

/** False for what nobody sends: an answer to all, a request for more than its function may ask. */
function isPlausible(data: Uint8Array, at: number, { length, side }: Reading): boolean {
  if (side === 'answer') return u8(data, at) !== 0;
  const end = at + length - 2;
  if (end > data.length) return true;
  return isRequest(data.subarray(at + 1, end));
}

/** True for a PDU that asks for what its function may ask for, by the standard. */
export function isRequest(pdu: Uint8Array): boolean {
  try {
    const request = decodeRequest(pdu);
    return !('quantity' in request && 'start' in request) || request.start + request.quantity <= 0x1_0000;
  } catch {
    return false;
  }
}

function areZero(data: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at < end; at++) if (data[at] !== 0) return false;
  return true;
}
