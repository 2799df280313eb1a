import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { app, BrowserWindow, dialog, ipcMain } from 'electron';
import { z } from 'zod';
import type { ApiClient } from '#shared/client/client.ts';
import { IPC, type PrintOutcome, type RecordToPrint } from '#shared/client/window-bridge.ts';
import type { DownloadedFile } from '#shared/contract/operation.ts';
import { CHECK_RECORD_LANGUAGES } from '#shared/domain/check.ts';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { type OwnWindow, requireOwnSender } from './own-sender.ts';

const Wanted = z.object({ sessionId: z.int().min(1), lang: z.enum(CHECK_RECORD_LANGUAGES) }) satisfies z.ZodType<RecordToPrint>;

export interface RecordPrinterOptions extends OwnWindow {
  readonly api: ApiClient;
  window(): BrowserWindow | null;
  /** Title of the dialog that asks where to put the file. */
  readonly title: string;
}

/** Prints records as PDF for the pages of our window, and for nobody else. */
export function setupRecordPrinter(options: RecordPrinterOptions): void {
  ipcMain.handle(IPC.printRecord, async (event, request: unknown) => {
    requireOwnSender(event, options);
    const parsed = Wanted.safeParse(request);
    if (!parsed.success) throw new AppError('CONFIG_INVALID', say('app.window_no_request'));
    return print(options, parsed.data).catch((thrown: unknown): PrintOutcome => {
      const { code, said } = toAppError(thrown);
      return { kind: 'refused', code, said };
    });
  });
}

async function print(options: RecordPrinterOptions, { sessionId, lang }: RecordToPrint): Promise<PrintOutcome> {
  const { data } = await options.api.call('checkRecord', { session_id: sessionId, format: 'html', lang });
  const { name, bytes } = data as DownloadedFile;
  const to = await askPlace(options, name.replace(/\.html$/, '.pdf'));
  if (to === null) return { kind: 'closed' };
  await writeFile(to, await printed(bytes));
  return { kind: 'saved' };
}

async function askPlace({ window, title }: RecordPrinterOptions, name: string): Promise<string | null> {
  const parent = window();
  const begin = { title, defaultPath: join(app.getPath('documents'), name), filters: [{ name: 'PDF', extensions: ['pdf'] }] };
  const { canceled, filePath } = await (parent ? dialog.showSaveDialog(parent, begin) : dialog.showSaveDialog(begin));
  return canceled || !filePath ? null : filePath;
}

/** The pages of a record, as a hidden window prints them. It has no preload script, and the rights of a page that is not ours: none. */
async function printed(html: Uint8Array): Promise<Uint8Array> {
  const path = join(tmpdir(), `loopcheck-${randomUUID()}.html`);
  await writeFile(path, html, { mode: 0o600 });
  const hidden = new BrowserWindow({
    show: false,
    webPreferences: {
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  });
  try {
    await hidden.loadFile(path);
    await requireDrawn(hidden);
    const pdf = await hidden.webContents.printToPDF({ preferCSSPageSize: true, printBackground: true });
    // evidence is opened for paper on the way
    await requireDrawn(hidden);
    return pdf;
  } finally {
    hidden.destroy();
    await rm(path, { force: true });
  }
}

/** A script that stopped leaves a page without a word, or without evidence, which prints as well as any other. */
async function requireDrawn({ webContents }: BrowserWindow): Promise<void> {
  const isDrawn = await webContents.executeJavaScript("document.documentElement.dataset.ready === 'true'");
  if (!isDrawn) throw new AppError('INTERNAL', say('check.record_not_drawn'));
}
