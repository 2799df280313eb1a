import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { ipcMain } from 'electron';
import { type GivenFile, IPC } from '#shared/client/window-bridge.ts';
import { LARGEST_DOCUMENT } from '#shared/domain/documents.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { type OwnWindow, requireOwnSender } from './own-sender.ts';

export interface GivenFiles {
  /** Reads a file that the system gave the program, and hands it to the page, or to the first one that asks for it. Throws an AppError that says why it cannot be read. */
  give(path: string): Promise<void>;
}

/** Files that describe a device, on their way from the explorer of the system to the page of our window. The last one that was given counts. */
export function setupGivenFiles(window: OwnWindow): GivenFiles {
  let waiting: GivenFile | null = null;
  ipcMain.handle(IPC.takeFile, (event) => {
    requireOwnSender(event, window);
    const file = waiting;
    waiting = null;
    return file;
  });
  return {
    async give(path) {
      waiting = await readGiven(path);
      window.contents()?.send(IPC.fileGiven);
    },
  };
}

/** The whole file. Whoever can start the program chooses its path, so a pipe, a device and what never ends are refused. */
async function readGiven(path: string): Promise<GivenFile> {
  const name = basename(path);
  try {
    const facts = await stat(path);
    if (!facts.isFile()) throw new AppError('CONFIG_INVALID', say('app.given_no_file', { path }));
    const { size } = facts;
    if (size > LARGEST_DOCUMENT) throw new AppError('CONFIG_TOO_LARGE', say('service.file_large', { count: size, most: LARGEST_DOCUMENT }));
    return { name, bytes: await firstOctets(path, size) };
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown;
    const reason = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown);
    throw new AppError('CONFIG_INVALID', say('app.given_unreadable', { path, reason }), { cause: thrown });
  }
}

/** As many octets as the file had: one that grows meanwhile is not read to its end. */
async function firstOctets(path: string, size: number): Promise<Uint8Array> {
  const handle = await open(path, 'r');
  try {
    const bytes = new Uint8Array(size);
    let have = 0;
    for (;;) {
      const { bytesRead } = await handle.read(bytes, have, size - have, have);
      have += bytesRead;
      if (bytesRead === 0 || have === size) return bytes.subarray(0, have);
    }
  } finally {
    await handle.close();
  }
}
