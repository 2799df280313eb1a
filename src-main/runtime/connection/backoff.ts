const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** Waits vary by this part up and down, so that channels which lost one switch do not come back in step. */
const JITTER = 0.2;

/** Pauses between attempts to reconnect: 0.5 s doubling to 30 s, with jitter (decisions, "Channels and devices"). */
export class Backoff {
  readonly #random: () => number;
  #base = FIRST_MS;

  /** `random`: 0 to 1. */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** Milliseconds to wait before the next attempt. */
  next(): number {
    const wait = this.#base * (1 - JITTER + 2 * JITTER * this.#random());
    this.#base = Math.min(this.#base * 2, LONGEST_MS);
    return Math.min(wait, LONGEST_MS);
  }

  /** The connection stood: the next loss starts from the shortest pause. */
  reset(): void {
    this.#base = FIRST_MS;
  }
}
