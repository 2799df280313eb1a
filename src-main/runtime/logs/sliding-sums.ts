const SLOT_MS = 5_000;
const SLOTS = 12;

/** Octets and busy milliseconds of about the last minute, in slots of 5 s: constant memory, nothing allocated while counting. */
export class SlidingSums {
  readonly #octets = new Float64Array(SLOTS);
  readonly #busyMs = new Float64Array(SLOTS);
  /** Number of the newest slot since the start of time. */
  #newest = 0;

  /** `nowMs` is monotonic. */
  add(nowMs: number, octets: number, busyMs: number): void {
    this.#moveTo(nowMs);
    const place = this.#newest % SLOTS;
    this.#octets[place] = (this.#octets[place] ?? 0) + octets;
    this.#busyMs[place] = (this.#busyMs[place] ?? 0) + busyMs;
  }

  /** Sums over the span of `windowMs(nowMs)`. */
  sums(nowMs: number): { octets: number; busyMs: number } {
    this.#moveTo(nowMs);
    const sum = (slots: Float64Array) => slots.reduce((total, value) => total + value, 0);
    return { octets: sum(this.#octets), busyMs: sum(this.#busyMs) };
  }

  #moveTo(nowMs: number): void {
    const slot = Math.floor(nowMs / SLOT_MS);
    if (slot <= this.#newest) return;
    for (let stale = Math.max(this.#newest + 1, slot - SLOTS + 1); stale <= slot; stale += 1) {
      this.#octets[stale % SLOTS] = 0;
      this.#busyMs[stale % SLOTS] = 0;
    }
    this.#newest = slot;
  }
}

/** The time `sums` are about, in milliseconds: 55 to 60 s, less where counting began later. */
export function windowMs(nowMs: number, sinceMs: number): number {
  const from = (Math.floor(nowMs / SLOT_MS) - SLOTS + 1) * SLOT_MS;
  return nowMs - Math.max(from, sinceMs);
}
