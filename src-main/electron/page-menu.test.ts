import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IPC, type PageMenu, type WindowBridge } from '#shared/client/window-bridge.ts';
import type { RunningService } from '../app/start-service.ts';
import { silentLogger } from '../platform/logger.ts';
import { ManualClock } from '../platform/manual-clock.ts';
import { runDesktop } from './desktop.ts';
import { acceleratorOf } from './page-menu.ts';
import { BrowserWindow, type MenuEntry, resetElectron, state } from './testing/electron-stand-in.ts';

vi.mock('electron', () => import('./testing/electron-stand-in.ts'));

const MENU: PageMenu = {
  language: 'zh-CN',
  groups: [
    { words: '转到', items: [] },
    {
      words: '通道',
      items: [
        { id: 'start-stop', words: '启动 PCS & BMS', key: null, isEnabled: true },
        { id: 'read-once', words: '读取一次', key: 'F5', isEnabled: false },
        { id: 'odd', words: '其他', key: 'mod+nonsense', isEnabled: true },
      ],
    },
  ],
};

let dataDir = '';
let kept: Record<string, NodeJS.UncaughtExceptionListener[]> = {};
const EVENTS = ['uncaughtException', 'unhandledRejection', 'SIGTERM', 'SIGINT'] as const;

async function opened(): Promise<BrowserWindow> {
  const service = {
    core: { stopRequested: new Promise(() => {}) },
    url: 'http://127.0.0.1:8991',
    logger: silentLogger,
    close: async () => {},
  } as unknown as RunningService;
  await runDesktop({
    clock: new ManualClock(),
    dataDir,
    pagesDir: join(dataDir, 'pages'),
    pageHeaders: {},
    preloadPath: '/program/preload/index.cjs',
    iconPath: null,
    deviceFile: null,
    devServer: null,
    startService: async () => ({ service, transport: async () => ({ status: 200, body: { data: [] } }) }),
  });
  const window = state.windows[0];
  if (!window) throw new Error('No window was opened.');
  return window;
}

async function bridge(): Promise<WindowBridge> {
  vi.resetModules();
  await import('../../src-preload/index.ts');
  return state.exposed.loopcheck as WindowBridge;
}

const labels = () => state.menu.map((menu) => menu.label);
const items = (): readonly MenuEntry[] => state.menu.find((menu) => menu.label === '通道')?.submenu ?? [];

function invoke(event: object, sent: unknown): Promise<unknown> {
  const handler = state.ipcHandlers.get(IPC.menu) as ((...args: unknown[]) => unknown) | undefined;
  return Promise.resolve().then(() => handler?.(event, sent));
}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'loopcheck-menu-'));
  kept = Object.fromEntries(EVENTS.map((event) => [event, process.listeners(event as 'uncaughtException')]));
  resetElectron();
});
afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true });
  for (const event of EVENTS) {
    for (const listener of process.listeners(event as 'uncaughtException')) {
      if (!kept[event]?.includes(listener)) process.off(event, listener as never);
    }
  }
});

describe('the menu of the window', () => {
  it('has the commands of the page in its language, each with its key and whether it can be done', async () => {
    const { webContents } = await opened();
    expect(labels()).toEqual(['File', 'Edit', 'View', 'Help']);
    await invoke({ sender: webContents, senderFrame: webContents.mainFrame }, MENU);
    expect(labels()).toEqual(['文件', '编辑', '视图', '通道', '帮助']);
    expect(items()).toEqual([
      { label: '启动 PCS && BMS', enabled: true, click: expect.any(Function) },
      { label: '读取一次', enabled: false, accelerator: 'F5', registerAccelerator: false, click: expect.any(Function) },
      { label: '其他', enabled: true, click: expect.any(Function) },
    ]);
  });

  it('tells the page which command was chosen, by its id alone, until the page no longer listens', async () => {
    const { webContents } = await opened();
    const { onCommand } = await bridge();
    await invoke({ sender: webContents, senderFrame: webContents.mainFrame }, MENU);
    const heard = vi.fn();
    const end = onCommand(heard);
    items()[0]?.click?.();
    expect(heard.mock.calls).toEqual([['start-stop']]);
    webContents.send(IPC.command, { id: 'start-stop' });
    end();
    items()[0]?.click?.();
    expect(heard).toHaveBeenCalledTimes(1);
  });

  it('is closed to other senders, and keeps what it has', async () => {
    const { webContents } = await opened();
    const foreign = new BrowserWindow({}).webContents;
    const denied = { code: 'ACCESS_ORIGIN' };
    await expect(invoke({ sender: foreign, senderFrame: foreign.mainFrame }, MENU)).rejects.toMatchObject(denied);
    await expect(invoke({ sender: webContents, senderFrame: { url: 'app://loopcheck/index.html' } }, MENU)).rejects.toMatchObject(denied);
    webContents.mainFrame.url = 'https://example.com/';
    await expect(invoke({ sender: webContents, senderFrame: webContents.mainFrame }, MENU)).rejects.toMatchObject(denied);
    expect(labels()).toEqual(['File', 'Edit', 'View', 'Help']);
  });

  const [, group] = MENU.groups;
  const [item] = group?.items ?? [];
  it.each([
    null,
    'menu',
    { ...MENU, language: 'fr' },
    { ...MENU, groups: Array.from({ length: 11 }, () => group) },
    { ...MENU, groups: [{ words: '通道', items: Array.from({ length: 101 }, () => item) }] },
    { ...MENU, groups: [{ words: '通道', items: [{ ...item, words: 'x'.repeat(301) }] }] },
    { ...MENU, groups: [{ words: '', items: [] }] },
    { ...MENU, groups: [{ words: '通道', items: [{ ...item, isEnabled: 'yes' }] }] },
  ])('refuses what is no menu, or too large (%#)', async (sent) => {
    const { webContents } = await opened();
    await expect(invoke({ sender: webContents, senderFrame: webContents.mainFrame }, sent)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    });
    expect(labels()).toEqual(['File', 'Edit', 'View', 'Help']);
  });
});

it.each([
  ['mod+R', 'CommandOrControl+R'],
  ['mod+shift+ArrowUp', 'CommandOrControl+Shift+Up'],
  ['alt+ArrowLeft', 'Alt+Left'],
  ['F12', 'F12'],
  ['mod+,', 'CommandOrControl+,'],
  ['F13', null],
  ['mod+', null],
  ['shift+mod+R', null],
  ['mod+Escape', null],
  ['', null],
])('the key %s is %s', (key, accelerator) => {
  expect(acceleratorOf(key)).toBe(accelerator);
});
