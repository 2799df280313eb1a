import { uptime } from 'node:os';
import type { Clock } from './clock.ts';
import { createPreciseClock, type SystemTimers } from './precise-clock.ts';

const system: SystemTimers = {
  now: () => performance.now(),
  wallMs: () => Date.now(),
  // Linux: CLOCK_BOOTTIME; Windows: ticks that go on in sleep; macOS: the time since the boot time that the kernel keeps.
  uptimeMs: () => uptime() * 1000,
  start(ms, fn) {
    const timer = setTimeout(fn, ms);
    return () => clearTimeout(timer);
  },
  turn: () => new Promise((resolve) => setImmediate(resolve)),
  expectedLatenessMs: process.platform === 'win32' ? 16 : 2,
};

/** The real clock of the process. */
export const systemClock: Clock = createPreciseClock(system);
