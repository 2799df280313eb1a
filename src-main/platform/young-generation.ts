import v8 from 'node:v8';

/**
 * Keeps the engine's space for new objects as small as it began. What is made while the program is loaded stays, so the space would grow to its full size for
 * it, and be kept: some megabytes that the running service does not need. `letYoungGrow` ends it.
 */
export function keepYoungSmall(): void {
  v8.setFlagsFromString('--semi-space-growth-factor=1');
  // What is compiled is kept at the exit, and holds for the flags of that moment: they have to be those of the next start.
  process.once('exit', () => v8.setFlagsFromString('--semi-space-growth-factor=1'));
}

/** Lets the space grow with what the running service needs, as it does by itself. */
export function letYoungGrow(): void {
  v8.setFlagsFromString('--semi-space-growth-factor=2');
}
