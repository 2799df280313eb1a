import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataPaths } from '../platform/paths.ts';
import { pacedClock } from '../platform/testing/paced-clock.ts';
import { VERSION } from '../platform/version.ts';
import { type RunningCore, silentPeer, startCore } from './testing/running-core.ts';
import { createUpdateReader } from './update-reader.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const KEY = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const MANIFEST = JSON.stringify({
  format: 1,
  product: 'Loopcheck',
  version: '999.0.0',
  date: '2026-12-01',
  notes: '- 新增',
  files: [{ name: 'Loopcheck-999.0.0-setup-x64.exe', octets: 5, sha256: 'a'.repeat(64) }],
});
const NOTICE = JSON.stringify({ manifest: MANIFEST, signature: sign(null, Buffer.from(MANIFEST), privateKey).toString('base64') });
const FILE = 'loopcheck-update.json';

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopcheck-new 新版本-'));
  closings.push(() => rmSync(folder, { recursive: true, force: true }));
});

/** `factor`: how much faster than real time its limits pass. */
async function aCore(key: string | null = KEY, factor = 1): Promise<RunningCore> {
  const running = await startCore({}, { updates: { key, read: createUpdateReader() }, clock: pacedClock({ factor }) });
  closings.push(() => running.close());
  return running;
}

async function aServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closings.push(() => new Promise((done) => server.close(done).closeAllConnections()));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

/** What is told of a place once it is set. */
async function toldOf({ api }: RunningCore, place: string) {
  await api.call('updateSettings', { update_place: place });
  return (await api.call('updateNotice', {})).data;
}

describe('a place in the settings', () => {
  it('is empty until somebody sets it, holds at once, and is kept in the data folder', async () => {
    const core = await aCore();
    const { api } = core;
    expect((await api.call('getSettings', {})).data.update_place).toBe('');
    expect((await api.call('updateNotice', {})).data).toMatchObject({ state: 'off', file: null, looked_at: null });
    writeFileSync(join(folder, FILE), NOTICE);
    const file = join(folder, FILE);
    expect(await toldOf(core, ` ${folder} `)).toMatchObject({
      state: 'newer',
      place: folder,
      file,
      version: '999.0.0',
      notes: '- 新增',
      files: [{ place: join(folder, 'Loopcheck-999.0.0-setup-x64.exe'), octets: 5 }],
    });
    expect(JSON.parse(readFileSync(dataPaths(core.dir).startFile, 'utf8'))).toMatchObject({ port: 8991, updates: folder });
    expect(await toldOf(core, file)).toMatchObject({ state: 'newer', place: file, file });
    expect(await toldOf(core, '')).toMatchObject({ state: 'off', version: null });
  });

  it.each([
    'loopcheck',
    './new',
    'ftp://files.example',
    'https://li:secret@files.example',
    'https://files.example/?a=1',
    'https://',
    'a\u0000',
  ])('is refused where it is neither a whole path nor an address: %j', async (place) => {
    const { api } = await aCore();
    await expect(api.call('updateSettings', { update_place: place })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      data: [{ path: 'update_place' }],
    });
    expect((await api.call('getSettings', {})).data.update_place).toBe('');
  });

  it('is not asked by a build without a key', async () => {
    let asked = 0;
    const url = await aServer((_request, response) => {
      asked += 1;
      response.end(NOTICE);
    });
    const core = await aCore(null);
    expect(await toldOf(core, url)).toMatchObject({ state: 'unsigned', version: null, looked_at: null });
    expect((await core.api.call('lookForUpdate', {})).data.state).toBe('unsigned');
    expect(asked).toBe(0);
  });
});

