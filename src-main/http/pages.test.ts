import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAGE_POLICY } from './security-headers.ts';
import { listeningServer } from './testing/http-fixture.ts';

const SCRIPT = 'export const text = "the same again";\n'.repeat(200);

const dir = mkdtempSync(join(tmpdir(), 'loopcheck-pages-'));
let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  mkdirSync(join(dir, 'assets'));
  writeFileSync(join(dir, 'index.html'), '<!doctype html><title>Loopcheck</title>');
  writeFileSync(join(dir, 'assets', 'index-Ab3dEf9h.js'), 'export {};');
  writeFileSync(join(dir, 'assets', 'big-Ab3dEf9h.js'), SCRIPT);
  writeFileSync(join(dir, 'assets', 'big-Ab3dEf9h.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(dir, 'assets', 'only-Ab3dEf9h.css.gz'), gzipSync(SCRIPT));
  writeFileSync(join(dir, 'index.html.gz'), gzipSync('<!doctype html><title>Loopcheck</title>'));
  mkdirSync(join(dir, 'docs'));
  writeFileSync(join(dir, 'docs', 'index.html'), '<!doctype html><title>API</title>');
  for (const language of ['en', 'zh']) {
    mkdirSync(join(dir, 'guide', language), { recursive: true });
    writeFileSync(join(dir, 'guide', language, 'index.html'), `<!doctype html><title>Guide ${language}</title>`);
  }
  writeFileSync(join(dir, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  ({ app, url } = await listeningServer({ pagesDir: dir }));
});
/** A path exactly as it stands here; fetch would resolve it first. */
function askRaw(path: string): Promise<{ status: number | undefined; body: unknown }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { path }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(text) }));
    });
    sent.on('error', reject);
    sent.end();
  });
}
afterAll(async () => {
  await app.close();
  rmSync(dir, { recursive: true });
});

describe('pages', () => {
  it.each([
    ['/guide', 'en'],
    ['/guide/', 'en'],
    ['/guide/zh', 'zh'],
    ['/guide/zh/', 'zh'],
    ['/guide/en/index.html', 'en'],
  ])('has the contents of the guide at %s, under our policy', async (path, language) => {
    const reply = await fetch(url + path);
    expect(await reply.text()).toContain(`<title>Guide ${language}`);
    expect(reply.headers.get('content-security-policy')).toBe(PAGE_POLICY);
  });

  it('has no page of the guide that was not built', async () => {
    expect((await fetch(`${url}/guide/en/nothing.html`)).status).toBe(404);
  });

  it.each(['/', '/index.html', '/channels/3/points', '/channels?x=1.5'])('answers %s with the page and its policy', async (path) => {
    const reply = await fetch(url + path);
    expect(reply.status).toBe(200);
    expect(await reply.text()).toContain('<title>Loopcheck');
    expect(reply.headers.get('content-security-policy')).toBe(PAGE_POLICY);
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect(reply.headers.get('x-frame-options')).toBe('DENY');
    expect(reply.headers.get('cache-control')).toBe('no-cache');
  });

  it.each([
    ['br, gzip', 'gzip'],
    ['gzip', 'gzip'],
    ['identity', null],
  ])('sends what the build compressed to one that takes %s', async (accepted, encoding) => {
    const reply = await fetch(`${url}/assets/big-Ab3dEf9h.js`, { headers: { 'accept-encoding': accepted } });
    expect(reply.headers.get('content-encoding')).toBe(encoding);
    expect(reply.headers.get('vary')).toMatch(/accept-encoding/i);
    expect(reply.headers.get('content-type')).toContain('javascript');
    expect(reply.headers.get('cache-control')).toContain('immutable');
    expect(reply.headers.get('content-security-policy')).toBe(PAGE_POLICY);
    expect(await reply.text()).toBe(SCRIPT);
    const page = await fetch(`${url}/channels/3`, { headers: { 'accept-encoding': accepted } });
    expect(page.headers.get('content-encoding')).toBe(encoding);
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain('<title>Loopcheck');
  });

  it.each([
    ['gzip', 'gzip'],
    ['identity', null],
  ])('has what the build kept packed alone for one that takes %s', async (accepted, encoding) => {
    for (const method of ['GET', 'HEAD']) {
      const reply = await fetch(`${url}/assets/only-Ab3dEf9h.css?x=1`, { method, headers: { 'accept-encoding': accepted } });
      expect(reply.status).toBe(200);
      expect(reply.headers.get('content-encoding')).toBe(encoding);
      expect(reply.headers.get('vary')).toMatch(/accept-encoding/i);
      expect(reply.headers.get('content-type')).toContain('text/css');
      expect(reply.headers.get('cache-control')).toContain('immutable');
      expect(reply.headers.get('content-security-policy')).toBe(PAGE_POLICY);
      expect(await reply.text()).toBe(method === 'GET' ? SCRIPT : '');
    }
    expect((await fetch(`${url}/assets/only-Ab3dEf9h.css`, { method: 'POST', headers: { 'accept-encoding': accepted } })).status).toBe(404);
  });

  it('lets the browser keep files with a hash in their name, and no others', async () => {
    const script = await fetch(`${url}/assets/index-Ab3dEf9h.js`);
    expect(script.headers.get('content-type')).toContain('javascript');
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect((await fetch(`${url}/icon.svg`)).headers.get('cache-control')).toBe('no-cache');
  });

  it('answers 404 to a file that is not there, and never the page in its place', async () => {
    for (const path of ['/assets/gone.js', '/..%2fpackage.json', '/.env']) {
      expect((await fetch(url + path)).status, path).toBe(404);
    }
  });

  it.each(['/../package.json', '/%2e%2e/%2e%2e/package.json', '//api/service/info', '//elsewhere/x', '/docs/static/../../../package.json'])(
    'has nothing at %s, which leaves the pages, and says so without a fault of its own',
    async (path) => {
      const reply = await askRaw(path);
      expect(reply.status).toBe(404);
      expect(reply.body).toMatchObject({ code: 404, error: 'CONFIG_NOT_FOUND', data: null });
    },
  );

  it('has no icon at the place that browsers ask by themselves, and that is no error', async () => {
    expect((await fetch(`${url}/favicon.ico`)).status).toBe(204);
  });

  it('says so when the pages are not built', async () => {
    const bare = await listeningServer({ pagesDir: join(dir, 'missing') });
    const reply = await fetch(bare.url);
    expect(reply.status).toBe(404);
    expect(await reply.text()).toContain('npm run build');
    await bare.app.close();
  });

  it('allows no script and no address but our own', () => {
    expect(PAGE_POLICY).toContain("default-src 'none'");
    expect(PAGE_POLICY).toContain("script-src 'self';");
    expect(PAGE_POLICY).not.toMatch(/https?:|unsafe-eval|\*/);
  });
});

