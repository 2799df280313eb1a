/** The far end of a pseudo terminal on standard input, for line processes of the benches: precise waits and blocking reads. */
import { readSync } from 'node:fs';

/** The rest of a wait is spent looking at the clock: nothing else is precise enough. */
const SPIN_MS = 1.2;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Blocks until `performance.now()` has come to `at`. */
export function waitUntil(at: number): void {
  const coarse = at - performance.now() - SPIN_MS;
  if (coarse > 0) Atomics.wait(sleeper, 0, 0, coarse);
  while (performance.now() < at);
}

/** Blocks until octets come, and answers how many; 0 while nobody has the other side open. */
export function receive(buffer: Buffer): number {
  try {
    return readSync(0, buffer);
  } catch {
    Atomics.wait(sleeper, 0, 0, 1);
    return 0;
  }
}
