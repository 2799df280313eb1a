import { existsSync, mkdirSync } from 'node:fs';
import { inRoot } from '../../lib/paths.ts';
import { installPackages, output, Peer } from '../peer.ts';
import type { Report, Suite } from '../report.ts';
import type { Service } from '../service.ts';
import { checkClient } from './client-checks.ts';
import { checkIdentity, checkMbpoll, checkServer, fillServer, type OurServer, openServer } from './server-checks.ts';

const PYMODBUS = '3.11.4';
const isWindows = process.platform === 'win32';

/** How a foreign peer is started, or why it cannot be had. */
type Program = { readonly program: string; readonly args: readonly string[] } | { readonly reason: string };

/** Modbus TCP, both roles, against pymodbus, libmodbus and mbpoll. */
export const modbusSuite: Suite = async (service, report) => {
  mkdirSync(inRoot('.interop'), { recursive: true });
  const server = await openServer(service);
  await report.check('server: takes values of every decode code', () => fillServer(server));
  await checkPeer(service, report, 'pymodbus', findPymodbus(), server);
  await checkPeer(service, report, 'libmodbus', findLibmodbus(), server);
  if (findMbpoll()) {
    await fillServer(server);
    await checkMbpoll(report, server);
  } else report.skip('mbpoll', 'it is not installed, and Debian packages cannot be installed here');
  await server.channel.remove();
};

async function checkPeer(service: Service, report: Report, name: string, found: Program, server: OurServer): Promise<void> {
  if ('reason' in found) {
    report.skip(name, found.reason);
    return;
  }
  const foreignServer = new Peer(found.program, [...found.args, 'server']);
  const foreignClient = new Peer(found.program, [...found.args, 'client', String(server.port)]);
  try {
    const [, port] = await foreignServer.line();
    await checkClient(service, report, name, foreignServer, Number(port));
    await foreignClient.line();
    await fillServer(server);
    await checkServer(report, name, foreignClient, server);
    if (name === 'pymodbus') await checkIdentity(report, name, foreignClient);
  } finally {
    await foreignServer.end();
    await foreignClient.end();
  }
}

/** pymodbus of one pinned version, in an environment of its own below .interop/. */
function findPymodbus(): Program {
  const folder = inRoot('.interop/pymodbus');
  const python = inRoot('.interop/pymodbus', isWindows ? 'Scripts/python.exe' : 'bin/python');
  const version = () => output(python, ['-c', 'import pymodbus; print(pymodbus.__version__)'])?.trim();
  if (!existsSync(python) || version() !== PYMODBUS) {
    const system = isWindows ? 'python' : 'python3';
    if (output(system, ['--version']) === null) return { reason: `there is no ${system}` };
    const make = () => output(system, ['-m', 'venv', '--clear', folder]) !== null;
    if (!make() && !(installPackages('python3-venv') && make())) return { reason: 'python3 -m venv fails (Debian: python3-venv)' };
    if (output(python, ['-m', 'pip', 'install', '--quiet', `pymodbus==${PYMODBUS}`]) === null || version() !== PYMODBUS) {
      return { reason: `pymodbus ${PYMODBUS} cannot be installed from PyPI` };
    }
  }
  return { program: python, args: [inRoot('tools/interop/modbus/pymodbus_peer.py')] };
}

/** Our peer program on libmodbus, compiled anew so that it is never older than its source. */
function findLibmodbus(): Program {
  if (isWindows) return { reason: 'its peer program is for POSIX systems' };
  const program = inRoot('.interop/libmodbus_peer');
  const source = inRoot('tools/interop/modbus/libmodbus_peer.c');
  const compile = () => output('cc', ['-O1', '-o', program, source, '-lmodbus']) !== null;
  if (compile()) return { program, args: [] };
  if (installPackages('gcc', 'libc6-dev', 'libmodbus-dev') && compile()) return { program, args: [] };
  return { reason: 'no C compiler with libmodbus (Debian: gcc, libmodbus-dev)' };
}

function findMbpoll(): boolean {
  return output('mbpoll', ['-V']) !== null || (installPackages('mbpoll') && output('mbpoll', ['-V']) !== null);
}
