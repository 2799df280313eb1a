import { accessSync, constants, existsSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { say } from '#shared/messages/index.ts';
import { targetExists } from './into-place.ts';
import { errorCode, storeError, toStoreError } from './store-error.ts';

/** Sees that a new file of this name can be made. Throws `STATE_CONFLICT` where there is one, `STATE_STORE` for a folder of this name and as `requireFolder`. */
export function requireNewPlace(path: string): void {
  if (existsSync(path)) throw statSync(path).isDirectory() ? storeError(path, say('store.folder')) : targetExists(path);
  requireFolder(path);
}

/** Throws `STATE_STORE` where the folder of this file is not there, is a file, or cannot be written to. */
export function requireFolder(path: string): void {
  const folder = dirname(path);
  const stats = statsOf(path, folder);
  if (!stats) throw storeError(path, say('store.no_parent', { folder }));
  if (!stats.isDirectory()) throw storeError(path, say('store.parent_file', { folder }));
  try {
    accessSync(folder, constants.W_OK);
  } catch (thrown) {
    throw toStoreError(path, thrown);
  }
}

function statsOf(path: string, folder: string): Stats | undefined {
  try {
    return statSync(folder, { throwIfNoEntry: false });
  } catch (thrown) {
    // a file in the place of a folder further up
    if (errorCode(thrown) === 'ENOTDIR') throw storeError(path, say('store.no_parent', { folder }), thrown);
    throw toStoreError(path, thrown);
  }
}
