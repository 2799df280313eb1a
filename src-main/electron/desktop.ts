import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, type BrowserWindow, session } from 'electron';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { inDataFolder } from '../app/data-folder.ts';
import type { Clock } from '../platform/clock.ts';
import { dataPaths } from '../platform/paths.ts';
import { within } from '../platform/within.ts';
import type { OpenedFile } from './arguments.ts';
import { readBusy } from './busy.ts';
import { setupClosing } from './closing.ts';
import {
  askForFreePort,
  createProjectChooser,
  createProjectDialogs,
  type ProjectDialogs,
  showRefusal,
  showStartFailure,
} from './dialogs.ts';
import { setupDownloads } from './downloads.ts';
import { setupFaults } from './faults.ts';
import { type GivenFiles, setupGivenFiles } from './given-files.ts';
import { setupIpcBridge } from './ipc-bridge.ts';
import { showMenu } from './menu.ts';
import { setupPageMenu } from './page-menu.ts';
import { setupPageRecovery } from './page-recovery.ts';
import { isOwnPage, registerPageScheme, servePages } from './pages.ts';
import { watchPower } from './power.ts';
import { setupRecordPrinter } from './record-printer.ts';
import { denyPermissions, hardenContents } from './security.ts';
import { ServiceBehind, type WindowService } from './service-behind.ts';
import { type ProgramEnd, setupOrderedShutdown } from './shutdown.ts';
import { claimSingleInstance } from './single-instance.ts';
import { type Texts, textsFor } from './texts.ts';
import { createTrayKeeper } from './tray.ts';
import { createWindow, focusWindow, showPages } from './window.ts';

/** The service waits for the first request of the page so long: what loads it and opens a project file keeps the page from being loaded. */
const PAGE_FIRST_MS = 3000;

export interface DesktopOptions {
  readonly clock: Clock;
  /** Folder of our data; the browser's own files go into a folder below it. */
  readonly dataDir: string;
  readonly pagesDir: string;
  readonly pageHeaders: Readonly<Record<string, string>>;
  readonly preloadPath: string;
  readonly iconPath: string | null;
  /** File of a device that this start was given, to make a channel of; null: none. */
  readonly deviceFile: string | null;
  /** Address of the development server; ignored in a packaged program. */
  readonly devServer: string | null;
  /** Builds and starts the service; `port` overrides the configured one. */
  startService(override: { readonly port?: number }): Promise<WindowService>;
}

/** What every part of the running window needs. */
interface Surroundings {
  readonly clock: Clock;
  readonly texts: Texts;
  readonly end: ProgramEnd;
  readonly crashFile: string;
  readonly behind: ServiceBehind;
}

