import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { errorCode } from './store-error.ts';

/** Name beside `target` for a file that is not ready yet; it does not clash with that of another process. */
export function unfinishedName(target: string): string {
  return `${target}.${process.pid}.new`;
}

/** Removes a file that is not needed, if it can be. What is in the way is told by whoever wants to write there. */
export function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // a name that is too long, a folder, a drive that is gone
  }
}

/**
 * Gives a finished file its name, so that a file of this name is always whole. An existing target is never replaced:
 * throws `STATE_CONFLICT`, and the unfinished file is removed.
 */
export function moveIntoPlace(unfinished: string, target: string): void {
  try {
    moveFile(unfinished, target);
  } catch (thrown) {
    if (thrown instanceof AppError) discard(unfinished);
    throw thrown;
  }
}

/** Moves a file on its drive, never over another one: throws `STATE_CONFLICT` then. It stays where it is when anything is thrown. */
export function moveFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (thrown) {
    if (errorCode(thrown) === 'EEXIST' || existsSync(to)) throw targetExists(to);
    // Drives without hard links (exFAT sticks, some shares): a rename does, there is nothing it would replace.
    renameSync(from, to);
  }
  discard(from);
  syncFolder(dirname(to));
}

/** The refusal to write over a file. */
export function targetExists(target: string): AppError {
  return new AppError('STATE_CONFLICT', say('store.target_exists', { path: target }));
}

/** Makes the new name last through a power loss; Windows does that by itself and does not open folders. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
