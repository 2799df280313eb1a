import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../platform/manual-clock.ts';
import { pacedClock } from '../platform/testing/paced-clock.ts';
import { createTransports } from './index.ts';
import { MOST_AT_ONCE } from './paced-intake.ts';
import { connectError, endPoint, listenError } from './socket-errors.ts';
import { MAX_PEERS } from './tcp-listener.ts';
import { describeTransport, RecordedEvents, tcpLine } from './testing/transport-conformance.ts';

describeTransport('TCP', () => createTransports(pacedClock()));

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const never = () => new AbortController().signal;

/** A plain server of node:net whose connections the test handles itself. */
async function rawServer(onSocket: (socket: Socket) => void): Promise<number> {
  const server = createServer(onSocket);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => server.close());
  const address = server.address();
  return address && typeof address === 'object' ? address.port : 0;
}

/** A port whose connection requests stay without an answer: its process never accepts, and its queue is full. */
async function deafPort(): Promise<number> {
  const source = `
    const { parentPort } = require('node:worker_threads');
    const server = require('node:net').createServer().listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
      parentPort.postMessage(server.address().port);
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
    });`;
  const worker = new Worker(source, { eval: true });
  const [port] = (await once(worker, 'message')) as [number];
  const fillers = Array.from({ length: 6 }, () => connect({ host: '127.0.0.1', port }).on('error', () => {}));
  cleanups.push(async () => {
    for (const filler of fillers) filler.destroy();
    await worker.terminate();
  });
  await Promise.all(fillers.slice(0, 1).map((filler) => once(filler, 'connect')));
  return port;
}

describe('TCP connector', () => {
  it('gives up a connection request after the time of the settings', async () => {
    const port = await deafPort();
    const clock = new ManualClock();
    const line = createTransports(clock).connector(tcpLine(port, { connectTimeoutMs: 700 }));
    const opened = expect(line.open(new RecordedEvents(), never())).rejects.toMatchObject({ code: 'TIMEOUT_CONNECT' });
    await clock.advance(699);
    expect(clock.pending).toBe(1);
    await clock.advance(1);
    await opened;
    expect(clock.pending).toBe(0);
  });

  it('tells a reset of the peer as a loss', async () => {
    const port = await rawServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const events = new RecordedEvents();
    const line = createTransports(pacedClock()).connector(tcpLine(port));
    await line.open(events, never());
    await line.write(Uint8Array.of(1));
    expect(await events.closed()).toMatchObject({ kind: 'failed', error: { code: 'TRANSPORT_LOST' } });
    await expect(line.write(Uint8Array.of(1))).rejects.toMatchObject({ code: 'TRANSPORT_NOT_CONNECTED' });
    await line.close();
    expect(events.causes).toHaveLength(1);
  });

  it('closes in bounded time although the peer does not read', async () => {
    let deaf: Socket | undefined;
    const port = await rawServer((socket) => {
      deaf = socket.pause().on('error', () => {});
    });
    const clock = new ManualClock();
    const events = new RecordedEvents();
    const line = createTransports(clock).connector(tcpLine(port));
    await line.open(events, never());
    // More than the buffers of both systems take.
    const written = expect(line.write(Buffer.alloc(32 << 20))).rejects.toMatchObject({ code: 'TRANSPORT_LOST' });
    const closed = line.close();
    await clock.advance(1000);
    await closed;
    await written;
    expect(events.causes).toEqual([{ kind: 'local' }]);
    deaf?.destroy();
  });

  it('tells an address without a way and a name without an address', async () => {
    const open = (ip: string) => createTransports(pacedClock()).connector(tcpLine(502, { ip })).open(new RecordedEvents(), never());
    await expect(open('name.invalid')).rejects.toMatchObject({ code: 'TRANSPORT_UNREACHABLE' });
    for (const code of ['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']) {
      expect(connectError(Object.assign(new Error(code), { code }), 'x:1')).toMatchObject({ code: 'TRANSPORT_UNREACHABLE' });
    }
    expect(connectError(Object.assign(new Error(), { code: 'ETIMEDOUT' }), 'x:1').code).toBe('TIMEOUT_CONNECT');
    expect(connectError(Object.assign(new Error(), { code: 'EACCES' }), 'x:1').code).toBe('TRANSPORT_PERMISSION');
    expect(connectError('nothing known', 'x:1').code).toBe('TRANSPORT_UNREACHABLE');
  });
});

