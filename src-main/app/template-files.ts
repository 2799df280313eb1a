import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, guarded } from '../persistence/store-error.ts';
import { writeWhole } from '../persistence/whole-file.ts';
import type { DataPaths } from '../platform/paths.ts';
import type { TemplateFiles } from '../services/ports.ts';

const ENDING = '.device.json';
/** Files of the folder that are looked at: somebody may have put anything there. */
const MOST_FILES = 1_000;

/** Templates of devices as files of the data folder, one each; a file that somebody copies there is one as well. */
export function createTemplateFiles({ devicesDir }: Pick<DataPaths, 'devicesDir'>): TemplateFiles {
  const pathOf = (id: string) => join(devicesDir, `${id}${ENDING}`);
  return {
    list() {
      return idsOf(devicesDir).flatMap((id) => {
        const found = statSync(pathOf(id), { throwIfNoEntry: false });
        return found?.isFile() ? [{ id, octets: found.size, changedMs: found.mtimeMs }] : [];
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

function idsOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(ENDING))
      .map((name) => name.slice(0, -ENDING.length))
      .sort()
      .slice(0, MOST_FILES);
  } catch {
    // there is no folder before the first template
    return [];
  }
}
