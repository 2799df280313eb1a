/** Finds ASCII frames in a stream of characters: colon, two hexadecimal characters an octet, LRC, CR LF (MODBUS over Serial Line V1.02, 2.5.2). */
import { say } from '#shared/messages/index.ts';
import { concatBytes, u8 } from '../../../protocol-kit/bytes.ts';
import { characterMs } from '../client/line-time.ts';
import { EXCEPTION_BIT } from '../codec/functions.ts';
import { answerLength, requestLength } from './lengths.ts';
import type { Awaited, LineFrame, LineFramer, LineFraming, LineItem, LineNoise } from './line-framing.ts';

const COLON = 0x3a;
const CR = 0x0d;
const LF = 0x0a;
const EMPTY = new Uint8Array(0);
const HEX = '0123456789ABCDEF';
/** Colon, 255 octets of unit, PDU and LRC as two characters each, CR LF (2.5.2.1). */
const MOST_CHARACTERS = 513;
/** Octets of unit, function and LRC. */
const LEAST_CONTENT = 3;
/** `lengths.ts` counts a checksum of two octets, where the LRC is one. */
const RTU_EXTRA = 1;
/** Characters of a frame may be so far apart (2.5.2.1). */
const BROKEN_MS = 1000;

/** Two's complement of the sum of all octets (V1.02, 6.2.1). */
export function lrcOf(octets: Uint8Array): number {
  let sum = 0;
  for (const octet of octets) sum += octet;
  return -sum & 0xff;
}

/** Wraps a PDU of 1 to 253 octets. */
export function encodeAscii(unitId: number, pdu: Uint8Array): Uint8Array {
  const content = concatBytes(Uint8Array.of(unitId), pdu);
  const octets = concatBytes(content, Uint8Array.of(lrcOf(content)));
  const text = Array.from(octets, (octet) => `${HEX[octet >> 4]}${HEX[octet & 15]}`).join('');
  return Uint8Array.from(`:${text}\r\n`, (character) => character.charCodeAt(0));
}

/**
 * Unit, PDU and LRC of a whole frame; null where the octets are none. Nothing is said of the LRC. Small letters are taken as well, which
 * some devices send.
 */
export function asciiContent(frame: Uint8Array): Uint8Array | null {
  const count = frame.length - 3;
  if (count < 2 * LEAST_CONTENT || count % 2 !== 0 || frame.length > MOST_CHARACTERS) return null;
  if (frame[0] !== COLON || frame.at(-2) !== CR || frame.at(-1) !== LF) return null;
  const content = new Uint8Array(count / 2);
  for (let at = 0; at < content.length; at++) {
    const high = digitOf(u8(frame, 1 + 2 * at));
    const low = digitOf(u8(frame, 2 + 2 * at));
    if (high < 0 || low < 0) return null;
    content[at] = (high << 4) | low;
  }
  return content;
}

function digitOf(character: number): number {
  if (character >= 0x30 && character <= 0x39) return character - 0x30;
  const letter = character & ~0x20;
  return letter >= 0x41 && letter <= 0x46 ? letter - 0x37 : -1;
}

/** A colon begins a frame, whatever was before; CR LF ends it. */
export class AsciiFramer implements LineFramer {
  readonly #looksFor: LineFrame['side'];
  #awaited: Awaited | null = null;
  /** From the colon on; empty outside a frame. */
  #begun: Uint8Array = EMPTY;
  #isStale = false;
  /** Octets before those of `#begun`. */
  #passed = 0;

  constructor(looksFor: LineFrame['side']) {
    this.#looksFor = looksFor;
  }

  get buffered(): number {
    return this.#begun.length;
  }

  get isWaiting(): boolean {
    return this.#begun.length > 0 && !this.#isStale && this.#mayBeAwaited();
  }

  get received(): number {
    return this.#passed + this.#begun.length;
  }

  await(awaited: Awaited | null): void {
    this.#awaited = awaited;
  }