describe('documentation', () => {
  it.each(['/docs', '/docs/'])('is the page that the build has at %s, under our policy, also behind a token', async (path) => {
    const guarded = await listeningServer({ pagesDir: dir, token: 'secret' });
    const reply = await fetch(guarded.url + path);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-security-policy')).toBe(PAGE_POLICY);
    expect(await reply.text()).toContain('<title>API');
    expect((await fetch(`${guarded.url}/docs/json`)).status).toBe(200);
    expect((await fetch(`${guarded.url}/api/openapi.json`)).status).toBe(401);
    await guarded.app.close();
  });

  it('shows the same description as the API, made where the build has left none', async () => {
    const reply = await fetch(`${url}/docs/json`);
    expect(reply.headers.get('content-security-policy')).toBe(PAGE_POLICY);
    expect(await reply.json()).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } });
    expect(await (await fetch(`${url}/docs/json`)).json()).toEqual(await (await fetch(`${url}/api/openapi.json`)).json());
  });

  it.each([
    ['gzip, deflate, br', 'gzip'],
    ['*', 'gzip'],
    ['identity', null],
    ['gzip;q=0, *', null],
    ['br, gzip; q=0.000', null],
  ])('is sent as the build packed it, unpacked for whoever does not take that (%s)', async (accepted, coding) => {
    const built = mkdtempSync(join(tmpdir(), 'loopcheck-pages-'));
    mkdirSync(join(built, 'docs'));
    writeFileSync(join(built, 'index.html'), '');
    writeFileSync(join(built, 'docs', 'openapi.json.gz'), gzipSync('{"openapi":"as built"}'));
    const server = await listeningServer({ pagesDir: built });
    for (const path of ['/docs/json', '/api/openapi.json']) {
      const reply = await fetch(server.url + path, { headers: { 'accept-encoding': accepted } });
      expect(reply.headers.get('content-type')).toContain('application/json');
      expect(reply.headers.get('content-encoding')).toBe(coding);
      expect(await reply.json()).toEqual({ openapi: 'as built' });
    }
    await server.app.close();
    rmSync(built, { recursive: true });
  });
});
