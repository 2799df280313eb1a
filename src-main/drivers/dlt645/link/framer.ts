/** Frames out of a stream of octets: by length and checksum, byte by byte behind anything that is none. No timer, bounded. */
import { concatBytes } from '../../../protocol-kit/bytes.ts';
import { checkFrame, type Dlt645Frame, PREAMBLE, START } from '../codec/frame.ts';

/** A frame, with the octets it came in: preambles and all. */
export interface ReceivedFrame extends Dlt645Frame {
  readonly kind: 'frame';
  readonly bytes: Uint8Array;
}

/** Octets that are no frame; `checksum` when among them was one whose checksum or end is wrong. */
export interface Noise {
  readonly kind: 'noise';
  readonly bytes: Uint8Array;
  readonly fault: 'noise' | 'checksum';
}

export type FramerItem = ReceivedFrame | Noise;

const NO_BYTES = new Uint8Array(0);
/** Preambles that are kept for a frame to come; a line that sends FE for ever is noise. */
const MOST_PREAMBLES = 64;
/** Noise in front of a frame that has begun is told when there is so much of it. */
const MOST_LOOSE = 256;

/**
 * Takes octets in chunks of any size. A 68 that turns out to begin no frame costs one octet: the search goes on behind it, in the same
 * octets. What it holds between calls is bounded, because a frame is no longer than 212 octets.
 */
export class Dlt645Framer {
  #bytes: Uint8Array = NO_BYTES;
  /** Where a frame may begin; what lies before it belongs to nothing so far. */
  #at = 0;
  #fault: Noise['fault'] = 'noise';

  /** Octets that may still become a frame. */
  get buffered(): number {
    return this.#bytes.length - this.#at;
  }

  push(chunk: Uint8Array): FramerItem[] {
    this.#bytes = this.#bytes.length === 0 ? chunk : concatBytes(this.#bytes, chunk);
    const items: FramerItem[] = [];
    this.#search(items);
    // the chunk may be a view of a buffer that is used again
    this.#bytes = this.#bytes.slice();
    return items;
  }

  /**
   * The line is silent: what has begun will not be finished. Steps over its first octet and searches on, until nothing waits for more, so
   * that a frame behind a false start is found. The framer is empty afterwards.
   */
  silence(): FramerItem[] {
    const items: FramerItem[] = [];
    while (this.buffered > 0) {
      this.#at += 1;
      this.#search(items);
    }
    this.#tellNoise(items, this.#bytes.length);
    return items;
  }

  #search(items: FramerItem[]): void {
    for (;;) {
      this.#at = firstStart(this.#bytes, this.#at);
      if (this.#at === this.#bytes.length) {
        // preambles at the end may belong to a frame that comes
        this.#tellNoise(items, this.#at - Math.min(this.#preambles(), MOST_PREAMBLES));
        return;
      }
      const check = checkFrame(this.#bytes, this.#at);
      if (check.kind === 'short') {
        if (this.#at > MOST_LOOSE) this.#tellNoise(items, this.#at - Math.min(this.#preambles(), MOST_PREAMBLES));
        return;
      }
      if (check.kind === 'none') {
        if (check.why === 'checksum' || check.why === 'end') this.#fault = 'checksum';
        this.#at += 1;
        continue;
      }
      const from = this.#at - this.#preambles();
      const bytes = this.#bytes.slice(from, check.end);
      const rest = this.#bytes.subarray(check.end);
      this.#tellNoise(items, from);
      items.push({ kind: 'frame', ...check.frame, bytes });
      this.#bytes = rest;
      this.#at = 0;
    }
  }

  /** FE octets in front of the place where a frame may begin. */
  #preambles(): number {
    let count = 0;
    while (this.#at > count && this.#bytes[this.#at - 1 - count] === PREAMBLE) count += 1;
    return count;
  }

  /** The octets up to `end` are noise. */
  #tellNoise(items: FramerItem[], end: number): void {
    if (end <= 0) return;
    items.push({ kind: 'noise', bytes: this.#bytes.slice(0, end), fault: this.#fault });
    this.#fault = 'noise';
    this.#bytes = this.#bytes.subarray(end);
    this.#at -= end;
  }
}

/** Place of the first 68 from `from` on; the length where there is none. */
function firstStart(bytes: Uint8Array, from: number): number {
  const at = bytes.indexOf(START, from);
  return at < 0 ? bytes.length : at;
}
