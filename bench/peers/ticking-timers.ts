/** Import for its effect: plain timers fire on ticks, as they do on Windows unless somebody asked for finer ones. */
const TICK_MS = 15.6;

const plain = globalThis.setTimeout;
const ticking = (fn: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
  const now = performance.now();
  const at = Math.ceil((now + Math.max(1, ms)) / TICK_MS) * TICK_MS;
  return plain(fn, Math.ceil(at - now), ...args);
};
globalThis.setTimeout = Object.assign(ticking, { __promisify__: plain.__promisify__ }) as unknown as typeof setTimeout;

export {};
