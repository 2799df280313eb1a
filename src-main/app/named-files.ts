import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, guarded } from '../persistence/store-error.ts';
import { writeWhole } from '../persistence/whole-file.ts';
import type { NamedFiles } from '../services/ports.ts';

/** Files of the folder that are looked at: somebody may have put anything there. */
const MOST_FILES = 1_000;

/** Files of one kind in a folder of the data folder; one that somebody copies there is one as well. */
export function createNamedFiles(folder: string, ending: string): NamedFiles {
  const pathOf = (id: string) => join(folder, `${id}${ending}`);
  return {
    list() {
      return idsOf(folder, ending).flatMap((id) => {
        const found = statSync(pathOf(id), { throwIfNoEntry: false });
        return found?.isFile() ? [{ id, file: `${id}${ending}`, octets: found.size, changedMs: found.mtimeMs }] : [];
      });
    },
    read(id) {
      try {
        return { octets: readFileSync(pathOf(id)) };
      } catch (error) {
        return { code: errorCode(error) };
      }
    },
    write(id, text) {
      guarded(pathOf(id), () => writeWhole(pathOf(id), text));
    },
    remove(id) {
      guarded(pathOf(id), () => rmSync(pathOf(id), { force: true }));
    },
  };
}

function idsOf(folder: string, ending: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(ending))
      .map((name) => name.slice(0, -ending.length))
      .sort()
      .slice(0, MOST_FILES);
  } catch {
    // there is no folder before the first file
    return [];
  }
}
