/**
 * What every line of octets has to do, as one suite: run with TCP, loopback, and whatever is added later.
 * Import it from a test file and call `describeTransport` with the factory under test.
 */
import { afterEach, describe, expect, it } from 'vitest';
import type { AcceptedPeer, ByteListener, ByteTransport, LineSettings, TransportFactory } from '../types.ts';
import { codeOf, describeLine, never, RecordedEvents } from './line-conformance.ts';

export { RecordedEvents } from './line-conformance.ts';

/** Settings of a TCP line on this computer. */
export function tcpLine(port: number, change: Partial<LineSettings> = {}): LineSettings {
  return {
    kind: 'tcp',
    ip: '127.0.0.1',
    port,
    comPort: null,
    baudRate: 9600,
    dataBits: 8,
    stopBits: 1,
    parity: 'N',
    connectTimeoutMs: 5000,
    ...change,
  };
}

/** A listener, and everything it accepted. */
class Host {
  readonly listener: ByteListener;
  readonly #peers: AcceptedPeer[] = [];
  #waiting: ((peer: AcceptedPeer) => void)[] = [];

  constructor(factory: TransportFactory, port = 0) {
    this.listener = factory.listener(tcpLine(port));
  }

  async listen(): Promise<number> {
    await this.listener.listen((peer) => {
      const next = this.#waiting.shift();
      if (next) next(peer);
      else this.#peers.push(peer);
    });
    const port = this.listener.boundPort;
    if (port === null) throw new Error('The listener has no port.');
    return port;
  }

  peer(): Promise<AcceptedPeer> {
    const ready = this.#peers.shift();
    return ready ? Promise.resolve(ready) : new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** Runs the suite for one factory. */
export function describeTransport(name: string, makeFactory: () => TransportFactory): void {
  describe(`${name} as a transport`, () => {
    const cleanups: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const cleanup of cleanups.splice(0)) await cleanup();
    });

    async function host(factory: TransportFactory): Promise<{ place: Host; port: number }> {
      const place = new Host(factory);
      cleanups.push(() => place.listener.close());
      return { place, port: await place.listen() };
    }

    async function pair() {
      const factory = makeFactory();
      const { place, port } = await host(factory);
      const near: ByteTransport = factory.connector(tcpLine(port));
      const nearEvents = new RecordedEvents();
      await near.open(nearEvents, never());
      cleanups.push(() => near.close());
      const far = await place.peer();
      return { factory, place, port, near, nearEvents, far };
    }

    async function startedPair() {
      const made = await pair();
      const farEvents = new RecordedEvents();
      made.far.start(farEvents);
      return { ...made, farEvents };
    }

    describeFlow(pair, startedPair);
    describeEnd(startedPair);
    describeRefusal(makeFactory, host);
    describeLine(startedPair, async () => {
      const factory = makeFactory();
      const { port } = await host(factory);
      return () => factory.connector(tcpLine(port));
    });
  });
}

type Pair = {
  factory: TransportFactory;
  place: Host;
  port: number;
  near: ByteTransport;
  nearEvents: RecordedEvents;
  far: AcceptedPeer;
};

function describeFlow(pair: () => Promise<Pair>, startedPair: () => Promise<Pair & { farEvents: RecordedEvents }>): void {
  it('keeps what arrives before a peer is started', async () => {
    const { near, far } = await pair();
    await near.write(Uint8Array.of(7, 8));
    const late = new RecordedEvents();
    far.start(late);
    expect(await late.received(2)).toEqual(Buffer.from([7, 8]));
  });

  it('tells the end to a peer that is started after it', async () => {
    const { near, far } = await pair();
    await near.write(Uint8Array.of(9));
    await near.close();
    const late = new RecordedEvents();
    far.start(late);
    expect(await late.closed()).toEqual({ kind: 'peer' });
    expect(late.bytes).toEqual(Buffer.from([9]));
  });

  it('names its end points the same at both ends', async () => {
    const { near, far, port } = await pair();
    expect(near.label).toContain(`:${port}`);
    expect(far.label).toBe(near.label);
  });

  it('serves several peers apart from each other', async () => {
    const { factory, place, port, nearEvents, far } = await startedPair();
    const second = factory.connector(tcpLine(port));
    const secondEvents = new RecordedEvents();
    await second.open(secondEvents, never());
    const secondFar = await place.peer();
    await secondFar.write(Uint8Array.of(2));
    await far.write(Uint8Array.of(1));
    expect(await secondEvents.received(1)).toEqual(Buffer.from([2]));
    expect(await nearEvents.received(1)).toEqual(Buffer.from([1]));
    await second.close();
  });
}

function describeEnd(startedPair: () => Promise<Pair & { farEvents: RecordedEvents }>): void {
  it('tells a local end once, and the peer its own', async () => {
    const { near, nearEvents, farEvents } = await startedPair();
    await Promise.all([near.close(), near.close()]);
    expect(await nearEvents.closed()).toEqual({ kind: 'local' });
    expect(await farEvents.closed()).toEqual({ kind: 'peer' });
    await near.close();
    expect(nearEvents.causes).toHaveLength(1);
    expect(farEvents.causes).toHaveLength(1);
  });

  it('delivers what was written before the end', async () => {
    const { near, nearEvents, far } = await startedPair();
    await far.write(Buffer.alloc(100_000, 1));
    await far.close();
    expect(await nearEvents.closed()).toEqual({ kind: 'peer' });
    expect(nearEvents.bytes).toHaveLength(100_000);
    expect(await codeOf(near.write(Uint8Array.of(1)))).toBe('TRANSPORT_NOT_CONNECTED');
  });

  it('closes every peer with the listener, and frees the port', async () => {
    const { factory, place, port, nearEvents } = await startedPair();
    await place.listener.close();
    await place.listener.close();
    expect(await nearEvents.closed()).toEqual({ kind: 'peer' });
    expect(await codeOf(factory.connector(tcpLine(port)).open(new RecordedEvents(), never()))).toBe('TRANSPORT_REFUSED');
    const again = new Host(factory, port);
    expect(await again.listen()).toBe(port);
    await again.listener.close();
  });
}

function describeRefusal(
  makeFactory: () => TransportFactory,
  host: (factory: TransportFactory) => Promise<{ place: Host; port: number }>,
): void {
  it('refuses a port that is taken, and names it', async () => {
    const factory = makeFactory();
    const { port } = await host(factory);
    const second = factory.listener(tcpLine(port));
    await expect(second.listen(() => {})).rejects.toThrow(`${port}`);
    expect(await codeOf(factory.listener(tcpLine(port)).listen(() => {}))).toBe('TRANSPORT_PORT_TAKEN');
    await second.close();
  });

  it('is refused where nobody listens', async () => {
    const factory = makeFactory();
    const { place, port } = await host(factory);
    await place.listener.close();
    const line = factory.connector(tcpLine(port));
    expect(await codeOf(line.open(new RecordedEvents(), never()))).toBe('TRANSPORT_REFUSED');
    expect(await codeOf(line.write(Uint8Array.of(1)))).toBe('TRANSPORT_NOT_CONNECTED');
    await line.close();
  });
}
