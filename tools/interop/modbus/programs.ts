import { inRoot } from '../../lib/paths.ts';
import { installPackages, output } from '../peer.ts';
import { findPython, type Program } from '../python.ts';

/** Version of pymodbus that the suites use. */
export const PYMODBUS = '3.11.4';
const isWindows = process.platform === 'win32';

/** Our peer program on pymodbus. */
export function findPymodbus(): Program {
  return findPython({ name: 'pymodbus', version: PYMODBUS, extra: 'serial', script: 'tools/interop/modbus/pymodbus_peer.py' });
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
