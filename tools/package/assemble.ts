import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot, root } from '../lib/paths.ts';
import { projectEnv } from '../lib/run.ts';
import { makeDummyElectron, type Target } from './dummy-electron.ts';

const FOLDERS: Readonly<Record<Target, string>> = { linux: 'linux-unpacked', win: 'win-unpacked' };

/** Assembles the package of one system from a stand-in for Electron, without the network; answers its folder. */
export async function assemblePackage(target: Target): Promise<string> {
  const electron = makeDummyElectron(target, inRoot('.dummy', `electron-${target}`));
  const output = inRoot('.dummy', 'dist');
  const folder = join(output, FOLDERS[target]);
  rmSync(folder, { recursive: true, force: true });
  const args = [`--${target}`, 'dir', '--x64', '--publish', 'never', `-c.electronDist=${electron}`, `-c.directories.output=${output}`];
  const ended = await runBuilder(args);
  if (ended.code !== 0 || !existsSync(folder)) throw new Error(`electron-builder did not assemble the ${target} package:\n${ended.output}`);
  return folder;
}

/** Runs electron-builder; its words are shown only when it fails. */
function runBuilder(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const command = [inRoot('node_modules/electron-builder/cli.js'), ...args];
    const child = spawn(process.execPath, command, { cwd: root, env: projectEnv(), stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
