import type { CapturedRead, ConversationForm, ReadFinder } from '../../spi/capture.ts';
import { AnsweredReads } from '../link/read-answer.ts';
import { OverheardAscii } from '../overhear/ascii-frames.ts';
import { OverheardRtu } from '../overhear/frames.ts';
import { type HeardOnLine, OverheardLine } from '../overhear/line.ts';
import { Pairing } from '../overhear/pairing.ts';
import { AsciiFramer, asciiFraming } from './ascii.ts';
import { rtuFraming } from './framing.ts';
import type { LineFrame, LineFramer } from './line-framing.ts';

/** What an export calls a line of Modbus RTU: the dissector that Wireshark reads its frames with. */
export const RTU_LINE = 'mbrtu';
/** What an export calls a line of Modbus ASCII. */
export const ASCII_LINE = 'Modbus ASCII';

/** Nobody says how long the master of a capture waited. */
const ANSWER_MS = 1_000;
/** Gateways hold octets back in the middle of a frame; characters of an ASCII frame may be so far apart (V1.02, 2.5.2.1). */
const BROKEN_MS = 1_000;

/** How frames are written; the `framing` setting of a channel. */
type Framing = 'rtu' | 'ascii';

/** Finds the reads of a conversation that may be of Modbus RTU or ASCII; null for a line of another name. In a network nothing but the octets tells which one it is. */
export function capturedLineReads({ carrier, line }: ConversationForm): ReadFinder | null {
  if (carrier !== 'line') return new CapturedSocketReads();
  if (line === RTU_LINE) return new CapturedLineReads('rtu');
  return line === ASCII_LINE ? new CapturedLineReads('ascii') : null;
}

/**
 * The reads of a conversation of Modbus RTU or ASCII, over TCP or as frames of a line. Frames have no numbers, so a late or foreign answer is told from the right one as it is on a line that
 * is listened to; where the directions are not told, frames of both are told apart in the same way.
 */
export class CapturedLineReads implements ReadFinder {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly #line: OverheardLine;
  readonly #pairing = new Pairing(ANSWER_MS);
  readonly #sides: Readonly<Record<'device' | 'master', LineFramer>>;
  readonly #lastAt = { device: 0, master: 0 };
  readonly #answered = new AnsweredReads();
  #now = 0;

  constructor(framing: Framing) {
    const isAscii = framing === 'ascii';
    const { framer } = isAscii ? asciiFraming : rtuFraming;
    const cutter = isAscii ? new OverheardAscii(new AsciiFramer('request')) : new OverheardRtu();
    this.settings = isAscii ? { framing } : {};
    this.#line = new OverheardLine({ cutter, brokenMs: BROKEN_MS, answerMs: ANSWER_MS });
    this.#sides = { device: framer('request'), master: framer('answer') };
  }

  push(isToDevice: boolean | null, bytes: Uint8Array, atMs: number): readonly CapturedRead[] {
    // what stands behind a missing segment comes late; a line knows no way back in time
    this.#now = Math.max(this.#now, atMs);
    if (isToDevice === null) return this.#reads(this.#line.push(bytes, this.#now));
    const end = isToDevice ? 'device' : 'master';
    const framer = this.#sides[end];
    if (this.#now - this.#lastAt[end] > BROKEN_MS) framer.giveUp();
    this.#lastAt[end] = this.#now;
    return framer.push(bytes).flatMap((item) => {
      if (item.kind === 'frame') return this.#take(item, isToDevice);
      this.#pairing.noise(item.bytes.length);
      return [];
    });
  }

  /** Octets of a direction are missing, and with them what was asked or answered: what was asked so far is forgotten. */
  gap(isToDevice: boolean | null): void {
    if (isToDevice === null) {
      this.#line.passed(Number.POSITIVE_INFINITY);
      return;
    }
    this.#sides[isToDevice ? 'device' : 'master'].giveUp();
    this.#pairing.lost();
  }

  end(): readonly CapturedRead[] {
    return [...this.#reads(this.#line.passed(Number.POSITIVE_INFINITY)), ...this.#reads(this.#pairing.passed(Number.POSITIVE_INFINITY))];
  }

  #take({ bytes, unitId, pdu, side, at }: LineFrame, isToDevice: boolean): readonly CapturedRead[] {
    // the other side's frame in this direction is an echo
    if ((side === 'request') !== isToDevice) return [];
    const frame = { bytes, unitId, pdu, at, canAsk: isToDevice, canAnswer: !isToDevice, isDoubtful: false };
    return this.#reads(this.#pairing.take({ ...frame, startedAt: this.#now, endedAt: this.#now }));
  }

  #reads(heard: readonly HeardOnLine[]): readonly CapturedRead[] {
    return heard.flatMap((item) => {
      if (item.kind !== 'value') return [];
      const read = this.#answered.of(item.request.unitId, item.request.pdu, item.frame.pdu);
      return read.length > 0 ? [read] : [];
    });
  }
}

/**
 * The reads of a conversation over TCP, of RTU or ASCII: the first read that is found tells. Characters of an ASCII frame are no function of an RTU frame that reads, and octets
 * of an RTU frame are no line of hexadecimal characters between a colon and CR LF.
 */
class CapturedSocketReads implements ReadFinder {
  #ways: readonly CapturedLineReads[] = [new CapturedLineReads('rtu'), new CapturedLineReads('ascii')];

  get settings(): Readonly<Record<string, unknown>> {
    const [first] = this.#ways;
    return first && this.#ways.length === 1 ? first.settings : {};
  }

  push(isToDevice: boolean | null, bytes: Uint8Array, atMs: number): readonly CapturedRead[] {
    return this.#told((way) => way.push(isToDevice, bytes, atMs));
  }

  gap(isToDevice: boolean | null): void {
    for (const way of this.#ways) way.gap(isToDevice);
  }

  end(): readonly CapturedRead[] {
    return this.#told((way) => way.end());
  }

  #told(ask: (way: CapturedLineReads) => readonly CapturedRead[]): readonly CapturedRead[] {
    for (const way of this.#ways) {
      const reads = ask(way);
      if (reads.length === 0) continue;
      this.#ways = [way];
      return reads;
    }
    return [];
  }
}
