import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { inRoot } from './paths.ts';
import { installPackages } from './system-packages.ts';

/** Browsers of the system. The one without a window of its own comes first: a page opens in half the processor time. */
const SYSTEM_BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Path of a browser the page tests can use: CHROMIUM, the system's, or Playwright's own; null when there is none. */
export function findBrowser(): string | null {
  const candidates = [process.env.CHROMIUM, ...SYSTEM_BROWSERS, chromium.executablePath()];
  return candidates.find((path): path is string => Boolean(path) && existsSync(path as string)) ?? null;
}

/**
 * Finds a browser, or gets one: Debian's package where this is root on Debian (the only way without Playwright's download
 * host), else Playwright's own. Answers its path, or the reason in one line.
 */
export function ensureBrowser(): { readonly path: string } | { readonly reason: string } {
  const present = findBrowser();
  if (present) return { path: present };
  console.log('Getting a browser for the page tests …');
  installPackages(['chromium-headless-shell', 'fonts-noto-cjk']);
  if (!findBrowser()) {
    const cli = inRoot('node_modules/@playwright/test/cli.js');
    spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'ignore', timeout: 180_000 });
  }
  const path = findBrowser();
  return path ? { path } : { reason: 'no browser for the page tests: install chromium, or set CHROMIUM to its path' };
}
