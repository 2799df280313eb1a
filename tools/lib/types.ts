import { type Ended, projectEnv, type RunOptions, runTool } from './run.ts';

/**
 * The compiler keeps nearly all that it allocates to its end, so collecting what it does not need finds little: at the default it takes a third of the
 * processor time of a check. It is collected a quarter as often, and as often as needed above the limit.
 */
const MEMORY = { GOGC: '400', GOMEMLIMIT: '4GiB' };

/** Checks the types of the whole repository. What the environment says of the compiler's memory holds. */
export function checkTypes(options: RunOptions = {}): Promise<Ended> {
  return runTool('@typescript/native/bin/tsc', ['-b', '--checkers', '1'], { env: { ...MEMORY, ...projectEnv() }, ...options });
}
