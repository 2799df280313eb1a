import { type BrowserWindow, dialog } from 'electron';
import type { ApiClient } from '#shared/client/client.ts';
import type { ProjectChoice } from '#shared/client/window-bridge.ts';
import { toAppError } from '#shared/domain/errors.ts';
import type { Texts } from './texts.ts';

const EXTENSION = 'loopcheck';

/** Says why the program ends. Works before the app is ready as well. */
export function showStartFailure(texts: Texts, error: unknown): void {
  dialog.showErrorBox(texts.startFailed, toAppError(error).message);
}

/** Says why the program ends after it ran. Blocks until it is clicked away. */
export function showFault(texts: Texts, error: unknown, crashFile: string): void {
  dialog.showErrorBox(texts.fault, `${toAppError(error).message}\n\n${texts.faultNoted} ${crashFile}`);
}

/** Says what was not done, and why; the program goes on. */
export async function showRefusal(window: BrowserWindow | null, texts: Texts, error: unknown): Promise<void> {
  const options = { type: 'error' as const, message: texts.failed, detail: toAppError(error).message };
  await (window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options));
}

/** Asks whether to go on with a free port; false means to end. */
export async function askForFreePort(window: BrowserWindow, texts: Texts, reason: string): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    title: 'Loopcheck',
    message: texts.portTaken,
    detail: `${reason}\n\n${texts.portTakenDetail}`,
    buttons: [texts.useFreePort, texts.quit],
    defaultId: 0,
    cancelId: 1,
  });
  return response === 0;
}

/** Opens the file chooser of the system for a project; null when it was closed without a choice. */
export type ProjectChooser = (choice: ProjectChoice) => Promise<string | null>;

export function createProjectChooser(window: () => BrowserWindow | null, texts: Texts): ProjectChooser {
  const filters = [{ name: texts.projectFiles, extensions: [EXTENSION] }];
  return async ({ kind, path }) => {
    const parent = window();
    const begin = { filters, ...(path === '' ? {} : { defaultPath: path }) };
    if (kind === 'save') {
      const { canceled, filePath } = await (parent ? dialog.showSaveDialog(parent, begin) : dialog.showSaveDialog(begin));
      return canceled || !filePath ? null : withExtension(filePath);
    }
    const options = { ...begin, properties: ['openFile' as const] };
    const { canceled, filePaths } = await (parent ? dialog.showOpenDialog(parent, options) : dialog.showOpenDialog(options));
    return (canceled ? null : filePaths[0]) ?? null;
  };
}

/** Some desktops leave the ending to the program. */
function withExtension(path: string): string {
  return path.toLowerCase().endsWith(`.${EXTENSION}`) ? path : `${path}.${EXTENSION}`;
}

/** Project operations of the menu: a native dialog for the path, the API for the rest. */
export interface ProjectDialogs {
  open(): Promise<void>;
  create(): Promise<void>;
  backup(): Promise<void>;
  /** Asks whether to open the project that a second start of the program was given, and opens it. */
  openGiven(path: string): Promise<void>;
}

export function createProjectDialogs(
  api: ApiClient,
  choose: ProjectChooser,
  window: () => BrowserWindow | null,
  texts: Texts,
): ProjectDialogs {
  async function attempt(action: () => Promise<unknown>): Promise<boolean> {
    try {
      await action();
      return true;
    } catch (error) {
      await show({ type: 'error', message: texts.failed, detail: toAppError(error).message });
      return false;
    }
  }

  async function show(options: { type: 'error' | 'info'; message: string; detail: string }): Promise<void> {
    const parent = window();
    await (parent ? dialog.showMessageBox(parent, options) : dialog.showMessageBox(options));
  }

  async function switchTo(path: string, create: boolean): Promise<void> {
    if (await attempt(() => api.call('openProject', { path, create }))) window()?.webContents.reload();
  }

  return {
    async open() {
      const path = await choose({ kind: 'open', path: '' });
      if (path) await switchTo(path, false);
    },
    async openGiven(path) {
      const parent = window();
      if (!parent) return;
      const asked = { type: 'question' as const, message: texts.openGiven, detail: `${path}\n\n${texts.openGivenDetail}` };
      const { response } = await dialog.showMessageBox(parent, {
        ...asked,
        buttons: [texts.openIt, texts.cancel],
        defaultId: 1,
        cancelId: 1,
      });
      if (response === 0) await switchTo(path, false);
    },
    async create() {
      const path = await choose({ kind: 'save', path: '' });
      if (path) await switchTo(path, true);
    },
    async backup() {
      const path = await choose({ kind: 'save', path: '' });
      if (path && (await attempt(() => api.call('backupProject', { path })))) {
        await show({ type: 'info', message: texts.saved, detail: path });
      }
    },
  };
}
