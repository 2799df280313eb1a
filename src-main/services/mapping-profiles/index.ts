import { LARGEST_PROFILE_FILE, type ListProfile, MOST_PROFILES } from '#shared/contract/list-operations.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import { isMessage } from '#shared/messages/message.ts';
import { fileName, ownId } from '../file-name.ts';
import type { Handlers } from '../handlers.ts';
import type { MappingFiles, ServiceDeps } from '../ports.ts';
import { BUILT_IN_PROFILES } from './built-in.ts';
import { type ProfileDraft, parseProfile, profileText } from './profile-text.ts';

type ProfileHandlers = Pick<Handlers, 'listProfiles' | 'saveProfile' | 'deleteProfile' | 'profileFile' | 'addProfileFile'>;

/** All profiles: the built-in ones, then those of the data folder by their names. */
export function allProfiles(files: MappingFiles): readonly ListProfile[] {
  return [...BUILT_IN_PROFILES, ...files.list().profiles];
}

/** Profiles of foreign lists: kept in the data folder, exchanged as files. */
export function mappingProfileHandlers({ mappingFiles }: Pick<ServiceDeps, 'mappingFiles'>): ProfileHandlers {
  const keep = (draft: ProfileDraft): ListProfile => {
    const { profiles: kept, unreadable } = mappingFiles.list();
    // a file that is no profile keeps its place too
    const places = [...kept, ...unreadable.map(({ id }) => ({ id, name: '' }))];
    const id = ownId(draft.name, places, say('list.profile_no_name'));
    if (BUILT_IN_PROFILES.some(({ name }) => name === draft.name)) throw invalidField('name', say('list.profile_name'));
    if (kept.filter((profile) => profile.id !== id).length >= MOST_PROFILES)
      throw new AppError('STATE_CONFLICT', say('list.profiles_full', { most: MOST_PROFILES }));
    const text = profileText(draft);
    if (Buffer.byteLength(text) > LARGEST_PROFILE_FILE)
      throw invalidField('mapping', say('list.profile_too_large', { most: LARGEST_PROFILE_FILE }));
    mappingFiles.write(id, text);
    return { id, built_in: false, ...draft };
  };
  const find = (id: string): ListProfile => {
    const found = allProfiles(mappingFiles).find((profile) => profile.id === id);
    if (!found) throw new AppError('CONFIG_NOT_FOUND', say('list.profile_unknown', { id }));
    return found;
  };
  return {
    listProfiles() {
      const { profiles, unreadable } = mappingFiles.list();
      return {
        items: [...BUILT_IN_PROFILES, ...profiles],
        unreadable: unreadable.map(({ file, reason }) => ({ file, reason: english(reason), reason_info: reason })),
      };
    },
    saveProfile: (draft) => keep(draft),
    deleteProfile({ id }) {
      const profile = find(id);
      if (profile.built_in) throw new AppError('STATE_CONFLICT', say('list.profile_built_in'));
      mappingFiles.remove(id);
      return profile;
    },
    profileFile({ id }) {
      const profile = find(id);
      const name = fileName(profile.name, 'profile');
      return { name: `${name}.mapping.json`, mediaType: 'application/json', bytes: new TextEncoder().encode(profileText(profile)) };
    },
    async addProfileFile({ file }) {
      const draft = parseProfile(await file.text());
      if ('code' in draft && isMessage(draft)) throw invalidField('file', draft);
      return keep(draft);
    },
  };
}
