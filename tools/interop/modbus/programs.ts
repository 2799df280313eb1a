import { existsSync } from 'node:fs';
import { inRoot } from '../../lib/paths.ts';
import { installPackages, output } from '../peer.ts';

const PYMODBUS = '3.11.4';
const isWindows = process.platform === 'win32';

/** How a foreign peer is started, or why it cannot be had. */
export type Program = { readonly program: string; readonly args: readonly string[] } | { readonly reason: string };

/** pymodbus of one pinned version, in an environment of its own below .interop/. */
export function findPymodbus(): Program {
  const folder = inRoot('.interop/pymodbus');
  const python = inRoot('.interop/pymodbus', isWindows ? 'Scripts/python.exe' : 'bin/python');
  const version = () => output(python, ['-c', 'import pymodbus, serial; print(pymodbus.__version__)'])?.trim();
  if (!existsSync(python) || version() !== PYMODBUS) {
    const system = isWindows ? 'python' : 'python3';
    if (output(system, ['--version']) === null) return { reason: `there is no ${system}` };
    const make = () => output(system, ['-m', 'venv', '--clear', folder]) !== null;
    if (!make() && !(installPackages('python3-venv') && make())) return { reason: 'python3 -m venv fails (Debian: python3-venv)' };
    if (output(python, ['-m', 'pip', 'install', '--quiet', `pymodbus[serial]==${PYMODBUS}`]) === null || version() !== PYMODBUS) {
      return { reason: `pymodbus ${PYMODBUS} cannot be installed from PyPI` };
    }
  }
  return { program: python, args: [inRoot('tools/interop/modbus/pymodbus_peer.py')] };
}

/** Our peer program on libmodbus, compiled anew so that it is never older than its source. */
export function findLibmodbus(): Program {
  if (isWindows) return { reason: 'its peer program is for POSIX systems' };
  const program = inRoot('.interop/libmodbus_peer');
  const source = inRoot('tools/interop/modbus/libmodbus_peer.c');
  const compile = () => output('cc', ['-O1', '-o', program, source, '-lmodbus']) !== null;
  if (compile()) return { program, args: [] };
  if (installPackages('gcc', 'libc6-dev', 'libmodbus-dev') && compile()) return { program, args: [] };
  return { reason: 'no C compiler with libmodbus (Debian: gcc, libmodbus-dev)' };
}

export function findMbpoll(): boolean {
  return output('mbpoll', ['-V']) !== null || (installPackages('mbpoll') && output('mbpoll', ['-V']) !== null);
}
