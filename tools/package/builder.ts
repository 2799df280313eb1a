/** electron-builder, and what it needs that it would fetch from elsewhere. */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { inRoot, root } from '../lib/paths.ts';
import { projectEnv } from '../lib/run.ts';
import { makeDummyElectron, type Target } from './dummy-electron.ts';
import { writeLegal } from './legal.ts';

/** Folder where electron-builder puts the program of a system before it is packed. */
export const UNPACKED: Readonly<Record<Target, string>> = { linux: 'linux-unpacked', win: 'win-unpacked' };

export interface BuildOptions {
  readonly target: Target;
  /** `dir` for the folder alone; null for what the configuration names. */
  readonly form: 'dir' | null;
  /** Folder for what is made. */
  readonly output: string;
  /** Folder of Electron; null takes the one that electron-builder fetches. */
  readonly electron: string | null;
  /** Further settings, as `-c.name=value`. */
  readonly settings?: readonly string[];
}

/** Runs electron-builder over the built program; its words are shown only when it fails. */
export async function build({ target, form, output, electron, settings = [] }: BuildOptions): Promise<void> {
  writeLegal();
  const args = [`--${target}`, ...(form === null ? [] : [form]), '--x64', '--publish', 'never', `-c.directories.output=${output}`];
  const own = electron === null ? [] : [`-c.electronDist=${electron}`];
  const command = [inRoot('node_modules/electron-builder/cli.js'), ...args, ...own, ...settings];
  const ended = await run(command, target === 'win' ? withUninstallerReader() : projectEnv());
  if (ended.code !== 0) throw new Error(`electron-builder did not make the ${target} package:\n${ended.output}`);
}

/** A stand-in for Electron: what is made of it is packed as it should be, and has no window. */
export function standIn(target: Target): string {
  return makeDummyElectron(target, inRoot('.dummy', `electron-${target}`));
}

/**
 * The installer is run once, for the uninstaller that it contains. It is a program of 32 bits, which a Wine of 64 bits does not run: without another `wine` the part is read out
 * of the file, as electron-builder itself does on a Mac.
 */
function withUninstallerReader(): NodeJS.ProcessEnv {
  const env = projectEnv();
  const found = (env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'wine')));
  if (process.platform === 'win32' || found) return env;
  const folder = inRoot('.dummy/bin');
  mkdirSync(folder, { recursive: true });
  const wine = join(folder, 'wine');
  writeFileSync(wine, `#!/bin/sh\nexec '${process.execPath}' '${inRoot('tools/package/uninstaller-reader.ts')}' "$@"\n`);
  chmodSync(wine, 0o755);
  return { ...env, PATH: `${folder}${delimiter}${env.PATH}` };
}

function run(command: readonly string[], env: NodeJS.ProcessEnv): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
