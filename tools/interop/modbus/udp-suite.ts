import { Peer } from '../peer.ts';
import type { Suite } from '../report.ts';
import { freePort } from '../service.ts';
import { checkClient } from './client-checks.ts';
import { findPymodbus } from './programs.ts';
import { checkIdentity, checkServer, fillServer, openServer } from './server-checks.ts';

/** A frame in each datagram. */
const protocol = { transport: 'udp' } as const;

/** Modbus UDP, both roles, against pymodbus. */
export const modbusUdpSuite: Suite = async (service, report) => {
  const found = findPymodbus();
  if ('reason' in found) {
    report.skip('pymodbus over UDP', found.reason);
    return;
  }
  const name = 'pymodbus over UDP';
  const port = await freePort();
  const server = await openServer(service, { name: 'datagram server', protocol_type: 1, conn_type: 1, port, protocol });
  const foreignServer = new Peer(found.program, [...found.args, 'udp-server']);
  const foreignClient = new Peer(found.program, [...found.args, 'udp-client', String(port)]);
  try {
    const [, foreignPort] = await foreignServer.line();
    await checkClient(service, report, name, foreignServer, { protocol_type: 1, conn_type: 2, port: Number(foreignPort), protocol });
    await foreignClient.line();
    await report.check('server over UDP: takes values of every decode code', () => fillServer(server));
    await checkServer(report, name, foreignClient, server);
    await checkIdentity(report, name, foreignClient);
  } finally {
    await foreignServer.end();
    await foreignClient.end();
    await server.channel.remove();
  }
};
