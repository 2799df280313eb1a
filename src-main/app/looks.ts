import type { Clock } from '../platform/clock.ts';
import { within } from '../platform/within.ts';

/** A drive that does not answer for so long is given up for now, in milliseconds. */
const LOOK_MS = 1000;
/** Looks that may wait for drives which do not answer: each of them holds one of the few threads for files. */
const MOST_SILENT = 2;

/** Why nothing is known: the drive did not answer; or it was not asked, as others that do not answer hold all that may wait. */
export type NotSeen = 'silent' | 'unseen';

/**
 * Looks at files of drives that may not answer: no request waits for one, and they never take all threads. `driveOf` names the drive of a path
 * without asking it; `home` is a drive that answers as long as the program runs.
 */
export class Looks {
  readonly #clock: Clock;
  readonly #driveOf: (path: string) => string;
  readonly #home: string;
  readonly #silent = new Map<string, Promise<unknown>>();
  /** Drives whose last look was answered. */
  readonly #answered = new Set<string>();

  constructor(clock: Clock, driveOf: (path: string) => string, home: string) {
    this.#clock = clock;
    this.#driveOf = driveOf;
    this.#home = driveOf(home);
  }

  /** What `find` finds, or what `notSeen` makes of the reason why it could not. */
  async look<Found, Other>(path: string, find: (path: string) => Promise<Found>, notSeen: (why: NotSeen) => Other): Promise<Found | Other> {
    const drive = this.#driveOf(path);
    const why = this.#reasonNot(path, drive);
    if (why) return notSeen(why);
    const looking = find(path);
    if (await within(this.#clock, LOOK_MS, looking)) {
      this.#answered.add(drive);
      return looking;
    }
    this.#answered.delete(drive);
    this.#silent.set(path, looking);
    void looking.finally(() => this.#silent.delete(path));
    return notSeen('silent');
  }

  /** A path may lead to another drive than it says, so a drive is called silent by its name only where it cannot be asked. */
  #reasonNot(path: string, drive: string): NotSeen | null {
    if (this.#silent.has(path)) return 'silent';
    if (this.#silent.size < MOST_SILENT || drive === this.#home || this.#answered.has(drive)) return null;
    return [...this.#silent.keys()].some((waiting) => this.#driveOf(waiting) === drive) ? 'silent' : 'unseen';
  }
}
