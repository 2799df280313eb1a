/**
 * `npm run e2e:electron [-- FILE …]`: the page tests in the desktop window of a real Electron: the one that is installed, else the program
 * that LOOPCHECK_ELECTRON names. Needs a build. Where there is none, or no screen, it says so in one line, and the exit code is 1: nothing was shown.
 */
import { existsSync } from 'node:fs';
import { buildIfNeeded } from './lib/build.ts';
import { installedElectron, noWindowReason } from './lib/electron.ts';
import { projectEnv, runTool } from './lib/run.ts';

const named = process.env.LOOPCHECK_ELECTRON;
const program = installedElectron() ?? named ?? null;
const reason =
  program === null
    ? 'Electron is not installed, and LOOPCHECK_ELECTRON names no program'
    : existsSync(program)
      ? noWindowReason()
      : `LOOPCHECK_ELECTRON names ${program}, which is not there`;
if (program === null || reason !== null) {
  console.error(`No page test ran in the desktop window: ${reason}.`);
  process.exitCode = 1;
} else {
  await buildIfNeeded();
  const env = { ...projectEnv(), LOOPCHECK_E2E: 'electron', LOOPCHECK_ELECTRON: program };
  const { code } = await runTool('@playwright/test/cli.js', ['test', ...process.argv.slice(2)], { env });
  process.exitCode = code ?? 1;
}
