import type { CancelTimer, Clock } from '../platform/clock.ts';

const INTERVAL_MS = 2_000;
/** A gap beyond this is no busy event loop, but a computer that slept. */
const JUMP_MS = 15_000;

/**
 * Sees that the computer slept where nobody says so (headless): far more time has passed between two looks than was asked for. It is measured by
 * the uptime of the computer, which runs on in sleep on every system. The monotonic clock does so on Windows only, and the wall clock is also
 * set by people and time servers: a clock that was set forward or back is no sleep.
 *
 * A virtual machine that was paused from outside sees none of its own clocks move, so this does not see it either; the protocols' own timeouts do.
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
    if (!this.#cancel) this.#look(this.#clock.uptimeMs());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #look(before: number): void {
    this.#cancel = this.#clock.after(INTERVAL_MS, () => {
      const now = this.#clock.uptimeMs();
      this.#look(now);
      const away = now - before - INTERVAL_MS;
      if (away > JUMP_MS) this.#onJump(away);
    });
  }
}
