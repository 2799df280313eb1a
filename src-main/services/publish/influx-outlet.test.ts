import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer as createRawServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { PublisherTarget } from '#shared/contract/publish.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import { askWeb } from '../../transport/web-post.ts';
import { influxOutlet } from './influx-outlet.ts';
import type { PublishedValue } from './record-queue.ts';

type Target = Extract<PublisherTarget, { kind: 'influxdb' }>;

const closings: (() => void)[] = [];
afterEach(() => {
  for (const close of closings.splice(0)) close();
});

interface Seen {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly lines: readonly string[];
}
interface Reply {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server that notes what it is asked, and answers as it is told. */
async function server(answer: (lines: readonly string[]) => Reply) {
  const seen: Seen[] = [];
  const web = createServer(async (request: IncomingMessage, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    const lines = text === '' ? [] : text.split('\n');
    seen.push({ url: request.url ?? '', authorization: request.headers.authorization, lines });
    const { status, body = '', headers = {} } = answer(lines);
    response.writeHead(status, headers).end(status === 204 ? undefined : body);
  }).listen(0, '127.0.0.1');
  await once(web, 'listening');
  closings.push(() => {
    web.closeAllConnections();
    web.close();
  });
  return { url: `http://127.0.0.1:${(web.address() as AddressInfo).port}`, seen };
}

async function raw(onSocket: (socket: Socket) => void): Promise<string> {
  const listener = createRawServer((socket) => {
    closings.push(() => socket.destroy());
    socket.on('error', () => {});
    onSocket(socket);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  closings.push(() => listener.close());
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
}

const clock = new ManualClock();
const outlet = (url: string, more: Partial<Target> = {}, secret: string | undefined = 'T0KEN') =>
  influxOutlet(
    askWeb,
    clock,
    {
      kind: 'influxdb',
      version: 2,
      url,
      database: 'plant a',
      retention_policy: '',
      org: 'my org',
      user: '',
      measurement: 'm',
      every_ms: 1000,
      ...more,
    },
    { version: '1.0', session: 's', secret },
  );
const values = (count: number): PublishedValue[] =>
  Array.from({ length: count }, (_, index) => ({
    about: { device: 'D', code: `P${index + 1}`, frameType: 0, name: '', unit: '' },
    value: index,
    quality: 'good',
    at: 1000,
    sequence: index + 1,
  }));
const open = (url: string, more: Partial<Target> = {}) => outlet(url, more).open(new AbortController().signal, () => {});

describe('lines to InfluxDB', () => {
  it('go to bucket and organisation of version 2 with its token', async () => {
    const { url, seen } = await server(() => ({ status: 204 }));
    const link = await open(`${url}/`);
    expect(await link.send(values(2))).toBe('taken');
    expect(seen).toEqual([
      { url: '/api/v2/write?org=my+org&bucket=plant+a&precision=ns', authorization: 'Token T0KEN', lines: [] },
      {
        url: '/api/v2/write?org=my+org&bucket=plant+a&precision=ns',
        authorization: 'Token T0KEN',
        lines: [
          'm,device=D,code=P1,type=YC value=0,good=true,quality="good",sequence=1i,session="s" 1000000001',
          'm,device=D,code=P2,type=YC value=1,good=true,quality="good",sequence=2i,session="s" 1000000002',
        ],
      },
    ]);
  });

  it('go to database and retention policy of version 1 with user and password', async () => {
    const { url, seen } = await server(() => ({ status: 204 }));
    await (await open(url, { version: 1, user: 'me', retention_policy: 'week', database: 'plant' })).send(values(1));
    expect(seen.at(-1)).toMatchObject({ url: '/write?db=plant&rp=week&precision=ns', authorization: 'Basic bWU6VDBLRU4=' });
    await (await open(url, { version: 1, database: 'plant' })).send(values(1));
    expect(seen.at(-1)).toMatchObject({ url: '/write?db=plant&precision=ns', authorization: undefined });
  });

  it('carry the session of the file that they waited in', async () => {
    const { url, seen } = await server(() => ({ status: 204 }));
    await (await open(url)).send(values(1).map((value) => ({ ...value, session: 'kept' })));
    expect(seen.at(-1)?.lines[0]).toContain('session="kept"');
  });

  it('find that a server which misses lines in an empty batch is there', async () => {
    const { url } = await server((lines) => ({ status: lines.length === 0 ? 400 : 204, body: '{"message":"writing requires points"}' }));
    expect(await (await open(url)).send(values(1))).toBe('taken');
  });

  it('of which some are wrong are sent in parts, until the wrong ones stand alone', async () => {
    const written = new Set<string>();
    const { url } = await server((lines) => {
      if (lines.some((line) => line.includes('code=P7,') || line.includes('code=P300,')))
        return { status: 400, body: '{"error":"field type conflict"}' };
      for (const line of lines) written.add(line);
      return { status: 204 };
    });
    expect(await (await open(url)).send(values(1000))).toEqual({ refused: 2 });
    expect(written.size).toBe(998);
  });

  it('that are too many for one request are sent in parts', async () => {
    const written = new Set<string>();
    const { url } = await server((lines) => {
      if (lines.length > 300) return { status: 413 };
      for (const line of lines) written.add(line);
      return { status: 204 };
    });
    expect(await (await open(url)).send(values(1000))).toBe('taken');
    expect(written.size).toBe(1000);
  });

  it('that are older than the server keeps are counted as it says, and not sent again', async () => {
    const { url, seen } = await server((lines) =>
      lines.length === 0 ? { status: 204 } : { status: 400, body: '{"error":"partial write: points beyond retention policy dropped=3"}' },
    );
    expect(await (await open(url)).send(values(10))).toEqual({ refused: 3 });
    expect(seen).toHaveLength(2);
  });

  it.each([
    [401, '{"code":"unauthorized","message":"unauthorized access"}', 'database.influx_credentials', 'unauthorized access'],
    [403, '{"error":"not allowed\\u0000to write"}', 'database.influx_credentials', 'not allowed to write'],
    [404, '{"error":"database not found: \\"plant\\""}', 'database.influx_none', 'database not found: "plant"'],
    [500, 'out of order', 'database.influx_failed', 'out of order'],
    [500, '', 'database.influx_failed', '500'],
    [300, '', 'publish.redirect', ''],
    [399, '', 'publish.redirect', ''],
  ])('that meet status %i tell why', async (status, body, code, reason) => {
    const { url } = await server(() => ({ status, body }));
    const thrown = await open(url).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'PROTOCOL_REFUSED', said: { code } });
    expect(JSON.stringify(thrown)).not.toContain('T0KEN');
    if (reason) expect((thrown as Error).message).toContain(reason);
  });

  it.each([
    [429, '7', 7000],
    [503, '120', 120_000],
    [503, 'Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    [429, 'soon', 0],
    [429, '-5', 0],
    [503, undefined, 0],
  ])('that are asked to come back later (%i, %s) do', async (status, retryAfter, retryAfterMs) => {
    const { url } = await server((lines) =>
      lines.length === 0 ? { status: 204 } : { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } },
    );
    const link = await open(url);
    await expect(link.send(values(1))).rejects.toMatchObject({ said: { code: 'database.influx_later' }, data: { retryAfterMs } });
  });

  it('are not taken by a server that breaks off, answers in half, or no HTTP at all', async () => {
    await expect(open(await raw((socket) => socket.destroy()))).rejects.toMatchObject({ code: 'TRANSPORT_LOST' });
    await expect(open(await raw((socket) => void socket.end('HTTP/1.1 20')))).rejects.toMatchObject({ code: 'TRANSPORT_LOST' });
    await expect(open(await raw((socket) => void socket.end('hello\r\n\r\n')))).rejects.toMatchObject({ code: 'TRANSPORT_LOST' });
    await expect(open('http://127.0.0.1:1')).rejects.toMatchObject({ code: 'TRANSPORT_REFUSED' });
  });

  it('end with the connection that is closed', async () => {
    let asked = 0;
    const url = await raw((socket) => {
      asked += 1;
      if (asked === 1) socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    });
    const link = await open(url);
    const sent = link.send(values(1)).catch((error: unknown) => error);
    await link.close();
    expect(await sent).toMatchObject({ code: 'TRANSPORT_LOST' });
  });
});
