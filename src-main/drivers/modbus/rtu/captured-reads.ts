import type { CapturedRead, ReadFinder } from '../../spi/capture.ts';
import { AnsweredReads } from '../link/read-answer.ts';
import { OverheardRtu } from '../overhear/frames.ts';
import { type HeardOnLine, OverheardLine } from '../overhear/line.ts';
import { Pairing } from '../overhear/pairing.ts';
import { RtuFramer } from './framing.ts';
import type { LineFrame } from './line-framing.ts';

/** Nobody says how long the master of a capture waited. */
const ANSWER_MS = 1_000;
/** Gateways hold octets back in the middle of a frame. */
const BROKEN_MS = 1_000;

/**
 * The reads of a conversation of Modbus RTU, over TCP or as frames of a line. Frames have no numbers, so a late or foreign answer is told from the right one as it is on a line that
 * is listened to; where the directions are not told, frames of both are told apart in the same way.
 */
export class CapturedRtuReads implements ReadFinder {
  readonly #line = new OverheardLine({ cutter: new OverheardRtu(), brokenMs: BROKEN_MS, answerMs: ANSWER_MS });
  readonly #pairing = new Pairing(ANSWER_MS);
  readonly #sides = { device: new RtuFramer('request'), master: new RtuFramer('answer') };
  readonly #lastAt = { device: 0, master: 0 };
  readonly #answered = new AnsweredReads();
  #now = 0;

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

  gap(isToDevice: boolean | null): void {
    if (isToDevice === null) this.#line.passed(Number.POSITIVE_INFINITY);
    else this.#sides[isToDevice ? 'device' : 'master'].giveUp();
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
