import { existsSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { say } from '#shared/messages/index.ts';
import { withAside } from './aside-file.ts';
import { checkFile, walSize } from './file-check.ts';
import { moveFile } from './into-place.ts';
import { migrations } from './migrations/index.ts';
import { requireNewPlace } from './new-place.ts';
import type { CopyCheck } from './open-file.ts';
import { storeError, toStoreError } from './store-error.ts';

/**
 * Gives a closed project file another name or place on its drive. Throws `STATE_CONFLICT` for a name that is taken, `STATE_STORE` for another drive and
 * everything else that is in the way; the file is under its old name then.
 */
export function moveProject(from: string, to: string): void {
  requireNewPlace(to);
  // what is confirmed lies in the log as well, and would stay behind
  if (walSize(from) > 0) throw storeError(from, say('store.log_left'));
  attempt(to, () => withAside(from, to, () => moveFile(from, to)));
}

/** Sees that a file can get this name by a rename. Throws `STATE_STORE` for another drive. */
export function requireSameDrive(from: string, to: string): void {
  const drive = (path: string) => statSync(dirname(path)).dev;
  if (attempt(to, () => drive(from) !== drive(to))) throw storeError(to, say('store.other_drive'));
}

/** A project file in its place. */
export interface PlacedProject {
  readonly path: string;
  readonly sizeBytes: number;
}

/**
 * Gives a file that arrived as `name` a place in `folder`, once it is found to be a sound project of a version that is known. A taken name gets a
 * number. Throws `STATE_STORE` for a file that is none.
 */
export async function placeProject(draft: string, folder: string, name: string, isSound: CopyCheck): Promise<PlacedProject> {
  checkFile(draft, migrations.length, name);
  if (!(await isSound(draft))) throw storeError(name, say('store.damaged'));
  const ending = extname(name);
  const plain = basename(name, ending);
  for (let number = 1; ; number++) {
    const path = join(folder, `${plain}${number === 1 ? '' : `-${number}`}${ending}`);
    if (existsSync(path)) continue;
    const sizeBytes = statSync(draft).size;
    if (attempt(path, () => place(draft, path))) return { path, sizeBytes };
  }
}

/** False when somebody took the name meanwhile. */
function place(draft: string, path: string): boolean {
  try {
    moveFile(draft, path);
    return true;
  } catch (thrown) {
    if (existsSync(draft) && existsSync(path)) return false;
    throw thrown;
  }
}

function attempt<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (thrown) {
    throw toStoreError(path, thrown);
  }
}
