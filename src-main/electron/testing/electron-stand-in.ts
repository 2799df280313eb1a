/**
 * Stands in for the package `electron` in tests: what the shell uses of it, kept in memory. Use it as
 * `vi.mock('electron', () => import('./testing/electron-stand-in.ts'))`; call `resetElectron` before each test.
 */
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { IPC } from '#shared/client/window-bridge.ts';

type Handler = (...args: never[]) => unknown;

/** Everything a test looks at or sets. */
export interface ElectronState {
  isPackaged: boolean;
  hasLock: boolean;
  languages: string[];
  displays: { workArea: { x: number; y: number; width: number; height: number } }[];
  /** Calls in order: `app.quit`, `dialog.showErrorBox:title:text`, … */
  readonly calls: string[];
  readonly windows: BrowserWindow[];
  readonly ipcHandlers: Map<string, Handler>;
  readonly schemes: Map<string, (request: Request) => Promise<Response>>;
  menu: MenuEntry[];
  permissionRequest: Handler | null;
  permissionCheck: Handler | null;
  devicePermission: Handler | null;
  /** Answer of the next message box: number of the button, or what answers it later. */
  messageAnswer: number | Promise<number>;
  /** Code with which loading of a page fails; null loads it. */
  loadFailure: string | null;
  /** What the page does when it is loaded: by itself it asks something. */
  onLoaded: () => void;
  pageAnswer: unknown;
  /** The page is not ready any more once it was printed. */
  failsOnPaper: boolean;
  /** False where the desktop has no tray. */
  hasTray: boolean;
  readonly trays: Tray[];
  /** Path of the next open or save dialog; null is a cancel. */
  chosenPath: string | null;
  exposed: Record<string, unknown>;
}

export interface MenuEntry {
  readonly label?: string;
  readonly role?: string;
  readonly enabled?: boolean;
  readonly accelerator?: string;
  readonly registerAccelerator?: boolean;
  readonly click?: () => void;
  readonly submenu?: MenuEntry[];
}

export const state: ElectronState = {
  isPackaged: true,
  hasLock: true,
  languages: ['en-US'],
  displays: [],
  calls: [],
  windows: [],
  ipcHandlers: new Map(),
  schemes: new Map(),
  menu: [],
  permissionRequest: null,
  permissionCheck: null,
  devicePermission: null,
  messageAnswer: 0,
  loadFailure: null,
  onLoaded: askFirst,
  pageAnswer: true,
  failsOnPaper: false,
  hasTray: true,
  trays: [],
  chosenPath: null,
  exposed: {},
};

export function resetElectron(): void {
  app.removeAllListeners();
  powerMonitor.removeAllListeners();
  state.calls.length = 0;
  state.windows.length = 0;
  state.trays.length = 0;
  session.defaultSession.removeAllListeners();
  state.ipcHandlers.clear();
  state.schemes.clear();
  Object.assign(state, {
    isPackaged: true,
    hasLock: true,
    languages: ['en-US'],
    displays: [{ workArea: { x: 0, y: 0, width: 1920, height: 1040 } }],
    menu: [],
    messageAnswer: 0,
    loadFailure: null,
    onLoaded: askFirst,
    pageAnswer: true,
    failsOnPaper: false,
    hasTray: true,
    chosenPath: null,
    exposed: {},
  });
}

const call = (text: string) => void state.calls.push(text);

class App extends EventEmitter {
  get isPackaged(): boolean {
    return state.isPackaged;
  }
  enableSandbox(): void {
    call('app.enableSandbox');
  }
  setPath(name: string, path: string): void {
    call(`app.setPath:${name}:${path}`);
  }
  requestSingleInstanceLock(): boolean {
    call('app.requestSingleInstanceLock');
    return state.hasLock;
  }
  async whenReady(): Promise<void> {
    call('app.whenReady');
  }
  getPreferredSystemLanguages(): string[] {
    return state.languages;
  }
  getVersion(): string {
    return '1.2.3';
  }
  getPath(name: string): string {
    return `/home/person/${name}`;
  }
  /** As Electron does: windows close, each of which may refuse, then `will-quit`, whose listeners may hold it back. */
  quit(): void {
    call('app.quit');
    for (const window of [...state.windows]) if (!window.close()) return;
    const event = { isPrevented: false, preventDefault: () => (event.isPrevented = true) };
    this.emit('will-quit', event);
    if (!event.isPrevented) call('app ended');
  }
  exit(code: number): void {
    call(`app.exit:${code}`);
  }
}

export const app = new App();
export const powerMonitor = new EventEmitter();

export class WebContents extends EventEmitter {
  readonly mainFrame = { url: '' };
  openHandler: ((details: { url: string }) => { action: string }) | null = null;
  /** Content of the file that was loaded. */
  shown = '';
  /** What scripts that are run in the page answer. */
  async executeJavaScript(): Promise<unknown> {
    return state.pageAnswer;
  }
  async printToPDF(options: object): Promise<Uint8Array> {
    if (state.failsOnPaper) state.pageAnswer = false;
    return Buffer.from(`PDF of ${this.shown} with ${JSON.stringify(options)}`);
  }
  getURL(): string {
    return this.mainFrame.url;
  }
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler;
  }
  reload(): void {
    call('contents.reload');
  }
  send(channel: string, ...args: unknown[]): void {
    toPage.emit(channel, { sender: 'the main process' }, ...args);
  }
}

export class BrowserWindow extends EventEmitter {
  readonly webContents = new WebContents();
  readonly options: Record<string, unknown>;
  isMinimizedNow = false;
  isMaximizedNow = false;
  isDestroyedNow = false;
  bounds = { x: 10, y: 20, width: 1300, height: 800 };

