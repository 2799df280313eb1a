/** Passwords of a simulated meter, and its lock after wrong ones. */
import { hexText } from '../../../protocol-kit/bytes.ts';
import { passwordOctets } from '../client/credentials.ts';
import type { Edition } from '../codec/control.ts';

/** Wrong passwords in a row after which a meter takes none for a day: firmwares of the two editions differ. */
const MOST_WRONG: Readonly<Record<Edition, number>> = { 2007: 3, 1997: 5 };
const LOCK_MS = 24 * 3_600_000;
const HIGHEST_LEVEL = 9;

/** The digits that a level has until the meter is told others. */
export type FirstPasswords = (level: number) => string;

export class MeterPasswords {
  readonly #first: FirstPasswords;
  readonly #changed = new Map<number, string>();
  #wrong = 0;
  #lockedUntil = Number.NEGATIVE_INFINITY;

  constructor(first: FirstPasswords) {
    this.#first = first;
  }

  /**
   * True when `given` (PA P0 P1 P2) is the password of its level and the level may do what asks for `needed`: the smaller the more. Wrong
   * digits count; a locked meter takes nothing.
   */
  check(given: Uint8Array, needed: number, edition: Edition, wallMs: number): boolean {
    if (wallMs < this.#lockedUntil) return false;
    const level = given[0] ?? HIGHEST_LEVEL + 1;
    if (level <= HIGHEST_LEVEL && hexText(given) === this.#octets(level)) {
      this.#wrong = 0;
      return level <= needed;
    }
    this.#wrong += 1;
    if (this.#wrong >= MOST_WRONG[edition]) {
      this.#wrong = 0;
      this.#lockedUntil = wallMs + LOCK_MS;
    }
    return false;
  }

  /** Takes a new password, PA P0 P1 P2. */
  change(next: Uint8Array): void {
    this.#changed.set(next[0] ?? 0, hexText(next));
  }

  #octets(level: number): string {
    return this.#changed.get(level) ?? hexText(passwordOctets(level, this.#first(level)));
  }
}
