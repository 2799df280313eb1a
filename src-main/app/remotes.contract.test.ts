import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ApiReply } from '#shared/client/client.ts';
import { dataPaths } from '../platform/paths.ts';
import { makeCertificate } from './certificate.ts';
import { buildCore } from './core.ts';
import { serviceCertificate } from './service-certificate.ts';
import { type RunningCore, startCore, testPorts } from './testing/running-core.ts';

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

const LAPTOP_TOKEN = 'token-of-the-laptop-0123456789';

async function aCore(config: Parameters<typeof startCore>[0] = {}): Promise<RunningCore> {
  let made = 0;
  const running = await startCore(config, { newToken: () => `token-made-${++made}-0123456789` });
  closings.push(() => running.close());
  return running;
}

/** A laptop and a gateway in a cabinet with one channel; the laptop shows the gateway. */
async function aPair(laptopConfig: Parameters<typeof startCore>[0] = {}) {
  const [laptop, gateway] = [await aCore(laptopConfig), await aCore()];
  const { data: channel } = await gateway.api.call('addChannel', { name: '馈线 1', protocol_type: 1, conn_type: 2 });
  await gateway.api.call('addPoints', { channel_id: channel.id, points: [{ frame_type: 0, code: 'P', address: 1 }] });
  return { laptop, gateway, channel: channel.id };
}

const bodyOf = (reply: ApiReply) =>
  reply.body as { readonly data: Record<string, unknown>; readonly error?: string; readonly message: string };

