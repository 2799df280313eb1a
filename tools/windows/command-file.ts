/** The file of commands beside the program: it waits for a program of windows, and passes on its words and its exit code. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../lib/paths.ts';
import type { Trial } from './trial.ts';

const LIMIT_MS = 60_000;
/** Node's own for an option that it does not know. */
const BAD_OPTION = 9;
/** Where a PE header has its subsystem, from its signature on; 2 is a program of windows, 3 one of the console. */
const SUBSYSTEM_AT = 24 + 68;
const WINDOWS_SUBSYSTEM = 2;

/**
 * Electron does not come up under Wine, so Node stands in for the program, marked as a program of windows as Electron is: it refuses `--serve` with words and a code of its own. The
 * prompt of a command window is not shown here, nor Ctrl+C.
 */
export async function tryCommandFile({ computer, folder, passed }: Trial): Promise<void> {
  const place = join(folder, 'Program Files', 'beside');
  mkdirSync(place, { recursive: true });
  cpSync(inRoot('resources/windows/loopcheck-cli.cmd'), join(place, 'loopcheck-cli.cmd'));
  writeFileSync(join(place, 'Loopcheck.exe'), asProgramOfWindows(readFileSync(computer.node)));
  const run = computer.command(place, 'loopcheck-cli.cmd', ['read', 'PCS 1/P'], join(folder, 'command-file'));
  const code = await run.code(LIMIT_MS);
  const said = run.said().trim();
  if (code !== BAD_OPTION || !/Loopcheck\.exe: bad option: --serve$/.test(said)) {
    throw new Error(`the command file ended with ${code}, and not with what the program beside it says: ${said}`);
  }
  passed('the command file waits for a program of windows, and has its words and its code');
}

function asProgramOfWindows(program: Buffer): Buffer {
  program.writeUInt16LE(WINDOWS_SUBSYSTEM, program.readUInt32LE(0x3c) + SUBSYSTEM_AT);
  return program;
}
