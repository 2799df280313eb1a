/** The service without a window for computers without a display: the program of the package beside a Node of its own, and nothing of Electron. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extractAll } from '@electron/asar';
import { inRoot } from '../lib/paths.ts';

const LAUNCHER = `#!/bin/sh
# Loopcheck without a window; --help tells the options.
here=$(dirname "$(readlink -f "$0")")
exec "$here/node" "$here/app/out/main/headless.js" "$@"
`;

/** Makes `Loopcheck-VERSION-headless-x64.tar.gz` of the folder that electron-builder assembled for Linux, in `output`; answers its path. */
export function makeHeadless(unpacked: string, output: string): string {
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8')) as { version: string };
  const folder = join(output, 'loopcheck-headless');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  extractAll(join(unpacked, 'resources/app.asar'), join(folder, 'app'));
  cpSync(inRoot('node_modules/node/bin/node'), join(folder, 'node'));
  for (const name of ['THIRD-PARTY-NOTICES.txt', 'loopcheck.cdx.json']) cpSync(inRoot('out/legal', name), join(folder, name));
  for (const path of ['LICENSE', 'resources/service/loopcheck.service']) cpSync(inRoot(path), join(folder, path.split('/').at(-1) ?? path));
  writeFileSync(join(folder, 'loopcheck'), LAUNCHER);
  for (const name of ['loopcheck', 'node']) chmodSync(join(folder, name), 0o755);
  const file = join(output, `Loopcheck-${version}-headless-x64.tar.gz`);
  const packed = spawnSync('tar', ['czf', file, '--owner=0', '--group=0', '-C', output, 'loopcheck-headless'], { encoding: 'utf8' });
  if (packed.status !== 0) throw new Error(`tar did not make ${file}: ${packed.stderr}`);
  rmSync(folder, { recursive: true, force: true });
  return file;
}
