import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createEncryptedServer } from 'node:https';
import { type AddressInfo, createServer as createRawServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { certificateText } from './testing/certificates.ts';
import { postToWeb } from './web-post.ts';

const closings: (() => void)[] = [];
afterEach(() => {
  for (const close of closings.splice(0)) close();
});

async function web(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closings.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?a=1`;
}

async function raw(onSocket: (socket: Socket) => void): Promise<string> {
  const server = createRawServer((socket) => {
    closings.push(() => socket.destroy());
    socket.on('error', () => {});
    onSocket(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closings.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const post = (url: string, timeoutMs = 5000, signal = new AbortController().signal) =>
  postToWeb({ url, body: '{"测":1}', headers: { 'content-type': 'application/json', 'x-own': 'yes' }, timeoutMs }, signal);

describe('a post to a web address', () => {
  it('sends the octets with their headers, and answers the status', async () => {
    const seen: unknown[] = [];
    const url = await web(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      seen.push(request.method, request.url, request.headers['x-own'], request.headers['content-length'], Buffer.concat(parts).toString());
      response.writeHead(202).end();
    });
    expect(await post(url)).toBe(202);
    expect(seen).toEqual(['POST', '/hook?a=1', 'yes', '9', '{"测":1}']);
  });

  it('follows no redirection', async () => {
    let asked = 0;
    const url = await web((request, response) => {
      request.resume();
      asked += 1;
      response.writeHead(307, { location: '/other' }).end();
    });
    expect([await post(url), asked]).toEqual([307, 1]);
  });

  it('takes no more of an endless answer than it has to', async () => {
    const url = await web((request, response) => {
      request.resume();
      response.writeHead(200);
      const more = () => {
        if (!response.destroyed) response.write('x'.repeat(10_000), () => setImmediate(more));
      };
      more();
    });
    expect(await post(url)).toBe(200);
  });

  it('ends in its time where nothing, or only a drop now and then, comes back', async () => {
    await expect(post(await raw(() => {}), 200)).rejects.toMatchObject({ code: 'TIMEOUT_RESPONSE', said: { params: { ms: 200 } } });
    const dripping = await raw((socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nx'));
    await expect(post(dripping, 200)).rejects.toMatchObject({ code: 'TIMEOUT_RESPONSE' });
  });

  it('says what is in its way', async () => {
    await expect(post('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'TRANSPORT_REFUSED' });
    await expect(post(await raw((socket) => socket.destroy()))).rejects.toMatchObject({ code: 'TRANSPORT_LOST' });
    await expect(post(await raw((socket) => void socket.end('no http\r\n\r\n')))).rejects.toMatchObject({ code: 'TRANSPORT_LOST' });
  });

  it('can be broken off', async () => {
    const control = new AbortController();
    const url = await raw(() => control.abort());
    await expect(post(url, 5000, control.signal)).rejects.toMatchObject({ code: 'TRANSPORT_LOST' });
  });
});

describe('a post to an encrypted address', () => {
  async function encrypted(name: 'station' | 'expired' | 'elsewhere') {
    const seen: string[] = [];
    const [cert, key] = [certificateText(name), certificateText(`${name}.key`)];
    const server = createEncryptedServer({ cert, key }, (request, response) => {
      seen.push(request.url ?? '');
      response.writeHead(204).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closings.push(() => server.close());
    return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, seen };
  }
  const send = (url: string, ca?: string) => postToWeb({ url, body: '{}', headers: {}, timeoutMs: 5000, ca }, new AbortController().signal);

  it('is taken where the authority that was given signed the certificate', async () => {
    const { url, seen } = await encrypted('station');
    expect([await send(url, certificateText('ca')), seen]).toEqual([204, ['/hook']]);
  });

  it.each([
    ['station', undefined, 'publish.certificate_untrusted'],
    ['station', 'other-ca', 'publish.certificate_untrusted'],
    ['elsewhere', 'ca', 'publish.certificate_name'],
    ['expired', 'ca', 'publish.certificate_time'],
  ] as const)('with the certificate %s is refused in words by %s, and nothing is sent', async (name, ca, said) => {
    const { url, seen } = await encrypted(name);
    await expect(send(url, ca && certificateText(ca))).rejects.toMatchObject({ code: 'TRANSPORT_REFUSED', said: { code: said } });
    expect(seen).toEqual([]);
  });
});