/** Runs the program with its window. Resolves when the service stands behind it, or when the program is about to end without one. */
export async function runDesktop(asked: DesktopOptions): Promise<void> {
  const options = { ...asked, devServer: app.isPackaged ? null : asked.devServer };
  const { clock, dataDir, devServer } = options;
  let window: BrowserWindow | null = null;
  const browserDir = join(dataDir, 'window');
  inDataFolder(dataDir, () => mkdirSync(browserDir, { recursive: true }));
  app.setPath('userData', browserDir);
  let project: ProjectDialogs | null = null;
  let given: GivenFiles | null = null;
  const refuse = (error: unknown) => showRefusal(window, textsFor(app.getPreferredSystemLanguages()), error);
  const giveDevice = (path: string) => void given?.give(path).catch(refuse);
  const onSecondStart = (file: OpenedFile | null) => {
    if (!window) return;
    focusWindow(window);
    if (file?.kind === 'project') void project?.openGiven(file.path);
    else if (file?.kind === 'device') giveDevice(file.path);
    else if (file) void refuse(new AppError('CONFIG_INVALID', say('app.given_elsewhere', { path: file.path })));
  };
  if (!claimSingleInstance(onSecondStart)) {
    app.quit();
    return;
  }
  const behind = new ServiceBehind();
  registerPageScheme();
  hardenContents({ devServer, serviceUrl: () => behind.service?.url ?? null });
  await app.whenReady();
  const texts = textsFor(app.getPreferredSystemLanguages());
  const end = setupOrderedShutdown(clock, behind);
  const crashFile = join(dataPaths(dataDir).logDir, 'crash.log');
  const all: Surroundings = { clock, texts, end, crashFile, behind };
  setupFaults({ ...all, logger: () => behind.service?.logger ?? null });
  setupSession(options, texts);
  given = setupGivenFiles({ contents: () => window?.webContents ?? null, devServer });
  if (options.deviceFile !== null) giveDevice(options.deviceFile);
  const chooseProject = createProjectChooser(() => window, texts);
  setupIpcBridge({ transport: behind.transport, contents: () => window?.webContents ?? null, devServer, chooseProject });
  setupRecordPrinter({
    contents: () => window?.webContents ?? null,
    devServer,
    api: behind.api,
    window: () => window,
    title: texts.saveFile,
  });
  project = createProjectDialogs(behind.api, chooseProject, () => window, texts);
  const menu = {
    project,
    serviceUrl: () => behind.service?.url ?? null,
    hasDevTools: devServer !== null,
  };
  showMenu(menu, texts, []);
  setupPageMenu({
    contents: () => window?.webContents ?? null,
    devServer,
    show: (language, groups) => showMenu(menu, textsFor([language]), groups),
  });
  const opened = openWindow(options, all);
  // before the page has been loaded: it asks while it is
  window = opened.window;
  window.once('closed', () => {
    window = null;
  });
  await opened.first;
  if (!end.isDecided) await startBehind(options, all, opened.window);
}

/** What the pages may do, and where they come from. */
function setupSession({ devServer, pagesDir, pageHeaders }: DesktopOptions, texts: Texts): void {
  denyPermissions(session.defaultSession, devServer);
  setupDownloads(session.defaultSession, { isOwnPage: (url) => isOwnPage(url, devServer), title: texts.saveFile });
  servePages(pagesDir, pageHeaders);
}

/** Opens the window; `first` settles when its page has asked something, cannot be loaded, or was waited for long enough. */
function openWindow(options: DesktopOptions, all: Surroundings): { readonly window: BrowserWindow; readonly first: Promise<boolean> } {
  const { behind } = all;
  const window = createWindow({ ...options, statePath: join(options.dataDir, 'window.json') });
  const tellPageFailed = setupPageRecovery(window, all);
  setupClosing(window, {
    ...all,
    busy: async () => (behind.service ? readBusy(behind.api) : { tasks: 0, devices: 0, results: 0 }),
    keepRunning: createTrayKeeper(window, { ...all, iconPath: options.iconPath }),
  });
  const failed = showPages(window, options.devServer).then(() => behind.asked, tellPageFailed);
  return { window, first: within(all.clock, PAGE_FIRST_MS, Promise.race([behind.asked, failed])) };
}

/** Starts the service behind the window, and hears what it and the computer say about its end. */
async function startBehind(options: DesktopOptions, { behind, end, texts }: Surroundings, window: BrowserWindow): Promise<void> {
  const service = await behind.start(() => startService(options, window, texts));
  if (!service) {
    app.exit(1);
    return;
  }
  watchPower({ core: service.core, logger: service.logger, onShutdown: () => end.end() });
  void service.core.stopRequested.then(() => end.end());
}

/** Starts the service; tells the reason when it cannot. A taken port is a question, everything else the end. */
async function startService(options: DesktopOptions, window: BrowserWindow, texts: Texts): Promise<WindowService | null> {
  try {
    return await options.startService({});
  } catch (error) {
    const reason = toAppError(error);
    if (reason.code !== 'TRANSPORT_PORT_TAKEN') {
      await showStartFailure(texts, reason);
      return null;
    }
    if (!(await askForFreePort(window, texts, reason))) return null;
  }
  try {
    return await options.startService({ port: 0 });
  } catch (error) {
    await showStartFailure(texts, error);
    return null;
  }
}
