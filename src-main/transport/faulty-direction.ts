import type { CancelTimer, Clock } from '../platform/clock.ts';

/** Most octets that noise touches at once. */
const NOISE_OCTETS = 4;

interface Waiting {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** One direction of a faulty line: takes blocks, gives what is left of them, in order. */
export class FaultyDirection {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #faults: DirectionFaults;
  readonly #deliver: (bytes: Uint8Array) => Promise<void>;
  readonly #queue: Waiting[] = [];
  #cancelTimer: CancelTimer | null = null;
  /** Block that waits to be glued to the next one. */
  #held: Uint8Array | null = null;
  #cancelHeld: CancelTimer | null = null;
  #isStopped = false;

  constructor(clock: Clock, random: () => number, faults: DirectionFaults, deliver: (bytes: Uint8Array) => Promise<void>) {
    this.#clock = clock;
    this.#random = random;
    this.#faults = faults;
    this.#deliver = deliver;
  }

  /** Resolves when the block was handed on, at once where it is delayed: a driver says "written" long before the octets are out. */
  pass(block: Uint8Array): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    if (block.length === 0) return Promise.resolve();
    const { loss = 0, noise = 0, half = 0, duplicate = 0, split = 0, glue = 0, glueMs = 5 } = this.#faults;
    if (this.#isHit(loss)) return Promise.resolve();
    let bytes = block;
    if (this.#isHit(noise)) bytes = this.#disturb(bytes);
    if (this.#isHit(half)) bytes = bytes.subarray(0, this.#upTo(bytes.length));
    if (bytes.length === 0) return Promise.resolve();
    if (this.#isHit(duplicate)) bytes = Buffer.concat([bytes, bytes]);
    if (this.#held) {
      bytes = Buffer.concat([this.#held, bytes]);
      this.#held = null;
      this.#cancelHeld?.();
    } else if (this.#isHit(glue)) {
      this.#held = Uint8Array.from(bytes);
      this.#cancelHeld = this.#clock.after(glueMs * this.#random(), () => {
        const held = this.#held;
        this.#held = null;
        if (held) void this.#send([held]);
      });
      return Promise.resolve();
    }
    return this.#send(this.#isHit(split) ? this.#cut(bytes) : [bytes]);
  }

  /** Hands a block on as it is, in its turn. */
  carry(block: Uint8Array): Promise<void> {
    return this.#isStopped ? Promise.resolve() : this.#queueUp([block], 0);
  }

  /** Nothing is delivered any more. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
    this.#cancelHeld?.();
    this.#queue.length = 0;
    this.#held = null;
  }

  #send(pieces: readonly Uint8Array[]): Promise<void> {
    const { delayMs = 0, jitterMs = 0, late = 0, lateMs = 0 } = this.#faults;
    return this.#queueUp(pieces, delayMs + jitterMs * (jitterMs > 0 ? this.#random() : 0) + (this.#isHit(late) ? lateMs : 0));
  }

  #queueUp(pieces: readonly Uint8Array[], wait: number): Promise<void> {
    const { pieceGapMs = 0 } = this.#faults;
    const [first] = pieces;
    if (wait === 0 && this.#queue.length === 0 && pieces.length === 1 && first) return this.#deliver(first);
    let at = Math.max(this.#clock.monotonicMs() + wait, this.#queue.at(-1)?.at ?? 0);
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) at += pieceGapMs * this.#random();
      this.#queue.push({ at, bytes: Uint8Array.from(piece) });
    }
    if (!this.#cancelTimer) this.#schedule();
    return Promise.resolve();
  }

  #schedule(): void {
    const next = this.#queue[0];
    this.#cancelTimer = next ? this.#clock.after(next.at - this.#clock.monotonicMs(), () => this.#onDue()) : null;
  }

  #onDue(): void {
    const now = this.#clock.monotonicMs();
    while ((this.#queue[0]?.at ?? Number.POSITIVE_INFINITY) <= now) {
      const due = this.#queue.shift();
      if (due) this.#deliver(due.bytes).catch(() => undefined);
    }
    if (!this.#isStopped) this.#schedule();
  }

  #isHit(chance: number): boolean {
    return chance > 0 && this.#random() < chance;
  }

  /** 0 to `count` - 1. */
  #upTo(count: number): number {
    return Math.floor(this.#random() * count);
  }

  #disturb(bytes: Uint8Array): Uint8Array {
    const list = [...bytes];
    for (let left = 1 + this.#upTo(NOISE_OCTETS); left > 0; left--) {
      const at = this.#upTo(list.length);
      const kind = this.#upTo(4);
      if (kind === 0) list.splice(at, 1);
      else if (kind === 1) list.splice(at, 0, this.#upTo(256));
      else if (kind === 2) list[at] = (list[at] ?? 0) ^ (1 << this.#upTo(8));
      else list[at] = this.#upTo(256);
    }
    return Uint8Array.from(list);
  }

  #cut(bytes: Uint8Array): Uint8Array[] {
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; ) {
      const end = at + 1 + this.#upTo(bytes.length - at);
      pieces.push(bytes.subarray(at, end));
      at = end;
    }
    return pieces;
  }
}

/** Faults of one direction; what is left out does not happen. Chances are from 0 to 1, for each block that is written or delivered. */
export interface DirectionFaults {
  /** Every block comes so much later, and by chance up to `jitterMs` more. */
  readonly delayMs?: number;
  readonly jitterMs?: number;
  /** A block comes later by `lateMs` on top. */
  readonly late?: number;
  readonly lateMs?: number;
  /** A block does not come at all. */
  readonly loss?: number;
  /** Octets of a block are changed, lost, or added. */
  readonly noise?: number;
  /** A block breaks off in the middle. */
  readonly half?: number;
  /** A block comes twice, one right behind the other. */
  readonly duplicate?: number;
  /** A block comes in pieces, up to `pieceGapMs` apart. */
  readonly split?: number;
  readonly pieceGapMs?: number;
  /** A block waits up to `glueMs` and comes in one piece with the next. */
  readonly glue?: number;
  readonly glueMs?: number;
}
