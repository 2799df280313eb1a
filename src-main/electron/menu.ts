import { app, Menu, type MenuItemConstructorOptions, shell } from 'electron';
import { guidePath } from '#shared/domain/guide-pages.ts';
import type { ProjectDialogs } from './dialogs.ts';
import type { Texts } from './texts.ts';

export interface MenuOptions {
  readonly project: ProjectDialogs;
  /** Address of the local service; null while it starts. */
  serviceUrl(): string | null;
  readonly hasDevTools: boolean;
}

/**
 * The menu of the program with what the pages offer. F5 and Ctrl+R stay with the pages, where they read. What the program has for projects by itself stands
 * there only while no page offers anything: the commands of the pages ask before they stop what runs.
 */
export function showMenu(options: MenuOptions, texts: Texts, ofPages: readonly MenuItemConstructorOptions[]): void {
  const all: MenuParts = { ...options, texts, hasPage: ofPages.length > 0 };
  Menu.setApplicationMenu(Menu.buildFromTemplate([fileMenu(all), editMenu(all), viewMenu(all), ...ofPages, helpMenu(all)]));
}

interface MenuParts extends MenuOptions {
  readonly texts: Texts;
  readonly hasPage: boolean;
}

function fileMenu({ texts, project, hasPage }: MenuParts): MenuItemConstructorOptions {
  const ofProject: MenuItemConstructorOptions[] = [
    { label: texts.newProject, click: () => void project.create() },
    { label: texts.openProject, accelerator: 'CommandOrControl+O', click: () => void project.open() },
    { label: texts.backupProject, click: () => void project.backup() },
    { type: 'separator' },
  ];
  return {
    label: texts.file,
    submenu: [...(hasPage ? [] : ofProject), { label: texts.quit, accelerator: 'CommandOrControl+Q', click: () => app.quit() }],
  };
}

function editMenu({ texts }: MenuParts): MenuItemConstructorOptions {
  return {
    label: texts.edit,
    submenu: [
      { label: texts.undo, role: 'undo' },
      { label: texts.redo, role: 'redo' },
      { type: 'separator' },
      { label: texts.cut, role: 'cut' },
      { label: texts.copy, role: 'copy' },
      { label: texts.paste, role: 'paste' },
      { label: texts.selectAll, role: 'selectAll' },
    ],
  };
}

function viewMenu({ texts, hasDevTools }: MenuParts): MenuItemConstructorOptions {
  return {
    label: texts.view,
    submenu: [
      { label: texts.reload, role: 'reload', accelerator: 'CommandOrControl+Shift+R' },
      { type: 'separator' },
      { label: texts.zoomIn, role: 'zoomIn' },
      { label: texts.zoomOut, role: 'zoomOut' },
      { label: texts.zoomReset, role: 'resetZoom' },
      { type: 'separator' },
      { label: texts.fullScreen, role: 'togglefullscreen' },
      ...(hasDevTools ? [{ label: texts.devTools, role: 'toggleDevTools' as const }] : []),
    ],
  };
}

function helpMenu({ texts, serviceUrl }: MenuParts): MenuItemConstructorOptions {
  const open = (label: string, path: string): MenuItemConstructorOptions => ({
    label,
    click() {
      const url = serviceUrl();
      if (url !== null) void shell.openExternal(`${url}${path}`);
    },
  });
  return {
    label: texts.help,
    submenu: [
      open(texts.guide, guidePath(texts.language, null)),
      open(texts.apiDocs, '/docs'),
      { label: `Loopcheck ${app.getVersion()}`, enabled: false },
    ],
  };
}
