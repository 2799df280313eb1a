/** What comes in on a master's line: echo left out, cut into frames and noise, with the time at which each frame began. */
import { ArrivalTimes } from './arrival-times.ts';
import { type Awaited, RtuFramer, type RtuItem } from './framing.ts';
import type { LocalEcho } from './local-echo.ts';
import type { FramerHold } from './pending.ts';
import type { RtuTiming } from './timing.ts';

/** What is left in the buffers when an exchange is given up. */
export interface Leftovers {
  /** Octets that looked like the beginning of an echo. */
  readonly echo: Uint8Array;
  readonly rest: Uint8Array;
  /** True when `rest` is the beginning of the awaited answer. */
  readonly isBroken: boolean;
}

export class LineInput {
  readonly #framer = new RtuFramer('answer');
  readonly #arrivals = new ArrivalTimes();
  readonly #timing: RtuTiming;
  readonly #echo: LocalEcho;
  #lastOctetAt = Number.NEGATIVE_INFINITY;

  constructor(timing: RtuTiming, echo: LocalEcho) {
    this.#timing = timing;
    this.#echo = echo;
  }

  get lastOctetAt(): number {
    return this.#lastOctetAt;
  }

  /** What the framer holds now. */
  get hold(): FramerHold {
    const octets = this.#framer.buffered;
    return { octets, startedAt: this.#framer.isWaiting ? this.#arrivals.of(this.#framer.received - octets) : null };
  }

  await(awaited: Awaited | null): void {
    this.#framer.await(awaited);
  }

  /** Octets that came now, without the echo in front of them; `isEcho` when all of it has come. */
  take(chunk: Uint8Array, now: number): { readonly octets: Uint8Array; readonly isEcho: boolean } {
    // the rest of a frame that broke off some time ago holds nothing back any more
    if (now - this.#lastOctetAt > this.#timing.brokenMs) this.#framer.markStale();
    this.#lastOctetAt = now;
    const { rest, isWhole } = this.#echo.take(chunk);
    if (rest.length > 0) this.#arrivals.mark(this.#framer.received, now);
    return { octets: rest, isEcho: isWhole };
  }

  /** Frames and noise that these octets complete. */
  push(octets: Uint8Array): readonly RtuItem[] {
    return this.#framer.push(octets);
  }

  /** When the octet at this place of the stream came. */
  arrivalOf(place: number): number {
    return this.#arrivals.of(place);
  }

  /** What has been dealt with is not asked for any more. */
  settle(): void {
    this.#arrivals.forgetBefore(this.#framer.received - this.#framer.buffered);
  }

  /** Empties the buffers. */
  giveUp(): Leftovers {
    const echo = this.#echo.release();
    const isBroken = this.#framer.isWaiting;
    const rest = this.#framer.giveUp();
    this.settle();
    return { echo, rest, isBroken };
  }
}
