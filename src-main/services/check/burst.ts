/** What all watches of a moving value share: when it moved last, and how often in this burst. */
export class Burst {
  readonly #settleMs: number;
  #movedAt: number | null = null;
  changes = 0;
  all = 0;

  constructor(settleMs: number) {
    this.#settleMs = settleMs;
  }

  move(at: number): void {
    // a change behind a rest begins anew, also where nobody looked in between
    if (this.#movedAt === null || at - this.#movedAt >= this.#settleMs) this.changes = 0;
    this.#movedAt = at;
    this.changes += 1;
    this.all += 1;
  }

  get isMoving(): boolean {
    return this.#movedAt !== null;
  }

  /** True once for each burst: nothing has moved for the settling time. */
  hasSettled(now: number): boolean {
    if (this.#movedAt === null || now - this.#movedAt < this.#settleMs) return false;
    this.#movedAt = null;
    return true;
  }
}
