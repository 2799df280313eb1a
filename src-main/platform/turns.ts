/** Work goes on for so long before the lines get their turn, in milliseconds. */
const LONGEST_TURN_MS = 8;
/** Of so many turns one is for work that nobody waits for, while other work waits as well. */
const BEHIND_EVERY = 4;

/** `behind`: nobody waits for it, such as the tidying of a file after a change was confirmed. */
export type Urgency = 'asked' | 'behind';

/** Long works that wait for their turn: one of them in each turn of the event loop, or they would add up to one that is long. */
class TurnQueue {
  readonly #waiting: Readonly<Record<Urgency, (() => void)[]>> = { asked: [], behind: [] };
  #isGoing = false;
  #turns = 0;

  wait(urgency: Urgency): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting[urgency].push(resolve);
      if (!this.#isGoing) setImmediate(this.#next);
      this.#isGoing = true;
    });
  }

  readonly #next = () => {
    const { asked, behind } = this.#waiting;
    this.#turns += 1;
    const isBehind = asked.length === 0 || (behind.length > 0 && this.#turns % BEHIND_EVERY === 0);
    const resolve = (isBehind ? behind : asked).shift();
    this.#isGoing = asked.length + behind.length > 0;
    if (this.#isGoing) setImmediate(this.#next);
    resolve?.();
  };
}

/** The event loop is one for the whole thread, so its turns are shared by all works of it. */
const queue = new TurnQueue();

/** Lets the lines, and other long works, have their turn in the course of a long work. */
export class Turns {
  readonly #urgency: Urgency;
  #began = performance.now();

  constructor(urgency: Urgency = 'asked') {
    this.#urgency = urgency;
  }

  /** Waits for a turn of the event loop when this work has gone on for long. */
  readonly breathe = async (): Promise<void> => {
    if (performance.now() - this.#began >= LONGEST_TURN_MS) await this.next();
  };

  /** Waits for a turn of the event loop. */
  async next(): Promise<void> {
    await queue.wait(this.#urgency);
    this.#began = performance.now();
  }
}
