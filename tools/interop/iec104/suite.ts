import { inRoot } from '../../lib/paths.ts';
import { Peer } from '../peer.ts';
import { findPython } from '../python.ts';
import { expectEqual, expectSoon, type Report, type Suite } from '../report.ts';
import { freePort, type Service } from '../service.ts';
import { checkClient } from './client-checks.ts';
import { checkRawStation } from './confirmation-checks.ts';
import { checkGroup, checkServer, openStation } from './server-checks.ts';

/** Carries lib60870-C. */
const C104 = '2.2.1';
/** The version above cannot be a client with TLS: its Mbed TLS wants a host name, which nobody sets. The one before cannot be a proper station. */
const C104_TLS_CLIENT = '2.2.0';
const SCRIPT = 'tools/interop/iec104/c104_peer.py';

const pem = (name: string) => inRoot('src-main/transport/testing/certificates', `${name}.pem`);
const filesOf = (name: string) => [pem(name), pem(`${name}.key`), pem('ca')];
const tlsOf = (name: string) => ({ tls: true, tls_certificate: pem(name), tls_key: pem(`${name}.key`), tls_ca: pem('ca') });

/** IEC 60870-5-104, both roles, plain and with TLS, against lib60870 in the Python package c104, and a raw station. */
export const iec104Suite: Suite = async (service, report) => {
  await checkRawStation(service, report);
  const peer = findPeer(report, C104);
  if (!peer) return;
  await checkOurClient(service, report, `client of c104 ${C104}`, peer, false);
  await checkOurStation(service, report, `station for c104 ${C104}`, peer, false);
  await checkOurClient(service, report, `client of c104 ${C104} over TLS`, peer, true);
  await checkClientRefuses(service, report, `client of c104 ${C104} over TLS`, peer);
  const tlsPeer = findPeer(report, C104_TLS_CLIENT);
  if (!tlsPeer) return;
  await checkOurStation(service, report, `station for c104 ${C104_TLS_CLIENT} over TLS`, tlsPeer, true);
  await checkStationRefuses(service, report, `station for c104 ${C104_TLS_CLIENT} over TLS`, tlsPeer);
};

type MakePeer = (role: 'station' | 'centre', port: number, files?: readonly string[]) => Peer;

function findPeer(report: Report, version: string): MakePeer | null {
  const found = findPython({ name: 'c104', version, script: SCRIPT });
  if (!('reason' in found)) return (role, port, files = []) => new Peer(found.program, [...found.args, role, String(port), ...files]);
  report.skip(`c104 ${version}`, found.reason);
  return null;
}

async function checkOurClient(service: Service, report: Report, name: string, peer: MakePeer, isEncrypted: boolean): Promise<void> {
  const port = await freePort();
  const station = peer('station', port, isEncrypted ? filesOf('station') : []);
  try {
    await station.line();
    await checkClient(service, report, name, station, port, isEncrypted ? tlsOf('centre') : {});
  } finally {
    await station.end();
  }
}

async function checkOurStation(service: Service, report: Report, name: string, peer: MakePeer, isEncrypted: boolean): Promise<void> {
  const tls = isEncrypted ? tlsOf('station') : {};
  const makeCentre = (port: number) => () => peer('centre', port, isEncrypted ? filesOf('centre') : []);
  const station = await openStation(service, name, { ...tls, buffer_from_start: true });
  try {
    await checkServer(report, name, makeCentre(station.port), station);
  } finally {
    await station.channel.remove();
  }
  const group = await openStation(service, `${name}, group`, { ...tls, clients: 'one_group', cyclic_s: 1, background_s: 1 });
  try {
    await checkGroup(report, name, makeCentre(group.port), group);
  } finally {
    await group.channel.remove();
  }
}

async function checkClientRefuses(service: Service, report: Report, name: string, peer: MakePeer): Promise<void> {
  await report.check(`${name}: an untrusted certificate is refused with its reason`, async () => {
    const port = await freePort();
    const station = peer('station', port, filesOf('station'));
    try {
      await station.line();
      const settings = { name: 'TLS refused', protocol_type: 3, conn_type: 2, port };
      const protocol = { ...tlsOf('centre'), tls_ca: pem('other-ca') };
      const { id } = await service.ask<{ id: number }>('POST', '/api/channel/add', { ...settings, protocol });
      const answer = await service.call('POST', '/api/device/start', { channel_id: id });
      expectEqual(answer.message, [answer.status, /not among the trusted certificates/.test(answer.message)], [503, true]);
      await service.ask('DELETE', `/api/channel/delete?channel_id=${id}`);
    } finally {
      await station.end();
    }
  });
}

async function checkStationRefuses(service: Service, report: Report, name: string, peer: MakePeer): Promise<void> {
  await report.check(`${name}: an untrusted client is sent away, and the reason is told`, async () => {
    const station = await openStation(service, 'TLS refuses', tlsOf('station'));
    const centre = peer('centre', station.port, [pem('foreign'), pem('foreign.key'), pem('ca')]);
    try {
      await centre.line();
      void centre.ask('connect').catch(() => undefined);
      const told = async () => (await station.channel.events()).some((event) => /not among the trusted certificates/.test(event.text));
      await expectSoon('the notice', told, true);
    } finally {
      await centre.end();
      await station.channel.remove();
    }
  });
}
