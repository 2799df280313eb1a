import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base, type ElectronApplication, _electron as electron, expect, type Page } from '@playwright/test';
import { Screen } from './screen.ts';
import { startService } from './service.ts';
import { browserSurroundings, desktopSurroundings } from './surroundings.ts';

const ROOT = join(import.meta.dirname, '..');
/** A start with the demo takes seconds; this is for what hangs. */
const START_MS = 180_000;

/** What a page must never say: errors of scripts, errors in the console, violations of the content security policy. */
function watch(page: Page): () => void {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    // A refused request is an answer the specs ask for; the browser writes it into the console by itself.
    if (message.text().startsWith('Failed to load resource') && message.location().url.includes('/api/')) return;
    problems.push(`console: ${message.text()} (${message.location().url})`);
  });
  return () => expect(problems).toEqual([]);
}

interface TestFixtures {
  /** The pages, opened in English and watched for problems, which fail the spec at its end. */
  readonly view: Screen;
}

interface WorkerOptions {
  /** A name of its own for a file that leaves the plant otherwise than it was: the service behind it is used by no other file. */
  readonly plant: string;
}
const withPlant = base.extend<object, WorkerOptions>({ plant: ['', { option: true, scope: 'worker' }] });

/** Pages in a browser: one service for all specs of a worker. */
const inBrowser = withPlant.extend<TestFixtures, { readonly serviceUrl: string }>({
  serviceUrl: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures out of this pattern
    async ({}, use) => {
      const service = await startService();
      await use(service.url);
      await service.stop();
    },
    { scope: 'worker', timeout: START_MS },
  ],
  baseURL: ({ serviceUrl }, use) => use(serviceUrl),
  view: async ({ page }, use) => {
    const check = watch(page);
    const view = new Screen(page, true, browserSurroundings(page));
    await view.open();
    await use(view);
    check();
  },
});

/** Pages in the desktop window: one program for all specs of a worker, and no browser beside it. */
const inWindow = withPlant.extend<TestFixtures, { readonly desktop: ElectronApplication }>({
  desktop: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const executablePath = process.env.LOOPCHECK_ELECTRON;
      if (!executablePath) throw new Error('LOOPCHECK_ELECTRON names no program; run: npm run e2e:electron');
      const folder = mkdtempSync(join(tmpdir(), 'loopcheck-e2e-'));
      const args = ['.', '--demo', '--port', '0', '--data', folder];
      const app = await electron.launch({ executablePath, args, cwd: ROOT, timeout: 100_000 });
      const window = await app.firstWindow({ timeout: 90_000 });
      // The window shows before the service stands, and the demo comes last.
      await window.locator('[data-channel="Demo 61850 client"]').waitFor({ timeout: START_MS });
      await use(app);
      // Closing the window would ask what to do with all that runs; a stop by the API asks nobody.
      const ended = once(app.process(), 'exit');
      await window.evaluate("void window.loopcheck.api({ method: 'POST', url: '/api/service/stop' })");
      const [code] = await ended;
      if (code !== 0) throw new Error(`the desktop program ended with ${code}`);
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 2 * START_MS },
  ],
  view: async ({ desktop }, use) => {
    const page = await desktop.firstWindow();
    const check = watch(page);
    const view = new Screen(page, false, desktopSurroundings(desktop));
    await view.open();
    await use(view);
    check();
  },
});

/** Playwright's `test` with the pages already open: in a browser, or in the desktop window with LOOPCHECK_E2E=electron. */
export const test = process.env.LOOPCHECK_E2E === 'electron' ? (inWindow as unknown as typeof inBrowser) : inBrowser;

export { expect };
