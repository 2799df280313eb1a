import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import tls from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import type { AppError } from '#shared/domain/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { ManualClock } from '../platform/manual-clock.ts';
import { pacedClock } from '../platform/testing/paced-clock.ts';
import { createTransports } from './index.ts';
import { certificateText, tlsOf } from './testing/certificates.ts';
import { describeTransport, RecordedEvents, tcpLine } from './testing/transport-conformance.ts';
import type { AcceptedPeer, ByteTransport, TlsSettings, TransportFactory } from './types.ts';

const station = tlsOf('station');
const centre = tlsOf('centre');

/** Lines of which both ends show a certificate. */
function encrypted(): TransportFactory {
  const inner = createTransports(pacedClock());
  return {
    connector: (line) => inner.connector({ ...line, tls: centre }),
    listener: (line) => inner.listener({ ...line, tls: station }),
  };
}

describeTransport('TLS', encrypted);

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

it('carries every block in a record of its own', async () => {
  const host = await new Station().listen(station);
  const events = new RecordedEvents();
  const line = client(host.port, centre);
  await line.open(events, never());
  const peer = await host.peer();
  const farEvents = new RecordedEvents();
  peer.start(farEvents);
  await Promise.all(Array.from({ length: 30 }, (_, at) => Promise.all([peer.write(Uint8Array.of(at)), line.write(Uint8Array.of(at))])));
  await Promise.all([events.received(30), farEvents.received(30)]);
  expect([events.chunks.length, farEvents.chunks.length]).toEqual([30, 30]);
});

const never = () => new AbortController().signal;

/** A listener with TLS: whom it took, whom it sent away. */
class Station {
  readonly #peers: AcceptedPeer[] = [];
  readonly #refused: AppError[] = [];
  #news: (() => void)[] = [];
  port = 0;

  async listen(settings: TlsSettings, clock: Clock = pacedClock(), handshakeMs = 5000): Promise<this> {
    const listener = createTransports(clock).listener(tcpLine(0, { tls: settings, connectTimeoutMs: handshakeMs }));
    cleanups.push(() => listener.close());
    const tell = () => {
      for (const news of this.#news.splice(0)) news();
    };
    await listener.listen(
      (peer) => {
        this.#peers.push(peer);
        tell();
      },
      (reason) => {
        this.#refused.push(reason);
        tell();
      },
    );
    this.port = listener.boundPort ?? 0;
    return this;
  }

  async peer(): Promise<AcceptedPeer> {
    for (;;) {
      const peer = this.#peers.shift();
      if (peer) return peer;
      await this.#next();
    }
  }

  async refusal(): Promise<string> {
    for (;;) {
      const reason = this.#refused.shift();
      if (reason) return `${reason.code}: ${reason.message}`;
      await this.#next();
    }
  }

  get accepted(): number {
    return this.#peers.length;
  }

  #next(): Promise<void> {
    return new Promise((resolve) => this.#news.push(resolve));
  }
}

function client(port: number, settings: TlsSettings, clock: Clock = pacedClock()): ByteTransport {
  const line = createTransports(clock).connector(tcpLine(port, { tls: settings }));
  cleanups.push(() => line.close());
  return line;
}

/** `CODE: message` of an open that fails. */
async function refusal(line: ByteTransport): Promise<string> {
  const failure = await line.open(new RecordedEvents(), never()).then(
    () => 'open',
    (error: AppError) => `${error.code}: ${error.message}`,
  );
  return failure;
}

/** A plain server of node:net. */
async function plainServer(onSocket: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    cleanups.push(() => socket.destroy());
    onSocket(socket.on('error', () => undefined));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => server.close());
  const address = server.address();
  return address && typeof address === 'object' ? address.port : 0;
}

