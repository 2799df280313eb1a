import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const SYSTEM_CHROMIUM = '/usr/bin/chromium';

// The browser `npm test` found; else the system's; else the one Playwright brings.
const chromium = process.env.CHROMIUM ?? (existsSync(SYSTEM_CHROMIUM) ? SYSTEM_CHROMIUM : undefined);
const isElectron = process.env.LOOPCHECK_E2E === 'electron';

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
    viewport: { width: 1366, height: 768 },
    locale: 'en-US',
    colorScheme: 'light',
    permissions: ['clipboard-read', 'clipboard-write'],
    trace: 'retain-on-failure',
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
