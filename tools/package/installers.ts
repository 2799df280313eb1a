/** Looks into what is handed out: it is unpacked as its users' systems would, and compared with what was packed. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Target } from './dummy-electron.ts';
import { inspectPackage } from './inspect.ts';
import { tryHeadless, tryService } from './try-headless.ts';

/** The whole program: 7za, which electron-builder is content with, knows no NSIS. */
const SEVEN_ZIP = '7z';

/** Unpacks a file and compares it with the folder it was made of. Throws at the first thing that does not hold. */
export async function checkInstaller(file: string, unpacked: string, target: Target, passed: (what: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'loopcheck-installer-'));
  try {
    if (file.includes('-headless-')) {
      must('tar', ['xzf', file], folder);
      const { text } = await tryService(join(folder, 'loopcheck-headless/loopcheck'), [], folder);
      passed(`started by its own launcher it reads the demo plant: ${text}`);
      return;
    }
    const program = programIn(file, folder, passed);
    const differences = compare(unpacked, program, BESIDE);
    if (differences.length > 0) throw new Error(`${file} is not what was packed: ${differences.slice(0, 10).join(', ')}`);
    passed(`${listOf(unpacked).length} files, octet by octet those that were packed`);
    const { failed } = inspectPackage(program, target);
    if (failed.length > 0) throw new Error(`${file}: ${failed.join('; ')}`);
    if (target !== 'linux') return;
    const { text } = await tryHeadless(program);
    passed(`its service starts and reads the demo plant: ${text}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Files that an installer adds to the program. */
const BESIDE =
  /^(uninstall .*\.exe|uninstallericon\.ico|loopcheck\.desktop|loopcheck\.png|\.diricon|apprun|usr\/.*|resources\/(elevate\.exe|app-update\.yml)|resources)$/i;

/** The program in an installer, unpacked into a folder. */
function programIn(file: string, folder: string, passed: (what: string) => void): string {
  if (file.endsWith('.exe')) return fromNsis(file, folder, passed);
  if (file.endsWith('.AppImage')) {
    must(file, ['--appimage-extract'], folder);
    return join(folder, 'squashfs-root');
  }
  if (file.endsWith('.deb')) return fromDeb(file, folder, passed);
  if (file.endsWith('.zip')) must(SEVEN_ZIP, ['x', '-y', `-o${folder}`, file], folder);
  else must('tar', ['xzf', file], folder);
  const [only] = readdirSync(folder);
  return file.endsWith('.zip') || !only ? folder : join(folder, only);
}

function fromNsis(file: string, folder: string, passed: (what: string) => void): string {
  must(SEVEN_ZIP, ['x', '-tNsis', '-y', `-o${folder}/setup`, file], folder);
  const parts = readdirSync(join(folder, 'setup'), { recursive: true, encoding: 'utf8' });
  const archive = parts.find((name) => /app-64\.7z$/.test(name));
  if (!archive) throw new Error(`${file} holds no program: ${parts.join(', ')}`);
  if (!parts.some((name) => /Uninstall.*\.exe$/i.test(name))) throw new Error(`${file} holds no uninstaller: ${parts.join(', ')}`);
  passed('an installer with its uninstaller');
  must(SEVEN_ZIP, ['x', '-y', `-o${folder}/app`, join(folder, 'setup', archive)], folder);
  return join(folder, 'app');
}

/** Installed by dpkg into a folder of its own, as on a computer that has everything else. */
function fromDeb(file: string, folder: string, passed: (what: string) => void): string {
  const system = join(folder, 'system');
  mkdirSync(join(system, 'var/lib/dpkg/updates'), { recursive: true });
  mkdirSync(join(system, 'var/lib/dpkg/info'), { recursive: true });
  for (const name of ['status', 'available']) writeFileSync(join(system, 'var/lib/dpkg', name), '');
  must('dpkg', [`--root=${system}`, '--force-depends', '--force-not-root', '--log=/dev/null', '-i', file], folder);
  for (const path of ['usr/share/applications/loopcheck.desktop', 'usr/share/mime/packages/loopcheck.xml', 'usr/bin/loopcheck']) {
    if (!lstatSync(join(system, path), { throwIfNoEntry: false })) throw new Error(`${file} installs no ${path}`);
  }
  must('dpkg', [`--root=${system}`, '--force-not-root', '--log=/dev/null', '--audit'], folder);
  const program = join(folder, 'program');
  cpSync(join(system, 'opt/Loopcheck'), program, { recursive: true });
  must('dpkg', [`--root=${system}`, '--force-not-root', '--log=/dev/null', '-r', 'loopcheck'], folder);
  if (existsSync(join(system, 'opt/Loopcheck'))) throw new Error(`${file} leaves its program behind when it is removed`);
  passed('dpkg installs it and takes all of it away again');
  return program;
}

function must(program: string, args: readonly string[], cwd: string): void {
  const ended = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (ended.status === 0) return;
  throw new Error(`${program} ${args.join(' ')} ended with ${ended.status ?? ended.error?.message}: ${ended.stderr}${ended.stdout}`);
}

function listOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** What differs between two folders; `beside` are files that may be in the second alone. */
function compare(expected: string, found: string, beside: RegExp): string[] {
  const before = new Set(listOf(expected));
  const after = listOf(found);
  const differing = [...before].filter((name) => {
    const other = join(found, name);
    return !existsSync(other) || !readFileSync(join(expected, name)).equals(readFileSync(other));
  });
  return [
    ...differing.map((name) => `${name} differs or is missing`),
    ...after.filter((name) => !before.has(name) && !beside.test(name)).map((name) => `${name} is too much`),
  ];
}