  push(chunk: Uint8Array): readonly LineItem[] {
    const data = concatBytes(this.#begun, chunk);
    const items: LineItem[] = [];
    const before = this.#begun.length;
    /** Where what is looked at begins, and whether that is a colon. */
    let from = 0;
    let isFrame = before > 0;
    for (let at = before; at < data.length; at++) {
      if (data[at] === COLON) {
        this.#discard(data, from, at, items);
        from = at;
        isFrame = true;
        this.#isStale = false;
      } else if (isFrame && isEnd(data, from, at)) {
        items.push(this.#whole(data.subarray(from, at + 1), this.#passed + from));
        from = at + 1;
        isFrame = false;
      } else if (isFrame && !mayGoOn(data, from, at)) isFrame = false;
    }
    if (!isFrame) this.#discard(data, from, data.length, items);
    this.#keep(data, isFrame ? from : data.length);
    return items;
  }

  markStale(): void {
    this.#isStale = this.#begun.length > 0;
  }

  giveUp(): Uint8Array {
    const given = this.#begun;
    this.#keep(given, given.length);
    return given;
  }

  #keep(data: Uint8Array, from: number): void {
    this.#passed += from;
    // a copy: an unfinished frame must not hold a whole chunk in memory
    this.#begun = from === data.length ? EMPTY : new Uint8Array(data.subarray(from));
    if (this.#begun.length === 0) this.#isStale = false;
  }

  #discard(data: Uint8Array, from: number, end: number, items: LineItem[]): void {
    if (end > from) items.push(noise(data.subarray(from, end), this.#passed + from, 'noise'));
  }

  #whole(bytes: Uint8Array, at: number): LineItem {
    const content = asciiContent(bytes);
    if (content === null) return noise(bytes, at, 'noise');
    if (lrcOf(content) !== 0) return noise(bytes, at, 'checksum');
    const side = sideOf(content, this.#looksFor);
    return { kind: 'frame', transactionId: null, side, unitId: u8(content, 0), pdu: content.subarray(1, -1), bytes, at };
  }

  /** True while what has begun can still become the awaited answer; where none is awaited, anything may come. */
  #mayBeAwaited(): boolean {
    const awaited = this.#awaited;
    if (!awaited) return true;
    const begun = this.#begun;
    const octet = (at: number) => (digitOf(u8(begun, 1 + 2 * at)) << 4) | digitOf(u8(begun, 2 + 2 * at));
    if (begun.length >= 3 && octet(0) !== awaited.unitId) return false;
    return begun.length < 5 || (octet(1) & ~EXCEPTION_BIT) === awaited.functionCode;
  }
}

/** True where `at` is the LF behind a CR. */
function isEnd(data: Uint8Array, from: number, at: number): boolean {
  return data[at] === LF && at > from + 1 && data[at - 1] === CR;
}

/** True where what stands at `at` may be part of a frame: a digit, or the CR in front of the end. */
function mayGoOn(data: Uint8Array, from: number, at: number): boolean {
  if (at - from >= MOST_CHARACTERS - 1 || data[at - 1] === CR) return false;
  return data[at] === CR || digitOf(u8(data, at)) >= 0;
}

/** Which way a frame travels, by its length; where it can be both or neither, what was looked for. */
function sideOf(content: Uint8Array, looksFor: LineFrame['side']): LineFrame['side'] {
  const length = content.length + RTU_EXTRA;
  const isRequest = requestLength(content, 0, content.length) === length;
  const isAnswer = answerLength(content, 0, content.length) === length;
  if (isRequest === isAnswer) return looksFor;
  return isRequest ? 'request' : 'answer';
}

function noise(bytes: Uint8Array, at: number, fault: LineNoise['fault']): LineNoise {
  const message = fault === 'checksum' ? say('exchange.bad_check') : say('modbus.fits_nothing', { count: bytes.length });
  return { kind: 'fault', code: 'FRAME_NOISE', message, bytes, isFatal: false, at, fault };
}

/** The framing of Modbus ASCII. */
export const asciiFraming: LineFraming = {
  bodyOf: (frame) => asciiContent(frame)?.subarray(0, -1) ?? null,
  encode: encodeAscii,
  framer: (looksFor) => new AsciiFramer(looksFor),
  octetsOf: (pduLength) => 3 + 2 * (pduLength + 2),
  leastOctets: 3 + 2 * LEAST_CONTENT,
  gapMs: characterMs,
  brokenMs: () => BROKEN_MS,
};
