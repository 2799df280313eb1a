/**
 * `npm test`: every check of the project, in the order in which a fault is told soonest: static checks, unit tests, build,
 * the pages in a browser, the package. Gets a browser and socat when there are none; says in one line what it could not get and fails.
 */
import { ensureBrowser } from './lib/browser.ts';
import { inRoot } from './lib/paths.ts';
import { type Ended, projectEnv, run, runTool } from './lib/run.ts';
import { missingForSerialTests } from './lib/system-packages.ts';
import { runUnitTests } from './lib/unit-results.ts';

const failedUnits: string[] = [];

interface Step {
  readonly name: string;
  start(): Promise<Ended>;
}

const steps: readonly Step[] = [
  {
    name: 'format and lint',
    start: () => run(process.execPath, [inRoot('node_modules/@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.']),
  },
  { name: 'types', start: () => runTool('@typescript/native/bin/tsc', ['-b', '--checkers', '1']) },
  { name: 'import rules', start: () => run(process.execPath, [inRoot('tools/check-imports.ts')]) },
  { name: 'engines', start: () => run(process.execPath, [inRoot('tools/check-engines.ts')]) },
  { name: 'dead code', start: () => runTool('knip/bin/knip.js', []) },
  { name: 'unit tests', start: units },
  { name: 'build', start: () => runTool('electron-vite/bin/electron-vite.js', ['build', '--logLevel', 'warn']) },
  { name: 'pages in a browser', start: pages },
  { name: 'package', start: () => run(process.execPath, [inRoot('tools/package-check.ts')]) },
];

function secondsSince(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(1);
}

async function units(): Promise<Ended> {
  const missing = missingForSerialTests();
  if (missing) console.error(`npm test: ${missing}`);
  const { ended, failed } = await runUnitTests();
  failedUnits.push(...failed);
  return missing ? { code: 1, signal: null } : ended;
}

async function pages(): Promise<Ended> {
  const browser = ensureBrowser();
  if ('reason' in browser) {
    console.error(`npm test: ${browser.reason}`);
    return { code: 1, signal: null };
  }
  return runTool('@playwright/test/cli.js', ['test'], { env: { ...projectEnv(), CHROMIUM: browser.path } });
}

const summary: string[] = [];
const failed: string[] = [];
const start = performance.now();
for (const step of steps) {
  const began = performance.now();
  console.log(`\n== ${step.name}`);
  const ended = await step.start();
  const line = `${ended.code === 0 ? 'passed' : 'FAILED'} in ${secondsSince(began)} s`;
  console.log(`== ${step.name}: ${line}`);
  summary.push(`${step.name.padEnd(18)} ${line}`);
  if (ended.code !== 0) failed.push(step.name);
}
// Told again at the end: the steps behind them print much.
if (failedUnits.length > 0) console.log(`\nFailed unit tests:\n${failedUnits.join('\n')}`);
console.log(`\n${summary.join('\n')}`);
console.log(`\n${failed.length === 0 ? 'All checks passed' : `Failed: ${failed.join(', ')}`}, in ${secondsSince(start)} s.`);
console.log(`checks: ${steps.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
