import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiReply, ApiRequest } from '#shared/client/client.ts';
import { IPC, type WindowBridge } from '#shared/client/window-bridge.ts';
import { AppError } from '#shared/domain/errors.ts';
import type { RunningService } from '../app/start-service.ts';
import { silentLogger } from '../platform/logger.ts';
import { ManualClock, settle } from '../platform/manual-clock.ts';
import { type DesktopOptions, runDesktop } from './desktop.ts';
import { app, BrowserWindow, type MenuEntry, powerMonitor, resetElectron, state } from './testing/electron-stand-in.ts';

vi.mock('electron', () => import('./testing/electron-stand-in.ts'));

let dataDir = '';
let clock = new ManualClock();
let calls: string[] = [];
let releaseClose: () => void = () => {};
let requestStop: () => void = () => {};
let startFailures: AppError[] = [];

function service(): RunningService {
  const stop = Promise.withResolvers<void>();
  requestStop = stop.resolve;
  const closing = Promise.withResolvers<void>();
  releaseClose = closing.resolve;
  const core = {
    api: {
      async call(name: string, input: unknown) {
        calls.push(`api:${name}:${JSON.stringify(input)}`);
        if (JSON.stringify(input).includes('locked')) throw new AppError('STATE_STORE', 'The project is locked by another program.');
        return { data: {}, warnings: [] };
      },
    },
    async resume() {
      calls.push('core.resume');
    },
    stopRequested: stop.promise,
  };
  return {
    core: core as unknown as RunningService['core'],
    url: 'http://127.0.0.1:8991',
    logger: silentLogger,
    close() {
      calls.push('service.close');
      return closing.promise;
    },
  };
}

const transport = async (request: ApiRequest): Promise<ApiReply> => ({ status: 200, body: { echo: request } });

function options(change: Partial<DesktopOptions> = {}): DesktopOptions {
  return {
    clock,
    dataDir,
    pagesDir: join(dataDir, 'pages'),
    pageHeaders: { 'content-security-policy': "default-src 'none'" },
    preloadPath: '/program/preload/index.cjs',
    iconPath: null,
    devServer: null,
    async startService(override) {
      calls.push(`startService:${JSON.stringify(override)}:${state.calls.includes('app.requestSingleInstanceLock')}`);
      const failure = startFailures.shift();
      if (failure) throw failure;
      return { service: service(), transport };
    },
    ...change,
  };
}

async function opened(change: Partial<DesktopOptions> = {}): Promise<BrowserWindow> {
  await runDesktop(options(change));
  const window = state.windows[0];
  if (!window) throw new Error('No window was opened.');
  return window;
}

function menuEntry(label: string): MenuEntry {
  const found = state.menu.flatMap((menu) => menu.submenu ?? []).find((entry) => entry.label === label);
  if (!found) throw new Error(`The menu has no entry ${label}.`);
  return found;
}

const faultListeners = {
  uncaughtException: process.listeners('uncaughtException'),
  unhandledRejection: process.listeners('unhandledRejection'),
};

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'loopcheck-window-'));
  clock = new ManualClock();
  calls = [];
  startFailures = [];
  resetElectron();
});

afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true });
  for (const [event, kept] of Object.entries(faultListeners)) {
    for (const listener of process.listeners(event as 'uncaughtException')) {
      if (!kept.includes(listener as never)) process.off(event, listener);
    }
  }
});

