/** The doctor over real encrypted connections: each fault of the certificates has its own verdict. */
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DoctorJob } from '#shared/contract/jobs.ts';
import { iec104Driver } from '../drivers/iec104/driver.ts';
import type { ProtocolDriver } from '../drivers/spi/index.ts';
import { certificatePath } from '../transport/testing/certificates.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { freePort, type RunningCore, startCore, until } from './testing/running-core.ts';

const STARTDT_ACT = Uint8Array.of(0x68, 4, 0x07, 0, 0, 0);

/** IEC 104 with an examination of one layer that asks for STARTDT by hand. */
const driver: ProtocolDriver = {
  ...iec104Driver,
  examination: {
    layers: ['startdt'],
    async *examine({ open, clock, signal }) {
      const line = await open();
      const startedAt = clock.monotonicMs();
      await line.write(STARTDT_ACT);
      await line.listen(300, signal);
      const { heard, firstAt } = line.take();
      if (heard[2] === 0x0b)
        yield { layer: 'startdt', state: 'good', code: 'STARTDT_CONFIRMED', params: { ms: (firstAt ?? 0) - startedAt } };
      else yield { layer: 'startdt', state: 'bad', code: 'LAYER_FAILED', params: { detail: 'no confirmation' } };
    },
  },
};

const files = (name: string) => ({
  tls: true,
  tls_certificate: certificatePath(name),
  tls_key: certificatePath(`${name}.key`),
  tls_ca: certificatePath('ca'),
});
const centre = { ...files('centre'), tls_server_name: 'station.test' };

let running: RunningCore;
let port = 0;
let plain: Server;
let plainPort = 0;
let channels = 0;
const closing: { port: number; server: Server } = {
  port: 0,
  server: createServer((socket) => socket.on('error', () => undefined).destroy()),
};

beforeAll(async () => {
  running = await startCore({}, { drivers: createDriverRegistry([driver]) });
  port = await freePort();
  const { data } = await running.api.call('addChannel', {
    name: 'Station',
    protocol_type: 3,
    conn_type: 1,
    port,
    protocol: files('station'),
  });
  await running.api.call('startDevice', { channel_id: data.id });
  plain = createServer((socket) => socket.on('error', () => undefined).on('data', () => socket.write('HTTP/1.0 400 Bad Request\r\n\r\n')));
  plainPort = await listening(plain);
  closing.port = await listening(closing.server);
});
afterAll(async () => {
  await running.close();
  plain.close();
  closing.server.close();
});

function listening(server: Server): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    }),
  );
}

async function examine(protocol: Record<string, unknown>, at = port): Promise<string[]> {
  const { api } = running;
  channels += 1;
  const { data: channel } = await api.call('addChannel', {
    name: `Centre ${channels}`,
    protocol_type: 3,
    conn_type: 2,
    port: at,
    protocol,
  });
  const { data: started } = await api.call('startDoctor', { channel_id: channel.id });
  const ask = async () => (await api.call('jobStatus', { job_id: started.id })).data as DoctorJob;
  const job = await until(ask, ({ state }) => state !== 'running');
  expect([job.state, job.last_error]).toEqual(['done', null]);
  for (const { text, next_step } of job.findings) expect(`${text}${next_step}`).not.toContain('{{');
  return job.findings.map(({ layer, state, code }) => `${layer} ${state} ${code}`);
}

describe('over TLS', () => {
  it('all is well with the right certificates', async () => {
    expect(await examine(centre)).toEqual([
      'host good LINE_REACHED',
      'port good LINE_CONNECTED',
      'tls good TLS_GOOD',
      'startdt good STARTDT_CONFIRMED',
    ]);
  });

  it.each([
    ['another name than that of the certificate', { ...centre, tls_server_name: 'other.test' }, 'TLS_WRONG_NAME'],
    ['an authority that is not trusted', { ...centre, tls_ca: certificatePath('foreign') }, 'TLS_UNTRUSTED'],
    ['no client certificate', { tls: true, tls_ca: certificatePath('ca'), tls_server_name: 'station.test' }, 'TLS_CLIENT_WANTED'],
    ['a file that is not there', { ...centre, tls_ca: '/nowhere/ca.pem' }, 'TLS_MATERIAL'],
  ])('%s', async (_name, protocol, code) => {
    const codes = await examine(protocol);
    expect(codes.slice(0, 1)).toEqual(['host good LINE_REACHED']);
    expect(codes[1]).toMatch(/^port good LINE_(ACCEPTED|CONNECTED)$/);
    expect(codes.slice(2)).toEqual([`tls bad ${code}`, 'startdt skipped NOT_REACHED']);
  });

  it('a certificate that nobody checked is told', async () => {
    expect((await examine({ ...centre, tls_verify: false })).slice(2)).toEqual([
      'tls warning TLS_UNVERIFIED',
      'startdt good STARTDT_CONFIRMED',
    ]);
  });

  it('a port that speaks something else, and one that closes', async () => {
    expect((await examine(centre, plainPort))[2]).toBe('tls bad TLS_NONE');
    expect((await examine(centre, closing.port))[2]).toBe('tls bad TLS_CLOSED');
  });

  it('a refused port and a name without an address', async () => {
    expect((await examine(centre, await freePort())).slice(0, 2)).toEqual(['host good LINE_REACHED', 'port bad LINE_REFUSED']);
    const { data: channel } = await running.api.call('addChannel', {
      name: 'No name',
      protocol_type: 3,
      conn_type: 2,
      ip: 'rtu.invalid',
      protocol: centre,
    });
    const { data: started } = await running.api.call('startDoctor', { channel_id: channel.id });
    const ask = async () => (await running.api.call('jobStatus', { job_id: started.id })).data as DoctorJob;
    const { findings } = await until(ask, ({ state }) => state !== 'running');
    expect(findings.map(({ code }) => code)).toEqual(['LINE_NAME_UNKNOWN', 'NOT_REACHED', 'NOT_REACHED', 'NOT_REACHED']);
  });
});
