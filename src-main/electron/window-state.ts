import { readFileSync, writeFileSync } from 'node:fs';
import { type BrowserWindow, type Rectangle, screen } from 'electron';
import { z } from 'zod';

const WindowState = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(400).max(20_000),
  height: z.int().min(300).max(20_000),
  isMaximized: z.boolean(),
});
export type WindowState = z.infer<typeof WindowState>;

/** Part of a title bar that must lie on a screen, so that the window can be taken hold of. */
const GRIP = { width: 100, height: 30 };

function isVisible(state: WindowState, area: Rectangle): boolean {
  const width = Math.min(state.x + state.width, area.x + area.width) - Math.max(state.x, area.x);
  return width >= GRIP.width && state.y >= area.y && state.y <= area.y + area.height - GRIP.height;
}

/** Place and size of the last time; null at first, and when the place lies on no screen any more. */
export function readWindowState(path: string): WindowState | null {
  try {
    const state = WindowState.parse(JSON.parse(readFileSync(path, 'utf8')));
    return screen.getAllDisplays().some((display) => isVisible(state, display.workArea)) ? state : null;
  } catch {
    return null;
  }
}

/** Writes place and size when the window closes. A file that cannot be written costs the place only. */
export function keepWindowState(window: BrowserWindow, path: string): void {
  window.on('close', () => {
    const state: WindowState = { ...window.getNormalBounds(), isMaximized: window.isMaximized() };
    try {
      writeFileSync(path, JSON.stringify(state));
    } catch {
      // The next start opens at the usual place.
    }
  });
}
