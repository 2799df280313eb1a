import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ApiReply, type ApiRequest, createClient } from '#shared/client/client.ts';
import { IPC, type WindowBridge } from '#shared/client/window-bridge.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted, say } from '#shared/messages/index.ts';
import type { RunningService } from '../app/start-service.ts';
import { silentLogger } from '../platform/logger.ts';
import { ManualClock, settle } from '../platform/manual-clock.ts';
import { type DesktopOptions, runDesktop } from './desktop.ts';
import {
  app,
  BrowserWindow,
  ipcRenderer,
  type MenuEntry,
  powerMonitor,
  resetElectron,
  session,
  state,
} from './testing/electron-stand-in.ts';

/** For what hangs, however busy the computer is. */
const LIMIT = { timeout: 120_000 };

vi.mock('electron', () => import('./testing/electron-stand-in.ts'));

let dataDir = '';
let clock = new ManualClock();
let calls: string[] = [];
let releaseClose: () => void = () => {};
let requestStop: () => void = () => {};
let startFailures: AppError[] = [];
/** Results of a check that have no room; null: there is no check. */
let waiting: number | null = null;
let channels: unknown[] = [];
/** States of the automatic and the manual task of every channel. */
let tasks: readonly string[] = [];
let isResumeBroken = false;

function service(): RunningService {
  const stop = Promise.withResolvers<void>();
  requestStop = stop.resolve;
  const closing = Promise.withResolvers<void>();
  releaseClose = closing.resolve;
  const core = {
    api: createClient(transport),
    async suspend() {
      calls.push('core.suspend');
    },
    async resume() {
      calls.push('core.resume');
      if (isResumeBroken) throw new AppError('STATE_CONFLICT', quoted('The project is being changed.'));
    },
    stopRequested: stop.promise,
  };
  return {
    core: core as unknown as RunningService['core'],
    url: 'http://127.0.0.1:8991',
    fingerprint: null,
    logger: silentLogger,
    close() {
      calls.push('service.close');
      return closing.promise;
    },
    async endThreads() {
      calls.push('service.endThreads');
    },
  };
}

const transport = async (request: ApiRequest): Promise<ApiReply> => {
  const { url, body } = request;
  if (url === '/api/channel/list' && channels.length > 0) return { status: 200, body: { data: channels } };
  if (url.endsWith('-read-status')) return { status: 200, body: { data: { state: tasks[url.includes('auto') ? 0 : 1] } } };
  if (url === '/api/check/run') return { status: 200, body: { data: { run: waiting === null ? null : { waiting } } } };
  if (url.startsWith('/api/project/')) calls.push(`${url}:${JSON.stringify(body)}`);
  const refused = { error: 'STATE_STORE', message: 'The project is locked by another program.' };
  return JSON.stringify(body ?? null).includes('locked') ? { status: 409, body: refused } : { status: 200, body: { echo: request } };
};

/** What the channel list says of a channel. */
const channel = (conn_type: number, status: string) => ({ name: `channel ${conn_type} ${status}`, conn_type, status });

function options(change: Partial<DesktopOptions> = {}): DesktopOptions {
  return {
    clock,
    dataDir,
    pagesDir: join(dataDir, 'pages'),
    pageHeaders: { 'content-security-policy': "default-src 'none'" },
    preloadPath: '/program/preload/index.cjs',
    iconPath: null,
    deviceFile: null,
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

const processListeners = {
  uncaughtException: process.listeners('uncaughtException'),
  unhandledRejection: process.listeners('unhandledRejection'),
  SIGTERM: process.listeners('SIGTERM'),
  SIGINT: process.listeners('SIGINT'),
};

function raise(fault: Error): void {
  const [onFault] = process.listeners('uncaughtException').filter((item) => !processListeners.uncaughtException.includes(item));
  onFault?.(fault, 'uncaughtException');
}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'loopcheck-window-'));
  clock = new ManualClock();
  calls = [];
  startFailures = [];
  waiting = null;
  channels = [];
  tasks = ['idle', 'idle'];
  isResumeBroken = false;
  resetElectron();
});

afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true });
  for (const [event, kept] of Object.entries(processListeners)) {
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

  it('asks before it opens the project that a second start was given', async () => {
    await opened();
    state.messageAnswer = 1;
    app.emit('second-instance', {}, ['loopcheck', '--original-process-start-time=1', 'plant.loopcheck'], '/home/user');
    await vi.waitFor(() => expect(state.calls.some((call) => call.includes('/home/user/plant.loopcheck'))).toBe(true), LIMIT);
    expect(state.calls.filter((call) => call.startsWith('window.reload'))).toEqual([]);
  });

  it('hands the file of a device to the page, from this start or a second one, and tells when it cannot be read', async () => {
    const heard = (count: number) => vi.waitFor(() => expect(given).toHaveBeenCalledTimes(count), LIMIT);
    const given = vi.fn();
    ipcRenderer.on(IPC.fileGiven, given);
    const path = join(dataDir, '站 3.scd');
    writeFileSync(path, '<SCL/>');
    await opened({ deviceFile: path });
    await heard(1);
    expect(await ipcRenderer.invoke(IPC.takeFile)).toMatchObject({ name: '站 3.scd' });
    app.emit('second-instance', {}, ['loopcheck', '--flag', '站 3.scd'], dataDir);
    await heard(2);
    expect(await ipcRenderer.invoke(IPC.takeFile)).toMatchObject({ name: '站 3.scd' });
    expect(calls).toHaveLength(1);
    app.emit('second-instance', {}, ['loopcheck', 'gone.cid'], dataDir);
    await vi.waitFor(() => expect(state.calls.at(-1)).toContain(`${join(dataDir, 'gone.cid')} cannot be read (ENOENT)`), LIMIT);
    ipcRenderer.off(IPC.fileGiven, given);
  });

  it('says of a file on another computer why it is not opened, and does not touch it', async () => {
    await opened();
    const path = '\\\\server\\share\\plant.loopcheck';
    app.emit('second-instance', {}, ['loopcheck', path], '/home/user');
    await vi.waitFor(
      () => expect(state.calls.at(-1)).toContain(`dialog.showMessageBox:That did not work:${path} lies on another computer.`),
      LIMIT,
    );
    expect(calls).toHaveLength(1);
  });

  it('refuses on a Chinese system in Chinese: a file, a start, a port', async () => {
    state.languages = ['zh-CN'];
    startFailures = [new AppError('TRANSPORT_PORT_TAKEN', say('app.port_taken', { port: 8991, host: '127.0.0.1', holder: 'x' }))];
    await opened();
    expect(state.calls.find((call) => call.startsWith('dialog.showMessageBox:本地服务地址已被占用'))).toContain(
      '127.0.0.1 的端口 8991 已被x占用。',
    );
    app.emit('second-instance', {}, ['loopcheck', 'gone.scd'], dataDir);
    await vi.waitFor(() => expect(state.calls.at(-1)).toContain(`操作未完成:无法读取 ${join(dataDir, 'gone.scd')}（ENOENT）`), LIMIT);
    startFailures = [new AppError('CONFIG_INVALID', say('app.given_no_file', { path: '/x' }))];
    state.windows.length = 0;
    await runDesktop(options());
    expect(state.calls).toContain('dialog.showErrorBox:Loopcheck 无法启动:/x 不是可以打开的文件。');
  });

  it('tells in the language of the system why it cannot start', async () => {
    state.languages = ['zh-CN', 'en-US'];
    startFailures = [new AppError('STATE_STORE', quoted('The project is locked by process 4711.'))];
    await runDesktop(options());
    expect(state.calls).toContain('dialog.showErrorBox:Loopcheck 无法启动:The project is locked by process 4711.');
    expect(state.calls.at(-1)).toBe('app.exit:1');
  });

  it('asks before it takes another port', async () => {
    startFailures = [new AppError('TRANSPORT_PORT_TAKEN', quoted('Port 8991 is taken.'))];
    await opened();
    expect(calls).toEqual(['startService:{}:true', 'startService:{"port":0}:true']);
  });

  it('ends when the person wants no other port, and when that fails too', async () => {
    startFailures = [new AppError('TRANSPORT_PORT_TAKEN', quoted('Port 8991 is taken.'))];
    state.messageAnswer = 1;
    await runDesktop(options());
    expect(state.calls.at(-1)).toBe('app.exit:1');
    expect(calls).toHaveLength(1);
    state.messageAnswer = 0;
    state.windows.length = 0;
    startFailures = [new AppError('TRANSPORT_PORT_TAKEN', quoted('Port 8991 is taken.')), new AppError('STATE_STORE', quoted('Locked.'))];
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

  it('ends after a minute when the service does not, and its threads before', async () => {
    await opened();
    app.quit();
    await clock.advance(59_999);
    expect(calls).not.toContain('service.endThreads');
    await clock.advance(1);
    await settle();
    expect(calls.at(-1)).toBe('service.endThreads');
    expect(state.calls.at(-1)).toBe('app.exit:1');
  });

  it('ends when the API asks for it', async () => {
    await opened();
    requestStop();
    await settle();
    expect(calls).toContain('service.close');
  });

  it('closes everything in order after an internal fault, tells it then, and ends with 1', async () => {
    await opened();
    raise(new Error('broken'));
    raise(new Error('broken because of that'));
    await settle();
    const crashFile = join(dataDir, 'logs', 'crash.log');
    expect(calls).toContain('service.close');
    expect(state.calls.filter((call) => call.startsWith('dialog'))).toEqual([]);
    expect(readFileSync(crashFile, 'utf8')).toMatch(/^2026-01-01T00:00:00\.000Z main process\nError: broken\n {4}at /);
    releaseClose();
    await settle();
    expect(state.calls.slice(-2)).toEqual([
      `dialog.showErrorBox:Loopcheck stops after an internal fault:broken\n\nEverything was closed in order. The details are in ${crashFile}`,
      'app.exit:1',
    ]);
  });

  it('asks nobody when nothing runs', async () => {
    channels = [channel(1, 'stopped'), channel(2, 'running'), channel(3, 'error')];
    const window = await opened();
    window.close();
    await settle();
    expect(state.calls.filter((call) => call.startsWith('dialog'))).toEqual([]);
    expect(calls).toContain('service.close');
  });

  it.each([
    ['served devices', [channel(1, 'running'), channel(3, 'reconnecting')], ['idle', 'failed'], null, '0. Served devices: 2.'],
    ['running tasks', [channel(2, 'running')], ['running', 'stopping'], 0, '2. Served devices: 0.'],
    [
      'with results that have no room',
      [channel(2, 'stopped')],
      ['idle', 'idle'],
      3,
      /0\. Served devices: 0\.[\s\S]*not in the project yet: 3\./,
    ],
  ])('asks once before it ends %s', async (_, listed, states, results, counted) => {
    channels = listed;
    tasks = states;
    waiting = results;
    const answer = Promise.withResolvers<number>();
    state.messageAnswer = answer.promise;
    const window = await opened();
    window.close();
    app.quit();
    window.close();
    await settle();
    const asked = state.calls.filter((call) => call.startsWith('dialog'));
    expect(asked).toEqual([expect.stringContaining('End everything, or keep it running?:Running read tasks: ')]);
    expect(asked[0]).toMatch(counted);
    expect(window.isDestroyed()).toBe(false);
    answer.resolve(2);
    await settle();
    expect([calls.includes('service.close'), state.calls.includes('window.hide')]).toEqual([false, false]);
    state.messageAnswer = 0;
    window.close();
    await settle();
    expect([calls.includes('service.close'), window.isDestroyed()]).toEqual([true, true]);
  });

  it('keeps running in the tray, which leads back to the window and to the end', async () => {
    channels = [channel(1, 'running')];
    state.messageAnswer = 1;
    const window = await opened({ iconPath: '/program/icon.png' });
    window.close();
    await settle();
    expect(state.calls.slice(-2)).toEqual(['tray.setToolTip:Loopcheck is running', 'window.hide']);
    state.trays[0]?.emit('click');
    expect(state.calls.slice(-2)).toEqual(['window.show', 'window.focus']);
    expect(state.trays[0]?.isDestroyedNow).toBe(true);
    window.close();
    await settle();
    state.trays[1]?.menu.find(({ label }) => label === 'Quit')?.click?.();
    await settle();
    expect([calls.includes('service.close'), window.isDestroyed(), state.trays.length]).toEqual([true, true, 2]);
  });

  it('goes to the task bar where the desktop has no tray', async () => {
    channels = [channel(1, 'running')];
    Object.assign(state, { messageAnswer: 1, hasTray: false });
    const window = await opened({ iconPath: '/program/icon.png' });
    window.close();
    await settle();
    expect([state.calls.at(-1), window.isDestroyed()]).toEqual(['window.minimize', false]);
  });

  it.each([
    ['a signal', () => process.emit('SIGTERM')],
    ['the system shutting down', () => powerMonitor.emit('shutdown')],
    ['a stop by the API', () => requestStop()],
    ['the end of the session', (window: BrowserWindow) => [window.emit('session-end'), window.close(), app.emit('window-all-closed')]],
  ])('asks nobody at %s', async (_, happen) => {
    channels = [channel(1, 'running')];
    const window = await opened();
    happen(window);
    await settle();
    expect(calls).toContain('service.close');
    expect(state.calls.filter((call) => call.startsWith('dialog'))).toEqual([]);
  });

  it('waits for a start that is under way, then closes what it made', async () => {
    const begun = Promise.withResolvers<void>();
    const running = runDesktop(
      options({
        async startService() {
          await begun.promise;
          return { service: service(), transport };
        },
      }),
    );
    await settle();
    state.windows[0]?.close();
    await settle();
    expect(state.calls).toContain('app.quit');
    begun.resolve();
    await running;
    await settle();
    expect(calls).toContain('service.close');
  });
});

describe('desktop in use', () => {
  it('closes every line before the computer sleeps, and opens it anew when it wakes up, whatever comes of that', async () => {
    await opened();
    powerMonitor.emit('suspend');
    isResumeBroken = true;
    powerMonitor.emit('resume');
    await settle();
    expect(calls.slice(-2)).toEqual(['core.suspend', 'core.resume']);
    expect(state.calls).not.toContain('app.quit');
  });

  it('shows its window before the service stands; what the page asks meanwhile is answered then', async () => {
    const begun = Promise.withResolvers<void>();
    const running = runDesktop(
      options({
        async startService() {
          await begun.promise;
          return { service: service(), transport };
        },
      }),
    );
    await settle();
    state.windows[0]?.emit('ready-to-show');
    expect(state.calls.slice(-2)).toEqual(['window.loadURL:app://loopcheck/index.html', 'window.show']);
    let answer: unknown = null;
    const ask = ipcRenderer.invoke(IPC.api, { method: 'GET', url: '/api/service/info' });
    const asked = ask.then((reply) => {
      answer = reply;
    });
    await settle();
    expect(answer).toBeNull();
    begun.resolve();
    await Promise.all([running, asked]);
    expect(answer).toMatchObject({ status: 200 });
  });

  it('begins the service with the first request of the page, which may come before the page is loaded as a whole', async () => {
    state.onLoaded = () => {};
    vi.spyOn(BrowserWindow.prototype, 'loadURL').mockImplementationOnce(function (this: BrowserWindow, url) {
      this.webContents.mainFrame.url = url;
      return new Promise(() => {});
    });
    const running = runDesktop(options());
    await settle();
    expect(calls).toEqual([]);
    const first = ipcRenderer.invoke(IPC.api, { method: 'GET', url: '/api/service/info' });
    await running;
    expect(calls).toHaveLength(1);
    expect(await first).toMatchObject({ status: 200 });
    expect(clock.pending).toBe(0);
  });

  it('starts the service all the same when the page asks nothing', async () => {
    state.onLoaded = () => {};
    const running = runDesktop(options());
    await clock.advance(3000);
    await running;
    expect(calls).toHaveLength(1);
  });

  it('starts the service all the same when the page does not come up', async () => {
    const never = new Promise<void>(() => {});
    vi.spyOn(BrowserWindow.prototype, 'loadURL').mockReturnValueOnce(never);
    const running = runDesktop(options());
    await clock.advance(3000);
    await running;
    expect(calls).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('a page that is loaded anew while it loads is no failure; one that cannot be loaded is told, and loaded again', async () => {
    state.loadFailure = 'ERR_ABORTED';
    await opened();
    expect(state.calls.filter((call) => call.startsWith('dialog') || call.startsWith('app.exit'))).toEqual([]);
    state.windows.length = 0;
    state.loadFailure = 'ERR_FAILED';
    await opened();
    await settle();
    expect(state.calls).toContainEqual(expect.stringContaining('dialog.showMessageBox:The page could not be loaded:'));
    expect(state.calls.at(-1)).toBe('contents.reload');
  });

  it('files of its own pages are saved where a person says, and nothing else is downloaded', async () => {
    await opened();
    const download = (url: string) => {
      const item = { getURL: () => url, getFilename: () => 'points.xlsx', setSaveDialogOptions: vi.fn() };
      const event = { preventDefault: vi.fn() };
      session.defaultSession.emit('will-download', event, item);
      return [event.preventDefault.mock.calls.length, item.setSaveDialogOptions.mock.calls[0]?.[0]];
    };
    expect(download('blob:app://loopcheck/0b1c')).toEqual([
      0,
      { title: 'Save file', defaultPath: join('/home/person/downloads', 'points.xlsx') },
    ]);
    for (const url of [
      'https://evil.example/a.exe',
      'blob:https://evil.example/1',
      'app://loopcheck/index.html',
      'data:text/plain,a',
      'blob:',
    ]) {
      expect(download(url), url).toEqual([1, undefined]);
    }
  });

  it('keeps place and size of the window, while a screen shows them', async () => {
    const first = await opened();
    first.bounds = { x: 200, y: 100, width: 1400, height: 900 };
    first.isMaximizedNow = true;
    first.emit('close', { preventDefault() {} });
    await settle();
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
    const crash = () => window.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
    const reloads = () => state.calls.filter((call) => call === 'contents.reload').length;
    const answer = Promise.withResolvers<number>();
    state.messageAnswer = answer.promise;
    for (let time = 0; time < 5; time++) crash();
    expect(reloads()).toBe(3);
    const asked = state.calls.filter((call) => call.startsWith('dialog'));
    expect(asked).toEqual([
      expect.stringMatching(/^dialog\.showMessageBox:The page stopped again and again:Tasks and served devices go on/),
    ]);
    expect(readFileSync(join(dataDir, 'logs', 'crash.log'), 'utf8').match(/ page\n\{"reason":"crashed"\}/g)).toHaveLength(5);
    answer.resolve(0);
    await settle();
    expect(reloads()).toBe(4);
    crash();
    expect(reloads()).toBe(5);
    await clock.advance(60_000);
    for (let time = 0; time < 3; time++) crash();
    expect(reloads()).toBe(8);
    state.messageAnswer = 1;
    crash();
    await settle();
    expect(calls).toContain('service.close');
  });

  it('opens, makes and backs up projects from the menu', async () => {
    await opened();
    state.chosenPath = '/projects/site.loopcheck';
    menuEntry('Open project…').click?.();
    menuEntry('New project…').click?.();
    menuEntry('Back up project…').click?.();
    await settle();
    expect(calls.slice(1)).toEqual([
      '/api/project/open:{"path":"/projects/site.loopcheck","create":false}',
      '/api/project/open:{"path":"/projects/site.loopcheck","create":true}',
      '/api/project/backup:{"path":"/projects/site.loopcheck"}',
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
    menuEntry('使用说明').click?.();
    expect(state.calls.at(-1)).toBe('shell.openExternal:http://127.0.0.1:8991/guide/zh/index.html');
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
    expect(Object.keys(bridge).sort()).toEqual([
      'api',
      'chooseProject',
      'onCommand',
      'onFileGiven',
      'platform',
      'printRecord',
      'showMenu',
      'takeFile',
    ]);
    expect(await bridge.api(request)).toEqual({ status: 200, body: { echo: request } });
    const write: ApiRequest = { method: 'POST', url: '/api/device/start', body: { channel_id: 1 } };
    expect(await bridge.api(write)).toEqual({ status: 200, body: { echo: write } });
    state.chosenPath = '/projects/a.loopcheck';
    expect(await bridge.chooseProject({ kind: 'open', path: '' })).toBe('/projects/a.loopcheck');
  });

  it('opens the file chooser of the system for a page of ours, and gives a new project its ending', async () => {
    const window = await opened();
    const choose = state.ipcHandlers.get(IPC.chooseProject) as unknown as (...args: unknown[]) => unknown;
    const own = { sender: window.webContents, senderFrame: window.webContents.mainFrame };
    expect(await choose(own, { kind: 'open', path: '' })).toBeNull();
    state.chosenPath = '/projects/site';
    expect(await choose(own, { kind: 'save', path: '/projects/a.loopcheck' })).toBe('/projects/site.loopcheck');
    expect(await choose(own, { kind: 'open', path: '' })).toBe('/projects/site');
    for (const wrong of [null, { kind: 'delete', path: '' }, { kind: 'open' }, { kind: 'open', path: 'x'.repeat(5000) }]) {
      expect(() => choose(own, wrong)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
    }
    const foreign = new BrowserWindow({}).webContents;
    expect(() => choose({ sender: foreign, senderFrame: foreign.mainFrame }, { kind: 'open', path: '' })).toThrow(
      expect.objectContaining({ code: 'ACCESS_ORIGIN' }),
    );
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
