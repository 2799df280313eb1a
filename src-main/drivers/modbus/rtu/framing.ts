/** Finds RTU frames in a stream of octets by length and checksum, never by silence: USB adapters deliver in lumps. */
import { say } from '#shared/messages/index.ts';
import { concatBytes, u8 } from '../../../protocol-kit/bytes.ts';
import { CRC16_START, crc16, crc16Next } from '../../../protocol-kit/crc.ts';
import { silentGapMs } from '../client/line-time.ts';
import { EXCEPTION_BIT } from '../codec/functions.ts';
import {
  answerLength,
  EXCEPTION_FRAME,
  FRAME_OVERHEAD,
  LEAST_FRAME,
  MORE_NEEDED,
  MOST_FRAME,
  NO_FRAME,
  requestLength,
  UNKNOWN_FUNCTION,
} from './lengths.ts';
import type { Awaited, LineFrame, LineFramer, LineFraming, LineItem, LineNoise } from './line-framing.ts';

const EMPTY = new Uint8Array(0);
/** Octets of a read, and of a write of one coil or register. */
const REQUEST_FRAME = 8;
/** Adapters and gateways hold octets back in the middle of a frame. */
const BROKEN_MS = 200;

/** What can begin at a place: a frame; one that wants more octets and is waited for; one that may come and is not waited for; none. */
type Verdict = FrameVerdict | { readonly kind: 'wait' | 'open' | 'none' };
interface FrameVerdict {
  readonly kind: 'frame';
  readonly length: number;
  readonly side: LineFrame['side'];
  /** True where no length is known and the checksum alone found the end. */
  readonly isByChecksum?: true;
}

/** A place of the stream with what begins there, and from where on octets have to be kept. */
interface Found {
  readonly at: number;
  readonly verdict: Verdict;
  readonly keepFrom: number;
}

const WAIT: Verdict = { kind: 'wait' };
const OPEN: Verdict = { kind: 'open' };
const NONE: Verdict = { kind: 'none' };

/** Wraps a PDU of 1 to 253 octets. */
export function encodeRtu(unitId: number, pdu: Uint8Array): Uint8Array {
  const frame = new Uint8Array(pdu.length + FRAME_OVERHEAD);
  frame[0] = unitId;
  frame.set(pdu, 1);
  const crc = crc16(frame, 0, frame.length - 2);
  frame[frame.length - 2] = crc & 0xff;
  frame[frame.length - 1] = crc >>> 8;
  return frame;
}

/**
 * Incremental and bounded: what cannot become a frame is noise at once, octet by octet, and no frame is longer than 256. `looksFor` is
 * the side of the line that is listened to; frames of the other side are found as well, since a bus carries both.
 */
export class RtuFramer implements LineFramer {
  readonly #looksFor: LineFrame['side'];
  #awaited: Awaited | null = null;
  #isWaiting = false;
  #rest: Uint8Array = EMPTY;
  /** Octets before what is in `#rest`. */
  #passed = 0;
  /** Beginnings within the first so many octets of `#rest` hold back nothing any more. */
  #stale = 0;
  /** An answer found last, which is a request as well should one octet more follow it; empty where there is none. */
  #shorter: Uint8Array = EMPTY;

  constructor(looksFor: LineFrame['side']) {
    this.#looksFor = looksFor;
  }

  /** Octets that are no frame yet and may become one. */
  get buffered(): number {
    return this.#rest.length;
  }

  /** True when what is buffered is the beginning of a frame that is waited for, from its first octet on. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  /** Octets pushed so far. */
  get received(): number {
    return this.#passed + this.#rest.length;
  }

  /** Who is waited for; null lets any frame hold back what follows until it is complete or refuted. */
  await(awaited: Awaited | null): void {
    this.#awaited = awaited;
  }