describe('certificates of a station', () => {
  it.each([
    [
      'expired',
      {},
      /^TRANSPORT_REFUSED: The certificate of 127\.0\.0\.1:\d+ \("Expired device" by "Test authority", valid until .*2021.*\) has expired/,
    ],
    [
      'foreign',
      {},
      /"Foreign device" by "Another authority".* comes from an authority that is not among the trusted certificates \(tls_ca\)/,
    ],
    ['elsewhere', {}, /is not made out to 127\.0\.0\.1, but to DNS:elsewhere\.test; tls_server_name/],
    ['station', { serverName: 'other.test' }, /is not made out to other\.test, but to DNS:station\.test/],
    ['centre', {}, /"Test control centre".* is not meant for this end of a connection/],
  ] as const)('%s is refused with its reason', async (name, change, reason) => {
    const { port } = await new Station().listen(tlsOf(name));
    const line = client(port, { ...centre, ...change });
    expect(await refusal(line)).toMatch(reason);
    await expect(line.write(Uint8Array.of(1))).rejects.toMatchObject({ code: 'TRANSPORT_NOT_CONNECTED' });
  });

  it('may have the name that the settings ask for', async () => {
    const { port } = await new Station().listen(tlsOf('elsewhere'));
    expect(await refusal(client(port, { ...centre, serverName: 'elsewhere.test' }))).toBe('open');
  });

  it('are not judged where the settings say so', async () => {
    for (const name of ['expired', 'foreign', 'elsewhere'] as const) {
      const { port } = await new Station().listen(tlsOf(name, { isVerified: false }));
      expect(await refusal(client(port, tlsOf(null, { isVerified: false })))).toBe('open');
    }
  });

  it('are taken as PEM text too, and against the authorities of the system', async () => {
    const { port } = await new Station().listen(tlsOf('station', { certificate: certificateText('station'), ca: certificateText('ca') }));
    expect(await refusal(client(port, tlsOf('centre', { ca: certificateText('ca') })))).toBe('open');
    expect(await refusal(client(port, tlsOf('centre', { ca: '' })))).toMatch(/not among the trusted certificates/);
  });
});

describe('certificates of a client', () => {
  it.each([
    ['expired', /^TRANSPORT_REFUSED: The certificate of 127\.0\.0\.1:\d+ has expired/],
    ['foreign', /comes from an authority that is not among the trusted certificates \(tls_ca\)/],
    ['station', /is not meant for this end of a connection/],
    [null, /^TRANSPORT_REFUSED: The TLS handshake with 127\.0\.0\.1:\d+ failed: it showed no certificate/],
  ] as const)('%s is refused with its reason, and nothing is accepted', async (name, reason) => {
    const host = await new Station().listen(station);
    const line = client(host.port, tlsOf(name));
    await line.open(new RecordedEvents(), never()).catch(() => undefined);
    expect(await host.refusal()).toMatch(reason);
    expect(host.accepted).toBe(0);
  });

  it('are asked for by an alert the client can read', async () => {
    const host = await new Station().listen(station);
    const events = new RecordedEvents();
    await client(host.port, tlsOf(null)).open(events, never());
    expect(await events.closed()).toMatchObject({
      kind: 'failed',
      error: { code: 'TRANSPORT_REFUSED', message: expect.stringContaining('asks for a client certificate') },
    });
  });

  it('are not asked for where the settings say so', async () => {
    const host = await new Station().listen(tlsOf('station', { isVerified: false }));
    expect(await refusal(client(host.port, tlsOf(null)))).toBe('open');
    expect((await host.peer()).label).toContain(`:${host.port}`);
  });
});

