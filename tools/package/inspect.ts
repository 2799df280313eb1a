/** What must hold for every package, read from its files. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { extractFile, listPackage, statFile } from '@electron/asar';
import { FUSE_SENTINEL, type Target } from './dummy-electron.ts';

const NEEDED = [
  'out/main/index.js',
  'out/main/headless.js',
  'out/demo/demo.loopcheck.gz',
  'out/demo/marks.json',
  'out/preload/index.cjs',
  'out/renderer/index.html',
  'resources/demo/bay.cid',
  'package.json',
];
/** Beside the program. */
const LEGAL = ['THIRD-PARTY-NOTICES.txt', 'loopcheck.cdx.json'];
/** Source maps, tests and sources of ours have no place in a package. */
const FOREIGN = /\.map$|\.(h|c|cc|cpp|gyp|gypi)$|cyclonedx|\.(test|spec)\.[cm]?[jt]sx?$|^(src-|e2e|bench|tools|docs)|\.ts$/;

/** Everything else is bundled. */
const PACKAGES =
  /^node_modules\/(@serialport(\/(bindings-cpp|bindings-interface|parser-delimiter|parser-readline))?|better-sqlite3|debug|ms|node-gyp-build)(\/|$)/;
/** Most octets of the archive. */
const MOST_OCTETS = 12_000_000;

/** Fuses in the order of the wire, and the state the configuration asks for. */
const FUSES: readonly (readonly [string, boolean])[] = [
  ['runAsNode', false],
  ['enableCookieEncryption', true],
  ['enableNodeOptionsEnvironmentVariable', false],
  ['enableNodeCliInspectArguments', false],
  ['enableEmbeddedAsarIntegrityValidation', true],
  ['onlyLoadAppFromAsar', true],
];

/** What was found in a package. */
export interface Inspection {
  /** One line for each thing that holds. */
  readonly passed: readonly string[];
  /** One line for each thing that does not. */
  readonly failed: readonly string[];
}

/** Checks a folder that electron-builder assembled for `target` (64-bit Intel). */
export function inspectPackage(folder: string, target: Target): Inspection {
  const passed: string[] = [];
  const failed: string[] = [];
  const archive = join(folder, 'resources/app.asar');
  const entries = listPackage(archive, { isPack: false }).map((entry) => entry.replaceAll('\\', '/').replace(/^\//, ''));
  const report = (what: string, problems: readonly string[]) => {
    if (problems.length === 0) passed.push(what);
    else failed.push(...problems.map((problem) => `${what}: ${problem}`));
  };
  const missing = NEEDED.filter((name) => !entries.includes(name));
  report(`${NEEDED.length} needed files are there, ${entries.length} entries`, missing);
  report('no source map, no test and no source inside', entries.filter((name) => FOREIGN.test(name)).slice(0, 10));
  const octets = statSync(archive).size;
  report(`the archive has ${(octets / 1e6).toFixed(1)} MB`, octets <= MOST_OCTETS ? [] : [`at most ${MOST_OCTETS / 1e6} MB are allowed`]);
  const packages = entries.filter((name) => name.startsWith('node_modules/') && !PACKAGES.test(name));
  report('of node_modules the native parts alone', packages.slice(0, 10));
  report(
    'licences and bill of materials beside the program',
    LEGAL.filter((name) => !existsSync(join(folder, name))),
  );
  if (target === 'win') report('the file for command windows starts the program beside it', commandFileProblems(folder));
  const native = entries.filter((name) => name.endsWith('.node'));
  report(`native modules unpacked and for ${target} x64: ${native.join(', ')}`, nativeProblems(folder, archive, native, target));
  report('the preload script asks for electron only', preloadProblems(archive));
  report('fuses are set', fuseProblems(folder, target));
  return { passed, failed };
}

/** What is wrong with the file by which `--serve` and the commands are used in a command window. */
export function commandFileProblems(folder: string): string[] {
  const file = join(folder, 'loopcheck-cli.cmd');
  if (!existsSync(file)) return ['there is none'];
  const text = readFileSync(file, 'latin1');
  const [, program] = /^@"%~dp0([^"]+)" --serve %\*\r$/m.exec(text) ?? [];
  if (program === undefined) return ['it starts nothing with --serve and its own arguments'];
  return existsSync(join(folder, program)) ? [] : [`there is no ${program} beside it`];
}

function nativeProblems(folder: string, archive: string, native: readonly string[], target: Target): string[] {
  if (native.length === 0) return ['there is none'];
  return native.flatMap((name) => {
    const stat = statFile(archive, name);
    const file = join(folder, 'resources/app.asar.unpacked', name);
    if (!('unpacked' in stat) || stat.unpacked !== true || !existsSync(file)) return [`${name} is inside the archive`];
    return isFor(target, readFileSync(file)) ? [] : [`${name} is for another system`];
  });
}

/** True for a 64-bit Intel library: ELF with machine 0x3E, or PE with machine 0x8664. */
export function isFor(target: Target, bytes: Buffer): boolean {
  if (bytes.length < 64) return false;
  if (target === 'linux') return bytes.readUInt32BE(0) === 0x7f454c46 && bytes[4] === 2 && bytes.readUInt16LE(18) === 0x3e;
  const header = bytes.readUInt32LE(0x3c);
  const isPe = bytes.toString('latin1', 0, 2) === 'MZ' && header + 6 <= bytes.length && bytes.readUInt32LE(header) === 0x4550;
  return isPe && bytes.readUInt16LE(header + 4) === 0x8664;
}

function preloadProblems(archive: string): string[] {
  const text = extractFile(archive, 'out/preload/index.cjs').toString('utf8');
  const asked = [...text.matchAll(/require\(["'`]([^"'`]+)["'`]\)/g)].map((match) => match[1] ?? '');
  if (asked.length === 0) return ['it asks for nothing at all'];
  return asked.filter((name) => name !== 'electron').map((name) => `it asks for ${name}`);
}

function fuseProblems(folder: string, target: Target): string[] {
  const bytes = readFileSync(join(folder, target === 'linux' ? 'loopcheck' : 'Loopcheck.exe'));
  const at = bytes.indexOf(FUSE_SENTINEL);
  if (at < 0) return ['the program has no fuses'];
  const states = bytes.toString('latin1', at + FUSE_SENTINEL.length + 2);
  return FUSES.flatMap(([name, isOn], index) => ((states[index] === '1') === isOn ? [] : [`${name} should be ${isOn ? 'on' : 'off'}`]));
}
