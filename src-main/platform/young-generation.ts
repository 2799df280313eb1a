import v8 from 'node:v8';

const SMALL = '--semi-space-growth-factor=1';
const USUAL = '--semi-space-growth-factor=2';

/**
 * Keeps the engine's space for new objects as small as it began. What is made while the program is loaded stays, so the space would grow to its full size for
 * it, and be kept: some megabytes that the running service does not need. `letYoungGrow` ends it.
 */
export function keepYoungSmall(): void {
  v8.setFlagsFromString(SMALL);
  // What is compiled is kept at the exit, and holds for the flags of that moment: they have to be those of the next start.
  process.once('exit', () => v8.setFlagsFromString(SMALL));
}

/** Lets the space grow with what the running service needs, as it does by itself. */
export function letYoungGrow(): void {
  v8.setFlagsFromString(USUAL);
}

/** Does something under the flags of a start, while the service runs: what is kept compiled holds for these. */
export function withFlagsOfStart(work: () => void): void {
  v8.setFlagsFromString(SMALL);
  work();
  v8.setFlagsFromString(USUAL);
}
