import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readArguments } from './arguments.ts';
import { isOwnPage, servePages } from './pages.ts';
import { denyPermissions, hardenContents } from './security.ts';
import { app, resetElectron, session, state, WebContents } from './testing/electron-stand-in.ts';

vi.mock('electron', () => import('./testing/electron-stand-in.ts'));

const HEADERS = { 'content-security-policy': "default-src 'none'" };
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopcheck-pages-'));
  mkdirSync(join(folder, 'pages/assets'), { recursive: true });
  writeFileSync(join(folder, 'pages/index.html'), '<p>page</p>');
  writeFileSync(join(folder, 'pages/assets/main.js'), 'start()');
  writeFileSync(join(folder, 'pages/assets/packed.js.gz'), gzipSync('unpack()'));
  writeFileSync(join(folder, 'pages/assets/torn.js.gz'), gzipSync('unpack()').subarray(0, 12));
  writeFileSync(join(folder, 'secret.txt'), 'secret');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => resetElectron());

describe('pages of the window', () => {
  async function get(url: string, method = 'GET'): Promise<Response> {
    servePages(join(folder, 'pages'), HEADERS);
    const handler = state.schemes.get('app');
    if (!handler) throw new Error('The scheme has no handler.');
    return handler({ url, method } as Request);
  }

  it('come with their type and the policy', async () => {
    for (const [path, type, text] of [
      ['/', 'text/html; charset=utf-8', '<p>page</p>'],
      ['/index.html?a=1#channels', 'text/html; charset=utf-8', '<p>page</p>'],
      ['/assets/main.js', 'text/javascript; charset=utf-8', 'start()'],
      ['/assets/packed.js', 'text/javascript; charset=utf-8', 'unpack()'],
    ]) {
      const response = await get(`app://loopcheck${path}`);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe(type);
      expect(response.headers.get('content-security-policy')).toBe("default-src 'none'");
      expect(await response.text()).toBe(text);
    }
  });

  it('are all there is: no file outside, no other host, no other method', async () => {
    for (const path of [
      '/../secret.txt',
      '/..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/..%5csecret.txt',
      '/missing.js',
      '/assets/torn.js',
      '/%',
      '/a%00.js',
      '/assets',
    ]) {
      expect((await get(`app://loopcheck${path}`)).status, path).toBe(404);
    }
    expect((await get('app://other/index.html')).status).toBe(404);
    expect((await get('app://loopcheck/index.html', 'POST')).status).toBe(404);
  });
});

describe('what a page may do', () => {
  const security = { devServer: null, serviceUrl: () => 'http://127.0.0.1:8991' };

  function hardened(): WebContents {
    hardenContents(security);
    const contents = new WebContents();
    app.emit('web-contents-created', {}, contents);
    return contents;
  }

  it('is not to go elsewhere', () => {
    const contents = hardened();
    for (const event of ['will-navigate', 'will-redirect', 'will-frame-navigate']) {
      const preventDefault = vi.fn();
      contents.emit(event, { url: 'app://loopcheck/index.html', preventDefault });
      expect(preventDefault).not.toHaveBeenCalled();
      for (const url of ['https://example.com/', 'http://127.0.0.1:8991/', 'file:///tmp/x.html', 'javascript:alert(1)']) {
        contents.emit(event, { url, preventDefault });
      }
      expect(preventDefault).toHaveBeenCalledTimes(4);
    }
    const preventDefault = vi.fn();
    contents.emit('will-attach-webview', { preventDefault });
    expect(preventDefault).toHaveBeenCalledOnce();
  });

  it('is not to open windows; the description of the API opens in the browser', () => {
    const contents = hardened();
    const open = (url: string) => contents.openHandler?.({ url });
    for (const url of [
      'app://loopcheck/docs',
      'http://127.0.0.1:8991/docs',
      'https://example.com/docs',
      'app://loopcheck/index.html',
      'app://loopcheck/guide/zh/walk-ied.html#top',
      'app://loopcheck/guide/../index.html',
      'https://example.com/guide/en/line.html',
      'nothing',
    ]) {
      expect(open(url)).toEqual({ action: 'deny' });
    }
    expect(state.calls.filter((call) => call.startsWith('shell'))).toEqual([
      'shell.openExternal:http://127.0.0.1:8991/docs',
      'shell.openExternal:http://127.0.0.1:8991/docs',
      'shell.openExternal:http://127.0.0.1:8991/guide/zh/walk-ied.html#top',
    ]);
  });

  it('is to write the clipboard, and to use nothing else of the computer', () => {
    denyPermissions(session.defaultSession as never, null);
    const page = new WebContents();
    page.mainFrame.url = 'app://loopcheck/index.html';
    const foreign = new WebContents();
    foreign.mainFrame.url = 'https://example.com/';
    const check = state.permissionCheck as ((contents: WebContents | null, permission: string) => boolean) | null;
    const request = state.permissionRequest as
      | ((contents: WebContents, permission: string, callback: (is: boolean) => void) => void)
      | null;
    const answers: boolean[] = [];
    for (const permission of ['clipboard-sanitized-write', 'clipboard-read', 'media', 'serial', 'openExternal']) {
      request?.(page, permission, (isAllowed) => answers.push(isAllowed));
    }
    expect(answers).toEqual([true, false, false, false, false]);
    expect(check?.(page, 'clipboard-sanitized-write')).toBe(true);
    expect(check?.(foreign, 'clipboard-sanitized-write')).toBe(false);
    expect(check?.(null, 'clipboard-sanitized-write')).toBe(false);
    expect(state.devicePermission?.()).toBe(false);
  });

  it('takes only our own addresses for ours', () => {
    expect(isOwnPage('http://127.0.0.1:5199/index.html', 'http://127.0.0.1:5199')).toBe(true);
    expect(isOwnPage('http://127.0.0.1:5199.example.com/', 'http://127.0.0.1:5199')).toBe(false);
  });
});

describe('arguments of the window program', () => {
  it('begin after the program, and in development after its folder', () => {
    expect(readArguments(['loopcheck.exe', '--demo'], true)).toEqual({ isServe: false, args: ['--demo'], device: null });
    expect(readArguments(['electron', '.', '--demo', '--port', '0'], false)).toEqual({
      isServe: false,
      args: ['--demo', '--port', '0'],
      device: null,
    });
  });

  it('begin behind the folder of the program, whatever switches stand before it', () => {
    for (const before of [
      ['--inspect=0'],
      ['--inspect=0', '--remote-debugging-port=0', '--no-sandbox'],
      ['-r', '/tools/loader.js', '--inspect=0'],
      [],
    ]) {
      expect(readArguments(['electron', ...before, '.', '--demo', '--project', 'a'], false).args).toEqual(['--demo', '--project', 'a']);
    }
    expect(readArguments(['electron', '.'], false)).toEqual({ isServe: false, args: [], device: null });
  });

  it('lose --serve and the switches of the browser engine', () => {
    const argv = ['loopcheck', '--no-sandbox', '--serve', '--disable-gpu', '--ozone-platform-hint=auto', '--data', '/d'];
    expect(readArguments(argv, true)).toEqual({ isServe: true, args: ['--data', '/d'], device: null });
  });

  it('keep what is wrong, so that it is refused in words', () => {
    expect(readArguments(['loopcheck', '--headless', '--prot', '1'], true).args).toEqual(['--headless', '--prot', '1']);
  });
});
