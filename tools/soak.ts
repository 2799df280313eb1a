/**
 * `npm run soak [-- NAME …]`: the long forms of tests that `npm test` runs short. A test takes LOOPCHECK_SOAK as how many times as long it is to run.
 */
import { inRoot } from './lib/paths.ts';
import { projectEnv, runTool } from './lib/run.ts';

/** Name, test file, and how many times as long. */
const runs: readonly (readonly [name: string, file: string, times: number])[] = [
  ['asking-lines', 'src-main/drivers/kit/asking-lines.prop.test.ts', 10],
];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !runs.some(([known]) => known === name));
if (unknown.length > 0) {
  console.error(`No run named ${unknown.join(', ')}; there are: ${runs.map(([name]) => name).join(', ')}.`);
  process.exit(1);
}
for (const [name, file, times] of runs) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const ended = await runTool('vitest/vitest.mjs', ['run', inRoot(file)], { env: { ...projectEnv(), LOOPCHECK_SOAK: String(times) } });
  if (ended.code !== 0) process.exitCode = 1;
}
