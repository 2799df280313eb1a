import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, type BrowserWindow, session } from 'electron';
import type { ApiTransport } from '#shared/client/client.ts';
import { toAppError } from '#shared/domain/errors.ts';
import type { RunningService } from '../app/start-service.ts';
import type { Clock } from '../platform/clock.ts';
import { askForFreePort, createProjectDialogs, showFault, showStartFailure } from './dialogs.ts';
import { setupIpcBridge } from './ipc-bridge.ts';
import { setupMenu } from './menu.ts';
import { registerPageScheme, servePages } from './pages.ts';
import { watchPower } from './power.ts';
import { denyPermissions, hardenContents } from './security.ts';
import { setupOrderedShutdown } from './shutdown.ts';
import { claimSingleInstance } from './single-instance.ts';
import { type Texts, textsFor } from './texts.ts';
import { createWindow, focusWindow, showPages } from './window.ts';

/** The service behind the window, with its inner door for the pages. */
export interface WindowService {
  readonly service: RunningService;
  readonly transport: ApiTransport;
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
  startService(override: { readonly port?: number }): Promise<WindowService>;
}

/** Runs the program with its window. Resolves when the window stands, or when the program is about to end without one. */
export async function runDesktop(options: DesktopOptions): Promise<void> {
  const devServer = app.isPackaged ? null : options.devServer;
  let window: BrowserWindow | null = null;
  let service: RunningService | null = null;
  const browserDir = join(options.dataDir, 'window');
  mkdirSync(browserDir, { recursive: true });
  app.setPath('userData', browserDir);
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
  const started = await startService(options, texts);
  if (!started) {
    app.exit(1);
    return;
  }
  service = started.service;
  setupEnds(started.service, options.clock, texts);
  denyPermissions(session.defaultSession, devServer);
  servePages(options.pagesDir, options.pageHeaders);
  setupIpcBridge({ transport: started.transport, contents: () => window?.webContents ?? null, devServer });
  const project = createProjectDialogs(service.core.api, () => window, texts);
  setupMenu({ texts, project, serviceUrl: service.url, hasDevTools: devServer !== null });
  window = createWindow({ ...options, devServer, statePath: join(options.dataDir, 'window.json') });
  window.once('closed', () => {
    window = null;
  });
  await showPages(window, devServer);
}

/** Everything that ends the program, and what a wake-up of the computer means to it. */
function setupEnds(service: RunningService, clock: Clock, texts: Texts): void {
  setupOrderedShutdown(clock, () => service.close());
  const onFault = (error: unknown) => {
    service.logger.error({ err: error }, 'fault outside of any request');
    showFault(texts, error);
    app.quit();
  };
  process.on('uncaughtException', onFault);
  process.on('unhandledRejection', onFault);
  watchPower(() => service.core.resume());
  void service.core.stopRequested.then(() => app.quit());
}

/** Starts the service; tells the reason when it cannot. A taken port is a question, everything else the end. */
async function startService(options: DesktopOptions, texts: Texts): Promise<WindowService | null> {
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
