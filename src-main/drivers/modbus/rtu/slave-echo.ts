import type { EchoState } from './local-echo.ts';
import type { RtuTiming } from './timing.ts';

const EMPTY = new Uint8Array(0);
/** A write and its answer are the same octets: an echo would be carried out and answered without end. So often in a row, then one is skipped. */
const LOOPS = 50;
/** Adapters hold octets back for up to so long. */
const LUMP_MS = 16;

/**
 * The local echo on the side of a slave: our answers come back to us. It is learnt from answers that cannot be requests; once it is known,
 * the octets of every answer are left out when they come back.
 */
export class SlaveEcho {
  readonly #timing: RtuTiming;
  readonly #isFixed: boolean;
  #isKnown: boolean;
  #sent: Uint8Array = EMPTY;
  #sentEnd = Number.NEGATIVE_INFINITY;
  #matched = 0;
  #loops = 0;

  constructor(timing: RtuTiming, echo: EchoState) {
    this.#timing = timing;
    this.#isFixed = echo !== 'unknown';
    this.#isKnown = echo === 'yes';
  }

  /** An answer goes out; all of it has left the line at `end`. */
  sent(answer: Uint8Array, end: number): void {
    this.#sent = answer;
    this.#sentEnd = end;
    this.#matched = 0;
  }

  /** Received octets without the echo of the last answer, where there is one. */
  take(chunk: Uint8Array, now: number): Uint8Array {
    if (!this.#isKnown || this.#matched >= this.#sent.length || now > this.#latest) return chunk;
    let at = 0;
    while (at < chunk.length && this.#matched < this.#sent.length && chunk[at] === this.#sent[this.#matched]) {
      at += 1;
      this.#matched += 1;
    }
    // something else came: no more of the echo is looked for
    if (at < chunk.length && this.#matched < this.#sent.length) this.#matched = this.#sent.length;
    return chunk.subarray(at);
  }

  /** True for an answer found on the line that is our own. */
  isOwn(answer: Uint8Array, now: number): boolean {
    const isOwn = this.#isLikeSent(answer) && this.#isEchoTime(now);
    if (isOwn && !this.#isFixed) this.#isKnown = true;
    return isOwn;
  }

  /** True for the one of many requests in a row that is left out, because they may be our own answers going round. */
  breaksLoop(request: Uint8Array, now: number): boolean {
    const isLike = !this.#isFixed && this.#isLikeSent(request) && this.#isEchoTime(now);
    this.#loops = isLike ? (this.#loops + 1) % LOOPS : 0;
    return isLike && this.#loops === 0;
  }

  #isLikeSent(frame: Uint8Array): boolean {
    return frame.length === this.#sent.length && frame.every((octet, at) => octet === this.#sent[at]);
  }

  /** An echo is whole when the answer has left the line, not before. */
  #isEchoTime(now: number): boolean {
    return now >= this.#sentEnd - this.#timing.octetMs / 2 && now <= this.#latest;
  }

  get #latest(): number {
    return this.#sentEnd + this.#timing.gapMs + LUMP_MS;
  }
}