  /** Takes the next octets; returns the frames and the noise they complete, in order. The chunk must not change afterwards. */
  push(chunk: Uint8Array): readonly LineItem[] {
    const data = this.#rest.length === 0 ? chunk : concatBytes(this.#rest, chunk);
    const items: LineItem[] = [];
    let from = this.#lengthened(data, items);
    for (;;) {
      const { at, verdict, keepFrom } = this.#find(data, from);
      const noiseEnd = verdict.kind === 'frame' ? at : keepFrom;
      if (noiseEnd > from) items.push(noise(data.subarray(from, noiseEnd), this.#passed + from));
      if (verdict.kind !== 'frame') {
        this.#keep(data, noiseEnd);
        this.#isWaiting = verdict.kind === 'wait' && noiseEnd === at;
        return items;
      }
      const end = at + verdict.length;
      items.push(frameOf(data.subarray(at, end), verdict.side, this.#passed + at));
      const isAtEnd = this.#looksFor === 'request' && verdict.side === 'answer' && end === data.length;
      if (isAtEnd && requestLength(data, at, verdict.length) === verdict.length + 1) this.#shorter = data.slice(at, end);
      from = end;
    }
  }

  /** What is buffered has been waiting for too long to hold anything back; should it be completed all the same, it is still taken. */
  markStale(): void {
    this.#stale = this.#rest.length;
    this.#shorter = EMPTY;
  }

  /** Gives up what is buffered and returns it. */
  giveUp(): Uint8Array {
    const given = this.#rest;
    this.#keep(given, given.length);
    this.#isWaiting = false;
    return given;
  }

  /**
   * The answer that was found last becomes the request it also is when its last octet, 0, follows in a chunk of its own. Answers how many
   * octets of `data` that takes.
   */
  #lengthened(data: Uint8Array, items: LineItem[]): number {
    const shorter = this.#shorter;
    if (shorter.length === 0 || data.length === 0) return 0;
    this.#shorter = EMPTY;
    if (data[0] !== 0) return 0;
    items.push(frameOf(concatBytes(shorter, data.subarray(0, 1)), 'request', this.#passed - shorter.length));
    return 1;
  }

  #keep(data: Uint8Array, from: number): void {
    this.#passed += from;
    this.#stale = Math.max(0, this.#stale - from);
    // a copy: an unfinished frame must not hold a whole chunk in memory
    this.#rest = from === data.length ? EMPTY : new Uint8Array(data.subarray(from));
  }

  /** The first frame from `from` on that nothing before it holds back; else from where on octets have to be kept. */
  #find(data: Uint8Array, from: number): Found {
    let firstOpen = data.length;
    for (let at = from; at < data.length; at++) {
      const verdict = this.#judge(data, at);
      if (verdict.kind === 'frame') return this.#sooner(data, at, verdict) ?? { at, verdict, keepFrom: at };
      if (verdict.kind === 'wait' && at >= this.#stale) return { at, verdict, keepFrom: Math.min(firstOpen, at) };
      if (verdict.kind !== 'none' && at < firstOpen) firstOpen = at;
    }
    return { at: data.length, verdict: NONE, keepFrom: firstOpen };
  }

  /**
   * What the checksum alone took for a frame holds back nothing while it is coming: a frame inside it that ends sooner is the one, however the
   * stream is cut.
   */
  #sooner(data: Uint8Array, at: number, verdict: FrameVerdict): Found | null {
    if (!verdict.isByChecksum) return null;
    const found = this.#find(data.subarray(0, at + verdict.length - 1), at + 1);
    return found.verdict.kind === 'frame' ? found : null;
  }

  #judge(data: Uint8Array, at: number): Verdict {
    const left = data.length - at;
    const answer = this.#judgeLength(data, at, answerLength(data, at, left), 'answer');
    const request = this.#judgeLength(data, at, requestLength(data, at, left), 'request');
    if (request.kind === 'frame' && answer.kind === 'frame') return this.#better(data, at, request, answer);
    if (request.kind === 'frame') return this.#mayBecomeAnswer(data, at, left) ? WAIT : request;
    if (answer.kind === 'frame') return answer;
    if (request.kind === 'none' && answer.kind === 'none') return NONE;
    if (this.#awaited) return this.#mayBeAwaited(data, at, left) ? WAIT : OPEN;
    return request.kind === 'wait' || answer.kind === 'wait' ? WAIT : OPEN;
  }

  #judgeLength(data: Uint8Array, at: number, length: number, side: LineFrame['side']): Verdict {
    const left = data.length - at;
    if (length === NO_FRAME) return NONE;
    if (length === MORE_NEEDED) return WAIT;
    if (length === UNKNOWN_FUNCTION) return side === this.#looksFor && side === 'request' ? byChecksum(data, at, side) : NONE;
    if (left < length) return WAIT;
    return crc16(data, at, at + length) === 0 ? { kind: 'frame', length, side } : NONE;
  }

  /** Two frames begin here, because behind a right checksum octets of 0 leave it right. */
  #better(data: Uint8Array, at: number, request: FrameVerdict, answer: FrameVerdict): Verdict {
    if (this.#looksFor === 'request') return request;
    const isBeginning = answer.length > request.length;
    return isBeginning && !this.#mayBecomeAnswer(data, at, request.length) ? request : answer;
  }

  /**
   * Behind a right checksum octets of 0 leave it right, so a request may be the beginning of an answer: of the one that is awaited, or of one
   * with two registers, which is an octet longer than a request.
   */
  #mayBecomeAnswer(data: Uint8Array, at: number, left: number): boolean {
    if (this.#looksFor === 'request' || at < this.#stale) return false;
    return this.#mayBeAwaited(data, at, left) || (left === REQUEST_FRAME && answerLength(data, at, left) === left + 1);
  }

  /** True while what begins at `at` can still become the awaited answer. */
  #mayBeAwaited(data: Uint8Array, at: number, left: number): boolean {
    const awaited = this.#awaited;
    if (!awaited || u8(data, at) !== awaited.unitId) return false;
    if (left < 2) return true;
    const functionCode = u8(data, at + 1);
    if (functionCode === (awaited.functionCode | EXCEPTION_BIT)) return left < EXCEPTION_FRAME;
    if (functionCode !== awaited.functionCode) return false;
    const length = answerLength(data, at, left);
    if (length === MORE_NEEDED) return true;
    return length > left && (awaited.frameLength === null || length === awaited.frameLength);
  }
}

function frameOf(bytes: Uint8Array, side: LineFrame['side'], at: number): LineFrame {
  return { kind: 'frame', transactionId: null, side, unitId: u8(bytes, 0), pdu: bytes.subarray(1, -2), bytes, at };
}

/** The framing of Modbus RTU. */
export const rtuFraming: LineFraming = {
  bodyOf: (frame) => (frame.length < LEAST_FRAME ? null : frame.subarray(0, -2)),
  encode: encodeRtu,
  framer: (looksFor) => new RtuFramer(looksFor),
  octetsOf: (pduLength) => pduLength + FRAME_OVERHEAD,
  leastOctets: LEAST_FRAME,
  gapMs: silentGapMs,
  brokenMs: (format) => Math.max(BROKEN_MS, 2 * silentGapMs(format)),
};

/** A function that is not known has no known length: the checksum finds its end (it is answered with exception 1). */
function byChecksum(data: Uint8Array, at: number, side: LineFrame['side']): Verdict {
  const most = Math.min(MOST_FRAME, data.length - at);
  let crc = CRC16_START;
  for (let length = 1; length <= most; length++) {
    crc = crc16Next(crc, u8(data, at + length - 1));
    if (crc === 0 && length >= LEAST_FRAME) return { kind: 'frame', length, side, isByChecksum: true };
  }
  return most < MOST_FRAME ? OPEN : NONE;
}

function noise(bytes: Uint8Array, at: number): LineNoise {
  return {
    kind: 'fault',
    code: 'FRAME_NOISE',
    message: say('modbus.fits_nothing', { count: bytes.length }),
    bytes,
    isFatal: false,
    at,
    fault: 'noise',
  };
}
