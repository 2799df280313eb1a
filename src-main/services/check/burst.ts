import type { KnownBy } from './stance.ts';

/** What all watches of a moving value share: when it moved last, and how often in this burst. */
export class Burst {
  readonly #settleMs: number;
  /** The last movement; `isSent`: the device said so, and it stands until it says so again. */
  #moved: { readonly at: number; readonly isSent: boolean } | null = null;
  /** When a value was received that somebody read. */
  #receivedAt = Number.NEGATIVE_INFINITY;
  changes = 0;
  all = 0;

  constructor(settleMs: number) {
    this.#settleMs = settleMs;
  }

  move(at: number, by: KnownBy): void {
    // a change behind a rest begins anew, also where nobody looked in between
    if (!this.#moved || at - this.#moved.at >= this.#settleMs) this.changes = 0;
    this.#moved = { at, isSent: by === 'sent' };
    this.changes += 1;
    this.all += 1;
  }

  /** A value came, whatever it was. */
  received(at: number): void {
    this.#receivedAt = at;
  }

  get isMoving(): boolean {
    return this.#moved !== null;
  }

  /** True where nothing has moved since `since` for the settling time: a value that is read has to be received once more behind it. */
  isSteady(since: number, isSent: boolean, now: number): boolean {
    return now - since >= this.#settleMs && (isSent || this.#receivedAt - since >= this.#settleMs);
  }

  /** True once for each burst: nothing has moved for the settling time. */
  hasSettled(now: number): boolean {
    if (!this.#moved || !this.isSteady(this.#moved.at, this.#moved.isSent, now)) return false;
    this.#moved = null;
    return true;
  }

  /** What moved last is not known to have come to rest. */
  interrupt(): void {
    this.#moved = null;
  }
}
