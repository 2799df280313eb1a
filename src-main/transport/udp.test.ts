import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import type { AppError } from '#shared/domain/errors.ts';
import { ManualClock } from '../platform/manual-clock.ts';
import { pacedClock } from '../platform/testing/paced-clock.ts';
import { createTransports } from './index.ts';
import { MAX_PEERS } from './tcp-listener.ts';
import { RecordedEvents, tcpLine } from './testing/transport-conformance.ts';
import type { AcceptedPeer, LineSettings } from './types.ts';
import { lookUp, preferred } from './udp-address.ts';
import { PEER_QUIET_MS } from './udp-listener.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const never = () => new AbortController().signal;
const udpLine = (port: number, change: Partial<LineSettings> = {}) => tcpLine(port, { kind: 'udp', ...change });

/** A plain socket of node:dgram. */
async function rawSocket(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  cleanups.push(() => new Promise<void>((resolve) => void socket.close(() => resolve())));
  return socket;
}

/** Each datagram by itself, and what the system told. */
class Datagrams extends RecordedEvents {
  readonly all: string[] = [];
  readonly troubles: AppError[] = [];
  #waiting: (() => void)[] = [];

  override onData(datagram: Uint8Array): void {
    super.onData(datagram);
    this.all.push(Buffer.from(datagram).toString('latin1'));
    for (const wake of this.#waiting.splice(0)) wake();
  }

  onTrouble(error: AppError): void {
    this.troubles.push(error);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  async until(isReached: () => boolean): Promise<void> {
    while (!isReached()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

async function connected(port: number) {
  const line = createTransports(pacedClock()).connector(udpLine(port));
  const events = new Datagrams();
  await line.open(events, never());
  cleanups.push(() => line.close());
  return { line, events };
}

describe('UDP connector', () => {
  it('opens without sending anything, and keeps datagrams apart', async () => {
    const device = await rawSocket();
    const { line, events } = await connected(device.address().port);
    expect(line.label).toMatch(/^UDP 127\.0\.0\.1:\d+ → 127\.0\.0\.1:\d+$/);
    const asked = once(device, 'message');
    await line.write(Buffer.from('first'));
    const [request, from] = (await asked) as [Buffer, RemoteInfo];
    // the first one that came at all is the one that was written: nothing came before it
    expect(request.toString()).toBe('first');
    for (const text of ['one', 'two', 'two', '']) device.send(text, from.port, from.address);
    await events.until(() => events.all.length === 4);
    expect(events.all).toEqual(['one', 'two', 'two', '']);
  });

  it('takes nothing from another address or port', async () => {
    const device = await rawSocket();
    const stranger = await rawSocket();
    const { line, events } = await connected(device.address().port);
    const asked = once(device, 'message');
    await line.write(Buffer.from('?'));
    const [, from] = (await asked) as [Buffer, RemoteInfo];
    await new Promise<void>((resolve) => stranger.send('strange', from.port, from.address, () => resolve()));
    device.send('ours', from.port, from.address);
    await events.until(() => events.all.length > 0);
    expect(events.all).toEqual(['ours']);
  });

  it('tells that nothing takes its datagrams, and stands', async () => {
    const gone = createSocket('udp4');
    gone.bind(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address();
    gone.close();
    await once(gone, 'close');
    const { line, events } = await connected(port);
    await line.write(Buffer.from('?'));
    await events.until(() => events.troubles.length > 0);
    expect(events.troubles[0]).toMatchObject({ code: 'TRANSPORT_REFUSED', message: expect.stringContaining(`127.0.0.1:${port}`) });
    expect(events.causes).toEqual([]);
    const back = createSocket('udp4');
    back.bind(port, '127.0.0.1');
    await once(back, 'listening');
    cleanups.push(() => back.close());
    back.on('message', (_, from) => back.send('here', from.port, from.address));
    await line.write(Buffer.from('?'));
    await events.until(() => events.all.length > 0);
    expect(events.all).toEqual(['here']);
  });

  it('says of a datagram that the system does not take that it was not sent', async () => {
    const device = await rawSocket();
    const { line, events } = await connected(device.address().port);
    await expect(line.write(Buffer.alloc(70_000))).rejects.toMatchObject({
      code: 'TRANSPORT_NOT_CONNECTED',
      message: expect.stringContaining('EMSGSIZE'),
    });
    expect(events.causes).toEqual([]);
  });

  it('ends once, and takes nothing before it is open or after its end', async () => {
    const device = await rawSocket();
    const closed = createTransports(pacedClock()).connector(udpLine(device.address().port));
    await expect(closed.write(Uint8Array.of(1))).rejects.toMatchObject({ code: 'TRANSPORT_NOT_CONNECTED' });
    await closed.close();
    await expect(closed.open(new Datagrams(), never())).rejects.toMatchObject({ code: 'CANCELLED' });
    const { line, events } = await connected(device.address().port);
    await Promise.all([line.close(), line.close()]);
    expect(events.causes).toEqual([{ kind: 'local' }]);
    await expect(line.write(Uint8Array.of(1))).rejects.toMatchObject({ code: 'TRANSPORT_NOT_CONNECTED' });
    await expect(line.open(events, never())).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('gives up a name that is not found, or not in time, or not wanted any more', async () => {
    const clock = new ManualClock();
    const transports = createTransports(clock);
    const nowhere = transports.connector(udpLine(502, { ip: 'no-such-device.invalid' }));
    await expect(nowhere.open(new Datagrams(), never())).rejects.toMatchObject({ code: 'TRANSPORT_UNREACHABLE' });
    const stop = new AbortController();
    const stopped = lookUp('localhost', { clock, signal: stop.signal, limitMs: 700, target: 'localhost:502' });
    stop.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(clock.pending).toBe(0);
  });

  it('takes the IPv4 address of a name that has both', async () => {
    const found = await lookUp('localhost', { clock: new ManualClock(), signal: never(), limitMs: 700, target: 'localhost:502' });
    expect(found).toMatchObject({ address: '127.0.0.1', family: 4 });
    const [six, four] = [
      { address: '2001:db8::7', family: 6 },
      { address: '192.0.2.7', family: 4 },
    ];
    expect([preferred([six, four]), preferred([six]), preferred([])]).toEqual([four, six, undefined]);
  });
});

async function listening(clock = pacedClock() as ManualClock | ReturnType<typeof pacedClock>) {
  const transports = createTransports(clock);
  const listener = transports.listener(udpLine(0));
  const peers: { readonly peer: AcceptedPeer; readonly events: Datagrams }[] = [];
  await listener.listen((peer) => {
    const events = new Datagrams();
    peers.push({ peer, events });
    peer.start({
      onData: (datagram) => {
        events.onData(datagram);
        void peer.write(Buffer.from(`to ${Buffer.from(datagram).toString()}`));
      },
      onClosed: (cause) => events.onClosed(cause),
    });
  });
  cleanups.push(() => listener.close());
  const port = listener.boundPort ?? 0;
  const ask = async (socket: Socket, text: string): Promise<string> => {
    const answered = once(socket, 'message');
    socket.send(text, port, '127.0.0.1');
    return String((await answered)[0]);
  };
  return { transports, listener, peers, port, ask };
}

describe('UDP listener', () => {
  it('answers each sender, which it knows again', async () => {
    const { peers, port, ask } = await listening();
    const [one, two] = [await rawSocket(), await rawSocket()];
    expect(await ask(one, 'a')).toBe('to a');
    expect(await ask(two, 'b')).toBe('to b');
    expect(await ask(one, 'c')).toBe('to c');
    expect(peers.map(({ events }) => events.all)).toEqual([['a', 'c'], ['b']]);
    expect(peers[0]?.peer.label).toBe(`UDP 127.0.0.1:${one.address().port} → 127.0.0.1:${port}`);
  });

  it('forgets a sender that is silent, and takes it as new afterwards', async () => {
    const clock = new ManualClock();
    const { peers, ask } = await listening(clock);
    const [one, two] = [await rawSocket(), await rawSocket()];
    await ask(one, 'a');
    await clock.advance(PEER_QUIET_MS - 1);
    await ask(two, 'b');
    expect(peers[0]?.events.causes).toEqual([]);
    await clock.advance(1);
    expect(peers[0]?.events.causes).toMatchObject([{ kind: 'failed', error: { code: 'TRANSPORT_LOST' } }]);
    await expect(peers[0]?.peer.write(Uint8Array.of(1))).rejects.toMatchObject({ code: 'TRANSPORT_NOT_CONNECTED' });
    expect(peers[1]?.events.causes).toEqual([]);
    await ask(one, 'again');
    expect(peers).toHaveLength(3);
    await clock.advance(PEER_QUIET_MS);
    expect(peers.map(({ events }) => events.causes.length)).toEqual([1, 1, 1]);
    expect(clock.pending).toBe(0);
  });

  it('remembers a bounded number of senders; the one that was silent the longest makes room', async () => {
    const { peers, ask } = await listening();
    const sockets: Socket[] = [];
    for (let count = 0; count < MAX_PEERS; count += 1) {
      const socket = await rawSocket();
      sockets.push(socket);
      await ask(socket, 'first');
    }
    const [first, second] = sockets;
    if (!first || !second) throw new Error('there are sockets');
    await ask(first, 'still here');
    expect(peers.every(({ events }) => events.causes.length === 0)).toBe(true);
    expect(await ask(await rawSocket(), 'one more')).toBe('to one more');
    expect(peers.flatMap(({ events }, at) => (events.causes.length > 0 ? [at] : []))).toEqual([1]);
    expect(await ask(second, 'back')).toBe('to back');
  });

  it('frees its port at the end, tells its peers, and names a port that is taken', async () => {
    const { transports, listener, peers, port, ask } = await listening();
    await ask(await rawSocket(), 'a');
    const second = transports.listener(udpLine(port));
    await expect(second.listen(() => {})).rejects.toMatchObject({ code: 'TRANSPORT_PORT_TAKEN' });
    await second.close();
    await Promise.all([listener.close(), listener.close()]);
    expect(peers[0]?.events.causes).toEqual([{ kind: 'local' }]);
    const again = transports.listener(udpLine(port));
    await again.listen(() => {});
    expect(again.boundPort).toBe(port);
    await again.close();
  });

  it('listens on a port that TCP has: both have ports of their own', async () => {
    const transports = createTransports(pacedClock());
    const tcp = transports.listener(tcpLine(0));
    await tcp.listen(() => {});
    const udp = transports.listener(udpLine(tcp.boundPort ?? 0));
    await udp.listen(() => {});
    expect(udp.boundPort).toBe(tcp.boundPort);
    await Promise.all([udp.close(), tcp.close()]);
  });
});
