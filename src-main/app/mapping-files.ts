import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LARGEST_PROFILE_FILE, type ListProfile } from '#shared/contract/list-operations.ts';
import { quoted, say } from '#shared/messages/index.ts';
import { isMessage, type Message } from '#shared/messages/message.ts';
import { errorCode, guarded } from '../persistence/store-error.ts';
import { writeWhole } from '../persistence/whole-file.ts';
import type { DataPaths } from '../platform/paths.ts';
import { parseProfile } from '../services/mapping-profiles/profile-text.ts';
import type { MappingFiles } from '../services/ports.ts';

const ENDING = '.mapping.json';
/** Files of the folder that are looked at: somebody may have put anything there. */
const MOST_FILES = 1_000;

/** Profiles of foreign lists as files of the data folder, one each; a file that somebody copies there is one as well. */
export function createMappingFiles({ mappingsDir }: Pick<DataPaths, 'mappingsDir'>): MappingFiles {
  const pathOf = (id: string) => join(mappingsDir, `${id}${ENDING}`);
  return {
    list() {
      const profiles: ListProfile[] = [];
      const unreadable: { file: string; reason: Message }[] = [];
      for (const file of filesOf(mappingsDir)) {
        const read = readProfile(join(mappingsDir, file));
        if (isMessage(read)) unreadable.push({ file, reason: read });
        else profiles.push({ ...read, id: file.slice(0, -ENDING.length), built_in: false });
      }
      return { profiles: profiles.sort((a, b) => (a.name < b.name ? -1 : 1)), unreadable };
    },
    write(id, text) {
      guarded(pathOf(id), () => writeWhole(pathOf(id), text));
    },
    remove(id) {
      guarded(pathOf(id), () => rmSync(pathOf(id), { force: true }));
    },
  };
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(ENDING))
      .slice(0, MOST_FILES);
  } catch {
    // there is no folder before the first profile
    return [];
  }
}

function readProfile(path: string) {
  try {
    if (statSync(path).size > LARGEST_PROFILE_FILE) return say('list.profile_too_large', { most: LARGEST_PROFILE_FILE });
    return parseProfile(readFileSync(path, 'utf8'));
  } catch (error) {
    return say('list.profile_no_file', { detail: quoted(errorCode(error)) });
  }
}