/** Answers HTTP by `listener`. */
async function aWebServer(listener: RequestListener): Promise<string> {
  const server = createHttpServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closings.push(() => new Promise((done) => server.close(done).closeAllConnections()));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

/** A service that answers HTTPS. */
async function aSecureCore(token: string) {
  const dir = mkdtempSync(join(tmpdir(), 'loopcheck-remote-'));
  closings.push(() => rmSync(dir, { recursive: true, force: true }));
  const certificate = serviceCertificate(dataPaths(dir), null, { wallMs: () => Date.UTC(2026, 4, 6) });
  const config = { host: '127.0.0.1', port: 0, dataDir: dir, projectPath: join(dir, 'p.loopcheck'), token, certificate };
  const core = await buildCore({ ...config, readOnly: false, pagesDir: null, extraOrigins: [], checkResponses: true }, testPorts());
  closings.push(() => core.close());
  return { url: await core.listen(), fingerprint: certificate.fingerprint };
}

describe('another service', () => {
  it('is added by its address, shown with its channels, asked through this one, and removed', async () => {
    const { laptop, gateway, channel } = await aPair();
    const { data: added } = await laptop.api.call('addRemote', { name: 'Cabinet 7', address: gateway.url });
    expect(added).toEqual({ id: 1, name: 'Cabinet 7', address: gateway.url, fingerprint: null, token_end: null });
    expect((await laptop.api.call('listRemotes', {})).data.items).toEqual([added]);
    const { items } = (await laptop.api.call('remoteChannels', {})).data;
    expect(items).toMatchObject([
      { id: 1, is_reached: true, trouble: null, channels: [{ id: channel, name: '馈线 1', status: 'stopped' }] },
    ]);
    const table = await laptop.send({ method: 'GET', url: `/api/remote/1/device/table?channel_id=${channel}&page=1&page_size=10` });
    expect([table.status, bodyOf(table).data]).toMatchObject([200, { total: 1, items: [{ code: 'P' }] }]);
    const renamed = await laptop.send({
      method: 'PUT',
      url: '/api/remote/1/channel/update',
      body: { channel_id: channel, name: '馈线 2' },
    });
    expect(renamed.status).toBe(200);
    expect((await gateway.api.call('listChannels', {})).data).toMatchObject([{ name: '馈线 2' }]);
    expect((await laptop.api.call('listChannels', {})).data).toEqual([]);
    await laptop.api.call('removeRemote', { id: 1 });
    expect((await laptop.send({ method: 'GET', url: '/api/remote/1/channel/list' })).status).toBe(404);
    await expect(laptop.api.call('removeRemote', { id: 1 })).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
  });

  it('gets files and gives files, octet by octet', async () => {
    const { laptop, gateway, channel } = await aPair();
    await laptop.api.call('addRemote', { name: 'Cabinet', address: gateway.url });
    const path = `/channel/export_points?channel_id=${channel}&format=csv`;
    const [direct, through] = [await fetch(`${gateway.url}/api${path}`), await fetch(`${laptop.url}/api/remote/1${path}`)];
    expect(through.headers.get('content-disposition')).toBe(direct.headers.get('content-disposition'));
    const csv = await direct.text();
    expect(await through.text()).toBe(csv);
    const form = new FormData();
    form.set('file', new File([csv.replace(/P(?=[,;])/, 'Q')], 'points.csv'));
    const preview = await fetch(`${laptop.url}/api/remote/1/channel/import_points?channel_id=${channel}&mode=preview`, {
      method: 'POST',
      body: form,
    });
    expect([preview.status, await preview.json()]).toMatchObject([200, { code: 200 }]);
  });

  it('streams its events through, until one of the two goes', async () => {
    const { laptop, gateway } = await aPair();
    await laptop.api.call('addRemote', { name: 'Cabinet', address: gateway.url });
    const stop = new AbortController();
    const stream = await fetch(`${laptop.url}/api/remote/1/events/stream`, { signal: stop.signal });
    const reader = stream.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('event: hello');
    stop.abort();
    await expect(reader?.read()).rejects.toThrow();
  });

  it('is heard no more by who has lost the access here', async () => {
    const { laptop, gateway } = await aPair({ token: LAPTOP_TOKEN });
    const asOwner = { authorization: `Bearer ${LAPTOP_TOKEN}` };
    await laptop.send({ method: 'POST', url: '/api/remotes/add', body: { name: 'Cabinet', address: gateway.url } }, asOwner);
    const made = await laptop.send({ method: 'POST', url: '/api/access/add', body: { name: 'Guest', role: 'view' } }, asOwner);
    const headers = { authorization: `Bearer ${bodyOf(made).data.token}` };
    const reader = (await fetch(`${laptop.url}/api/remote/1/events/stream`, { headers })).body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('event: hello');
    await laptop.send({ method: 'DELETE', url: '/api/access/remove?name=Guest' }, asOwner);
    const ended = async () => {
      for (;;) if ((await reader?.read())?.done) return;
    };
    await expect(ended()).rejects.toThrow();
  });

  it('has its token in the data folder, for its owner only, and nowhere else', async () => {
    const [laptop, gateway] = [await aCore(), await aCore({ token: LAPTOP_TOKEN })];
    const { data: added, warnings } = await laptop.api.call('addRemote', { name: 'Cabinet', address: gateway.url, token: LAPTOP_TOKEN });
    expect(added.token_end).toBe('6789');
    expect(JSON.stringify(warnings)).toContain('unencrypted');
    const file = dataPaths(laptop.dir).remotesFile;
    expect(readFileSync(file, 'utf8')).toContain(LAPTOP_TOKEN);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    const told = JSON.stringify([(await laptop.api.call('listRemotes', {})).data, (await laptop.api.call('remoteChannels', {})).data]);
    expect(told).not.toContain(LAPTOP_TOKEN);
    expect((await laptop.send({ method: 'GET', url: '/api/remote/1/channel/list' })).status).toBe(200);
  });

  it('refuses a token: told as its refusal, and never as one of this service', async () => {
    const [laptop, gateway] = [await aCore(), await aCore({ token: LAPTOP_TOKEN })];
    const add = (token: string | null) => laptop.api.call('addRemote', { name: 'Cabinet', address: gateway.url, token });
    await expect(add(null)).rejects.toMatchObject({ code: 'PROTOCOL_REFUSED', message: expect.stringContaining('asks for a token') });
    await expect(add('wrong')).rejects.toMatchObject({ code: 'PROTOCOL_REFUSED', message: expect.stringContaining('refuses the token') });
    expect((await laptop.api.call('listRemotes', {})).data.items).toEqual([]);
    const made = await gateway.send(
      { method: 'POST', url: '/api/access/add', body: { name: 'Laptop', role: 'view' } },
      { authorization: `Bearer ${LAPTOP_TOKEN}` },
    );
    await add(String(bodyOf(made).data.token));
    // its role holds there
    const refused = await laptop.send({
      method: 'POST',
      url: '/api/remote/1/channel/add',
      body: { name: 'x', protocol_type: 1, conn_type: 2 },
    });
    expect([refused.status, bodyOf(refused).error]).toEqual([403, 'ACCESS_ROLE']);
    await gateway.send({ method: 'DELETE', url: '/api/access/remove?name=Laptop' }, { authorization: `Bearer ${LAPTOP_TOKEN}` });
    const gone = await laptop.send({ method: 'GET', url: '/api/remote/1/channel/list' });
    expect([gone.status, bodyOf(gone).error]).toEqual([502, 'PROTOCOL_REFUSED']);
    expect((await laptop.api.call('remoteChannels', {})).data.items).toMatchObject([
      { is_reached: false, trouble: { code: 'remote.token_refused' } },
    ]);
  });

  it('is asked by people here as far as their role here goes, and what is not known here only by who may configure', async () => {
    const { laptop, gateway, channel } = await aPair({ token: LAPTOP_TOKEN });
    const asOwner = { authorization: `Bearer ${LAPTOP_TOKEN}` };
    await laptop.send({ method: 'POST', url: '/api/remotes/add', body: { name: 'Cabinet', address: gateway.url } }, asOwner);
    const made = await laptop.send({ method: 'POST', url: '/api/access/add', body: { name: 'Guest', role: 'view' } }, asOwner);
    const asGuest = { authorization: `Bearer ${bodyOf(made).data.token}` };
    const status = async (method: 'GET' | 'POST' | 'DELETE', url: string) =>
      (await laptop.send({ method, url, ...(method === 'POST' ? { body: {} } : {}) }, asGuest)).status;
    expect(await status('GET', '/api/remote/1/channel/list')).toBe(200);
    expect(await status('DELETE', `/api/remote/1/channel/delete?channel_id=${channel}`)).toBe(403);
    expect(await status('POST', '/api/remote/1/device/start')).toBe(403);
    expect(await status('GET', '/api/remote/1/of/the/future')).toBe(403);
    expect(await status('GET', '/api/remote/1/access/list')).toBe(403);
    expect((await laptop.send({ method: 'GET', url: '/api/remote/1/of/the/future' }, asOwner)).status).toBe(404);
    expect((await laptop.send({ method: 'GET', url: '/api/remote/1/channel/list' })).status).toBe(401);
    expect((await gateway.api.call('listChannels', {})).data).toHaveLength(1);
  });

  it('is not reached by ways around: dots, percent signs, a chain of services', async () => {
    const { laptop, gateway } = await aPair();
    await laptop.api.call('addRemote', { name: 'Cabinet', address: gateway.url });
    for (const path of [
      '1/../../docs',
      '1/channel%2Flist',
      '1/%2e%2e/x',
      '1/remote/1/channel/list',
      '1/remotes/list',
      '0/channel/list',
      'x/channel/list',
    ]) {
      const answer = await laptop.core.fastify.inject({
        method: 'GET',
        url: `/api/remote/${path}`,
        headers: { host: new URL(laptop.url).host },
      });
      expect([path, answer.statusCode]).toEqual([path, 404]);
    }
  });

  it('is known by the fingerprint of its certificate, and nothing is sent to another one', async () => {
    const laptop = await aCore();
    const secure = await aSecureCore('t');
    const looked = (await laptop.api.call('lookRemote', { address: secure.url })).data;
    expect(looked).toEqual({ address: secure.url, fingerprint: secure.fingerprint });
    const given = { name: 'Cabinet', address: secure.url, token: 't' };
    await expect(laptop.api.call('addRemote', given)).rejects.toMatchObject({
      code: 'PROTOCOL_MISMATCH',
      message: expect.stringContaining('does not trust'),
    });
    const heard: string[] = [];
    const other = createHttpsServer(makeCertificate('somebody else', ['127.0.0.1'], Date.UTC(2026, 4, 6)), (request, response) => {
      heard.push(`${request.url} ${request.headers.authorization}`);
      response.end('{}');
    });
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    closings.push(() => new Promise((done) => other.close(done).closeAllConnections()));
    const address = other.address();
    const place = `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const fooled = laptop.api.call('addRemote', { ...given, address: place, fingerprint: secure.fingerprint });
    await expect(fooled).rejects.toMatchObject({ code: 'PROTOCOL_MISMATCH', message: expect.stringContaining('another certificate') });
    expect(heard).toEqual([]);
    await laptop.api.call('addRemote', { ...given, fingerprint: secure.fingerprint.toLowerCase().replaceAll(':', '') });
    expect((await laptop.send({ method: 'GET', url: '/api/remote/1/channel/list' })).status).toBe(200);
  });

  it('that is nobody, somebody else, silent, half, or endless is told as what it is, and kept away', async () => {
    const laptop = await aCore();
    const add = (address: string) => laptop.api.call('addRemote', { name: 'Cabinet', address, token: 'secret' });
    const closed = createTcpServer();
    await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done));
    const { port } = closed.address() as { readonly port: number };
    await new Promise((done) => closed.close(done));
    await expect(add(`127.0.0.1:${port}`)).rejects.toMatchObject({ code: 'TRANSPORT_REFUSED' });
    await expect(add(await aWebServer((_request, response) => response.end('<html>')))).rejects.toMatchObject({
      code: 'PROTOCOL_MISMATCH',
    });
    await expect(add(await aWebServer((_request, response) => response.end('null')))).rejects.toMatchObject({ code: 'PROTOCOL_MISMATCH' });
    const half = await aWebServer((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"data":');
      response.destroy();
    });
    await expect(add(half)).rejects.toMatchObject({ code: expect.stringMatching(/PROTOCOL_MISMATCH|TRANSPORT_LOST/) });
    const endless = await aWebServer((_request, response) => {
      const more = () => void response.write('x'.repeat(65_536), () => setImmediate(more));
      more();
    });
    await expect(add(endless)).rejects.toMatchObject({ code: 'PROTOCOL_MISMATCH' });
    const sockets: Socket[] = [];
    const silent = createTcpServer((socket) => sockets.push(socket));
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    closings.push(() => {
      for (const socket of sockets) socket.destroy();
      return new Promise((done) => silent.close(done));
    });
    const { port: mute } = silent.address() as { readonly port: number };
    await expect(add(`http://127.0.0.1:${mute}`)).rejects.toMatchObject({ code: 'TIMEOUT_CONNECT' });
    expect((await laptop.api.call('listRemotes', {})).data.items).toEqual([]);
  }, 30_000);

  it('that turned into something else has no page at the address of this service', async () => {
    const { laptop, gateway } = await aPair();
    let isGood = true;
    const turning = await aWebServer(async (request, response) => {
      if (isGood) response.setHeader('content-type', 'application/json').end(await (await fetch(`${gateway.url}${request.url}`)).text());
      else response.setHeader('content-type', 'text/html').end('<script>fetch("/api/service/stop",{method:"POST"})</script>');
    });
    await laptop.api.call('addRemote', { name: 'Cabinet', address: turning });
    isGood = false;
    const page = await fetch(`${laptop.url}/api/remote/1/channel/list`);
    expect(await page.text()).toContain('<script>');
    expect(page.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('that goes away is shown as not reached, with the reason', async () => {
    const { laptop, gateway } = await aPair();
    await laptop.api.call('addRemote', { name: 'Cabinet', address: gateway.url });
    await gateway.close();
    expect((await laptop.api.call('remoteChannels', {})).data.items).toMatchObject([
      { is_reached: false, trouble: { code: 'publish.refused' }, channels: [] },
    ]);
    const asked = await laptop.send({ method: 'GET', url: '/api/remote/1/channel/list' });
    expect([asked.status, bodyOf(asked).error]).toEqual([503, 'TRANSPORT_REFUSED']);
  });

  it('is refused where it cannot be: an address with a path, this service itself, a name or address that is there', async () => {
    const { laptop, gateway } = await aPair();
    const add = (name: string, address: string, more = {}) => laptop.api.call('addRemote', { name, address, ...more });
    for (const address of [
      'http://10.0.0.7/api',
      'http://u:p@10.0.0.7',
      'ftp://10.0.0.7',
      'http://',
      '10.0.0.7:99999',
      'http://10.0.0.7?x',
    ]) {
      await expect(add('Cabinet', address)).rejects.toMatchObject({ code: 'CONFIG_INVALID', data: [{ path: 'address' }] });
    }
    await expect(add('Cabinet', gateway.url, { fingerprint: 'AB' })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      data: [{ path: 'fingerprint' }],
    });
    await expect(add('Myself', laptop.url)).rejects.toMatchObject({ code: 'STATE_CONFLICT', message: expect.stringContaining('itself') });
    await add('Cabinet', gateway.url.replace('http://', ''));
    const other = await aCore();
    await expect(add('ＣＡＢＩＮＥＴ', other.url)).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      message: expect.stringContaining('Cabinet'),
    });
    await expect(add('Other', gateway.url)).rejects.toMatchObject({ code: 'STATE_CONFLICT', message: expect.stringContaining('already') });
  });

  it('is there after a restart; a damaged list is told at the start and not thrown away', async () => {
    const { laptop, gateway } = await aPair();
    await laptop.api.call('addRemote', { name: 'Cabinet', address: gateway.url });
    const file = dataPaths(laptop.dir).remotesFile;
    const kept = readFileSync(file, 'utf8');
    const again = mkdtempSync(join(tmpdir(), 'loopcheck-remote-'));
    closings.push(() => rmSync(again, { recursive: true, force: true }));
    const config = { host: '127.0.0.1', port: 0, dataDir: again, projectPath: join(again, 'p.loopcheck'), token: null, certificate: null };
    const build = () => buildCore({ ...config, readOnly: false, pagesDir: null, extraOrigins: [], checkResponses: true }, testPorts());
    writeFileSync(join(again, 'remotes.json'), kept.slice(0, 40));
    await expect(build()).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('remotes.json') });
    expect(readFileSync(join(again, 'remotes.json'), 'utf8')).toBe(kept.slice(0, 40));
    writeFileSync(join(again, 'remotes.json'), kept);
    const core = await build();
    closings.push(() => core.close());
    expect((await core.api.call('listRemotes', {})).data.items).toMatchObject([{ name: 'Cabinet' }]);
  });
});
