import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../lib/paths.ts';
import { runTool } from '../lib/run.ts';
import { makeDummyElectron, type Target } from './dummy-electron.ts';

const FOLDERS: Readonly<Record<Target, string>> = { linux: 'linux-unpacked', win: 'win-unpacked' };

/** Assembles the package of one system from a stand-in for Electron, without the network; answers its folder. */
export async function assemblePackage(target: Target): Promise<string> {
  const electron = makeDummyElectron(target, inRoot('.dummy', `electron-${target}`));
  const output = inRoot('.dummy', 'dist');
  const args = [`--${target}`, 'dir', '--x64', '--publish', 'never', `-c.electronDist=${electron}`, `-c.directories.output=${output}`];
  const ended = await runTool('electron-builder/cli.js', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const folder = join(output, FOLDERS[target]);
  if (ended.code !== 0 || !existsSync(folder)) throw new Error(`electron-builder did not assemble the ${target} package.`);
  return folder;
}
