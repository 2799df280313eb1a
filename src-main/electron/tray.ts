import { type BrowserWindow, Menu, Tray } from 'electron';
import type { ProgramEnd } from './shutdown.ts';
import type { Texts } from './texts.ts';
import { focusWindow } from './window.ts';

export interface TrayOptions {
  readonly iconPath: string | null;
  readonly texts: Texts;
  readonly end: ProgramEnd;
}

/** Answers what hides the window behind an icon in the tray, which goes when the window is shown again. */
export function createTrayKeeper(window: BrowserWindow, { iconPath, texts, end }: TrayOptions): () => void {
  let tray: Tray | null = null;
  window.on('show', () => {
    tray?.destroy();
    tray = null;
  });

  return () => {
    tray ??= makeTray(iconPath);
    if (!tray) {
      // No tray on this desktop: a window in the task bar is a way back as well.
      window.minimize();
      return;
    }
    tray.setToolTip(texts.runsInTray);
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: texts.showWindow, click: () => focusWindow(window) },
        { label: texts.quit, click: () => end.end() },
      ]),
    );
    tray.on('click', () => focusWindow(window));
    window.hide();
  };
}

function makeTray(iconPath: string | null): Tray | null {
  if (iconPath === null) return null;
  try {
    return new Tray(iconPath);
  } catch {
    return null;
  }
}
