import { request } from 'node:http';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { noAccesses } from '../services/testing/no-accesses.ts';
import { createAccessPolicy, isLoopback, requireSafeBinding, urlHost } from './access.ts';
import { makeBridge } from './bridge.ts';
import type { ServerOptions } from './server.ts';
import { listeningServer, recordingHandlers } from './testing/http-fixture.ts';

const open: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

async function server(options: Partial<ServerOptions> = {}) {
  const made = await listeningServer(options);
  open.push(made.app);
  return made;
}

interface Reply {
  status: number | undefined;
  body: { code: number; error: string; data: unknown; message: string };
  challenge: string | undefined;
}

/** A request with exactly these headers; fetch would not let us set Host and Origin. */
function ask(port: number, headers: Record<string, string>, path = '/api/channel/list', method = 'GET'): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        const challenge = response.headers['www-authenticate'];
        resolve({ status: response.statusCode, body: JSON.parse(text.startsWith('{') ? text : '{}'), challenge });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('Host', () => {
  it.each(['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])('takes %s with the port that is bound', async (name) => {
    const { port } = await server();
    expect((await ask(port, { host: `${name}:${port}` })).status).toBe(200);
  });

  it('takes an address that the computer got after the start, and no longer one that it lost; nobody else', () => {
    let addresses = ['192.0.2.7'];
    const policy = createAccessPolicy({ host: '0.0.0.0', token: 't', extraOrigins: [], accesses: noAccesses }, () => addresses);
    const check = (name: string) => policy.checkOrigin({ host: `${name}:8991`, origin: `http://${name}:8991` }, true);
    expect(() => check('192.0.2.7')).toThrow(expect.objectContaining({ code: 'ACCESS_ORIGIN' }));
    policy.bound(8991);
    check('192.0.2.7');
    addresses = ['198.51.100.4', '2001:db8::4'];
    check('198.51.100.4');
    check('[2001:db8::4]');
    check('127.0.0.1');
    for (const name of ['192.0.2.7', 'evil.example', '198.51.100.5']) {
      expect(() => check(name)).toThrow(expect.objectContaining({ code: 'ACCESS_ORIGIN' }));
    }
  });

  it('looks for no other address where only this computer reaches it', () => {
    const policy = createAccessPolicy({ host: '127.0.0.1', token: null, extraOrigins: [], accesses: noAccesses }, () => ['192.0.2.7']);
    policy.bound(8991);
    expect(() => policy.checkOrigin({ host: '192.0.2.7:8991' }, true)).toThrow(expect.objectContaining({ code: 'ACCESS_ORIGIN' }));
  });

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1', 'localhost', 'localhost:1', '192.0.2.1:80', '0x7f.1'])(
    'refuses "%s": a page elsewhere whose name was pointed to this computer',
    async (host) => {
      const { port } = await server();
      const reply = await ask(port, { host });
      expect(reply.status).toBe(403);
      expect(reply.body).toMatchObject({ code: 403, error: 'ACCESS_ORIGIN', data: null });
    },
  );

  it('refuses a request without one', async () => {
    const { port } = await server();
    const socket = connect(port, '127.0.0.1');
    socket.end('GET /api/channel/list HTTP/1.1\r\nConnection: close\r\n\r\n');
    const answer = (await socket.toArray()).join('');
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toContain('"error":"ACCESS_ORIGIN"');
  });

  it('guards the pages and the documentation as well', async () => {
    const { port } = await server();
    for (const path of ['/', '/docs', '/docs/json', '/nothing.js']) {
      expect((await ask(port, { host: `evil.example:${port}` }, path)).status, path).toBe(403);
    }
  });
});

describe('Origin', () => {
  it('takes our own pages', async () => {
    const { port } = await server();
    for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
      const headers = { host: `127.0.0.1:${port}`, origin: `http://${name}:${port}` };
      expect((await ask(port, headers)).status).toBe(200);
    }
  });

  it.each(['https://evil.example', 'null', 'http://localhost:1', 'https://localhost', 'file://'])('refuses %s', async (origin) => {
    const { port } = await server();
    const reply = await ask(port, { host: `127.0.0.1:${port}`, origin }, '/api/service/stop', 'POST');
    expect(reply.status).toBe(403);
    expect(reply.body).toMatchObject({ error: 'ACCESS_ORIGIN', data: null });
  });

  it('refuses a picture or script element of another site, which sends no Origin', async () => {
    const { port } = await server();
    for (const site of ['cross-site', 'same-site']) {
      expect((await ask(port, { host: `127.0.0.1:${port}`, 'sec-fetch-site': site })).status).toBe(403);
    }
    expect((await ask(port, { host: `127.0.0.1:${port}`, 'sec-fetch-site': 'none' })).status).toBe(200);
  });

  it('takes an origin that was named at the start', async () => {
    const { port } = await server({ extraOrigins: ['http://127.0.0.1:5199'] });
    expect((await ask(port, { host: `127.0.0.1:${port}`, origin: 'http://127.0.0.1:5199' })).status).toBe(200);
  });

  it('answers no preflight with permission', async () => {
    const { url } = await server();
    const reply = await fetch(`${url}/api/device/start`, { method: 'OPTIONS' });
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
    expect(reply.status).toBe(404);
  });
});

