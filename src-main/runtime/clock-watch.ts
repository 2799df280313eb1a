import type { CancelTimer, Clock } from '../platform/clock.ts';

const INTERVAL_MS = 2_000;
/** A gap beyond this is no busy event loop and no correction of the clock, but a computer that slept. */
const JUMP_MS = 15_000;

/**
 * Sees that the computer slept where nobody says so (headless): the wall clock has jumped against the monotonic one, or, where the
 * monotonic clock runs on in sleep, the time between two looks has.
 */
export class ClockWatch {
  readonly #clock: Clock;
  readonly #onJump: (ms: number) => void;
  #cancel: CancelTimer | null = null;

  /** `onJump` gets how long the computer was away, in milliseconds. */
  constructor(clock: Clock, onJump: (ms: number) => void) {
    this.#clock = clock;
    this.#onJump = onJump;
  }

  /** Starts looking; no effect when it looks already. */
  start(): void {
    if (!this.#cancel) this.#look(this.#clock.monotonicMs(), this.#clock.wallMs());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #look(monotonic: number, wall: number): void {
    this.#cancel = this.#clock.after(INTERVAL_MS, () => {
      const now = { monotonic: this.#clock.monotonicMs(), wall: this.#clock.wallMs() };
      this.#look(now.monotonic, now.wall);
      const away = Math.max(now.monotonic - monotonic, now.wall - wall) - INTERVAL_MS;
      if (away > JUMP_MS) this.#onJump(away);
    });
  }
}
