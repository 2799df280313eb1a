import { LARGEST_PROFILE_FILE, type ListProfile } from '#shared/contract/list-operations.ts';
import { quoted, say } from '#shared/messages/index.ts';
import { isMessage, type Message } from '#shared/messages/message.ts';
import type { DataPaths } from '../platform/paths.ts';
import { parseProfile } from '../services/mapping-profiles/profile-text.ts';
import type { MappingFiles, NamedFiles } from '../services/ports.ts';
import { createNamedFiles } from './named-files.ts';

/** Profiles of foreign lists as files of the data folder, one each. */
export function createMappingFiles({ mappingsDir }: Pick<DataPaths, 'mappingsDir'>): MappingFiles {
  const files = createNamedFiles(mappingsDir, '.mapping.json');
  return {
    list() {
      const profiles: ListProfile[] = [];
      const unreadable: { id: string; file: string; reason: Message }[] = [];
      for (const { id, file, octets } of files.list()) {
        const read = readProfile(files, id, octets);
        if (isMessage(read)) unreadable.push({ id, file, reason: read });
        else profiles.push({ ...read, id, built_in: false });
      }
      return { profiles: profiles.sort((a, b) => (a.name < b.name ? -1 : 1)), unreadable };
    },
    write: files.write,
    remove: files.remove,
  };
}

function readProfile(files: NamedFiles, id: string, octets: number) {
  if (octets > LARGEST_PROFILE_FILE) return say('list.profile_too_large', { most: LARGEST_PROFILE_FILE });
  const read = files.read(id);
  if ('code' in read) return say('list.profile_no_file', { detail: quoted(read.code) });
  return parseProfile(new TextDecoder().decode(read.octets));
}