describe('desktop start', () => {
  it('claims the single instance before the core is built, and opens one sandboxed window', async () => {
    const window = await opened();
    expect(calls).toEqual(['startService:{}:true']);
    expect(state.calls.slice(0, 5)).toEqual([
      `app.setPath:userData:${join(dataDir, 'window')}`,
      'app.requestSingleInstanceLock',
      'protocol.register:app',
      'app.enableSandbox',
      'app.whenReady',
    ]);
    expect(window.options.webPreferences).toEqual({
      preload: '/program/preload/index.cjs',
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
      devTools: false,
    });
    expect(state.calls).toContain('window.loadURL:app://loopcheck/index.html');
    expect(state.calls).not.toContain('window.show');
    window.emit('ready-to-show');
    expect(state.calls).toContain('window.show');
  });

  it('ends at once when another window has the data folder', async () => {
    state.hasLock = false;
    await runDesktop(options());
    expect(calls).toEqual([]);
    expect(state.windows).toEqual([]);
    expect(state.calls).toContain('app.quit');
  });

  it('brings the window to the front at a second start, and does not look at its arguments', async () => {
    const window = await opened();
    window.isMinimizedNow = true;
    app.emit('second-instance', {}, ['loopcheck', '--project', '/tmp/evil.loopcheck'], '/tmp');
    expect(state.calls.slice(-3)).toEqual(['window.restore', 'window.show', 'window.focus']);
    expect(calls).toHaveLength(1);
  });

  it('tells in the language of the system why it cannot start', async () => {
    state.languages = ['zh-CN', 'en-US'];
    startFailures = [new AppError('STATE_STORE', 'The project is locked by process 4711.')];
    await runDesktop(options());
    expect(state.calls).toContain('dialog.showErrorBox:Loopcheck 无法启动:The project is locked by process 4711.');
    expect(state.calls.at(-1)).toBe('app.exit:1');
    expect(state.windows).toEqual([]);
  });

  it('asks before it takes another port', async () => {
    startFailures = [new AppError('TRANSPORT_PORT_TAKEN', 'Port 8991 is taken.')];
    await opened();
    expect(calls).toEqual(['startService:{}:true', 'startService:{"port":0}:true']);
  });

  it('ends when the person wants no other port, and when that fails too', async () => {
    startFailures = [new AppError('TRANSPORT_PORT_TAKEN', 'Port 8991 is taken.')];
    state.messageAnswer = 1;
    await runDesktop(options());
    expect(state.calls.at(-1)).toBe('app.exit:1');
    expect(calls).toHaveLength(1);
    state.messageAnswer = 0;
    startFailures = [new AppError('TRANSPORT_PORT_TAKEN', 'Port 8991 is taken.'), new AppError('STATE_STORE', 'Locked.')];
    await runDesktop(options());
    expect(state.calls.slice(-2)).toEqual(['dialog.showErrorBox:Loopcheck could not start:Locked.', 'app.exit:1']);
  });
});

describe('desktop end', () => {
  it('holds the end back until the service is closed', async () => {
    await opened();
    app.emit('window-all-closed');
    await settle();
    expect(calls).toContain('service.close');
    expect(state.calls.at(-1)).toBe('app.quit');
    app.quit();
    expect(calls.filter((call) => call === 'service.close')).toHaveLength(1);
    releaseClose();
    await settle();
    expect(state.calls.at(-1)).toBe('app.exit:0');
    expect(clock.pending).toBe(0);
  });

  it('ends after 15 s when the service does not', async () => {
    await opened();
    app.quit();
    await clock.advance(15_000);
    expect(state.calls.at(-1)).toBe('app.exit:1');
  });

  it('ends when the API asks for it', async () => {
    await opened();
    requestStop();
    await settle();
    expect(calls).toContain('service.close');
  });

  it('tells an internal fault, and closes in order', async () => {
    await opened();
    const [onFault] = process.listeners('uncaughtException').filter((item) => !faultListeners.uncaughtException.includes(item));
    onFault?.(new Error('broken'), 'uncaughtException');
    await settle();
    expect(state.calls).toContain('dialog.showErrorBox:Loopcheck stops after an internal fault:broken');
    expect(calls).toContain('service.close');
  });
});

