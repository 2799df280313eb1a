import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WebContents } from 'electron';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IPC } from '#shared/client/window-bridge.ts';
import { setupGivenFiles } from './given-files.ts';
import { resetElectron, state } from './testing/electron-stand-in.ts';

vi.mock('electron', () => import('./testing/electron-stand-in.ts'));

let dir = '';
let sent: string[] = [];
beforeEach(() => {
  resetElectron();
  dir = mkdtempSync(join(tmpdir(), 'loopcheck-given-'));
  sent = [];
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A window that shows `url`, and what its page gets when it asks. */
function aWindow(url = 'app://loopcheck/index.html') {
  const mainFrame = { url };
  const contents = { mainFrame, send: (channel: string) => sent.push(channel) };
  const files = setupGivenFiles({ contents: () => contents as unknown as WebContents, devServer: null });
  const take = () => (state.ipcHandlers.get(IPC.takeFile) as (event: unknown) => unknown)({ sender: contents, senderFrame: mainFrame });
  return { files, take };
}

function aFile(name: string, text: string): string {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
}

describe('a file that the program was given', () => {
  it('waits for the page as it is, and is taken once', async () => {
    const { files, take } = aWindow();
    expect(take()).toBeNull();
    await files.give(aFile('站 3.scd', '<SCL/>'));
    expect(sent).toEqual([IPC.fileGiven]);
    expect(take()).toEqual({ name: '站 3.scd', bytes: new TextEncoder().encode('<SCL/>') });
    expect(take()).toBeNull();
  });

  it('gives way to the next one; an empty one is a file', async () => {
    const { files, take } = aWindow();
    await files.give(aFile('a.scd', '<SCL/>'));
    await files.give(aFile('b.scd', ''));
    expect(take()).toEqual({ name: 'b.scd', bytes: new Uint8Array() });
  });

  it('is for the pages of our window alone', async () => {
    const { files, take } = aWindow('https://elsewhere.example/');
    await files.give(aFile('a.scd', '<SCL/>'));
    expect(take).toThrow(expect.objectContaining({ code: 'ACCESS_ORIGIN' }));
  });

  it.each([
    ['one that is gone', () => join(dir, 'gone.scd'), 'ENOENT'],
    [
      'a folder',
      () => {
        mkdirSync(join(dir, 'folder.scd'));
        return join(dir, 'folder.scd');
      },
      'is no file',
    ],
    [
      'one of more octets than are taken',
      () => {
        const path = aFile('large.scd', '');
        truncateSync(path, 33_554_433);
        return path;
      },
      'at most 33554432 are taken',
    ],
  ])('is refused in words, and nothing waits: %s', async (_what, path, words) => {
    const { files, take } = aWindow();
    await expect(files.give(path())).rejects.toThrow(words);
    expect([take(), sent]).toEqual([null, []]);
  });

  it.runIf(process.platform !== 'win32')('is refused at once where it would never end, or never begin', async () => {
    execFileSync('mkfifo', [join(dir, 'pipe.scd')]);
    const { files } = aWindow();
    for (const path of ['/dev/zero', join(dir, 'pipe.scd')]) await expect(files.give(path)).rejects.toThrow('is no file');
  });
});