describe('a folder', () => {
  const failing = async (code: string) =>
    expect(await toldOf(await aCore(), folder)).toMatchObject({ state: 'failed', version: null, files: [], trouble: { code } });

  it('without a notice', () => failing('update.missing'));

  it('with half a notice, which is read when it is whole', async () => {
    writeFileSync(join(folder, FILE), NOTICE.slice(0, NOTICE.length / 2));
    const core = await aCore();
    expect(await toldOf(core, folder)).toMatchObject({ state: 'failed', trouble: { code: 'update.not_whole' } });
    writeFileSync(join(folder, FILE), NOTICE);
    expect((await core.api.call('updateNotice', {})).data.state).toBe('failed');
    expect((await core.api.call('lookForUpdate', {})).data.state).toBe('newer');
    expect((await core.api.call('updateNotice', {})).data.state).toBe('newer');
  });

  it('with a notice that has too many octets', async () => {
    writeFileSync(join(folder, FILE), `${NOTICE}${' '.repeat(65_536)}`);
    await failing('update.large');
  });

  it('with a folder of its name', async () => {
    mkdirSync(join(folder, FILE));
    await failing('update.no_file');
  });

  it.runIf(process.platform !== 'win32')('with a pipe of its name, which nobody writes', async () => {
    execFileSync('mkfifo', [join(folder, FILE)]);
    await failing('update.no_file');
  });

  it.runIf(process.platform !== 'win32' && process.getuid?.() !== 0)('with a notice of somebody else', async () => {
    writeFileSync(join(folder, FILE), NOTICE);
    chmodSync(join(folder, FILE), 0);
    await failing('update.unreadable');
  });

  it('with the version that runs', async () => {
    const manifest = MANIFEST.replace('999.0.0', VERSION);
    const signature = sign(null, Buffer.from(manifest), privateKey).toString('base64');
    writeFileSync(join(folder, FILE), JSON.stringify({ manifest, signature }));
    expect(await toldOf(await aCore(), folder)).toMatchObject({ state: 'current', version: VERSION, trouble: null });
  });
});

describe('an address', () => {
  const failing = async (url: string, code: string, factor = 1) =>
    expect(await toldOf(await aCore(KEY, factor), url)).toMatchObject({ state: 'failed', version: null, trouble: { code } });
  /** Limits of seconds pass in a tenth of a second. */
  const silent = (url: string) => failing(url, 'update.silent', 100);

  it('that gives the notice is asked for it alone', async () => {
    const asked: string[] = [];
    const url = await aServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end(NOTICE);
    });
    expect(await toldOf(await aCore(), `${url}/new/`)).toMatchObject({
      state: 'newer',
      files: [{ place: `${url}/new/Loopcheck-999.0.0-setup-x64.exe` }],
    });
    expect(asked).toEqual([`GET /new/${FILE}`]);
  });

  it('that hangs', async () => silent(`http://127.0.0.1:${await hanging()}`));

  it('that begins its answer and hangs', async () => {
    const url = await aServer((_request, response) => {
      response.writeHead(200);
      response.write(NOTICE.slice(0, 100));
    });
    await silent(url);
  });

  it('that never ends its answer', async () => {
    const url = await aServer((_request, response) => {
      response.on('error', () => {});
      const more = () => {
        if (!response.destroyed) response.write(' '.repeat(8192), more);
      };
      more();
    });
    await failing(url, 'update.large');
  });

  it('that ends in the middle', async () => {
    const url = await aServer((request, response) => {
      response.writeHead(200, { 'content-length': NOTICE.length });
      response.write(NOTICE.slice(0, 100), () => request.socket.destroy());
    });
    await failing(url, 'publish.lost');
  });

  it('that sends elsewhere', async () => {
    const other = await aServer((_request, response) => response.end(NOTICE));
    const url = await aServer((_request, response) => response.writeHead(302, { location: `${other}/${FILE}` }).end());
    await failing(url, 'update.status');
  });

  it('where nobody listens', async () => failing('http://127.0.0.1:1', 'publish.refused'));

  it('that gives something else', async () => {
    await failing(await aServer((_request, response) => response.end('<html>sign in</html>')), 'update.not_whole');
  });
});

async function hanging(): Promise<number> {
  const peer = await silentPeer();
  closings.push(() => peer.close());
  return peer.port;
}
