import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { openBroker } from './mqtt-broker.ts';
import { certificateText } from './testing/certificates.ts';
import type { BrokerAddress, BrokerNews } from './types.ts';

const closings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

/** CONNACK and PUBACK of MQTT 3.1.1, 3.2 and 3.4. */
const connack = (code: number) => Buffer.from([0x20, 2, 0, code]);
/** Takes a message: the number of it stands behind fixed header and topic `a/b`. */
const puback = (publish: Buffer) => Buffer.from([0x40, 2, publish[7] as number, publish[8] as number]);
/** SUBACK (3.9) to a SUBSCRIBE, whose number stands behind its fixed header. */
const suback = (subscribe: Buffer, code: number) => Buffer.from([0x90, 3, subscribe[2] as number, subscribe[3] as number, code]);
const MESSAGE = { topic: 'a/b', payload: 'x', qos: 1, retain: false } as const;

/** A raw peer: `onData` gets what comes, with how many octets came before. */
async function peer(onData: (socket: Socket, octets: Buffer, count: number) => void) {
  const sockets = new Set<Socket>();
  const seen: Buffer[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    let count = 0;
    socket.on('error', () => {});
    socket.on('data', (octets) => {
      seen.push(octets);
      onData(socket, octets, count++);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closings.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, sockets };
}

/** A peer with TLS and a certificate of the tests: it takes connections, and tells whether one got as far. */
async function encrypted(name: 'station' | 'expired' | 'elsewhere') {
  const [cert, key] = [certificateText(name), certificateText(`${name}.key`)];
  const seen: Buffer[] = [];
  const server = createTlsServer({ cert, key }, (socket) => {
    socket.on('error', () => {});
    socket.on('data', (octets) => {
      seen.push(octets);
      socket.write(connack(0));
    });
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closings.push(() => void server.close());
  return { url: `mqtts://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const will = { topic: 'plant/status', payload: 'offline', qos: 0, retain: true } as const;
const address = (url: string, more: Partial<BrokerAddress> = {}): BrokerAddress => ({
  url,
  clientId: 'c1',
  user: '',
  password: undefined,
  will,
  ...more,
});
const open = async (given: BrokerAddress, timeoutMs = 5000) => {
  const link = await openBroker(given, timeoutMs);
  closings.push(() => link.close());
  return link;
};

describe('a connection to a broker', () => {
  it('begins with CONNECT of MQTT 3.1.1 with will, user and password, and settles when a message was taken', async () => {
    const { url, seen } = await peer((socket, octets) => {
      if (octets[0] === 0x10) socket.write(connack(0));
      if (octets[0] === 0x32) socket.write(puback(octets));
    });
    const link = await open(address(url, { user: 'u', password: 'pw' }));
    await link.publish(MESSAGE);
    const [connect] = seen;
    // 3.1.2: protocol name, level 4, flags user, password, will retain, will QoS 0, will, clean session
    expect(connect?.subarray(2, 10).toString('hex')).toBe('00044d51545404e6');
    expect(connect?.subarray(12).toString()).toBe('\0\x02c1\0\x0cplant/status\0\x07offline\0\x01u\0\x02pw');
  });

  it('sends no password without a user, which MQTT 3.1.1 does not allow', async () => {
    const { url, seen } = await peer((socket) => socket.write(connack(0)));
    await open(address(url, { password: 'pw' }));
    expect(seen[0]?.toString()).not.toContain('pw');
  });

  it.each([
    [2, 'publish.broker_id'],
    [3, 'publish.broker_refused'],
    [4, 'publish.broker_credentials'],
    [5, 'publish.broker_credentials'],
  ])('that is refused with code %i says so', async (code, said) => {
    const { url } = await peer((socket) => socket.end(connack(code)));
    await expect(open(address(url))).rejects.toMatchObject({ code: 'PROTOCOL_REFUSED', said: { code: said, params: { code } } });
  });

  it('to one that is silent ends in its time, and drops the connection', async () => {
    const { url, sockets } = await peer(() => {});
    await expect(open(address(url), 200)).rejects.toMatchObject({ code: 'TIMEOUT_CONNECT', said: { code: 'publish.silent' } });
    await Promise.all([...sockets].map((socket) => socket.destroyed || once(socket, 'close')));
  });

  it('to one that closes, says nonsense, or is not there is told apart', async () => {
    const closing = await peer((socket) => socket.end());
    await expect(open(address(closing.url))).rejects.toMatchObject({ said: { code: 'publish.no_broker' } });
    const web = await peer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await expect(open(address(web.url))).rejects.toMatchObject({ code: 'TRANSPORT_LOST' });
    await expect(open(address('mqtt://127.0.0.1:1'))).rejects.toMatchObject({
      code: 'TRANSPORT_REFUSED',
      said: { code: 'publish.refused' },
    });
    await expect(open(address('mqtt://no-such-host.invalid'))).rejects.toMatchObject({ code: 'TRANSPORT_UNREACHABLE' });
  });

  it('takes a late CONNACK in halves', async () => {
    const { url } = await peer((socket) => {
      socket.write(connack(0).subarray(0, 3));
      setImmediate(() => socket.write(connack(0).subarray(3)));
    });
    await open(address(url));
  });

  it('that is lost rejects what is under way, tells it once, and refuses what comes later', async () => {
    const { url, sockets } = await peer((socket, octets) => {
      if (octets[0] === 0x10) socket.write(connack(0));
      if (octets[0] === 0x32) socket.destroy();
    });
    const link = await open(address(url));
    const told: unknown[] = [];
    link.onLost((reason) => told.push(reason.code));
    await expect(link.publish(MESSAGE)).rejects.toMatchObject({ code: 'TRANSPORT_LOST' });
    expect(told).toEqual(['TRANSPORT_LOST']);
    await expect(link.publish(MESSAGE)).rejects.toMatchObject({ code: 'TRANSPORT_LOST' });
    // it does not come back by itself
    expect(sockets.size).toBe(1);
  });

  it('drops what the broker sends by itself, and answers it nothing that would be a command', async () => {
    const { url } = await peer((socket, octets) => {
      if (octets[0] === 0x10) socket.write(Buffer.concat([connack(0), Buffer.from([0x30, 6, 0, 3, 0x61, 0x2f, 0x62, 0x31])]));
      if (octets[0] === 0x32) socket.write(puback(octets));
    });
    const link = await open(address(url));
    await link.publish(MESSAGE);
  });

  it('gives what comes of a subscription on, from octets in any lumps, and tells what the broker had kept', async () => {
    // PUBLISH with QoS 0: topic `a/b`, three octets that are no UTF-8; retained, then not
    const kept = Buffer.from([0x31, 8, 0, 3, 0x61, 0x2f, 0x62, 0xff, 0, 0x80]);
    const fresh = Buffer.from([0x30, 5, 0, 3, 0x61, 0x2f, 0x62]);
    const { url, seen } = await peer((socket, octets) => {
      if (octets[0] === 0x10) socket.write(connack(0));
      if (octets[0] !== 0x82) return;
      socket.write(Buffer.concat([suback(octets, 1), kept.subarray(0, 5)]));
      setImmediate(() => socket.write(Buffer.concat([kept.subarray(5), fresh])));
    });
    const news: BrokerNews[] = [];
    const came = Promise.withResolvers<void>();
    const link = await open(address(url, { onNews: (one) => news.push(one) === 2 && came.resolve() }));
    await link.subscribe('a/+');
    await came.promise;
    expect(news.map(({ topic, payload, isRetained }) => [topic, Buffer.from(payload).toString('hex'), isRetained])).toEqual([
      ['a/b', 'ff0080', true],
      ['a/b', '', false],
    ]);
    // 3.8.3: the filter, then the requested QoS
    expect(seen[1]?.subarray(4).toString('hex')).toBe(`0003${Buffer.from('a/+').toString('hex')}01`);
  });

  it('hears nothing that it did not ask for, and nothing greater than 64 KiB', async () => {
    /** PUBLISH with QoS 0 and an octet of content, or so many. */
    const publish = (topic: string, count = 1) => {
      const length = 2 + topic.length + count;
      const head = [0x30, 0x80 | (length & 0x7f), 0x80 | ((length >> 7) & 0x7f), length >> 14, 0, topic.length];
      return Buffer.concat([Buffer.from(head), Buffer.from(topic), Buffer.alloc(count, 0x31)]);
    };
    const { url } = await peer((socket, octets) => {
      if (octets[0] === 0x10) socket.write(connack(0));
      if (octets[0] !== 0x82) return;
      const sent = [publish('a/b/c'), publish('b/b'), publish('a'), publish('a/b', 65_537), publish('a/b', 65_536), publish('a/c')];
      socket.write(Buffer.concat([suback(octets, 1), ...sent]));
    });
    const news: BrokerNews[] = [];
    const came = Promise.withResolvers<void>();
    const onNews = (one: BrokerNews) => {
      news.push(one);
      if (one.topic === 'a/c') came.resolve();
    };
    const link = await open(address(url, { onNews }));
    await link.subscribe('a/+');
    await came.promise;
    expect(news.map(({ topic, payload }) => [topic, payload.length])).toEqual([
      ['a/b', 65_536],
      ['a/c', 1],
    ]);
  });

  it('that is given up while it connects ends at once, and drops the connection', async () => {
    const end = new AbortController();
    const { url, sockets } = await peer(() => end.abort());
    await expect(openBroker(address(url), 60_000, end.signal)).rejects.toMatchObject({ code: 'CANCELLED' });
    await Promise.all([...sockets].map((socket) => socket.destroyed || once(socket, 'close')));
    await expect(openBroker(address(url), 60_000, end.signal)).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(sockets.size).toBe(1);
  });

  it('whose broker answers no more is dropped all the same when it is closed, twice if need be', async () => {
    const { url, sockets, seen } = await peer((socket, octets) => {
      if (octets[0] === 0x10) socket.write(connack(0));
    });
    const link = await open(address(url));
    const last = link.publish(MESSAGE);
    const [first, second] = [link.close(), link.close()];
    await expect(last).rejects.toMatchObject({ code: 'CANCELLED' });
    await second;
    await first;
    await Promise.all([...sockets].map((socket) => socket.destroyed || once(socket, 'close')));
    expect(seen.map((octets) => octets[0])).toEqual([0x10, 0x32]);
  });

  it('whose subscription is refused says so, and stands', async () => {
    const { url } = await peer((socket, octets) => {
      if (octets[0] === 0x10) socket.write(connack(0));
      if (octets[0] === 0x82) socket.write(suback(octets, 0x80));
      if (octets[0] === 0x32) socket.write(puback(octets));
    });
    const link = await open(address(url));
    await expect(link.subscribe('a/#')).rejects.toMatchObject({ code: 'PROTOCOL_REFUSED', said: { code: 'publish.subscription' } });
    await link.publish(MESSAGE);
  });

  it('sends octets as they are, also as its will', async () => {
    const { url, seen } = await peer((socket, octets) => {
      if (octets[0] === 0x10) socket.write(connack(0));
    });
    const octets = Uint8Array.of(7, 0xff, 0, 8).subarray(1, 3);
    const link = await open(address(url, { will: { topic: 'w', payload: octets, qos: 1, retain: false } }));
    await link.publish({ topic: 'a', payload: octets, qos: 0, retain: false });
    await link.close();
    expect(seen[0]?.subarray(-4).toString('hex')).toBe('0002ff00');
    expect(Buffer.concat(seen.slice(1)).subarray(0, 7).toString('hex')).toBe('3005000161ff00');
  });

  it('is closed in bounded time, also where the broker does not react', async () => {
    const { url } = await peer((socket, octets) => {
      if (octets[0] === 0x10) socket.write(connack(0));
    });
    const link = await open(address(url));
    const waiting = link.publish(MESSAGE);
    const rejected = expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
    await link.close();
    await rejected;
  });
});

describe('an encrypted connection to a broker', () => {
  it('stands where the authority that was given signed the certificate', async () => {
    const { url, seen } = await encrypted('station');
    await open(address(url, { ca: certificateText('ca') }));
    expect(seen[0]?.[0]).toBe(0x10);
    // among others
    await open(address(url, { ca: `${certificateText('other-ca')}${certificateText('ca')}` }));
  });

  it.each([
    ['the authorities of the system', 'station', undefined, 'publish.certificate_untrusted'],
    ['another authority', 'station', 'other-ca', 'publish.certificate_untrusted'],
    ['a certificate for another name', 'elsewhere', 'ca', 'publish.certificate_name'],
    ['one that has expired', 'expired', 'ca', 'publish.certificate_time'],
  ] as const)('with %s is refused in words, and nothing is said', async (_, name, ca, said) => {
    const { url, seen } = await encrypted(name);
    const given = address(url, { password: 'pw', user: 'u', ca: ca && certificateText(ca) });
    await expect(open(given)).rejects.toMatchObject({ code: 'TRANSPORT_REFUSED', said: { code: said, params: { url } } });
    expect(seen).toEqual([]);
  });
});