describe('token', () => {
  const token = 'correct horse';

  it.each([
    ['none', {}, 'A token is needed'],
    ['another', { authorization: 'Bearer wrong' }, 'The token is wrong'],
    ['a part of it', { authorization: 'Bearer correct' }, 'The token is wrong'],
    ['another scheme', { authorization: 'Basic Y29ycmVjdCBob3JzZQ==' }, 'A token is needed'],
    ['an empty one', { authorization: 'Bearer ' }, 'A token is needed'],
  ])('refuses %s', async (_what, headers: Record<string, string>, message) => {
    const recorder = recordingHandlers();
    const { port } = await server({ token, handlers: recorder.handlers });
    const reply = await ask(port, { host: `127.0.0.1:${port}`, ...headers });
    expect(reply.status).toBe(401);
    expect(reply.body).toMatchObject({ code: 401, error: 'ACCESS_TOKEN', data: null, message: expect.stringContaining(message) });
    expect(reply.challenge).toBe('Bearer realm="Loopcheck"');
    expect(recorder.calls).toHaveLength(0);
  });

  it('takes the right one, whatever the letter case of the scheme', async () => {
    const { port } = await server({ token });
    for (const scheme of ['Bearer', 'bearer']) {
      expect((await ask(port, { host: `127.0.0.1:${port}`, authorization: `${scheme} ${token}` })).status).toBe(200);
    }
  });

  it('is asked for on every path of the API however it is spelled', async () => {
    const { port } = await server({ token });
    for (const path of ['/api/openapi.json', '/%61pi/channel/list', '/api/channel/list?x=1', '/api/%63hannel/list']) {
      expect((await ask(port, { host: `127.0.0.1:${port}` }, path)).status, path).toBe(401);
    }
  });

  it('is not asked for by the documentation, which holds no data', async () => {
    const { url } = await server({ token });
    expect((await fetch(`${url}/docs/json`)).status).toBe(200);
  });

  it('comes before everything that the body could be', async () => {
    const { url } = await server({ token });
    const reply = await fetch(`${url}/api/device/start`, { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } });
    expect(reply.status).toBe(401);
  });
});

describe('window', () => {
  it('needs neither token nor Host', async () => {
    const recorder = recordingHandlers();
    const { app } = await server({ token: 'x', handlers: recorder.handlers });
    expect((await makeBridge(app)({ method: 'GET', url: '/api/channel/list' })).status).toBe(200);
    expect(recorder.calls[0]?.context.source).toBe('window');
  });

  it('cannot be imitated over HTTP', async () => {
    const recorder = recordingHandlers();
    const { port } = await server({ handlers: recorder.handlers });
    const headers = { host: `127.0.0.1:${port}`, 'x-loopcheck-window': '00'.repeat(32) };
    expect((await ask(port, headers)).status).toBe(200);
    expect(recorder.calls[0]?.context.source).toBe('api');
    expect((await ask(port, { ...headers, host: 'evil.example' })).status).toBe(403);
  });

  it('reaches nothing but the API', async () => {
    const { app } = await server();
    const bridge = makeBridge(app);
    await expect(bridge({ method: 'GET', url: '/docs/json' })).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    await expect(bridge({ method: 'GET', url: 'http://evil.example/api/' })).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    for (const url of [
      '/api/../docs',
      '/api/%2e%2e/docs/',
      '/api/.%2E/docs',
      '/api/..\\docs',
      '/api/x/../../docs',
      '/api/../../index.html',
    ]) {
      await expect(bridge({ method: 'GET', url }), url).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    }
    expect((await bridge({ method: 'GET', url: '/api/x/../channel/list?a=%2e%2e/' })).status).toBe(200);
    await expect(bridge({ method: 'TRACE' as 'GET', url: '/api/channel/list' })).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
  });
});

describe('binding', () => {
  it.each(['127.0.0.1', '127.8.9.10', 'localhost', '::1'])('takes %s without a token', (host) => {
    expect(() => requireSafeBinding(host, null, false)).not.toThrow();
    expect(isLoopback(host)).toBe(true);
  });

  it.each(['0.0.0.0', '::', '192.168.1.5', 'myhost', '127.0.0.1.evil.example'])('refuses %s without a token', (host) => {
    expect(() => requireSafeBinding(host, null, false)).toThrow(/token/);
    expect(() => requireSafeBinding(host, 't', false)).not.toThrow();
    expect(() => requireSafeBinding(host, null, true)).not.toThrow();
  });

  it('lets the addresses of this computer in when it is bound to all of them', () => {
    const policy = createAccessPolicy({ host: '0.0.0.0', token: 't', extraOrigins: [], accesses: noAccesses });
    policy.bound(8991);
    expect(() => policy.checkOrigin({ host: '127.0.0.1:8991' }, true)).not.toThrow();
    expect(() => policy.checkOrigin({ host: 'evil.example:8991' }, true)).toThrow();
  });

  it('takes a Host without a port where the port is 80', () => {
    const policy = createAccessPolicy({ host: '127.0.0.1', token: null, extraOrigins: [], accesses: noAccesses });
    policy.bound(80);
    expect(() => policy.checkOrigin({ host: 'localhost' }, true)).not.toThrow();
  });

  it('writes IPv6 addresses in brackets', () => {
    expect(urlHost('::1')).toBe('[::1]');
    expect(urlHost('127.0.0.1')).toBe('127.0.0.1');
  });
});
