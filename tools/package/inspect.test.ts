import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inRoot } from '../lib/paths.ts';
import { commandFileProblems, isFor } from './inspect.ts';

/** Beginning of a 64-bit ELF library for machine `machine`. */
function elf(machine: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.writeUInt32BE(0x7f454c46, 0);
  bytes[4] = 2;
  bytes.writeUInt16LE(machine, 18);
  return bytes;
}

/** Beginning of a PE library for machine `machine`. */
function pe(machine: number): Buffer {
  const bytes = Buffer.alloc(128);
  bytes.write('MZ', 0, 'latin1');
  bytes.writeUInt32LE(0x60, 0x3c);
  bytes.writeUInt32LE(0x4550, 0x60);
  bytes.writeUInt16LE(machine, 0x64);
  return bytes;
}

describe('target of a native module', () => {
  it('is told by its header, not by its name', () => {
    expect(isFor('linux', elf(0x3e))).toBe(true);
    expect(isFor('win', pe(0x8664))).toBe(true);
    expect(isFor('linux', pe(0x8664))).toBe(false);
    expect(isFor('win', elf(0x3e))).toBe(false);
  });

  it('is another one for other processors, and none for what is no library', () => {
    expect(isFor('linux', elf(0xb7))).toBe(false);
    expect(isFor('win', pe(0xaa64))).toBe(false);
    expect(isFor('win', pe(0x8664).subarray(0, 0x62))).toBe(false);
    expect(isFor('linux', Buffer.alloc(3))).toBe(false);
    const astray = pe(0x8664);
    astray.writeUInt32LE(0xffff_fff0, 0x3c);
    expect(isFor('win', astray)).toBe(false);
  });
});

describe('the file for command windows', () => {
  it('starts the program that lies beside it, with lines as Windows ends them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'loopcheck-cmd-'));
    const file = join(folder, 'loopcheck-cli.cmd');
    expect(commandFileProblems(folder)).toEqual(['there is none']);
    const text = readFileSync(inRoot('resources/windows/loopcheck-cli.cmd'), 'latin1');
    expect(text.match(/\n/g)?.length).toBe(text.match(/\r\n/g)?.length);
    writeFileSync(file, text);
    expect(commandFileProblems(folder)).toEqual(['there is no Loopcheck.exe beside it']);
    writeFileSync(join(folder, 'Loopcheck.exe'), 'MZ');
    expect(commandFileProblems(folder)).toEqual([]);
    writeFileSync(file, text.replace(' --serve', ''));
    expect(commandFileProblems(folder)).toEqual(['it starts nothing with --serve and its own arguments']);
    rmSync(folder, { recursive: true, force: true });
  });
});
