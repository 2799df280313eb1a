/** Octets that wait for a missing segment, of one direction. A window of TCP that is scaled can be larger; so far ahead the missing segment was lost by the recorder. */
const MOST_WAITING = 1024 * 1024;
/** Segments that wait, each with its own memory. */
const MOST_WAITING_SEGMENTS = 4_096;
const TWO_POW_31 = 2 ** 31;

/** What a direction of a connection says: octets in their order, or that some are missing. */
export type Stretch =
  | { readonly kind: 'octets'; readonly bytes: Uint8Array; readonly timeNs: bigint | null }
  | { readonly kind: 'gap'; readonly count: number };

/** One segment as it was recorded. */
export interface Segment {
  readonly seq: number;
  readonly isSyn: boolean;
  readonly payload: Uint8Array;
  /** Octets that it had; more than `payload` where the packet was cut. */
  readonly length: number;
  readonly timeNs: bigint | null;
}

interface Waiting {
  /** Place in the stream, which does not wrap. */
  readonly at: number;
  readonly segment: Segment;
}

/**
 * Puts the segments of one direction in order (RFC 9293): late ones wait for those in front, repeated octets are left out, of an overlap the first ones stand. What is missing for
 * good, or was cut off by the recorder, is told as a gap. Bounded: 1 MiB or 4096 segments wait, then the missing ones are given up.
 */
export class TcpAssembly {
  /** Sequence number of `#next`; null: nothing was seen. */
  #seq: number | null = null;
  #next = 0;
  /** Sequence number that the connection began with. */
  #start: number | null = null;
  #waiting: Waiting[] = [];
  #waitingOctets = 0;

  /** What can be said now. */
  push(segment: Segment): Stretch[] {
    const first = (segment.seq + (segment.isSyn ? 1 : 0)) >>> 0;
    // a new connection on the same ports begins with another number; a repeated SYN has the same one
    const isNew = this.#seq === null || (segment.isSyn && first !== this.#start);
    const before = isNew ? this.end() : [];
    if (isNew) this.#start = this.#seq = first;
    if (segment.length === 0) return before;
    const at = this.#next + distance(this.#seq ?? first, first);
    this.#wait({ at, segment });
    const said = [...before, ...this.#inOrder()];
    while (this.#waitingOctets > MOST_WAITING || this.#waiting.length > MOST_WAITING_SEGMENTS) said.push(...this.#giveUp());
    return said;
  }

  /** The end of the capture: what waits still, with its gaps. */
  end(): Stretch[] {
    const said: Stretch[] = [];
    while (this.#waiting.length > 0) said.push(...this.#giveUp());
    return said;
  }

  #wait(waiting: Waiting): void {
    let index = this.#waiting.length;
    while (index > 0 && (this.#waiting[index - 1]?.at ?? 0) > waiting.at) index--;
    this.#waiting.splice(index, 0, waiting);
    this.#waitingOctets += waiting.segment.payload.length;
  }

  #inOrder(): Stretch[] {
    const said: Stretch[] = [];
    let taken = 0;
    for (const { at, segment } of this.#waiting) {
      if (at > this.#next) break;
      taken++;
      this.#waitingOctets -= segment.payload.length;
      const known = this.#next - at;
      if (known >= segment.length) continue;
      const bytes = segment.payload.subarray(known);
      if (bytes.length > 0) said.push({ kind: 'octets', bytes, timeNs: segment.timeNs });
      const count = segment.length - Math.max(known, segment.payload.length);
      if (count > 0) said.push({ kind: 'gap', count });
      this.#forward(segment.length - known);
    }
    this.#waiting.splice(0, taken);
    return said;
  }

  #giveUp(): Stretch[] {
    const count = (this.#waiting[0]?.at ?? this.#next) - this.#next;
    this.#forward(count);
    return [{ kind: 'gap', count }, ...this.#inOrder()];
  }

  #forward(count: number): void {
    this.#next += count;
    this.#seq = ((this.#seq ?? 0) + count) % 2 ** 32;
  }
}

/** From one sequence number to another, the shorter way round. */
function distance(from: number, to: number): number {
  const ahead = (to - from) >>> 0;
  return ahead >= TWO_POW_31 ? ahead - 2 ** 32 : ahead;
}
