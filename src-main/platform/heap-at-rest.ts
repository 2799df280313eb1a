import module from 'node:module';
import { collectAll } from './thread-memory.ts';
import { withFlagsOfStart } from './young-generation.ts';

/**
 * Gives back what a start leaves behind: objects that nobody holds, and compiled code that has run its course. The engine does so by itself only when memory grows. It takes
 * about a tenth of a second in one stretch, so it is for a service where no line is open and that is not at work.
 */
export function collectAtRest(): void {
  // What was compiled is kept first: a kept file holds what is still there.
  withFlagsOfStart(() => module.flushCompileCache?.());
  collectAll();
}
