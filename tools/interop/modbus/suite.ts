import { mkdirSync } from 'node:fs';
import { inRoot } from '../../lib/paths.ts';
import { runTool } from '../../lib/run.ts';
import { Peer } from '../peer.ts';
import type { Program } from '../python.ts';
import type { Report, Suite } from '../report.ts';
import { freePort, type Service } from '../service.ts';
import { checkClient } from './client-checks.ts';
import { findLibmodbus, findMbpoll, findPymodbus } from './programs.ts';
import { checkIdentity, checkMbpoll, checkServer, fillServer, type OurServer, openServer } from './server-checks.ts';

/** Modbus TCP, both roles, against pymodbus, libmodbus and mbpoll. */
export const modbusSuite: Suite = async (service, report) => {
  mkdirSync(inRoot('.interop'), { recursive: true });
  const port = await freePort();
  const server = await openServer(service, { name: 'server', protocol_type: 1, conn_type: 1, port });
  await report.check('server: takes values of every decode code', () => fillServer(server));
  await checkPeer(service, report, 'pymodbus', findPymodbus(), server, port);
  await checkPeer(service, report, 'libmodbus', findLibmodbus(), server, port);
  if (findMbpoll()) {
    await fillServer(server);
    await checkMbpoll(report, 'mbpoll', server, ['-m', 'tcp', '-p', String(port)], '127.0.0.1');
  } else report.skip('mbpoll', 'it is not installed, and Debian packages cannot be installed here');
  await server.channel.remove();
  await report.check('modbus-serial has the defects for which it is not the codec', async () => {
    const { code } = await runTool('vitest/vitest.mjs', ['run', '--config', 'tools/interop/vitest.config.ts']);
    if (code !== 0) throw new Error(`its tests ended with ${code}`);
  });
};

async function checkPeer(
  service: Service,
  report: Report,
  name: string,
  found: Program,
  server: OurServer,
  ourPort: number,
): Promise<void> {
  if ('reason' in found) {
    report.skip(name, found.reason);
    return;
  }
  const foreignServer = new Peer(found.program, [...found.args, 'server']);
  const foreignClient = new Peer(found.program, [...found.args, 'client', String(ourPort)]);
  try {
    const [, port] = await foreignServer.line();
    await checkClient(service, report, name, foreignServer, { protocol_type: 1, conn_type: 2, port: Number(port) });
    await foreignClient.line();
    await fillServer(server);
    await checkServer(report, name, foreignClient, server);
    if (name === 'pymodbus') await checkIdentity(report, name, foreignClient);
  } finally {
    await foreignServer.end();
    await foreignClient.end();
  }
}
