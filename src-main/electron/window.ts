import { BrowserWindow, nativeTheme } from 'electron';
import { PAGE_URL } from './pages.ts';
import { keepWindowState, readWindowState } from './window-state.ts';

/** Fits a 1366×768 laptop beside a task bar. */
const FIRST_SIZE = { width: 1280, height: 720 };
const LEAST_SIZE = { minWidth: 960, minHeight: 600 };

export interface WindowOptions {
  readonly preloadPath: string;
  /** File for place and size. */
  readonly statePath: string;
  readonly devServer: string | null;
  readonly iconPath: string | null;
}

/** Makes the one window, shown as soon as its page has something to show. */
export function createWindow(options: WindowOptions): BrowserWindow {
  const state = readWindowState(options.statePath);
  const window = new BrowserWindow({
    ...FIRST_SIZE,
    ...(state ? { x: state.x, y: state.y, width: state.width, height: state.height } : {}),
    ...LEAST_SIZE,
    ...(options.iconPath ? { icon: options.iconPath } : {}),
    title: 'Loopcheck',
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#1a1b1e' : '#ffffff',
    webPreferences: {
      preload: options.preloadPath,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
      devTools: options.devServer !== null,
    },
  });
  if (state?.isMaximized) window.maximize();
  keepWindowState(window, options.statePath);
  window.once('ready-to-show', () => window.show());
  return window;
}

/** Loads our pages into the window. A window that is closed meanwhile is no failure, nor a page that is loaded anew meanwhile. */
export async function showPages(window: BrowserWindow, devServer: string | null): Promise<void> {
  try {
    await window.loadURL(devServer ?? PAGE_URL);
  } catch (error) {
    if (!window.isDestroyed() && (error as NodeJS.ErrnoException | null)?.code !== 'ERR_ABORTED') throw error;
  }
}

/** Brings the window to the front, whatever it was before. */
export function focusWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
