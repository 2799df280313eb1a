import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work goes on for so long before the lines get their turn, in milliseconds. */
const LONGEST_TURN_MS = 8;

/** Lets the lines have their turn in the course of a long work. */
export class Turns {
  #began = performance.now();

  /** Waits for the next turn of the event loop when this work has gone on for long. */
  readonly breathe = async (): Promise<void> => {
    if (performance.now() - this.#began < LONGEST_TURN_MS) return;
    await nextTurn();
    this.#began = performance.now();
  };
}
