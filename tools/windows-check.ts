/**
 * `npm run windows:check`: the headless service as it is in the Windows package, on the Windows build of Node under Wine. Where Wine or that Node cannot be had it says so in
 * one line, and the exit code is 0: nothing was shown. What Wine does not show: drivers of
 * adapters, plugging, a port that another program has (it gives one port to several), sleep, the firewall, the window.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractAll } from '@electron/asar';
import { buildIfNeeded } from './lib/build.ts';
import { inRoot } from './lib/paths.ts';
import { missingForSerialTests } from './lib/system-packages.ts';
import { assemblePackage } from './package/assemble.ts';
import { tryOnWindows } from './windows/trial.ts';
import { findWindowsNode, findWine, WindowsComputer } from './windows/wine.ts';

const LIMIT_MS = 180_000;

/** The archive of the Windows package; that of `npm run package:check` where it is newer than the build. */
async function windowsArchive(): Promise<string> {
  await buildIfNeeded();
  const archive = inRoot('.dummy/dist/win-unpacked/resources/app.asar');
  const built = statSync(inRoot('out/main/headless.js')).mtimeMs;
  if ((statSync(archive, { throwIfNoEntry: false })?.mtimeMs ?? 0) > built) return archive;
  return join(await assemblePackage('win'), 'resources/app.asar');
}

const wine = findWine();
const node = 'reason' in wine ? wine : findWindowsNode();
const missing = 'reason' in node ? node.reason : missingForSerialTests();
if ('reason' in wine || 'reason' in node || missing !== null) {
  console.log(`windows check: not run, nothing was shown: ${missing}.`);
} else {
  const archive = await windowsArchive();
  const folder = mkdtempSync(join(tmpdir(), 'loopcheck-windows-'));
  const began = performance.now();
  const computer = WindowsComputer.setUp(wine.program, node.program, join(folder, 'computer'));
  const limit = setTimeout(() => {
    console.error(`windows check FAILED: not done in ${LIMIT_MS / 1000} s`);
    computer.end();
    process.exit(1);
  }, LIMIT_MS);
  try {
    const program = join(folder, 'Program Files 程序', 'app');
    extractAll(archive, program);
    await tryOnWindows({ computer, program, folder, passed: (what) => console.log(`  ok    ${what}`) });
    console.log(`windows check passed in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  } catch (thrown) {
    console.error(`windows check FAILED: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    process.exitCode = 1;
  } finally {
    clearTimeout(limit);
    computer.end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