describe('a peer that pours in octets', () => {
  const COUNT = 1_000_000;
  const poured = Uint8Array.from({ length: COUNT }, (_, at) => at % 251);

  it.each(['device', 'client'])('as a %s: all of them arrive in pieces, and the end behind them', async (role) => {
    const events = new RecordedEvents();
    const transports = createTransports(pacedClock());
    if (role === 'device') {
      const port = await rawServer((socket) => socket.end(poured));
      await transports.connector(tcpLine(port)).open(events, never());
    } else {
      const listener = transports.listener(tcpLine(0));
      cleanups.push(() => listener.close());
      await listener.listen((peer) => peer.start(events));
      connect({ host: '127.0.0.1', port: listener.boundPort ?? 0 }).end(poured);
    }
    expect(await events.closed()).toEqual({ kind: 'peer' });
    expect(events.bytes.equals(poured)).toBe(true);
    expect(Math.max(...events.chunks.map(({ length }) => length))).toBe(MOST_AT_ONCE);
  });

  it('and ends its side at once has the answers to all of them', async () => {
    const listener = createTransports(pacedClock()).listener(tcpLine(0));
    cleanups.push(() => listener.close());
    const failed: unknown[] = [];
    await listener.listen((peer) => {
      peer.start({ onData: (piece) => void peer.write(piece).catch((thrown) => failed.push(thrown)), onClosed: () => undefined });
    });
    const socket = connect({ host: '127.0.0.1', port: listener.boundPort ?? 0 });
    const answers: Buffer[] = [];
    socket.on('data', (chunk) => answers.push(chunk)).end(poured.subarray(0, 100_000));
    await once(socket, 'close');
    expect(Buffer.concat(answers)).toHaveLength(100_000);
    expect(failed).toEqual([]);
  });
});

describe('TCP listener', () => {
  it('takes a bounded number of peers', async () => {
    const listener = createTransports(pacedClock()).listener(tcpLine(0));
    cleanups.push(() => listener.close());
    let accepted = 0;
    await listener.listen(() => {
      accepted += 1;
    });
    const sockets = Array.from({ length: MAX_PEERS + 1 }, () => connect({ host: '127.0.0.1', port: listener.boundPort ?? 0 }));
    const refused = await Promise.race(sockets.map((socket) => once(socket.on('error', () => {}).resume(), 'close')));
    expect(refused).toBeDefined();
    expect(accepted).toBe(MAX_PEERS);
    for (const socket of sockets) socket.destroy();
  });

  it('says which address is not of this computer', async () => {
    const listener = createTransports(pacedClock()).listener(tcpLine(0, { ip: '192.0.2.7' }));
    await expect(listener.listen(() => {})).rejects.toMatchObject({
      code: 'TRANSPORT_UNREACHABLE',
      message: expect.stringContaining('192.0.2.7'),
    });
    await listener.close();
  });

  it('says what low ports need', () => {
    const denied = Object.assign(new Error(), { code: 'EACCES' });
    expect(listenError(denied, '0.0.0.0', 502)).toMatchObject({
      code: 'TRANSPORT_PERMISSION',
      message: expect.stringContaining('below 1024'),
    });
    expect(listenError(denied, '0.0.0.0', 1502).message).not.toContain('below 1024');
    expect(listenError(new Error('?'), '0.0.0.0', 502).code).toBe('TRANSPORT_UNREACHABLE');
  });

  it('writes an IPv6 address in brackets', () => {
    expect(endPoint('::1', 502)).toBe('[::1]:502');
  });
});
