import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { dataPaths } from '../platform/paths.ts';
import { OtherCertificate, pinnedFetch, plainFingerprint } from '../transport/pinned-https.ts';
import { makeCertificate } from './certificate.ts';
import { buildCore } from './core.ts';
import { answersAsLoopcheck, describePortHolder } from './port-holder.ts';
import { serviceCertificate } from './service-certificate.ts';
import { testPorts } from './testing/running-core.ts';

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

const NOW = Date.UTC(2026, 4, 6, 7, 8, 9);
const clock = { wallMs: () => NOW };

function aFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'loopcheck-https-'));
  closings.push(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

async function aService(token: string | null = null) {
  const dir = aFolder();
  const certificate = serviceCertificate(dataPaths(dir), null, clock);
  const config = { host: '127.0.0.1', port: 0, dataDir: dir, projectPath: join(dir, 'p.loopcheck'), token, certificate };
  const core = await buildCore({ ...config, readOnly: false, pagesDir: null, extraOrigins: [], checkResponses: true }, testPorts());
  closings.push(() => core.close());
  return { dir, url: await core.listen(), certificate };
}

/** Answers HTTPS with another certificate, and keeps what it was sent. */
async function somebodyElse(): Promise<{ readonly url: string; readonly heard: string[] }> {
  const heard: string[] = [];
  const server = createServer(makeCertificate('somebody else', ['127.0.0.1'], NOW), (request, response) => {
    heard.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closings.push(() => new Promise((done) => server.close(done).closeAllConnections()));
  const address = server.address();
  return { url: `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, heard };
}

describe('HTTPS', () => {
  it('answers those who know the fingerprint, tells it, and takes only its own origin', async () => {
    const { url, certificate, dir } = await aService('secret-of-the-test');
    const ask = pinnedFetch(certificate.fingerprint);
    const headers = { authorization: 'Bearer secret-of-the-test' };
    const info = (await (await ask(`${url}/api/service/info`, { headers })).json()) as { data: object };
    expect(info.data).toMatchObject({ fingerprint: certificate.fingerprint, caller: { role: 'configure' } });
    expect(JSON.parse(readFileSync(join(dir, 'service.json'), 'utf8'))).toMatchObject({ url, fingerprint: certificate.fingerprint });
    expect((await ask(`${url}/api/service/info`)).status).toBe(401);
    expect((await ask(`${url}/api/service/info`, { headers: { ...headers, origin: url } })).status).toBe(200);
    expect((await ask(`${url}/api/service/info`, { headers: { ...headers, origin: url.replace('https', 'http') } })).status).toBe(403);
  });

  it('carries bodies, long answers and streams', async () => {
    const { url, certificate } = await aService();
    const ask = pinnedFetch(certificate.fingerprint);
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ name: '电表', protocol_type: 1, conn_type: 2, note: 'x'.repeat(500) });
    expect((await ask(`${url}/api/channel/add`, { method: 'POST', headers, body })).status).toBe(200);
    const listed = (await (await ask(`${url}/api/channel/list`)).json()) as { data: { name: string }[] };
    expect(listed.data.map(({ name }) => name)).toEqual(['电表']);
    const stop = new AbortController();
    const stream = await ask(`${url}/api/events/stream`, { signal: stop.signal });
    const reader = stream.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('event: hello');
    stop.abort();
    await expect(
      (async () => {
        for (;;) if ((await reader?.read())?.done) return;
      })(),
    ).rejects.toThrow();
  });

  it('is known as a Loopcheck by the next one that finds the port taken', async () => {
    const { url } = await aService();
    expect(await answersAsLoopcheck(url)).toBe(true);
    expect((await describePortHolder('127.0.0.1', Number(new URL(url).port))).code).toBe('app.another_loopcheck_process');
  });

  it('answers nothing that is no TLS, and nothing below 1.2', async () => {
    const { url } = await aService();
    const port = Number(new URL(url).port);
    await expect(fetch(`http://127.0.0.1:${port}/api/service/info`)).rejects.toThrow();
    const socket: Socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    // ClientHello of TLS 1.0 with one cipher suite
    socket.write(
      Buffer.from('160301002d010000290301000000000000000000000000000000000000000000000000000000000000000000000002002f0100', 'hex'),
    );
    const answer = Buffer.concat(await socket.toArray().catch(() => []));
    // an alert, or nothing; never a ServerHello
    expect(answer.subarray(0, 1).toString('hex')).toMatch(/^(15)?$/);
  });
});

describe('another certificate', () => {
  it('is told with its fingerprint before anything is sent: neither token nor request', async () => {
    const { certificate } = await aService();
    const { url, heard } = await somebodyElse();
    const thrown = await pinnedFetch(certificate.fingerprint)(`${url}/api/service/info`, { headers: { authorization: 'Bearer t' } }).catch(
      (error: unknown) => error,
    );
    expect((thrown as Error).cause).toBeInstanceOf(OtherCertificate);
    expect(((thrown as Error).cause as OtherCertificate).fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    await new Promise((done) => setImmediate(done));
    expect(heard).toEqual([]);
  });

  it('of a service that was asked for plainly is no Loopcheck', async () => {
    const { url } = await somebodyElse();
    expect(await answersAsLoopcheck(url)).toBe(false);
  });

  it.each([
    ['AB'.repeat(32), `${'AB:'.repeat(31)}AB`],
    [`SHA256:${'ab'.repeat(32)}`, `${'AB:'.repeat(31)}AB`],
    [`sha-256 ${'ab:'.repeat(31)}ab`, `${'AB:'.repeat(31)}AB`],
    ['ab'.repeat(31), null],
    ['xy'.repeat(32), null],
    ['', null],
  ])('a fingerprint as people write it: %s', (text, plain) => {
    expect(plainFingerprint(text)).toBe(plain);
  });
});

describe('a peer that is unhelpful', () => {
  it('is silent, ends in the handshake, or speaks no TLS: the request ends with an error', async () => {
    const server = createHttpServer((_request, response) => void response.end('plain'));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    closings.push(() => new Promise((done) => server.close(done).closeAllConnections()));
    const address = server.address();
    const place = `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    await expect(pinnedFetch(null)(place)).rejects.toThrow('fetch failed');
    await expect(pinnedFetch(null)('https://127.0.0.1:1/')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    await expect(pinnedFetch(null)(place, { signal: AbortSignal.abort('gone') })).rejects.toBe('gone');
  });
});

describe('the certificate of the data folder', () => {
  it('is made once and stays, its key readable by its owner only', () => {
    const paths = dataPaths(aFolder());
    const first = serviceCertificate(paths, null, clock);
    expect(serviceCertificate(paths, null, clock)).toEqual(first);
    if (process.platform !== 'win32') expect(statSync(paths.tlsKeyFile).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(paths.dir, 'tls')).toSorted()).toEqual(['certificate.pem', 'key.pem']);
  });

  it('is made where a killed start left a key alone', () => {
    const paths = dataPaths(aFolder());
    serviceCertificate(paths, null, clock);
    rmSync(paths.tlsCertFile);
    expect(() => serviceCertificate(paths, null, clock)).not.toThrow();
  });

  it.each([
    ['no key', (key: string) => rmSync(key), 'app.tls_missing'],
    ['a key of somebody else', (key: string) => writeFileSync(key, makeCertificate('x', ['x'], 0).key), 'app.tls_other_key'],
    ['half a key', (key: string) => writeFileSync(key, readFileSync(key, 'utf8').slice(0, 80)), 'app.tls_wrong'],
  ])('refuses the start with %s, and makes no other one', (_what, harm, code) => {
    const paths = dataPaths(aFolder());
    const { cert } = serviceCertificate(paths, null, clock);
    harm(paths.tlsKeyFile);
    expect(() => serviceCertificate(paths, null, clock)).toThrow(expect.objectContaining({ said: expect.objectContaining({ code }) }));
    expect(readFileSync(paths.tlsCertFile, 'utf8')).toBe(cert);
  });

  it('may be one that is given', () => {
    const dir = aFolder();
    const [certFile, keyFile] = [join(dir, 'c.pem'), join(dir, 'k.pem')];
    const made = makeCertificate('given', ['localhost'], NOW);
    writeFileSync(certFile, made.cert);
    expect(() => serviceCertificate(dataPaths(dir), { certFile, keyFile }, clock)).toThrow(keyFile);
    writeFileSync(keyFile, made.key);
    expect(serviceCertificate(dataPaths(dir), { certFile, keyFile }, clock)).toMatchObject(made);
    expect(readdirSync(dir).toSorted()).toEqual(['c.pem', 'k.pem']);
  });
});
