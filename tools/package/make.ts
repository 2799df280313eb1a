/**
 * `npm run package:win`, `npm run package:linux`: builds the program and makes its installers in `dist`, with checksums, and looks into each of them.
 *
 * LOOPCHECK_ELECTRON_DIST names a folder with Electron for the system that is packed for; `--stand-in` takes a stand-in, to try the making itself. Otherwise
 * electron-builder fetches Electron and its own tools; where it cannot, its variables (ELECTRON_BUILDER_NSIS_DIR, APPIMAGE_TOOLS_PATH …) name them.
 */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../lib/paths.ts';
import { runTool } from '../lib/run.ts';
import { build, standIn, UNPACKED } from './builder.ts';
import { makeDeb } from './deb.ts';
import type { Target } from './dummy-electron.ts';
import { makeHeadless } from './headless.ts';
import { checkInstaller } from './installers.ts';

const MADE = /\.(exe|zip|AppImage|tar\.gz|deb)$/;

/** Name of the list of checksums, as `sha256sum -c` reads it. */
export const SUMS = 'SHA256SUMS';

async function make(target: Target, isStandIn: boolean): Promise<void> {
  const output = inRoot('dist');
  const unpacked = join(output, UNPACKED[target]);
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  for (const name of madeFor(output, target)) rmSync(join(output, name));
  const electron = isStandIn ? standIn(target) : (process.env.LOOPCHECK_ELECTRON_DIST ?? null);
  await build({ target, form: null, output, electron, settings: process.env.LOOPCHECK_BUILDER_SETTINGS?.split(' ') ?? [] });
  if (target === 'linux') {
    makeDeb(unpacked, output);
    makeHeadless(unpacked, output);
  }
  cpSync(inRoot('out/legal/loopcheck.cdx.json'), join(output, 'loopcheck.cdx.json'));
  const made = madeFor(output, target);
  for (const name of made) await checkInstaller(join(output, name), unpacked, target, (what) => console.log(`  ok    ${name}: ${what}`));
  writeSums(output);
  console.log(`${made.length} files for ${target} in ${output}`);
}

function madeFor(output: string, target: Target): string[] {
  const isWindows = (name: string) => /\.exe$|-win\.zip$|win.*\.zip$/.test(name);
  return readdirSync(output).filter((name) => MADE.test(name) && isWindows(name) === (target === 'win'));
}

/** One list for everything that is handed out. */
function writeSums(output: string): void {
  const names = readdirSync(output).filter((name) => MADE.test(name) || name.endsWith('.cdx.json'));
  const lines = names.sort().map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(output, name)))
        .digest('hex')}  ${name}\n`,
  );
  writeFileSync(join(output, SUMS), lines.join(''));
}

const [target, ...flags] = process.argv.slice(2);
if (target !== 'win' && target !== 'linux') {
  console.error('Say for which system: make.ts win, or make.ts linux; --stand-in tries it without Electron.');
  process.exitCode = 1;
} else {
  const built = await runTool('electron-vite/bin/electron-vite.js', ['build', '--logLevel', 'warn']);
  if (built.code === 0) await make(target, flags.includes('--stand-in'));
  else process.exitCode = 1;
}
