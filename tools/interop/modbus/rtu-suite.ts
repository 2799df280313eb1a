import { mkdirSync } from 'node:fs';
import { openPtyPair, type PtyPair, whyNoPtys } from '../../../src-main/transport/testing/pty-pair.ts';
import { inRoot } from '../../lib/paths.ts';
import { installPackages, Peer } from '../peer.ts';
import type { Program } from '../python.ts';
import type { Report, Suite } from '../report.ts';
import type { Service } from '../service.ts';
import { checkClient } from './client-checks.ts';
import { findLibmodbus, findMbpoll, findPymodbus } from './programs.ts';
import { checkIdentity, checkMbpoll, checkServer, fillServer, openServer } from './server-checks.ts';

const BAUD_RATE = 19_200;

/** Modbus RTU and ASCII on two joined pseudo terminals, master and slave, against pymodbus, libmodbus and mbpoll. */
export const modbusRtuSuite: Suite = async (service, report) => {
  mkdirSync(inRoot('.interop'), { recursive: true });
  if (whyNoPtys !== null && !installPackages('socat')) {
    report.skip('Modbus RTU', whyNoPtys);
    return;
  }
  await checkPeer(service, report, 'pymodbus', findPymodbus());
  await checkPeer(service, report, 'pymodbus', findPymodbus(), 'ascii');
  await checkAsciiOverTcp(service, report, findPymodbus());
  await checkPeer(service, report, 'libmodbus', findLibmodbus());
  if (findMbpoll()) await onLine((line) => checkMaster(service, report, line));
  else report.skip('RTU mbpoll', 'it is not installed, and Debian packages cannot be installed here');
};

async function onLine(check: (line: PtyPair) => Promise<void>): Promise<void> {
  const line = await openPtyPair();
  try {
    await check(line);
  } finally {
    await line.end();
  }
}

async function checkPeer(
  service: Service,
  report: Report,
  program: string,
  found: Program,
  framing: 'rtu' | 'ascii' = 'rtu',
): Promise<void> {
  const name = `${framing.toUpperCase()} ${program}`;
  const role = framing === 'ascii' ? 'ascii-' : '';
  if ('reason' in found) {
    report.skip(name, found.reason);
    return;
  }
  await onLine(async ({ a, b }) => {
    const slave = new Peer(found.program, [...found.args, `${role}serial-server`, b, String(BAUD_RATE)]);
    try {
      await slave.line();
      await checkClient(service, report, name, slave, {
        protocol_type: 2,
        conn_type: 0,
        com_port: a,
        baud_rate: BAUD_RATE,
        protocol: { framing },
      });
    } finally {
      await slave.end();
    }
  });
  await onLine(async ({ a, b }) => {
    const server = await openServer(service, {
      name: `slave for ${name}`,
      protocol_type: 2,
      conn_type: 3,
      com_port: a,
      baud_rate: BAUD_RATE,
      protocol: { framing },
    });
    const master = new Peer(found.program, [...found.args, `${role}serial-client`, b, String(BAUD_RATE)]);
    try {
      await master.line();
      await fillServer(server);
      await checkServer(report, name, master, server);
      if (program === 'pymodbus') await checkIdentity(report, name, master);
    } finally {
      await master.end();
      await server.channel.remove();
    }
  });
}

/** ASCII frames over TCP, as converters of serial lines have them. */
async function checkAsciiOverTcp(service: Service, report: Report, found: Program): Promise<void> {
  if ('reason' in found) return;
  const server = new Peer(found.program, [...found.args, 'ascii-server']);
  try {
    const [, port] = await server.line();
    const line = { protocol_type: 2, conn_type: 2, port: Number(port), protocol: { framing: 'ascii' } };
    await checkClient(service, report, 'ASCII over TCP pymodbus', server, line);
  } finally {
    await server.end();
  }
}

/** mbpoll is a master only. */
async function checkMaster(service: Service, report: Report, { a, b }: PtyPair): Promise<void> {
  const server = await openServer(service, { name: 'slave for mbpoll', protocol_type: 2, conn_type: 3, com_port: a, baud_rate: BAUD_RATE });
  await fillServer(server);
  await checkMbpoll(report, 'RTU mbpoll', server, ['-m', 'rtu', '-b', String(BAUD_RATE), '-P', 'none'], b);
  await server.channel.remove();
}
