import { type BrowserWindow, dialog } from 'electron';
import type { ApiClient } from '#shared/client/client.ts';
import type { ProjectChoice } from '#shared/client/window-bridge.ts';
import { toAppError } from '#shared/domain/errors.ts';
import type { Texts } from './texts.ts';

const EXTENSION = 'loopcheck';

/** What an error says, in the language of the dialogs; the words of another language than English are loaded when they are needed. */
async function reasonOf({ language }: Texts, thrown: unknown): Promise<string> {
  const error = toAppError(thrown);
  if (language === 'en') return error.message;
  try {
    const { loadSpeech } = await import('../app/cli/words.ts');
    return (await loadSpeech(language)).error(error);
  } catch {
    return error.message;
  }
}

/** Says why the program ends, and settles when that was clicked away. Works before the app is ready as well. */
export async function showStartFailure(texts: Texts, error: unknown): Promise<void> {
  dialog.showErrorBox(texts.startFailed, await reasonOf(texts, error));
}

/** Says why the program ends after it ran. Blocks until it is clicked away. */
export function showFault(texts: Texts, error: unknown, crashFile: string): void {
  dialog.showErrorBox(texts.fault, `${toAppError(error).message}\n\n${texts.faultNoted} ${crashFile}`);
}

/** Says what was not done, and why; the program goes on. */
export async function showRefusal(window: BrowserWindow | null, texts: Texts, error: unknown): Promise<void> {
  const options = { type: 'error' as const, message: texts.failed, detail: await reasonOf(texts, error) };
  await (window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options));
}

/** Asks whether to go on with a free port; false means to end. */
export async function askForFreePort(window: BrowserWindow, texts: Texts, error: unknown): Promise<boolean> {
  const reason = await reasonOf(texts, error);
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
      await showRefusal(window(), texts, error);
      return false;
    }
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
        const parent = window();
        const options = { type: 'info' as const, message: texts.saved, detail: path };
        await (parent ? dialog.showMessageBox(parent, options) : dialog.showMessageBox(options));
      }
    },
  };
}
