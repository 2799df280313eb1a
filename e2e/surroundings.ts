import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';

const ROOT = join(import.meta.dirname, '..');

export interface DownloadedFile {
  readonly name: string;
  readonly bytes: Buffer<ArrayBuffer>;
}

/** What lies outside a page: it is reached in one way in a browser, in another in the desktop window. */
export interface Surroundings {
  /** Text that was copied last. */
  clipboard(): Promise<string>;
  /** Copies a text, as another program does. */
  copy(text: string): Promise<void>;
  /** The file that `start` makes the page save. */
  download(start: () => Promise<void>): Promise<DownloadedFile>;
  /** The next file choosers of the system answer with this path; a browser has none. */
  choose(path: string): Promise<void>;
  /** Opens a file with the program, as a double click of the system does; a browser page is given none. */
  open(path: string): Promise<void>;
}

export function browserSurroundings(page: Page): Surroundings {
  return {
    clipboard: async () => String(await page.evaluate('navigator.clipboard.readText()')),
    copy: async (text) => void (await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)),
    async download(start) {
      const [file] = await Promise.all([page.waitForEvent('download'), start()]);
      return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
    },
    choose: async () => {},
    open: async () => {},
  };
}

/** In the main process: where the end of the next download is told. */
interface WithDownload {
  nextDownload?: Promise<string>;
}

export function desktopSurroundings(app: ElectronApplication): Surroundings {
  const folder = mkdtempSync(join(tmpdir(), 'loopcheck-downloads-'));
  let count = 0;
  return {
    clipboard: () => app.evaluate(({ clipboard }) => clipboard.readText()),
    copy: (text) => app.evaluate(({ clipboard }, written) => clipboard.writeText(written), text),
    async download(start) {
      const path = join(folder, String(++count));
      // A path that is set already keeps the window from asking for one.
      await app.evaluate(({ session }, place) => {
        (globalThis as WithDownload).nextDownload = new Promise((resolve, reject) => {
          session.defaultSession.once('will-download', (_event, item) => {
            item.setSavePath(place);
            item.once('done', (_done, state) => (state === 'completed' ? resolve(item.getFilename()) : reject(new Error(state))));
          });
        });
      }, path);
      await start();
      const name = await app.evaluate(() => (globalThis as WithDownload).nextDownload ?? '');
      return { name, bytes: await readFile(path) };
    },
    choose: (path) =>
      app.evaluate(({ dialog }, chosen) => {
        dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
        dialog.showSaveDialog = async () => ({ canceled: false, filePath: chosen });
      }, path),
    async open(path) {
      // the second start gives the file to the first one, and ends
      const data = dirname(await app.evaluate(({ app: first }) => first.getPath('userData')));
      const second = spawn(app.process().spawnfile, ['.', '--data', data, path], { cwd: ROOT, stdio: 'inherit' });
      await once(second, 'exit');
      if (second.exitCode !== 0) throw new Error(`the second start ended with ${second.exitCode}`);
    },
  };
}
