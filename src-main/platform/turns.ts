/** Work goes on for so long before the lines get their turn, in milliseconds. */
const LONGEST_TURN_MS = 8;
/** Of so many turns one is for work that nobody waits for, while other work goes on. */
const BEHIND_EVERY = 8;
/** Other work that began no turn for so long has ended, in milliseconds; shorter, it waits for its caller to take what it answers. */
const QUIET_MS = 20;

/** `behind`: nobody waits for it, such as the tidying of a file after a change was confirmed. */
export type Urgency = 'asked' | 'behind';

/** Long works that wait for their turn: one of them in each turn of the event loop, or they would add up to one that is long. */
class TurnQueue {
  readonly #waiting: Readonly<Record<Urgency, (() => void)[]>> = { asked: [], behind: [] };
  #isDue = false;
  /** Until other work counts as ended. */
  #quiet: NodeJS.Timeout | null = null;
  #turns = 0;
  #askedAt = Number.NEGATIVE_INFINITY;

  wait(urgency: Urgency): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting[urgency].push(resolve);
      this.#goOn();
    });
  }

  #goOn(): void {
    const { asked, behind } = this.#waiting;
    if (this.#isDue || asked.length + behind.length === 0) return;
    const quietIn = this.#askedAt + QUIET_MS - performance.now();
    if (asked.length === 0 && quietIn > 0) {
      this.#quiet ??= setTimeout(() => this.#due(), quietIn);
      return;
    }
    this.#due();
  }

  #due(): void {
    if (this.#quiet) clearTimeout(this.#quiet);
    this.#quiet = null;
    this.#isDue = true;
    setImmediate(this.#next);
  }

  readonly #next = () => {
    const { asked, behind } = this.#waiting;
    this.#isDue = false;
    this.#turns += 1;
    const isBehind = asked.length === 0 || (behind.length > 0 && this.#turns % BEHIND_EVERY === 0);
    if (!isBehind) this.#askedAt = performance.now();
    const resolve = (isBehind ? behind : asked).shift();
    resolve?.();
    this.#goOn();
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
    if (this.isLong) await this.next();
  };

  /** True when this work has gone on for long. */
  get isLong(): boolean {
    return performance.now() - this.#began >= LONGEST_TURN_MS;
  }

  /** Waits for a turn of the event loop. */
  async next(): Promise<void> {
    await queue.wait(this.#urgency);
    this.#began = performance.now();
  }
}
