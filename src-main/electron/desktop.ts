import { join } from 'node:path';
import { app, type BrowserWindow, session } from 'electron';
import type { ApiTransport } from '#shared/client/client.ts';
import { toAppError } from '#shared/domain/errors.ts';
import type { Core } from '../app/types.ts';
import type { Clock } from '../platform/clock.ts';
import { askForFreePort, createProjectDialogs, showStartFailure } from './dialogs.ts';
import { setupIpcBridge } from './ipc-bridge.ts';
import { setupMenu } from './menu.ts';
import { registerPageScheme, servePages } from './pages.ts';
import { watchPower } from './power.ts';
import { denyPermissions, hardenContents } from './security.ts';
import { setupOrderedShutdown } from './shutdown.ts';
import { claimSingleInstance } from './single-instance.ts';
import { type Texts, textsFor } from './texts.ts';
import { focusWindow, openWindow } from './window.ts';

/** The service behind the window, listening. */
export interface RunningService {
  readonly core: Core;
  /** Address it listens at. */
  readonly url: string;
  /** The inner door for the pages. */
  readonly transport: ApiTransport;
  /** Ends everything in order. */
  close(): Promise<void>;
}

export interface DesktopOptions {
  readonly clock: Clock;
  /** Folder of our data; the browser's own files go into a folder below it. */
  readonly dataDir: string;
  readonly pagesDir: string;
  readonly pageHeaders: Readonly<Record<string, string>>;
  readonly preloadPath: string;
  readonly iconPath: string | null;
  /** Address of the development server; ignored in a packaged program. */
  readonly devServer: string | null;
  /** Builds and starts the service; `port` overrides the configured one. */
  startService(override: { readonly port?: number }): Promise<RunningService>;
}

/** Runs the program with its window. Resolves when the window stands, or when the program is about to end without one. */
export async function runDesktop(options: DesktopOptions): Promise<void> {
  const devServer = app.isPackaged ? null : options.devServer;
  let window: BrowserWindow | null = null;
  let service: RunningService | null = null;
  app.setPath('userData', join(options.dataDir, 'window'));
  const isFirst = claimSingleInstance(() => {
    if (window) focusWindow(window);
  });
  if (!isFirst) {
    app.quit();
    return;
  }
  registerPageScheme();
  hardenContents({ devServer, serviceUrl: () => service?.url ?? null });
  await app.whenReady();
  const texts = textsFor(app.getPreferredSystemLanguages());
  const running = await startService(options, texts);
  if (!running) {
    app.exit(1);
    return;
  }
  service = running;
  setupOrderedShutdown(options.clock, () => running.close());
  denyPermissions(session.defaultSession, devServer);
  servePages(options.pagesDir, options.pageHeaders);
  setupIpcBridge({ transport: running.transport, contents: () => window?.webContents ?? null, devServer });
  const project = createProjectDialogs(running.core.api, () => window, texts);
  setupMenu({ texts, project, serviceUrl: running.url, hasDevTools: devServer !== null });
  watchPower(() => running.core.resume());
  void running.core.stopRequested.then(() => app.quit());
  window = await openWindow({ ...options, devServer, statePath: join(options.dataDir, 'window.json') });
  window.once('closed', () => {
    window = null;
  });
}

/** Starts the service; tells the reason when it cannot. A taken port is a question, everything else the end. */
async function startService(options: DesktopOptions, texts: Texts): Promise<RunningService | null> {
  try {
    return await options.startService({});
  } catch (error) {
    const reason = toAppError(error);
    if (reason.code !== 'TRANSPORT_PORT_TAKEN') {
      showStartFailure(texts, reason);
      return null;
    }
    if (!(await askForFreePort(texts, reason.message))) return null;
  }
  try {
    return await options.startService({ port: 0 });
  } catch (error) {
    showStartFailure(texts, error);
    return null;
  }
}
