/**
 * `npm test`: every check of the project, in the order in which a fault is told soonest: static checks and the build, two at a time; unit tests, the
 * pages in a browser, the package. Gets a browser and socat when there are none; says in one line what it could not get and fails.
 */
import { ensureBrowser } from './lib/browser.ts';
import { inRoot } from './lib/paths.ts';
import { type Ended, projectEnv, run, runTool } from './lib/run.ts';
import { missingForSerialTests } from './lib/system-packages.ts';
import { checkTypes } from './lib/types.ts';
import { runUnitTests } from './lib/unit-results.ts';

const failedUnits: string[] = [];

interface Step {
  readonly name: string;
  start(): Promise<Ended>;
}

/** Checks that use one core each: two of them at a time, their words kept until they have ended. */
const beside: readonly (readonly Step[])[] = [
  [
    { name: 'types', start: () => checkTypes(kept('types')) },
    { name: 'dead code', start: () => runTool('knip/bin/knip.js', [], kept('dead code')) },
  ],
  [
    {
      name: 'format and lint',
      start: () =>
        run(
          process.execPath,
          [inRoot('node_modules/@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'],
          kept('format and lint'),
        ),
    },
    { name: 'import rules', start: () => run(process.execPath, [inRoot('tools/check-imports.ts')], kept('import rules')) },
    { name: 'engines', start: () => run(process.execPath, [inRoot('tools/check-engines.ts')], kept('engines')) },
    { name: 'build', start: () => runTool('electron-vite/bin/electron-vite.js', ['build', '--logLevel', 'warn'], kept('build')) },
  ],
];

const steps: readonly Step[] = [
  { name: 'unit tests', start: units },
  { name: 'pages in a browser', start: pages },
  { name: 'package', start: () => run(process.execPath, [inRoot('tools/package-check.ts')]) },
];

function secondsSince(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(1);
}

/** What a step beside others printed. */
const said = new Map<string, Buffer[]>();

/** Keeps what a step prints. */
function kept(name: string): Parameters<typeof run>[2] {
  const chunks: Buffer[] = [];
  said.set(name, chunks);
  return { stdio: ['ignore', 'pipe', 'pipe'], onOutput: (chunk: Buffer) => chunks.push(chunk) };
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
async function take(step: Step): Promise<void> {
  const began = performance.now();
  const isAlone = steps.includes(step);
  if (isAlone) console.log(`\n== ${step.name}`);
  const ended = await step.start();
  if (!isAlone) console.log(`\n== ${step.name}\n${Buffer.concat(said.get(step.name) ?? []).toString()}`);
  const line = `${ended.code === 0 ? 'passed' : 'FAILED'} in ${secondsSince(began)} s`;
  console.log(`== ${step.name}: ${line}`);
  summary.push(`${step.name.padEnd(18)} ${line}`);
  if (ended.code !== 0) failed.push(step.name);
}

await Promise.all(
  beside.map(async (lane) => {
    for (const step of lane) await take(step);
  }),
);
for (const step of steps) await take(step);
// Told again at the end: the steps behind them print much.
if (failedUnits.length > 0) console.log(`\nFailed unit tests:\n${failedUnits.join('\n')}`);
console.log(`\n${summary.join('\n')}`);
console.log(`\n${failed.length === 0 ? 'All checks passed' : `Failed: ${failed.join(', ')}`}, in ${secondsSince(start)} s.`);
console.log(`checks: ${summary.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
