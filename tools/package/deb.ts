/** A package for Debian and its relatives, made of the unpacked program by Debian's own tool. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { inRoot } from '../lib/paths.ts';

/** What Electron needs of the system (its own list for Debian, with the names of both 11 and 13). */
const DEPENDS = [
  'libgtk-3-0 | libgtk-3-0t64',
  'libnotify4',
  'libnss3',
  'libxss1',
  'libxtst6',
  'xdg-utils',
  'libatspi2.0-0 | libatspi2.0-0t64',
  'libuuid1',
  'libsecret-1-0',
  'libasound2 | libasound2t64',
  'libgbm1',
];

interface Facts {
  readonly version: string;
  readonly description: string;
  readonly author: string;
  readonly homepage: string;
}

/** Makes `loopcheck_VERSION_amd64.deb` of the folder that electron-builder assembled, in the folder `output`; answers its path. Needs dpkg-deb. */
export function makeDeb(unpacked: string, output: string): string {
  const facts = JSON.parse(readFileSync(inRoot('package.json'), 'utf8')) as Facts;
  const tree = join(output, 'deb');
  rmSync(tree, { recursive: true, force: true });
  const program = join(tree, 'opt/Loopcheck');
  cpSync(unpacked, program, { recursive: true });
  // Without user namespaces the sandbox of the pages needs this right.
  if (existsSync(join(program, 'chrome-sandbox'))) chmodSync(join(program, 'chrome-sandbox'), 0o4755);
  mkdirSync(join(tree, 'usr/bin'), { recursive: true });
  symlinkSync('/opt/Loopcheck/loopcheck', join(tree, 'usr/bin/loopcheck'));
  write(tree, 'usr/share/applications/loopcheck.desktop', DESKTOP);
  write(tree, 'usr/share/mime/packages/loopcheck.xml', MIME);
  write(tree, 'usr/share/doc/loopcheck/copyright', readFileSync(inRoot('LICENSE'), 'utf8'));
  for (const size of iconSizes()) {
    const place = join(tree, `usr/share/icons/hicolor/${size}/apps`);
    mkdirSync(place, { recursive: true });
    cpSync(inRoot(`resources/icons/${size}.png`), join(place, 'loopcheck.png'));
  }
  write(tree, 'DEBIAN/control', control(facts, kilobytes(tree)));
  const file = join(output, `loopcheck_${facts.version}_amd64.deb`);
  const made = spawnSync('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', tree, file], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`dpkg-deb did not make ${relative('.', file)}: ${made.stderr ?? made.error?.message}`);
  rmSync(tree, { recursive: true, force: true });
  return file;
}

function iconSizes(): string[] {
  return readdirSync(inRoot('resources/icons')).flatMap((name) => /^(\d+x\d+)\.png$/.exec(name)?.[1] ?? []);
}

function write(tree: string, path: string, text: string): void {
  mkdirSync(join(tree, path, '..'), { recursive: true });
  writeFileSync(join(tree, path), text);
}

function kilobytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const octets = files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  return Math.ceil(octets / 1024);
}

function control({ version, description, author, homepage }: Facts, size: number): string {
  return [
    'Package: loopcheck',
    `Version: ${version}`,
    'Section: electronics',
    'Priority: optional',
    'Architecture: amd64',
    `Maintainer: ${author}`,
    `Installed-Size: ${size}`,
    `Depends: ${DEPENDS.join(', ')}`,
    `Homepage: ${homepage}`,
    `Description: ${description.split(':')[0]}`,
    ` ${description}.`,
    '',
  ].join('\n');
}

export const DESKTOP = `[Desktop Entry]
Type=Application
Name=Loopcheck
Comment=Commissioning tool for power and metering devices
Comment[zh_CN]=电力与计量设备调试工具
Exec=/opt/Loopcheck/loopcheck %f
Icon=loopcheck
Terminal=false
Categories=Utility;Electronics;
MimeType=application/x-loopcheck;application/x-scl+xml;
StartupWMClass=Loopcheck
`;

export const MIME = `<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="application/x-loopcheck">
    <comment>Loopcheck project</comment>
    <comment xml:lang="zh_CN">Loopcheck 工程</comment>
    <glob pattern="*.loopcheck"/>
  </mime-type>
  <mime-type type="application/x-scl+xml">
    <comment>IEC 61850 SCL file</comment>
    <comment xml:lang="zh_CN">IEC 61850 SCL 文件</comment>
    <sub-class-of type="application/xml"/>
    <glob pattern="*.scd"/>
    <glob pattern="*.icd"/>
    <glob pattern="*.cid"/>
  </mime-type>
</mime-info>
`;
