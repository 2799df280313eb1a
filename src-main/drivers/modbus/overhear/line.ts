import { ArrivalTimes } from '../rtu/arrival-times.ts';
import type { OverheardCutter, OverheardItem } from './frames.ts';
import { type Overheard, Pairing } from './pairing.ts';

/** What was heard on the line, in order. */
export type HeardOnLine = Overheard | { readonly kind: 'noise'; readonly bytes: Uint8Array };

export interface OverheardLineOptions {
  readonly cutter: OverheardCutter;
  /** Silence in milliseconds behind which nothing that has begun goes on; adapters hold octets back for shorter. */
  readonly brokenMs: number;
  /** How long a slave may take to begin its answer, in milliseconds. */
  readonly answerMs: number;
}

/** A line of a foreign master and its slaves: octets in any pieces and times in, frames, pairs and doubts out. Bounded; has no timer of its own. */
export class OverheardLine {
  readonly #cutter: OverheardCutter;
  readonly #pairing: Pairing;
  readonly #arrivals = new ArrivalTimes();
  readonly #brokenMs: number;
  #lastOctetAt = Number.NEGATIVE_INFINITY;

  constructor({ cutter, brokenMs, answerMs }: OverheardLineOptions) {
    this.#cutter = cutter;
    this.#brokenMs = brokenMs;
    this.#pairing = new Pairing(answerMs);
  }

  /** When `passed` has to be called, in monotonic milliseconds; null: nothing waits for time. */
  get deadline(): number | null {
    return this.#cutter.buffered > 0 ? this.#lastOctetAt + this.#brokenMs : this.#pairing.deadline;
  }

  /** Octets came at `now`, in monotonic milliseconds. */
  push(chunk: Uint8Array, now: number): readonly HeardOnLine[] {
    const heard = [...this.passed(now)];
    this.#lastOctetAt = now;
    this.#arrivals.mark(this.#cutter.received, now);
    for (const item of this.#cutter.push(chunk)) heard.push(...this.#take(item));
    this.#arrivals.forgetBefore(this.#cutter.received - this.#cutter.buffered);
    return heard;
  }

  /** Time has passed. */
  passed(now: number): readonly HeardOnLine[] {
    const heard: HeardOnLine[] = [];
    if (this.#cutter.buffered > 0) {
      if (now - this.#lastOctetAt < this.#brokenMs) return heard;
      for (const item of this.#cutter.silence()) heard.push(...this.#take(item));
      this.#arrivals.forgetBefore(this.#cutter.received);
    }
    heard.push(...this.#pairing.passed(now));
    return heard;
  }

  #take(item: OverheardItem): readonly HeardOnLine[] {
    if (item.kind === 'noise') {
      this.#pairing.noise(item.bytes.length);
      return [{ kind: 'noise', bytes: item.bytes }];
    }
    const { frame } = item;
    const startedAt = this.#arrivals.of(frame.at);
    const endedAt = this.#arrivals.of(frame.at + frame.bytes.length - 1);
    return this.#pairing.take({ ...frame, startedAt, endedAt });
  }
}
