import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, type ElectronApplication, _electron as electron, expect, type Page } from '@playwright/test';
import { Screen } from './screen.ts';

const ROOT = join(import.meta.dirname, '..');

/** The Electron program where one was installed; null where only the npm package is there. */
function electronBinary(): string | null {
  const folder = join(ROOT, 'node_modules', 'electron');
  const note = join(folder, 'path.txt');
  if (!existsSync(note)) return null;
  const binary = join(folder, 'dist', readFileSync(note, 'utf8').trim());
  return existsSync(binary) ? binary : null;
}

/** The desktop window is asked for and there is a program to open it. */
function desktopBinary(): string | null {
  return process.env.LOOPCHECK_E2E === 'electron' ? electronBinary() : null;
}

/** What a page must never say: errors of scripts, errors in the console, violations of the content security policy. */
function watch(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    // A refused request is an answer the specs ask for; the browser writes it into the console by itself.
    if (message.text().startsWith('Failed to load resource') && message.location().url.includes('/api/')) return;
    problems.push(`console: ${message.text()} (${message.location().url})`);
  });
  return problems;
}

interface WorkerFixtures {
  /** The desktop application, one for all specs of a worker; null in the browser. */
  readonly desktop: ElectronApplication | null;
}

interface TestFixtures {
  /** The window with the pages, opened in English and watched for problems, which fail the spec at its end. */
  readonly view: Screen;
}

/** Playwright's `test` with the pages already open: in a browser, or in the desktop window with LOOPCHECK_E2E=electron. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  desktop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures out of this pattern
    async ({}, use) => {
      const executablePath = desktopBinary();
      if (!executablePath) return use(null);
      const args = ['.', '--demo', '--port', '0', '--data', process.env.LOOPCHECK_E2E_DATA ?? ''];
      const app = await electron.launch({ executablePath, args, cwd: ROOT });
      await use(app);
      await app.close();
    },
    { scope: 'worker' },
  ],
  view: async ({ desktop, page }, use) => {
    const window = desktop ? await desktop.firstWindow() : page;
    const problems = watch(window);
    const view = new Screen(window, desktop === null);
    await view.open();
    await use(view);
    expect(problems).toEqual([]);
  },
});

export { expect };
