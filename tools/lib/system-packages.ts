import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const INSTALL_LIMIT_MS = 300_000;

/** True where Debian packages can be installed: Debian or a relative of it, as root. */
function canInstall(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
}

/** Installs Debian packages where that is possible. The caller looks whether what it needs is there now. */
export function installPackages(names: readonly string[]): void {
  if (!canInstall()) return;
  const options = { stdio: 'ignore', timeout: INSTALL_LIMIT_MS, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  spawnSync('apt-get', ['update'], options);
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...names], options);
}

/** Null when serial lines can be tested, with pairs of pseudo terminals made by socat; otherwise what is missing, in one line. */
export function missingForSerialTests(): string | null {
  // Windows has no pseudo terminals: there these tests say so themselves and are left out.
  if (process.platform === 'win32') return null;
  const isThere = () => spawnSync('socat', ['-V'], { stdio: 'ignore' }).status === 0;
  if (isThere()) return null;
  console.log('Getting socat for the tests of serial lines …');
  installPackages(['socat']);
  return isThere() ? null : 'no socat for the tests of serial lines: install the package socat';
}
