import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../lib/paths.ts';
import { build, standIn, UNPACKED } from './builder.ts';
import type { Target } from './dummy-electron.ts';

/** Assembles the package of one system from a stand-in for Electron, without the network; answers its folder. */
export async function assemblePackage(target: Target): Promise<string> {
  const output = inRoot('.dummy', 'dist');
  const folder = join(output, UNPACKED[target]);
  rmSync(folder, { recursive: true, force: true });
  await build({ target, form: 'dir', output, electron: standIn(target) });
  if (!existsSync(folder)) throw new Error(`electron-builder left no ${folder}.`);
  return folder;
}
