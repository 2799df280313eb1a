/** `npm run dev:headless`: the service and its pages with reload on change, on plain Node instead of Electron. */
import { inRoot } from './lib/paths.ts';
import { projectEnv, runTool } from './lib/run.ts';

const ended = await runTool('electron-vite/bin/electron-vite.js', ['dev', '--watch', '--', ...process.argv.slice(2)], {
  env: { ...projectEnv(), ELECTRON_EXEC_PATH: process.execPath, ELECTRON_ENTRY: inRoot('out/main/headless.js') },
});
process.exitCode = ended.code ?? 1;
