/** When a serial line has been silent for long enough to send: never early, and not later than needed. */
import { type Clock, waitUntil } from '../../platform/clock.ts';
import type { LineTimes } from './asking.ts';

/** Waits longer than this can be ended; the rest is waited precisely. */
const PRECISE_MS = 20;
/** A line that does not become silent is given up after this. */
const NEVER_SILENT_MS = 1000;

export class LineSilence {
  readonly #clock: Clock;
  readonly #timing: LineTimes;
  /** Moment of the last octet in either direction, as far as it is known here. */
  #busyUntil = Number.NEGATIVE_INFINITY;
  #readyAt = Number.NEGATIVE_INFINITY;
  #isDisturbed = false;

  constructor(clock: Clock, timing: LineTimes) {
    this.#clock = clock;
    this.#timing = timing;
  }

  /** Octets came now. */
  received(now: number): void {
    this.#busyUntil = Math.max(this.#busyUntil, now);
  }

  /** Octets are sent until then. */
  sending(until: number): void {
    this.#busyUntil = Math.max(this.#busyUntil, until);
  }

  /** The line takes no time for octets: what was sent is gone. */
  isFree(now: number): void {
    this.#busyUntil = now;
  }

  /** Nothing may be sent before then: the channel's own pause, or the turn-around of a broadcast. */
  notBefore(at: number): void {
    this.#readyAt = Math.max(this.#readyAt, at);
  }

  /** The last exchange left a doubt about what is still on the line; the next silence has to be longer than a lump of an adapter. */
  disturbed(isDisturbed: boolean): void {
    this.#isDisturbed = isDisturbed;
  }

  /** Monotonic time from which on a frame may be sent, as things are now. */
  get silentAt(): number {
    const { gapMs, settleMs } = this.#timing;
    return Math.max(this.#busyUntil + (this.#isDisturbed ? settleMs : gapMs), this.#readyAt);
  }

  /** Waits for the silence. False when the line does not become silent; the signal ends a longer wait with a rejection. */
  async wait(makeSignal: () => AbortSignal): Promise<boolean> {
    const began = this.#clock.monotonicMs();
    for (;;) {
      const now = this.#clock.monotonicMs();
      const at = this.silentAt;
      if (now >= at) return true;
      if (now - began > NEVER_SILENT_MS && now - this.#busyUntil < NEVER_SILENT_MS && at > this.#readyAt) return false;
      if (at - now > PRECISE_MS) await waitUntil(this.#clock, at, makeSignal());
      else await this.#clock.until(at);
    }
  }
}
