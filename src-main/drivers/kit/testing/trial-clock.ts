import type { CancelTimer, Clock } from '../../../platform/clock.ts';

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly fn: () => void;
  isCancelled: boolean;
}

/** Promise callbacks that may hang on one timer, one behind the other, where the test says no other number. */
const MICROTASKS = 24;

/** A manual clock for very many steps: nothing but timers and promises run on it. */
export class TrialClock implements Clock {
  readonly timerLatenessMs = 0;
  #now = 0;
  #order = 0;
  readonly #heap: Timer[] = [];
  readonly #microtasks: number;

  constructor(microtasks = MICROTASKS) {
    this.#microtasks = microtasks;
  }

  monotonicMs(): number {
    return this.#now;
  }

  wallMs(): number {
    return Date.UTC(2026, 0, 1) + this.#now;
  }

  uptimeMs(): number {
    return this.#now;
  }

  soon(fn: () => void): void {
    queueMicrotask(fn);
  }

  after(ms: number, fn: () => void): CancelTimer {
    const timer: Timer = { at: this.#now + Math.max(0, ms), order: this.#order++, fn, isCancelled: false };
    this.#push(timer);
    return () => {
      timer.isCancelled = true;
    };
  }

  until(deadline: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(deadline - this.#now, resolve);
    });
  }

  /** Runs timers until the promise has come to its end. */
  async finish<T>(promise: Promise<T>): Promise<T> {
    const ended: { isOver: boolean } = { isOver: false };
    const over = () => {
      ended.isOver = true;
    };
    promise.then(over, over);
    await this.#settle();
    while (!ended.isOver) {
      const timer = this.#pop();
      if (!timer) throw new Error('The promise waits for nothing.');
      await this.#fire(timer);
    }
    return promise;
  }

  /** Moves the time forward, firing what falls due on the way. */
  async advance(ms: number): Promise<void> {
    const target = this.#now + ms;
    await this.#settle();
    for (let first = this.#heap[0]; first && first.at <= target; first = this.#heap[0]) {
      const timer = this.#pop();
      if (timer && timer.at <= target) await this.#fire(timer);
      else if (timer) this.#push(timer);
    }
    this.#now = target;
  }

  async #fire(timer: Timer): Promise<void> {
    this.#now = Math.max(this.#now, timer.at);
    timer.fn();
    await this.#settle();
  }

  async #settle(): Promise<void> {
    for (let turn = 0; turn < this.#microtasks; turn++) await undefined;
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let at = heap.push(timer) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (!above || isBefore(above, timer)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = timer;
  }

  #pop(): Timer | undefined {
    for (;;) {
      const first = this.#takeFirst();
      if (!first?.isCancelled) return first;
    }
  }

  #takeFirst(): Timer | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const [a, b] = [heap[left], heap[left + 1]];
      const child = b && a && isBefore(b, a) ? b : a;
      if (!child || isBefore(last, child)) break;
      heap[at] = child;
      at = child === a ? left : left + 1;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
