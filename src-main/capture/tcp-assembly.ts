/** Octets that wait for a missing segment, of one direction. A window of TCP that is scaled can be larger; so far ahead the missing segment was lost by the recorder. */
const MOST_WAITING = 1024 * 1024;
/** Segments that wait, each with its own memory. */
const MOST_WAITING_SEGMENTS = 4_096;
/** So long a segment waits for one that is missing: a sender that doubles its pauses from one second on has repeated it four times by then (RFC 6298, 5.5). */
const LONGEST_WAIT_NS = 20_000_000_000n;
/** What is so far from the octet that comes next belongs to another connection, whose opening was not recorded. */
const FAR = 16 * 1024 * 1024;
const TWO_POW_31 = 2 ** 31;

/** What a direction of a connection says: octets in their order, or that some are missing; of how many is not always known. */
export type Stretch =
  | { readonly kind: 'octets'; readonly bytes: Uint8Array; readonly timeNs: bigint | null }
  | { readonly kind: 'gap'; readonly count: number };

/** One segment as it was recorded. */
export interface Segment {
  readonly seq: number;
  readonly isSyn: boolean;
  /** FIN or RST. */
  readonly isEnd: boolean;
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
 * good, or was cut off by the recorder, is told as a gap. What waits is given up when the other end has acknowledged it, after 20 seconds of the capture, or when 1 MiB or 4096 segments wait.
 */
export class TcpAssembly {
  /** Sequence number of `#next`; null: nothing was seen. */
  #seq: number | null = null;
  #next = 0;
  /** Sequence number that the connection began with. */
  #start: number | null = null;
  /** Place behind the last octet, where the end of the connection was seen: it has a number of its own. */
  #end = Number.POSITIVE_INFINITY;
  #waiting: Waiting[] = [];
  #waitingOctets = 0;

  /** True for a segment of another connection on the same ports, which begins with another number; a repeated SYN has the same one. */
  isOfAnother(segment: Segment): boolean {
    if (this.#seq === null) return false;
    const first = firstOf(segment);
    if (segment.isSyn) return first !== this.#start;
    return segment.length > 0 && Math.abs(distance(this.#seq, first)) > FAR;
  }

  /** What can be said now. */
  push(segment: Segment): Stretch[] {
    const first = firstOf(segment);
    if (this.#seq === null) this.#start = this.#seq = first;
    const at = this.#next + distance(this.#seq, first);
    if (segment.isEnd) this.#end = at + segment.length;
    if (segment.length === 0) return [];
    this.#wait({ at, segment });
    const said = this.#inOrder();
    while (this.#waitingOctets > MOST_WAITING || this.#waiting.length > MOST_WAITING_SEGMENTS) said.push(...this.#giveUp());
    return said;
  }

  /** The other end has all octets in front of this number: the missing ones were lost by the recorder. `isBehind`: only those are given up that others wait for. */
  acknowledged(ack: number, isBehind: boolean): Stretch[] {
    const said: Stretch[] = [];
    if (this.#seq === null || Math.abs(distance(this.#seq, ack)) > FAR) return said;
    const until = Math.min(this.#next + distance(this.#seq, ack), this.#end);
    while (this.#next < until) {
      const behind = this.#waiting[0]?.at ?? Number.POSITIVE_INFINITY;
      if (isBehind && behind > until) break;
      said.push(...this.#giveUp(Math.min(behind, until)));
    }
    return said;
  }

  /** The capture is at this time. */
  passed(timeNs: bigint): Stretch[] {
    const said: Stretch[] = [];
    for (let [first] = this.#waiting; first; [first] = this.#waiting) {
      if (timeNs - (first.segment.timeNs ?? timeNs) <= LONGEST_WAIT_NS) break;
      said.push(...this.#giveUp());
    }
    return said;
  }

  /** The end of the capture: what waits still, with its gaps. */
  end(): Stretch[] {
    const said: Stretch[] = [];
    while (this.#waiting.length > 0) said.push(...this.#giveUp());
    return said;
  }

  /** The end of the connection, behind which another one may follow: what waits still, and a gap where anything was seen. */
  endConnection(): Stretch[] {
    if (this.#seq === null) return [];
    const said = this.end();
    this.#seq = this.#start = null;
    this.#end = Number.POSITIVE_INFINITY;
    return [...said, { kind: 'gap', count: 0 }];
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

  /** Goes on at this place, which is the first one that waits where none is given. */
  #giveUp(place = this.#waiting[0]?.at ?? this.#next): Stretch[] {
    const count = place - this.#next;
    this.#forward(count);
    return [{ kind: 'gap', count }, ...this.#inOrder()];
  }

  #forward(count: number): void {
    this.#next += count;
    this.#seq = ((this.#seq ?? 0) + count) % 2 ** 32;
  }
}

/** Number of its first octet, or of the one that follows. */
function firstOf({ seq, isSyn }: Segment): number {
  return (seq + (isSyn ? 1 : 0)) >>> 0;
}

/** From one sequence number to another, the shorter way round. */
function distance(from: number, to: number): number {
  const ahead = (to - from) >>> 0;
  return ahead >= TWO_POW_31 ? ahead - 2 ** 32 : ahead;
}
