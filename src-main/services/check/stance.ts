/**
 * How a value is known.
 *
 * - `known`: it was there before anything can be said of the time of the check. Only what the device sends is compared with it.
 * - `told`: the same of a device that tells its changes by itself: it stands there now.
 * - `stands`: it was read for the first time since the check of the point began: it stands there now.
 * - `read`: it was read again.
 * - `sent`: the device sent it because it changed.
 */
export type KnownBy = 'known' | 'told' | 'stands' | 'read' | 'sent';

/**
 * Where a point stands, on two tracks: what the device sent is compared with what it sent before, and what was read with what was read before. A movement that nobody has read shows in the first value
 * that is read, and nobody knows when it was; a message of the device may come behind a value that shows it already.
 */
export class Stance<Value> {
  readonly #isSame: (one: Value, other: Value) => boolean;
  #sent: Value | undefined;
  #read: Value | undefined;

  constructor(isSame: (one: Value, other: Value) => boolean) {
    this.#isSame = isSame;
  }

  /** Takes a good value; true where the point moved to it. */
  moves(value: Value, by: KnownBy): boolean {
    if (by === 'known' || by === 'told') {
      this.#sent = value;
      return false;
    }
    if (by === 'stands') {
      this.#read = value;
      this.#sent ??= value;
      return false;
    }
    const before = by === 'read' ? this.#read : this.#sent;
    if (before !== undefined && this.#isSame(before, value)) return false;
    this.#read = value;
    this.#sent = value;
    return before !== undefined;
  }

  /** Nobody knows any more where it stands. */
  forget(): void {
    this.#sent = undefined;
    this.#read = undefined;
  }
}