  constructor(options: Record<string, unknown>) {
    super();
    this.options = options;
    state.windows.push(this);
    app.emit('web-contents-created', {}, this.webContents);
  }
  async loadURL(url: string): Promise<void> {
    this.webContents.mainFrame.url = url;
    call(`window.loadURL:${url}`);
    // one that is aborted is loaded anew
    if (state.loadFailure === null || state.loadFailure === 'ERR_ABORTED') queueMicrotask(() => state.onLoaded());
    if (state.loadFailure !== null) throw Object.assign(new Error(state.loadFailure), { code: state.loadFailure });
  }
  async loadFile(path: string): Promise<void> {
    this.webContents.mainFrame.url = `file://${path}`;
    this.webContents.shown = readFileSync(path, 'utf8');
    if (state.loadFailure !== null) throw new Error(state.loadFailure);
  }
  destroy(): void {
    this.isDestroyedNow = true;
    state.windows.splice(state.windows.indexOf(this), 1);
  }
  /** True when it closed: a listener may keep it open. */
  close(): boolean {
    const event = { isPrevented: false, preventDefault: () => (event.isPrevented = true) };
    this.emit('close', event);
    if (event.isPrevented) return false;
    this.isDestroyedNow = true;
    state.windows.splice(state.windows.indexOf(this), 1);
    this.emit('closed');
    return true;
  }
  show(): void {
    call('window.show');
    this.emit('show');
  }
  hide(): void {
    call('window.hide');
  }
  minimize(): void {
    call('window.minimize');
  }
  focus(): void {
    call('window.focus');
  }
  restore(): void {
    this.isMinimizedNow = false;
    call('window.restore');
  }
  maximize(): void {
    this.isMaximizedNow = true;
  }
  isMinimized(): boolean {
    return this.isMinimizedNow;
  }
  isMaximized(): boolean {
    return this.isMaximizedNow;
  }
  isDestroyed(): boolean {
    return this.isDestroyedNow;
  }
  getNormalBounds(): { x: number; y: number; width: number; height: number } {
    return this.bounds;
  }
}

export const protocol = {
  registerSchemesAsPrivileged(schemes: { scheme: string }[]): void {
    call(`protocol.register:${schemes.map((item) => item.scheme).join()}`);
  },
  handle(scheme: string, handler: (request: Request) => Promise<Response>): void {
    state.schemes.set(scheme, handler);
  },
};

export const ipcMain = {
  handle(channel: string, handler: Handler): void {
    state.ipcHandlers.set(channel, handler);
  },
};

class Session extends EventEmitter {
  setPermissionRequestHandler(handler: Handler): void {
    state.permissionRequest = handler;
  }
  setPermissionCheckHandler(handler: Handler): void {
    state.permissionCheck = handler;
  }
  setDevicePermissionHandler(handler: Handler): void {
    state.devicePermission = handler;
  }
}

export const session = { defaultSession: new Session() };

/** An icon in the tray. */
export class Tray extends EventEmitter {
  readonly icon: string;
  menu: MenuEntry[] = [];
  isDestroyedNow = false;
  constructor(icon: string) {
    super();
    this.icon = icon;
    if (!state.hasTray) throw new Error('There is no tray.');
    state.trays.push(this);
  }
  setToolTip(text: string): void {
    call(`tray.setToolTip:${text}`);
  }
  setContextMenu(menu: MenuEntry[]): void {
    this.menu = menu;
  }
  destroy(): void {
    this.isDestroyedNow = true;
  }
}

export const dialog = {
  showErrorBox(title: string, text: string): void {
    call(`dialog.showErrorBox:${title}:${text}`);
  },
  async showMessageBox(...args: unknown[]): Promise<{ response: number }> {
    const options = args.at(-1) as { message: string; detail: string };
    call(`dialog.showMessageBox:${options.message}:${options.detail}`);
    return { response: await state.messageAnswer };
  },
  async showOpenDialog(): Promise<{ canceled: boolean; filePaths: string[] }> {
    return { canceled: state.chosenPath === null, filePaths: state.chosenPath === null ? [] : [state.chosenPath] };
  },
  async showSaveDialog(): Promise<{ canceled: boolean; filePath: string }> {
    return { canceled: state.chosenPath === null, filePath: state.chosenPath ?? '' };
  },
};

export const Menu = {
  buildFromTemplate: (template: MenuEntry[]) => template,
  setApplicationMenu(menu: MenuEntry[]): void {
    state.menu = menu;
  },
};

export const shell = {
  async openExternal(url: string): Promise<void> {
    call(`shell.openExternal:${url}`);
  },
};

export const screen = { getAllDisplays: () => state.displays };
export const nativeTheme = { shouldUseDarkColors: false };

export const contextBridge = {
  exposeInMainWorld(name: string, value: unknown): void {
    state.exposed[name] = value;
  },
};

/** Goes straight to the handler of the main process, as seen from `sender` of the first window. */
const toPage = new EventEmitter();

export const ipcRenderer = {
  on: (channel: string, listener: (...args: unknown[]) => void) => void toPage.on(channel, listener),
  off: (channel: string, listener: (...args: unknown[]) => void) => void toPage.off(channel, listener),
  async invoke(channel: string, ...args: unknown[]): Promise<unknown> {
    const window = state.windows[0];
    const event = { sender: window?.webContents, senderFrame: window?.webContents.mainFrame };
    const handler = state.ipcHandlers.get(channel) as ((...all: unknown[]) => unknown) | undefined;
    if (!handler) throw new Error(`No handler registered for '${channel}'`);
    return handler(event, ...args);
  },
};

/** As pages do; the answer comes when the service stands. */
function askFirst(): void {
  void ipcRenderer.invoke(IPC.api, { method: 'GET', url: '/api/service/info' }).catch(() => {});
}