describe('TLS against a peer without it', () => {
  it('says that what a plain server sends is no TLS', async () => {
    const port = await plainServer((socket) => socket.write('plain words of a device'));
    expect(await refusal(client(port, centre))).toMatch(/^TRANSPORT_REFUSED: .* what it sends is no TLS\.$/);
  });

  it.each(['end', 'resetAndDestroy'] as const)('says that a plain server closed the connection (%s)', async (how) => {
    const port = await plainServer((socket) => socket.once('data', () => socket[how]()));
    expect(await refusal(client(port, centre))).toMatch(/^TRANSPORT_REFUSED: .* it closed the connection; it may speak no TLS/);
  });

  it('gives up a silent server after the time of the settings', async () => {
    const accepted = Promise.withResolvers<void>();
    const port = await plainServer((socket) => socket.once('data', () => accepted.resolve()));
    const clock = new ManualClock();
    const opened = refusal(client(port, centre, clock));
    await accepted.promise;
    await clock.advance(5000);
    expect(await opened).toMatch(/^TIMEOUT_CONNECT: .* did not finish the TLS handshake within 5000 ms/);
    expect(clock.pending).toBe(0);
  });

  it('ends a handshake that is aborted or closed', async () => {
    const accepted = Promise.withResolvers<void>();
    const port = await plainServer((socket) => socket.once('data', () => accepted.resolve()));
    const controller = new AbortController();
    const line = client(port, centre);
    const opened = line.open(new RecordedEvents(), controller.signal);
    await accepted.promise;
    controller.abort();
    await expect(opened).rejects.toMatchObject({ code: 'CANCELLED' });
    const other = client(port, centre);
    const closed = other.open(new RecordedEvents(), never());
    await other.close();
    await expect(closed).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it.each([
    ['68 04 07 00 00 00', /what it sends is no TLS/],
    [Buffer.from('GET / HTTP/1.1\r\n\r\n').toString('hex'), /what it sends is no TLS/],
  ])('a client that sends %s is sent away', async (hex, reason) => {
    const host = await new Station().listen(station);
    const socket = connect(host.port, '127.0.0.1').on('error', () => undefined);
    cleanups.push(() => socket.destroy());
    const ended = once(socket.resume(), 'close');
    socket.write(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
    expect(await host.refusal()).toMatch(reason);
    await ended;
  });

  it('sends a silent client away, and closes while one is silent', async () => {
    const clock = new ManualClock();
    const host = await new Station().listen(station, clock, 700);
    const socket = connect(host.port, '127.0.0.1').on('error', () => undefined);
    const ended = once(socket.resume(), 'close');
    while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(700);
    expect(await host.refusal()).toMatch(/^TIMEOUT_CONNECT: .* within 700 ms/);
    await ended;
    connect(host.port, '127.0.0.1').on('error', () => undefined);
    while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
  });
});

describe('versions and keys', () => {
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0', rejectUnauthorized: false } as const;

  it('takes no client below TLS 1.2', async () => {
    const host = await new Station().listen(tlsOf('station', { isVerified: false }));
    const socket = tls.connect({ port: host.port, host: '127.0.0.1', ...old }).on('error', () => undefined);
    cleanups.push(() => socket.destroy());
    expect(await host.refusal()).toMatch(/there is no TLS version both sides have; this side takes 1\.2 and 1\.3/);
  });

  it('takes no server below TLS 1.2', async () => {
    const server = tls.createServer({ ...old, cert: certificateText('station'), key: certificateText('station.key') });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(() => server.close());
    const address = server.address();
    const port = address && typeof address === 'object' ? address.port : 0;
    expect(await refusal(client(port, centre))).toMatch(/there is no TLS version both sides have/);
  });

  it('ends a client that renegotiates again and again', async () => {
    const host = await new Station().listen(tlsOf('station', { isVerified: false }));
    const socket = tls.connect({ port: host.port, host: '127.0.0.1', maxVersion: 'TLSv1.2', rejectUnauthorized: false });
    cleanups.push(() => socket.destroy());
    socket.on('error', () => undefined);
    await once(socket, 'secureConnect');
    const ended = once(socket, 'close');
    const events = new RecordedEvents();
    (await host.peer()).start(events);
    const again = () => {
      if (!socket.destroyed) socket.renegotiate({ rejectUnauthorized: false }, again);
    };
    again();
    expect(await events.closed()).toMatchObject({
      kind: 'failed',
      error: { code: 'TRANSPORT_REFUSED', message: expect.stringContaining('asked for new keys too often') },
    });
    socket.resume();
    await ended;
  });
});
