import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { inRoot } from './paths.ts';

const DOWNLOAD_LIMIT_MS = 60_000;

/** Path of the Electron program, or the reason why there is none. */
export type ElectronFound = { readonly program: string } | { readonly reason: string };

/** Looks for an Electron binary that is already there. Requiring the package instead would start a download at once. */
export function installedElectron(): string | null {
  const pathFile = inRoot('node_modules/electron/path.txt');
  if (!existsSync(pathFile)) return null;
  const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? inRoot('node_modules/electron/dist');
  const program = `${dist}/${readFileSync(pathFile, 'utf8').trim()}`;
  return existsSync(program) ? program : null;
}

/** Why a window cannot be opened on this computer at all; null when it can. */
export function noWindowReason(): string | null {
  if (process.platform !== 'linux') return null;
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return 'there is no display';
  if (process.getuid?.() === 0) return 'Electron does not run as root';
  return null;
}

/** Finds the Electron program, downloading it once where that is possible; gives up after 60 s. */
export async function findElectron(): Promise<ElectronFound> {
  const reason = noWindowReason();
  if (reason) return { reason };
  const present = installedElectron();
  if (present) return { program: present };
  console.log('Getting Electron (once, 60 s at most) …');
  await download();
  const program = installedElectron();
  return program ? { program } : { reason: 'the Electron binary could not be downloaded' };
}

function download(): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [inRoot('node_modules/electron/install.js')], { stdio: 'ignore' });
    const limit = setTimeout(() => child.kill('SIGKILL'), DOWNLOAD_LIMIT_MS);
    const end = () => {
      clearTimeout(limit);
      resolve();
    };
    child.once('error', end);
    child.once('exit', end);
  });
}