describe('desktop in use', () => {
  it('opens every line anew when the computer wakes up', async () => {
    await opened();
    powerMonitor.emit('resume');
    expect(calls).toContain('core.resume');
  });

  it('keeps place and size of the window, while a screen shows them', async () => {
    const first = await opened();
    first.bounds = { x: 200, y: 100, width: 1400, height: 900 };
    first.isMaximizedNow = true;
    first.emit('close');
    const file = join(dataDir, 'window.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ x: 200, y: 100, width: 1400, height: 900, isMaximized: true });
    state.windows.length = 0;
    const second = await opened();
    expect(second.options).toMatchObject({ x: 200, y: 100, width: 1400, height: 900 });
    expect(second.isMaximizedNow).toBe(true);
    writeFileSync(file, JSON.stringify({ x: 9000, y: 100, width: 1400, height: 900, isMaximized: false }));
    state.windows.length = 0;
    expect((await opened()).options).toMatchObject({ width: 1280, height: 720 });
    writeFileSync(file, '{');
    state.windows.length = 0;
    expect((await opened()).options).not.toHaveProperty('x');
  });

  it('starts a page process that died again, three times at most', async () => {
    const window = await opened();
    for (let time = 0; time < 5; time++) window.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
    expect(state.calls.filter((call) => call === 'contents.reload')).toHaveLength(3);
  });

  it('opens, makes and backs up projects from the menu', async () => {
    await opened();
    state.chosenPath = '/projects/site.loopcheck';
    menuEntry('Open project…').click?.();
    menuEntry('New project…').click?.();
    menuEntry('Back up project…').click?.();
    await settle();
    expect(calls.slice(1)).toEqual([
      'api:openProject:{"path":"/projects/site.loopcheck","create":false}',
      'api:openProject:{"path":"/projects/site.loopcheck","create":true}',
      'api:backupProject:{"path":"/projects/site.loopcheck"}',
    ]);
    expect(state.calls.filter((call) => call === 'contents.reload')).toHaveLength(2);
    expect(state.calls).toContain('dialog.showMessageBox:The backup is written:/projects/site.loopcheck');
  });

  it('tells why a project cannot be opened, and does nothing when the dialog is cancelled', async () => {
    await opened();
    menuEntry('Open project…').click?.();
    await settle();
    expect(calls).toHaveLength(1);
    state.chosenPath = '/projects/locked.loopcheck';
    menuEntry('Open project…').click?.();
    await settle();
    expect(state.calls).toContain('dialog.showMessageBox:That did not work:The project is locked by another program.');
    expect(state.calls).not.toContain('contents.reload');
  });

  it('has its menu in Chinese on a Chinese system, and opens the description of the API in the browser', async () => {
    state.languages = ['zh-CN'];
    await opened();
    expect(state.menu.map((menu) => menu.label)).toEqual(['文件', '编辑', '视图', '帮助']);
    menuEntry('接口说明').click?.();
    expect(state.calls.at(-1)).toBe('shell.openExternal:http://127.0.0.1:8991/docs');
    menuEntry('退出').click?.();
    expect(state.calls).toContain('app.quit');
  });
});

describe('the way from a page to the API', () => {
  const request: ApiRequest = { method: 'GET', url: '/api/channel/list' };

  function invoke(event: object, sent: unknown = request): Promise<unknown> {
    const handler = state.ipcHandlers.get(IPC.api) as ((...args: unknown[]) => unknown) | undefined;
    return Promise.resolve().then(() => handler?.(event, sent));
  }

  it('goes through the preload script, which shows nothing else', async () => {
    await opened();
    await import('../../src-preload/index.ts');
    expect(Object.keys(state.exposed)).toEqual(['loopcheck']);
    const bridge = state.exposed.loopcheck as WindowBridge;
    expect(Object.keys(bridge).sort()).toEqual(['api', 'platform']);
    expect(await bridge.api(request)).toEqual({ status: 200, body: { echo: request } });
    const write: ApiRequest = { method: 'POST', url: '/api/device/start', body: { channel_id: 1 } };
    expect(await bridge.api(write)).toEqual({ status: 200, body: { echo: write } });
  });

  it('is closed to other senders, other frames and other pages', async () => {
    const window = await opened();
    const { webContents } = window;
    const foreign = new BrowserWindow({}).webContents;
    const denied = { code: 'ACCESS_ORIGIN' };
    await expect(invoke({ sender: foreign, senderFrame: foreign.mainFrame })).rejects.toMatchObject(denied);
    await expect(invoke({ sender: webContents, senderFrame: { url: 'app://loopcheck/index.html' } })).rejects.toMatchObject(denied);
    await expect(invoke({ sender: webContents, senderFrame: null })).rejects.toMatchObject(denied);
    for (const url of ['https://example.com/', 'file:///etc/passwd', 'app://other/index.html', 'about:blank', '']) {
      webContents.mainFrame.url = url;
      await expect(invoke({ sender: webContents, senderFrame: webContents.mainFrame }), url).rejects.toMatchObject(denied);
    }
    webContents.mainFrame.url = 'app://loopcheck/index.html';
    await expect(invoke({ sender: webContents, senderFrame: webContents.mainFrame })).resolves.toBeDefined();
    window.emit('closed');
    await expect(invoke({ sender: webContents, senderFrame: webContents.mainFrame })).rejects.toMatchObject(denied);
  });

  it('takes requests of the API only', async () => {
    const { webContents } = await opened();
    const event = { sender: webContents, senderFrame: webContents.mainFrame };
    for (const wrong of [
      null,
      'GET /api',
      { method: 'TRACE', url: '/api' },
      { method: 'GET' },
      { method: 'GET', url: 'x'.repeat(20_000) },
    ]) {
      await expect(invoke(event, wrong)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    }
  });

  it('takes the development server for our own only in development', async () => {
    const devServer = 'http://127.0.0.1:5199';
    const packaged = await opened({ devServer });
    expect(packaged.webContents.mainFrame.url).toBe('app://loopcheck/index.html');
    state.isPackaged = false;
    state.windows.length = 0;
    const { webContents } = await opened({ devServer });
    expect(webContents.mainFrame.url).toBe(devServer);
    await expect(invoke({ sender: webContents, senderFrame: webContents.mainFrame })).resolves.toBeDefined();
  });
});
