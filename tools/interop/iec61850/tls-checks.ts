import { inRoot } from '../../lib/paths.ts';
import { expectEqual, type Report } from '../report.ts';
import { freePort, type Service } from '../service.ts';
import { Device } from './device.ts';
import type { JsonPeer } from './json-peer.ts';
import type { Served } from './plant.ts';

const pem = (name: string) => inRoot('src-main/transport/testing/certificates', `${name}.pem`);
const filesOf = (name: string) => [pem(name), pem(`${name}.key`), pem('ca')];
const tlsOf = (name: string) => ({ tls: true, tls_certificate: pem(name), tls_key: pem(`${name}.key`), tls_ca: pem('ca') });

/** Our client to a foreign server, with certificates of both sides (IEC 62351-3). */
export async function checkTlsClient(service: Service, report: Report, peerName: string, start: () => Promise<JsonPeer>): Promise<void> {
  const name = `client of ${peerName} over TLS`;
  const peer = await start();
  try {
    await peer.ask('tls', ...filesOf('station'));
    const port = await peer.ask<number>('start', 'file');
    await report.check(`${name}: learns and reads`, async () => {
      const device = await Device.add(service, { name, conn_type: 2, port, protocol: tlsOf('centre') });
      try {
        const { status, message } = await device.start();
        expectEqual(`the start (${message})`, status, 200);
        await device.learnt();
        const { success, fail } = await device.round('dataset');
        expectEqual('the round', [success, fail], [3, 0]);
        await device.stop();
      } finally {
        await device.remove();
      }
    });
    await report.check(`${name}: an untrusted certificate is refused with its reason`, async () => {
      const protocol = { ...tlsOf('centre'), tls_ca: pem('other-ca') };
      const device = await Device.add(service, { name, conn_type: 2, port, protocol });
      try {
        const { status, message } = await device.start();
        expectEqual(message, [status, /not among the trusted certificates/.test(message)], [503, true]);
      } finally {
        await device.remove();
      }
    });
  } finally {
    await peer.end();
  }
}

/** Our simulated device, and a foreign client that has a certificate, or another one. */
export async function checkTlsServer(service: Service, report: Report, peerName: string, start: () => Promise<JsonPeer>): Promise<void> {
  const name = `server for ${peerName} over TLS`;
  const port = await freePort();
  const device = await Device.add(service, { name, conn_type: 1, port, protocol: tlsOf('station') });
  const [peer, foreign] = [await start(), await start()];
  try {
    await report.check(`${name}: every value of the file is read`, async () => {
      await device.storeFile();
      await device.start();
      await peer.ask('connect_tls', port, ...filesOf('centre'), 'station.test');
      const served = await peer.ask<Served>('expected');
      const values = await peer.ask<Readonly<Record<string, unknown>>>('values');
      for (const [key, [, value]] of Object.entries(served)) expectEqual(key, values[key], value);
      await peer.ask('close');
    });
    await report.check(`${name}: an untrusted client is sent away`, async () => {
      await foreign.failure('connect_tls', port, ...filesOf('foreign'), 'station.test');
      expectEqual('clients', (await device.channel()).health.clients, 0);
    });
  } finally {
    await peer.end();
    await foreign.end();
    await device.remove();
  }
}
