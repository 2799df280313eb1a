/** Stand-ins for the Electron distribution: enough for electron-builder to package offline, not runnable as a browser. */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { inRoot } from '../lib/paths.ts';

export type Target = 'linux' | 'win';

/** Marks the place of the fuses in a real Electron binary; version 1 and the number of fuses follow, then one state each. */
export const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const FUSE_STATES = '101000010';

const COMMON_FILES = ['icudtl.dat', 'resources.pak', 'LICENSE', 'LICENSES.chromium.html'];
const TARGET_FILES: Readonly<Record<Target, readonly string[]>> = {
  linux: ['chrome_crashpad_handler', 'chrome-sandbox', 'libffmpeg.so'],
  win: ['d3dcompiler_47.dll', 'ffmpeg.dll', 'libEGL.dll', 'libGLESv2.dll'],
};

/** Makes the folder anew and answers its path. */
export function makeDummyElectron(target: Target, folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'locales'), { recursive: true });
  mkdirSync(join(folder, 'resources'), { recursive: true });
  for (const name of [...COMMON_FILES, ...TARGET_FILES[target]]) writeFileSync(join(folder, name), 'stand-in');
  for (const locale of ['en-US', 'zh-CN', 'de']) writeFileSync(join(folder, 'locales', `${locale}.pak`), locale);
  writeFileSync(join(folder, 'version'), electronVersion());
  const program = target === 'linux' ? Buffer.from('#!/bin/sh\nexit 1\n') : windowsProgram();
  const name = join(folder, target === 'linux' ? 'electron' : 'electron.exe');
  writeFileSync(name, Buffer.concat([program, fuseWire()]));
  chmodSync(name, 0o755);
  return folder;
}

function electronVersion(): string {
  const { version } = JSON.parse(readFileSync(inRoot('node_modules/electron/package.json'), 'utf8')) as { version: string };
  return version;
}

function fuseWire(): Buffer {
  return Buffer.concat([Buffer.from(FUSE_SENTINEL), Buffer.of(1, FUSE_STATES.length), Buffer.from(FUSE_STATES)]);
}

/** What is used of the two packages that electron-builder edits Windows programs with. */
interface PeLibrary {
  NtExecutable: { createEmpty(is32Bit: boolean, isDll: boolean): { generate(): ArrayBuffer } };
  NtExecutableResource: { from(program: object): { readonly entries: unknown[]; outputResource(program: object): void } };
}
interface ResEdit {
  Resource: {
    VersionInfo: {
      createEmpty(): {
        setFileVersion(major: number, minor: number, micro: number, revision: number, lang: number): void;
        setStringValues(language: { lang: number; codepage: number }, values: Record<string, string>): void;
        outputToResourceEntries(entries: unknown[]): void;
      };
    };
  };
}

/** A Windows program with nothing but a version block, which electron-builder rewrites. */
function windowsProgram(): Buffer {
  const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json'));
  const library = createRequire(builder.resolve('app-builder-lib/package.json'));
  const { Resource } = library('resedit') as ResEdit;
  const { NtExecutable, NtExecutableResource } = createRequire(library.resolve('resedit'))('pe-library') as PeLibrary;
  const program = NtExecutable.createEmpty(false, false);
  const resources = NtExecutableResource.from(program);
  const version = Resource.VersionInfo.createEmpty();
  version.setFileVersion(1, 0, 0, 0, 1033);
  version.setStringValues({ lang: 1033, codepage: 1200 }, { ProductName: 'Electron', FileDescription: 'Electron' });
  version.outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  return Buffer.from(program.generate());
}
