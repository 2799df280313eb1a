/**
 * `npm run soak [-- NAME …]`: runs that are too long for `npm test`; without a name all of them. The exit code is 1 when one fails.
 * A long run is an entry here: unit test files or a script of tools/soak, how often, and what they read from the environment.
 */
import { globSync, readFileSync } from 'node:fs';
import { inRoot, root } from './lib/paths.ts';
import { projectEnv, run, runTool } from './lib/run.ts';

interface LongRun {
  readonly name: string;
  /** Filters of `vitest run`, or a script. */
  readonly files: readonly string[] | string;
  readonly env?: Readonly<Record<string, string>>;
  /** Default 1. */
  readonly rounds?: number;
}

const runs: readonly LongRun[] = [
  { name: 'kills', files: ['src-main/persistence/kill.test.ts'], env: { LOOPCHECK_KILLS: '1000' } },
  { name: 'check-kills', files: ['src-main/app/check-kill.test.ts'], env: { LOOPCHECK_CHECK_KILLS: '100' } },
  // 10^6 exchanges
  {
    name: 'asking-lines',
    files: ['src-main/drivers/kit/asking-lines.prop.test.ts', 'src-main/drivers/kit/commands.prop.test.ts'],
    env: { LOOPCHECK_SOAK: '10' },
  },
  // 10^4 commands, counted at the device
  { name: 'controls', files: ['src-main/drivers/iec61850/control/faulty-control.prop.test.ts'], env: { LOOPCHECK_SOAK: '10' } },
  { name: 'faulty-line', files: ['src-main/drivers/modbus/rtu/faulty-line.test.ts'], env: { LOOPCHECK_SOAK: '30' } },
  { name: 'hours', files: ['src-main/app/coming-and-going.test.ts'], env: { LOOPCHECK_HOURS: '8', LOOPCHECK_TELL: '1' } },
  // half an hour of the built service
  { name: 'devices', files: 'tools/soak/devices.ts' },
  // ten minutes of tables that are edited while devices are late, silent and untrue
  { name: 'edits', files: 'tools/soak/edits.ts' },
  // broker and databases away for ten minutes under 1,000 values a second
  { name: 'outage', files: 'tools/soak/outage.ts' },
  { name: 'publish-kills', files: ['src-main/app/publish-kill.test.ts'], env: { LOOPCHECK_PUBLISH_KILLS: '100' } },
  // ten minutes of the built pages
  { name: 'page', files: 'tools/soak/page.ts' },
  { name: 'fuzz', files: propertyTests(), env: { LOOPCHECK_PROPERTY_SEED: 'random' }, rounds: 50 },
];

/** Every test file with properties. */
function propertyTests(): string[] {
  const tests = globSync('{src-main,src-shared,src-renderer,tools}/**/*.test.{ts,tsx}', { cwd: root });
  return tests.filter((file) => readFileSync(inRoot(file), 'utf8').includes("from 'fast-check'"));
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => runs.every((each) => each.name !== name));
if (unknown.length > 0) {
  console.error(`No long run named ${unknown.join(', ')}; there are: ${runs.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}
const failed: string[] = [];
for (const { name, files, env, rounds = 1 } of runs) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  for (let round = 1; round <= rounds; round++) {
    console.log(`\n== ${name} ${round} of ${rounds}`);
    const options = { env: { ...projectEnv(), ...env } };
    const { code } = await (typeof files === 'string'
      ? build().then(() => run(process.execPath, [inRoot(files)], options))
      : runTool('vitest/vitest.mjs', ['run', ...files], options));
    if (code !== 0) failed.push(`${name} ${round}`);
  }
}

/** A script runs the built service. */
async function build(): Promise<void> {
  const { code } = await runTool('electron-vite/bin/electron-vite.js', ['build', '--logLevel', 'warn']);
  if (code !== 0) throw new Error('The build failed.');
}

console.log(`\n${failed.length === 0 ? 'All long runs passed.' : `Failed: ${failed.join(', ')}`}`);
process.exitCode = failed.length === 0 ? 0 : 1;
