import { useSyncExternalStore } from 'react';

const SECOND_MS = 1000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    now = Date.now();
    timer = setInterval(tick, SECOND_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

/** Time of this computer in milliseconds since 1970, anew each second: one clock for all ages on the screen, which draws nothing but them. */
export function useSeconds(): number {
  return useSyncExternalStore(subscribe, () => now);
}
