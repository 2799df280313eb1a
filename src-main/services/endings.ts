import type { Clock } from '../platform/clock.ts';
import { settlesWithin } from '../runtime/bounded.ts';

/** What has to be brought to its end before a project is left. Settles when all that was found out is kept; throws what keeps it from that. */
export type Ending = () => Promise<void>;

/** Work that goes on in a project by itself, and its orderly end: while lines still stand, and the file is open. */
export class Endings {
  readonly #clock: Clock;
  readonly #all = new Set<Ending>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Answers what takes it out again. */
  add(ending: Ending): () => void {
    this.#all.add(ending);
    return () => void this.#all.delete(ending);
  }

  /** Brings all of it to its end, within `ms`. Throws the first thing that keeps something from being kept. */
  async settle(ms: number): Promise<void> {
    let refusal: unknown = null;
    const ended = Promise.all(
      [...this.#all].map((ending) =>
        ending().catch((thrown: unknown) => {
          refusal ??= thrown;
        }),
      ),
    );
    await settlesWithin(this.#clock, ms, ended);
    if (refusal !== null) throw refusal;
  }
}
