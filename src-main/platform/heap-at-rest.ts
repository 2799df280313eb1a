import module from 'node:module';
import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';
import { withFlagsOfStart } from './young-generation.ts';

type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

/**
 * Gives back what a start leaves behind: objects that nobody holds, and compiled code that has run its course. The engine does so by itself only when memory grows. It takes
 * about a tenth of a second in one stretch, so it is for a service where no line is open and that is not at work.
 */
export function collectAtRest(): void {
  // What was compiled is kept first: a kept file holds what is still there.
  withFlagsOfStart(() => module.flushCompileCache?.());
  v8.setFlagsFromString('--expose-gc');
  // an engine whose flags no longer change has none
  const collect: Collect | undefined = runInNewContext('globalThis.gc');
  v8.setFlagsFromString('--no-expose-gc');
  collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
