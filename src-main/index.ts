import { join, resolve } from 'node:path';
import { app } from 'electron';
import { CommandLineEnd, parseCommandLine } from './app/command-line.ts';
import { readArguments } from './electron/arguments.ts';
import { runDesktop } from './electron/desktop.ts';
import { showStartFailure } from './electron/dialogs.ts';
import { textsFor } from './electron/texts.ts';
import { PAGE_HEADERS } from './http/security-headers.ts';
import { defaultDataDir } from './platform/paths.ts';
import { systemClock } from './platform/system-clock.ts';

const pagesDir = join(import.meta.dirname, '../renderer');
const viewDir = join(import.meta.dirname, '../record');
const demoDir = join(import.meta.dirname, '../demo');
const { isServe, args, device } = readArguments(process.argv, app.isPackaged);

// No await at this level: the app is not ready before this module has ended.
if (isServe && !hasDisplay()) {
  process.stderr.write(
    'Without a display Electron does not start, not even to serve. Use the headless package of Loopcheck, or xvfb-run.\n',
  );
  app.exit(1);
} else if (isServe)
  void serve()
    .catch(told)
    .then((code) => app.exit(code));
else void openDesktop().catch(end);

/** Ends a start that asked for no window (help, a wrong option) or that failed before anything could tell it. */
function end(error: unknown): void {
  if (error instanceof CommandLineEnd) {
    app.exit(error.exitCode);
    return;
  }
  void showStartFailure(textsFor(app.getPreferredSystemLanguages()), error).finally(() => app.exit(1));
}

/** Says what nothing of the service could tell, because it was not loaded or broke; answers the exit code. */
function told(error: unknown): number {
  process.stderr.write(`Loopcheck cannot go on: ${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
}

/** False on a Linux without a screen: Electron would end there by a fault, some seconds after the service came up. */
function hasDisplay(): boolean {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

async function serve(): Promise<number> {
  const { runHeadless } = await import('./app/run-headless.ts');
  return runHeadless({ pagesDir, viewDir, demoDir }, args);
}

async function openDesktop(): Promise<void> {
  const options = parseCommandLine(args, process.env, {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  });
  const dataDir = resolve(options.data ?? defaultDataDir());
  const devServer = process.env.ELECTRON_RENDERER_URL ?? null;
  await runDesktop({
    clock: systemClock,
    dataDir,
    pagesDir,
    pageHeaders: PAGE_HEADERS,
    preloadPath: join(import.meta.dirname, '../preload/index.cjs'),
    iconPath: join(import.meta.dirname, '../../resources/icons/icon.png'),
    devServer,
    deviceFile: device,
    async startService(override) {
      // The window shows what it has before the service is loaded.
      const [{ startService }, { makeBridge }] = await Promise.all([import('./app/start-service.ts'), import('./http/bridge.ts')]);
      const extraOrigins = devServer && !app.isPackaged ? [new URL(devServer).origin] : [];
      const service = await startService({ ...options, ...override, dataDir, pagesDir, viewDir, demoDir, extraOrigins });
      return { service, transport: makeBridge(service.core.fastify) };
    },
  });
}
