import type { CancelTimer, Clock } from './clock.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly fn: () => void;
}

/**
 * A clock that moves only when a test says so. `advance` fires due timers in time order, and lets promises settle
 * after each one, so that a chain of waits inside one step runs as it would in real time.
 */
export class ManualClock implements Clock {
  readonly timerLatenessMs = 0;
  #now = 0;
  #wallAhead = 0;
  #slept = 0;
  #order = 0;
  readonly #wallStart: number;
  readonly #timers = new Set<Timer>();

  constructor(wallStart = Date.UTC(2026, 0, 1)) {
    this.#wallStart = wallStart;
  }

  monotonicMs(): number {
    return this.#now;
  }

  wallMs(): number {
    return this.#wallStart + this.#now + this.#wallAhead;
  }

  uptimeMs(): number {
    return this.#now + this.#slept;
  }

  after(ms: number, fn: () => void): CancelTimer {
    const timer: Timer = { at: this.#now + Math.max(0, ms), order: this.#order++, fn };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  until(deadline: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(deadline - this.#now, resolve);
    });
  }

  soon(fn: () => void): void {
    queueMicrotask(fn);
  }

  /** Timers that are set and have not fired. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Monotonic time of the next timer, or null. */
  get nextAt(): number | null {
    return this.#next()?.at ?? null;
  }

  /** Moves the time forward by `ms`, firing what falls due on the way. */
  async advance(ms: number): Promise<void> {
    const target = this.#now + ms;
    await settle();
    for (let timer = this.#next(); timer && timer.at <= target; timer = this.#next()) {
      this.#timers.delete(timer);
      this.#now = Math.max(this.#now, timer.at);
      timer.fn();
      await settle();
    }
    this.#now = target;
    await settle();
  }

  /**
   * The computer sleeps for `ms`: no timer fires meanwhile, what fell due fires at the next `advance`. The monotonic clock stands
   * still, as on Linux, or runs on, as on Windows.
   */
  sleep(ms: number, monotonic: 'stands' | 'runs'): void {
    if (monotonic === 'runs') this.#now += ms;
    else {
      this.#wallAhead += ms;
      this.#slept += ms;
    }
  }

  /** Somebody sets the wall clock forward by `ms`, or back. */
  setWall(ms: number): void {
    this.#wallAhead += ms;
  }

  #next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (!first || timer.at < first.at || (timer.at === first.at && timer.order < first.order)) first = timer;
    }
    return first;
  }
}

/** Lets everything that is ready now run: promise callbacks and what they cause, without the passing of time. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
