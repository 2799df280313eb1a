import { uptime } from 'node:os';
import type { Clock } from './clock.ts';

/** Plain timers fire up to this much late; the rest of a precise wait is spent turning the event loop. */
const COARSE_MARGIN_MS = 2;

/** The real clock of the process. */
export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
  // Linux: CLOCK_BOOTTIME; Windows: ticks that go on in sleep; macOS: the time since the boot time that the kernel keeps.
  uptimeMs: () => uptime() * 1000,
  after(ms, fn) {
    const timer = setTimeout(fn, Math.max(0, Math.ceil(ms)));
    return () => clearTimeout(timer);
  },
  async until(deadline) {
    const coarse = deadline - performance.now() - COARSE_MARGIN_MS;
    if (coarse > 1) await new Promise<void>((resolve) => setTimeout(resolve, Math.floor(coarse)));
    while (performance.now() < deadline) await new Promise<void>((resolve) => setImmediate(resolve));
  },
  soon: (fn) => queueMicrotask(fn),
};
