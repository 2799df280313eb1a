import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

const SYSTEM_CHROMIUM = '/usr/bin/chromium';
const PRINT_FREE_PORT = "const s=require('net').createServer().listen(0,'127.0.0.1',()=>{console.log(s.address().port);s.close()})";

// Workers read this file again: only the first reading makes a folder and asks the system for a port.
process.env.LOOPCHECK_E2E_DATA ??= mkdtempSync(join(tmpdir(), 'loopcheck-e2e-'));
process.env.LOOPCHECK_E2E_PORT ??= execFileSync(process.execPath, ['-e', PRINT_FREE_PORT], { encoding: 'utf8' }).trim();
const PORT = Number(process.env.LOOPCHECK_E2E_PORT);

// The browser `npm test` found; else the system's; else the one Playwright brings.
const chromium = process.env.CHROMIUM ?? (existsSync(SYSTEM_CHROMIUM) ? SYSTEM_CHROMIUM : undefined);
const node = join('node_modules', '.bin', 'node');
const isElectron = process.env.LOOPCHECK_E2E === 'electron';

export default defineConfig({
  testDir: 'e2e',
  timeout: 40_000,
  expect: { timeout: 10_000 },
  // One service for all specs: one after the other.
  workers: 1,
  forbidOnly: process.env.CI !== undefined,
  outputDir: 'test-results',
  reporter: [['list']],
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
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
  ...(isElectron
    ? {}
    : {
        webServer: {
          command: `"${node}" out/main/headless.js --demo --port ${PORT} --data "${process.env.LOOPCHECK_E2E_DATA}"`,
          url: `http://127.0.0.1:${PORT}/api/service/info`,
          reuseExistingServer: false,
          timeout: 30_000,
          gracefulShutdown: { signal: 'SIGTERM', timeout: 8000 },
        },
      }),
});
