/** `npm start`: builds what is needed, then opens the desktop window; without Electron or display it serves headless. */
import { buildIfNeeded } from './lib/build.ts';
import { findElectron } from './lib/electron.ts';
import { inRoot, root } from './lib/paths.ts';
import { runService } from './lib/run.ts';

const args = process.argv.slice(2);
await buildIfNeeded();
const electron = await findElectron();
if ('program' in electron) {
  process.exitCode = await runService(electron.program, [root, ...args]);
} else {
  console.log(`No desktop window (${electron.reason}): serving headless, open the address below in a browser.`);
  process.exitCode = await runService(process.execPath, [inRoot('out/main/headless.js'), ...args]);
}
