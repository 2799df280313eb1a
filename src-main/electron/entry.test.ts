import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WindowBridge } from '#shared/client/window-bridge.ts';
import type { ServiceInfo } from '#shared/contract/service.ts';
import { app, resetElectron, state } from './testing/electron-stand-in.ts';

vi.mock('electron', () => import('./testing/electron-stand-in.ts'));

const argv = process.argv;
const LIMIT = { timeout: 120_000 };
let dataDir = '';

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'loopcheck-entry-'));
  resetElectron();
});

afterEach(() => {
  vi.unstubAllEnvs();
  process.argv = argv;
  for (const event of ['uncaughtException', 'unhandledRejection', 'SIGTERM', 'SIGINT']) {
    for (const listener of process.rawListeners(event)) {
      if (listener.name === 'onFault' || listener.name === 'end') process.off(event, listener as () => void);
    }
  }
  rmSync(dataDir, { recursive: true, force: true });
});

let starts = 0;

/** Runs the entry anew; the query makes it another module each time. */
async function startProgram(...args: string[]): Promise<void> {
  process.argv = ['loopcheck', ...args];
  const entry = `../index.ts?start=${++starts}`;
  await import(entry);
}

const serviceUrl = () => (JSON.parse(readFileSync(join(dataDir, 'service.json'), 'utf8')) as { url: string }).url;
const exits = () => state.calls.filter((call) => call.startsWith('app.exit'));

describe('entry of the desktop program', () => {
  it('opens a window whose pages reach the same service as scripts, and ends in order', async () => {
    await startProgram('--data', dataDir, '--port', '0');
    await vi.waitFor(() => expect(state.calls).toContain('window.loadURL:app://loopcheck/index.html'), LIMIT);
    await import('../../src-preload/index.ts');
    const bridge = state.exposed.loopcheck as WindowBridge;
    // what a page asks first brings the service
    const byWindow = await bridge.api({ method: 'GET', url: '/api/service/info' });
    const byScript = await fetch(`${serviceUrl()}/api/service/info`);
    expect(byWindow).toEqual({ status: 200, body: await byScript.json() });
    expect((byWindow.body as { data: ServiceInfo }).data.name).toBe('Loopcheck');
    app.quit();
    await vi.waitFor(() => expect(exits()).toEqual(['app.exit:0']), LIMIT);
    await expect(fetch(`${String(byScript.url)}`)).rejects.toThrow();
  });

  it('serves without a window when asked to, until the API stops it', async () => {
    vi.stubEnv('DISPLAY', ':0');
    const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
    await startProgram('--serve', '--data', dataDir, '--port', '0');
    await vi.waitFor(() => expect(printed).toHaveBeenCalledWith(expect.stringContaining('Loopcheck is listening on')), LIMIT);
    expect(state.windows).toEqual([]);
    await fetch(`${serviceUrl()}/api/service/stop`, { method: 'POST' });
    await vi.waitFor(() => expect(exits()).toEqual(['app.exit:0']), LIMIT);
    printed.mockRestore();
  });

  it.each([
    ['cannot be loaded', () => Promise.reject(new Error('no such file')), /mocking a module|no such file/],
    ['breaks where nothing else tells it', () => ({ runHeadless: () => Promise.reject(new Error('no such file')) }), /no such file/],
  ])('a service without a window that %s: says so, exit code 1', async (_what, loaded, reason) => {
    vi.stubEnv('DISPLAY', ':0');
    vi.doMock('../app/run-headless.ts', loaded);
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await startProgram('--serve', '--data', dataDir, '--port', '0');
    await vi.waitFor(() => expect(exits()).toEqual(['app.exit:1']), LIMIT);
    vi.doUnmock('../app/run-headless.ts');
    expect(printed.mock.calls.join()).toMatch(/^Loopcheck cannot go on: /);
    expect(printed.mock.calls.join()).toMatch(reason);
    expect(state.calls.filter((call) => call.startsWith('dialog.'))).toEqual([]);
    printed.mockRestore();
  });

  it.skipIf(process.platform !== 'linux')('says what to do where there is no display to serve beside, and starts nothing', async () => {
    vi.stubEnv('DISPLAY', '');
    vi.stubEnv('WAYLAND_DISPLAY', '');
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await startProgram('--serve', '--data', dataDir, '--port', '0');
    await vi.waitFor(() => expect(exits()).toEqual(['app.exit:1']), LIMIT);
    expect(printed.mock.calls.join()).toContain('headless package');
    expect(existsSync(join(dataDir, 'service.json'))).toBe(false);
    printed.mockRestore();
  });

  it('says what is wrong with its arguments, and opens nothing', async () => {
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await startProgram('--prot', '0');
    await vi.waitFor(() => expect(exits()).toEqual(['app.exit:1']), LIMIT);
    expect(printed.mock.calls.join()).toContain('--prot');
    expect(state.windows).toEqual([]);
    printed.mockRestore();
  });

  it('tells a start that failed before there was a service', async () => {
    await startProgram('--data', '/dev/null/nowhere');
    await vi.waitFor(() => expect(exits()).toEqual(['app.exit:1']), LIMIT);
    expect(state.calls.some((call) => call.startsWith('dialog.showErrorBox:Loopcheck could not start:'))).toBe(true);
  });
});
