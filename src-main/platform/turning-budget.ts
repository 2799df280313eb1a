/** Share of one core that precise waits may spend turning the event loop beyond the last 2 ms of each, and how long they may save it up. */
export const TURNING_SHARE = 0.25;
const SAVED_MS = 250;

/** Bounds what precise waits cost on a system with coarse timers. Waits that turn the loop at the same time cost it once. */
export class TurningBudget {
  #savedMs = SAVED_MS;
  #updatedAt: number;
  #turning = 0;

  constructor(now: number) {
    this.#updatedAt = now;
  }

  /** True while there is something left to spend. */
  hasLeft(now: number): boolean {
    this.#update(now);
    return this.#savedMs > 0;
  }

  /** A wait begins to turn the loop. */
  begin(now: number): void {
    this.#update(now);
    this.#turning += 1;
  }

  end(now: number): void {
    this.#update(now);
    this.#turning -= 1;
  }

  #update(now: number): void {
    const passed = now - this.#updatedAt;
    this.#updatedAt = now;
    this.#savedMs = Math.min(SAVED_MS, this.#savedMs + passed * (TURNING_SHARE - (this.#turning > 0 ? 1 : 0)));
  }
}
