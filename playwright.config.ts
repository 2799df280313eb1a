import { defineConfig } from '@playwright/test';
import { findBrowser } from './tools/lib/browser.ts';
import { keepTestFilesInMemory } from './tools/lib/memory-folder.ts';

keepTestFilesInMemory();

const isElectron = process.env.LOOPCHECK_E2E === 'electron';
const chromium = isElectron ? null : findBrowser();

export default defineConfig({
  testDir: 'e2e',
  // Limits are for what hangs: every wait of a spec is for a state, however long a busy computer takes to it.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  // Each worker has a service of its own. Windows share one screen, and its focus.
  workers: isElectron ? 1 : 2,
  forbidOnly: process.env.CI !== undefined,
  outputDir: 'test-results',
  reporter: [['list']],
  use: {
    // Specs load the page anew and find nothing that was stored; what the browser has compiled stays, which is most of an opening.
    reuseContext: true,
    viewport: { width: 1366, height: 768 },
    locale: 'en-US',
    colorScheme: 'light',
    contextOptions: { reducedMotion: 'reduce' },
    permissions: ['clipboard-read', 'clipboard-write'],
    // A trace of every step would take as long as the steps. What a failed spec leaves is its last screen, as picture and as text.
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
