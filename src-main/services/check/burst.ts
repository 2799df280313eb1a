import type { KnownBy } from './stance.ts';

/** What all watches of a moving value share: when it moved last, and how often in this burst. */
export class Burst {
  readonly #settleMs: number;
  #movedAt: number | null = null;
  /** When a value was received that somebody read. */
  #receivedAt = Number.NEGATIVE_INFINITY;
  /** The device said that it moved: it stands until it says so again. */
  #isSent = false;
  changes = 0;
  all = 0;

  constructor(settleMs: number) {
    this.#settleMs = settleMs;
  }

  move(at: number, by: KnownBy): void {
    // a change behind a rest begins anew, also where nobody looked in between
    if (this.#movedAt === null || at - this.#movedAt >= this.#settleMs) this.changes = 0;
    this.#movedAt = at;
    this.#isSent = by === 'sent';
    this.changes += 1;
    this.all += 1;
  }

  /** A value came, whatever it was. */
  received(at: number): void {
    this.#receivedAt = at;
  }

  get isMoving(): boolean {
    return this.#movedAt !== null;
  }

  /** True where nothing has moved since `since` for the settling time: a value that is read has to be received once more behind it. */
  isSteady(since: number, isSent: boolean, now: number): boolean {
    return now - since >= this.#settleMs && (isSent || this.#receivedAt - since >= this.#settleMs);
  }

  /** True once for each burst: nothing has moved for the settling time. */
  hasSettled(now: number): boolean {
    if (this.#movedAt === null || !this.isSteady(this.#movedAt, this.#isSent, now)) return false;
    this.#movedAt = null;
    return true;
  }

  /** What moved last is not known to have come to rest. */
  interrupt(): void {
    this.#movedAt = null;
  }
}
