import { describe, expect, it } from 'vitest';
import { createPreciseClock, type SystemTimers } from './precise-clock.ts';
import { TURNING_SHARE } from './turning-budget.ts';

/** A system whose timers fire on ticks, and whose time passes only when its loop turns or waits. */
class TickingSystem implements SystemTimers {
  readonly expectedLatenessMs: number;
  readonly #tickMs: number;
  #now = 1000;
  #timers: { at: number; fn: () => void }[] = [];
  /** Time spent turning the loop. */
  turnedMs = 0;

  constructor(tickMs: number, expectedLatenessMs = 2) {
    this.#tickMs = tickMs;
    this.expectedLatenessMs = expectedLatenessMs;
  }

  now = () => this.#now;
  wallMs = () => this.#now;
  uptimeMs = () => this.#now;

  start(ms: number, fn: () => void) {
    const timer = { at: Math.ceil((this.#now + ms) / this.#tickMs) * this.#tickMs, fn };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  async turn() {
    this.#now += 0.05;
    this.turnedMs += 0.05;
    this.#fire();
    await Promise.resolve();
  }

  /** Runs until the promise settles; answers how late that was. */
  async run(waits: Promise<void>): Promise<void> {
    let isDone = false;
    void waits.then(() => {
      isDone = true;
    });
    while (!isDone) {
      for (let turns = 0; turns < 20 && !isDone; turns++) await Promise.resolve();
      if (isDone) return;
      const next = Math.min(...this.#timers.map((timer) => timer.at));
      if (this.#timers.length > 0) this.#now = Math.max(this.#now, next);
      this.#fire();
    }
  }

  #fire(): void {
    const due = this.#timers.filter((timer) => timer.at <= this.#now);
    this.#timers = this.#timers.filter((timer) => timer.at > this.#now);
    for (const timer of due) timer.fn();
  }
}

/** Lateness of `count` waits of `ms`, one after the other with `pauseMs` between them. */
async function latenessOf(system: TickingSystem, count: number, ms: number, pauseMs = 7.3): Promise<number[]> {
  const clock = createPreciseClock(system);
  const late: number[] = [];
  for (let wait = 0; wait < count; wait++) {
    await system.run(new Promise((resolve) => clock.after(pauseMs, resolve)));
    const deadline = system.now() + ms;
    await system.run(clock.until(deadline));
    late.push(system.now() - deadline);
  }
  return late;
}

const p50 = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

describe('a precise wait', () => {
  it.each([1.75, 4, 20, 47.5])('of %d ms is not late on a system whose timers fire every 15.6 ms, once that is learnt', async (ms) => {
    const late = (await latenessOf(new TickingSystem(15.6), 80, ms, 120)).slice(20);
    expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
    expect(p50(late)).toBeLessThan(0.1);
    expect(Math.max(...late)).toBeLessThan(0.7);
  });

  it('is right from the first one where the system is known for its ticks', async () => {
    expect((await latenessOf(new TickingSystem(15.6, 16), 1, 20, 0))[0]).toBeLessThan(0.1);
  });

  it('turns the loop for 2 ms only where timers are on time', async () => {
    const system = new TickingSystem(1);
    const late = await latenessOf(system, 100, 20);
    expect(Math.max(...late)).toBeLessThan(0.1);
    expect(system.turnedMs / 100).toBeLessThan(3.1);
  });

  it('costs the stated share of a core at the most, beside the last 2 ms, and is late instead', async () => {
    const system = new TickingSystem(15.6, 16);
    const began = system.now();
    const late = await latenessOf(system, 2000, 18, 0);
    const share = (system.turnedMs - 2 * 2000) / (system.now() - began);
    expect(share).toBeLessThan(TURNING_SHARE + 0.02);
    expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
  });

  it('waits that run side by side cost it once', async () => {
    const system = new TickingSystem(15.6, 16);
    const clock = createPreciseClock(system);
    const deadline = system.now() + 16;
    await system.run(Promise.all(Array.from({ length: 50 }, () => clock.until(deadline))).then(() => undefined));
    const again = system.now() + 16;
    await system.run(clock.until(again));
    expect(system.now() - again).toBeLessThan(0.1);
  });
});

describe('the lateness of timers', () => {
  it('is learnt from the timers that fire, and forgotten when they are on time again', async () => {
    const system = new TickingSystem(15.6);
    const clock = createPreciseClock(system);
    for (let at = 0; at < 40; at++) await system.run(new Promise((resolve) => clock.after(1, resolve)));
    expect(clock.timerLatenessMs).toBeGreaterThan(13);
    expect(clock.timerLatenessMs).toBeLessThanOrEqual(17);
    const fine = new TickingSystem(0.5, 16);
    const other = createPreciseClock(fine);
    for (let at = 0; at < 300; at++) await fine.run(new Promise((resolve) => other.after(1, resolve)));
    expect(other.timerLatenessMs).toBe(2);
  });
});
