/** The most that is believed of a system's timers: Windows fires them on ticks of 15.6 ms unless somebody asked for finer ones. */
const MOST_MS = 17;
/** The least; timers that are on time are late by so much at times. */
const LEAST_MS = 2;
/** Timers that are remembered. */
const REMEMBERED = 256;
/** Where more of them than this are late, it is the system; fewer are pauses of the process. */
const FEW = 0.1;

/**
 * How late plain timers fire on this computer, learnt from the last 256 that fired: 2 ms where at most a tenth of them was later, else the latest
 * of them, up to 17 ms. Timers on ticks have a lateness by their phase, so the usual one says nothing about the next.
 */
export class TimerLateness {
  readonly #recent: number[] = [];
  #at = 0;
  #marginMs: number;

  /** `expectedMs`: what is believed before any timer has fired. */
  constructor(expectedMs: number) {
    this.#marginMs = bounded(expectedMs);
  }

  /** Milliseconds that a precise wait leaves to the turning of the event loop. */
  get marginMs(): number {
    return this.#marginMs;
  }

  /** A timer fired so much after the time it was asked for. */
  fired(lateMs: number): void {
    this.#recent[this.#at] = Math.min(MOST_MS, Math.max(0, lateMs));
    this.#at = (this.#at + 1) % REMEMBERED;
    // one that is late is believed at once, that timers have become better is believed when most of them have
    if (lateMs > this.#marginMs || this.#at % 8 === 0) this.#learn();
  }

  #learn(): void {
    if (this.#recent.length < 8) return;
    const late = this.#recent.filter((ms) => ms > LEAST_MS);
    this.#marginMs = late.length > FEW * this.#recent.length ? bounded(Math.max(...late)) : LEAST_MS;
  }
}

function bounded(ms: number): number {
  return Math.min(MOST_MS, Math.max(LEAST_MS, ms));
}
