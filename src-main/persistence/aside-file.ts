import { existsSync, readFileSync } from 'node:fs';
import { bufferPath } from './buffer/buffer-path.ts';
import { capturesPath } from './capture-folder.ts';
import { historyPath } from './history/history-path.ts';
import { discard, moveFile, targetExists } from './into-place.ts';
import type { AsideFile } from './repositories.ts';
import { toStoreError } from './store-error.ts';
import { writeWhole } from './whole-file.ts';

/** The file beside a project in which lies what had no room in it. */
export const asidePath = (project: string) => `${project}.results`;

/** What is kept beside a project. */
export function asideFile(project: string): AsideFile {
  const path = asidePath(project);
  return {
    path,
    read() {
      try {
        return existsSync(path) ? readFileSync(path, 'utf8') : null;
      } catch (thrown) {
        throw toStoreError(path, thrown);
      }
    },
    write(text) {
      try {
        writeWhole(path, text);
      } catch (thrown) {
        throw toStoreError(path, thrown);
      }
    },
    remove: () => discard(path),
  };
}

/** Moves a project with what lies beside it; all stay where they are when anything is thrown. Throws `STATE_CONFLICT` where something lies beside the new name. */
export function withAside(from: string, to: string, moveProjectFile: () => void): void {
  const beside = [asidePath, historyPath, bufferPath, capturesPath].map((pathOf) => ({ from: pathOf(from), to: pathOf(to) }));
  for (const file of beside) if (existsSync(file.to)) throw targetExists(file.to);
  const moved: typeof beside = [];
  try {
    for (const file of beside.filter((one) => existsSync(one.from))) {
      moveFile(file.from, file.to);
      moved.push(file);
    }
    moveProjectFile();
  } catch (thrown) {
    for (const file of moved) moveFile(file.to, file.from);
    throw thrown;
  }
}
