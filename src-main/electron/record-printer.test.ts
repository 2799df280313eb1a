import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ApiReply, type ApiRequest, createClient } from '#shared/client/client.ts';
import { IPC } from '#shared/client/window-bridge.ts';
import { BrowserWindow, resetElectron, state } from './testing/electron-stand-in.ts';

vi.mock('electron', () => import('./testing/electron-stand-in.ts'));
const { setupRecordPrinter } = await import('./record-printer.ts');

const asked: ApiRequest[] = [];
let folder = '';
let window: BrowserWindow;

/** Files of records that lie in the temporary folder. */
const drafts = () => readdirSync(tmpdir()).filter((name) => /^loopcheck-[0-9a-f-]{36}\.html$/.test(name));
let before: readonly string[] = [];

const RECORD = { status: 200, body: null, file: { name: '会话.html', mediaType: 'text/html', bytes: Buffer.from('<p>the record</p>') } };
let answer: ApiReply = RECORD;

beforeEach(async () => {
  resetElectron();
  asked.length = 0;
  folder = mkdtempSync(join(tmpdir(), 'loopcheck-print-'));
  before = drafts();
  answer = RECORD;
  window = new BrowserWindow({});
  await window.loadURL('app://loopcheck/index.html');
  const api = createClient(async (request) => {
    asked.push(request);
    return answer;
  });
  const contents = () => window.webContents;
  setupRecordPrinter({ contents, window: () => window, devServer: null, api, title: 'Save' } as never);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function print(sent: unknown, from = window.webContents): Promise<unknown> {
  const handler = state.ipcHandlers.get(IPC.printRecord) as ((...args: unknown[]) => unknown) | undefined;
  return Promise.resolve().then(() => handler?.({ sender: from, senderFrame: from.mainFrame }, sent));
}

describe('printing a record', () => {
  it('writes the PDF of its HTML to the place that was chosen, and leaves no window and no file behind', async () => {
    state.chosenPath = join(folder, 'a.pdf');
    expect(await print({ sessionId: 3, lang: 'zh' })).toEqual({ kind: 'saved' });
    expect(readFileSync(state.chosenPath, 'utf8')).toBe('PDF of <p>the record</p> with {"preferCSSPageSize":true,"printBackground":true}');
    expect(asked.map(({ url }) => url)).toEqual(['/api/check/record?session_id=3&format=html&lang=zh']);
    expect([state.windows.length, drafts()]).toEqual([1, before]);
  });

  it('shows the record to a window that is never seen and has no way to the program', async () => {
    state.chosenPath = join(folder, 'a.pdf');
    const made: BrowserWindow[] = [];
    const push = vi.spyOn(state.windows, 'push').mockImplementation((...all) => made.push(...all));
    await print({ sessionId: 3, lang: 'en' });
    push.mockRestore();
    expect(made.map(({ options }) => options)).toMatchObject([
      { show: false, webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false } },
    ]);
    expect(made[0]?.options.webPreferences).not.toHaveProperty('preload');
    expect(state.calls).not.toContain('window.show');
  });

  it('does nothing when no place was chosen, and nothing is left when it fails', async () => {
    expect(await print({ sessionId: 3, lang: 'en' })).toEqual({ kind: 'closed' });
    state.chosenPath = join(folder, 'b.pdf');
    state.loadFailure = 'ERR_FAILED';
    expect(await print({ sessionId: 3, lang: 'en' })).toMatchObject({
      kind: 'refused',
      code: 'INTERNAL',
      said: { params: { text: 'ERR_FAILED' } },
    });
    expect([existsSync(state.chosenPath), state.windows.length, drafts()]).toEqual([false, 1, before]);
  });

  it('writes no empty PDF where the record was not drawn', async () => {
    state.chosenPath = join(folder, 'd.pdf');
    state.pageAnswer = false;
    expect(await print({ sessionId: 3, lang: 'en' })).toEqual({
      kind: 'refused',
      code: 'INTERNAL',
      said: { code: 'check.record_not_drawn', params: {} },
    });
    expect([existsSync(state.chosenPath), state.windows.length, drafts()]).toEqual([false, 1, before]);
  });

  it('writes no PDF either where the evidence could not be opened for paper', async () => {
    state.chosenPath = join(folder, 'e.pdf');
    state.failsOnPaper = true;
    expect(await print({ sessionId: 3, lang: 'en' })).toMatchObject({ kind: 'refused', code: 'INTERNAL' });
    expect([existsSync(state.chosenPath), state.windows.length, drafts()]).toEqual([false, 1, before]);
  });

  it('says why the service made no record, with code and words', async () => {
    state.chosenPath = join(folder, 'f.pdf');
    answer = { status: 409, body: { error: 'STATE_CONFLICT', message: 'It is not built.', message_code: 'check.no_viewer', params: {} } };
    expect(await print({ sessionId: 3, lang: 'en' })).toEqual({
      kind: 'refused',
      code: 'STATE_CONFLICT',
      said: { code: 'check.no_viewer', params: {} },
    });
    expect(existsSync(state.chosenPath)).toBe(false);
  });

  it('is refused to other pages, and for what is no request', async () => {
    state.chosenPath = join(folder, 'c.pdf');
    const foreign = new BrowserWindow({}).webContents;
    await expect(print({ sessionId: 3, lang: 'en' }, foreign)).rejects.toMatchObject({ code: 'ACCESS_ORIGIN' });
    for (const wrong of [null, { sessionId: 0, lang: 'en' }, { sessionId: 3, lang: 'fr' }, { sessionId: '3', lang: 'en' }]) {
      await expect(print(wrong)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    }
    expect([asked, existsSync(state.chosenPath)]).toEqual([[], false]);
  });
});
