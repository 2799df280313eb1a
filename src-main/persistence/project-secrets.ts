import { existsSync, readFileSync, renameSync } from 'node:fs';
import { z } from 'zod';
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { knownProjectId, projectId } from '../platform/project-id.ts';
import type { ProjectSecrets, ProjectStore, SecretValues } from './repositories.ts';
import { errorCode } from './store-error.ts';
import { removeDrafts, writeWhole } from './whole-file.ts';

/** Setting with the names of the secrets that are set, by channel: what is missing where the project goes to is told by them. */
const SECRET_NAMES = 'secret_names';

/** Secrets of one project: the file that they belong to, and its id, so that another file of the same name does not get them. */
interface ProjectEntry {
  readonly id: string;
  readonly channels: Readonly<Record<string, SecretValues>>;
}

type Content = Readonly<Record<string, ProjectEntry>>;

/**
 * Secrets of the channels of a project, in `file` outside it (mode 0600, replaced as a whole). They are found by the path of the project, its id
 * and the channel: a copy of the project, one that was moved, and a new one of the same name have none. Every call reads the file, so that two
 * services with one data folder see each other's changes. A damaged file is moved aside under the name `damagedFile` answers: from then on no
 * secret is set. Throws `STATE_STORE` when the file cannot be read or written.
 *
 * At its beginning it removes what killed processes left: drafts of the file, and secrets of channels that the project does not have any more.
 */
export function projectSecrets(
  file: string,
  project: Pick<ProjectStore, 'path' | 'settings' | 'channels'>,
  newId: () => string,
): ProjectSecrets {
  let damagedFile: string | null = null;
  let unreadable: Message | null = null;
  const content = (): Content => {
    try {
      const found = readContent(file);
      unreadable = null;
      if (found !== 'damaged') return found;
      damagedFile = moveAside(file);
      return {};
    } catch (thrown) {
      unreadable = toAppError(thrown).said;
      throw thrown;
    }
  };
  const channelsIn = (all: Content) => {
    const entry = all[project.path];
    return entry !== undefined && entry.id === knownProjectId(project.settings) ? entry.channels : {};
  };
  const save = (all: Content, channels: ProjectEntry['channels']) => {
    const id = projectId(project.settings, newId);
    const { [project.path]: _, ...others } = all;
    const isEmpty = Object.keys(channels).length === 0;
    writePrivate(file, JSON.stringify({ projects: isEmpty ? others : { ...others, [project.path]: { id, channels } } }));
  };
  const names = namesOf(project.settings);
  const keep = (wanted: (channelId: number) => boolean) => {
    const all = content();
    const entries = Object.entries(channelsIn(all));
    const kept = entries.filter(([owner]) => isOfPublisher(owner) || wanted(Number(owner)));
    if (kept.length < entries.length) save(all, Object.fromEntries(kept));
  };
  const change = (owner: string, changes: Readonly<Record<string, string | null>>) => {
    const all = content();
    const { [owner]: before = {}, ...others } = channelsIn(all);
    const values = Object.entries({ ...before, ...changes }).filter((pair): pair is [string, string] => pair[1] !== null);
    save(all, values.length === 0 ? others : { ...others, [owner]: Object.fromEntries(values) });
  };
  removeDrafts(file);
  // What cannot be tidied up now is no reason not to open the project; `trouble` tells of it.
  attempt(() => {
    const ids = new Set([...project.channels.list(), ...project.channels.unknown()].map((channel) => channel.id));
    keep((channelId) => ids.has(channelId));
    // of a project from before names were kept
    for (const [owner, values] of Object.entries(channelsIn(content()))) if (!isOfPublisher(owner)) names.note(Number(owner), values);
  });
  return {
    read: (channelId) => channelsIn(content())[channelId] ?? {},
    write(channelId, changes) {
      change(String(channelId), changes);
      names.note(channelId, changes);
    },
    ofPublisher: (id) => channelsIn(content())[ofPublisher(id)] ?? {},
    writeOfPublisher: (id, changes) => change(ofPublisher(id), changes),
    missing(channelId) {
      const set = channelsIn(content())[channelId] ?? {};
      return names.of(channelId).filter((name) => set[name] === undefined);
    },
    remove(channelId) {
      keep((id) => id !== channelId);
      names.forget(channelId);
    },
    trouble() {
      if (unreadable !== null) attempt(content);
      return { damagedFile, unreadable };
    },
  };
}

/** Secrets of publishers stand beside those of channels, under names that are no numbers. */
const ofPublisher = (id: number) => `publisher_${id}`;
const isOfPublisher = (owner: string) => owner.startsWith('publisher_');

/** Names of secrets by channel, as the project keeps them. What is there and has not this form is replaced. */
function namesOf(settings: ProjectStore['settings']) {
  const all = (): Record<string, string[]> => {
    const { data } = Names.safeParse(settings.read(SECRET_NAMES));
    return data ?? {};
  };
  const put = (channelId: number, wanted: readonly string[]) => {
    const { [channelId]: before = [], ...others } = all();
    if (wanted.join() === before.join()) return;
    settings.write(SECRET_NAMES, wanted.length === 0 ? others : { ...others, [channelId]: wanted });
  };
  return {
    of: (channelId: number): readonly string[] => all()[channelId] ?? [],
    /** Enters the names that have a value, and takes out those that have none any more. */
    note(channelId: number, changes: Readonly<Record<string, string | null>>): void {
      const kept = new Set(all()[channelId]);
      for (const [name, value] of Object.entries(changes)) {
        if (value === null) kept.delete(name);
        else kept.add(name);
      }
      put(channelId, [...kept].sort());
    },
    forget: (channelId: number) => put(channelId, []),
  };
}

const Names = z.record(z.string(), z.array(z.string()));

/**
 * Copies the secrets of the project at `from` for the same project at `to`, before it is moved there. Throws `STATE_STORE` when the file of secrets cannot
 * be read or written.
 */
export function copySecrets(file: string, from: string, to: string): void {
  const all = readContent(file);
  const entry = all === 'damaged' ? undefined : all[from];
  if (all !== 'damaged' && entry) writePrivate(file, JSON.stringify({ projects: { ...all, [to]: entry } }));
}

/** Forgets the secrets of what was a project at `path`; with `keptAt` only where the same project has them there. Throws as `copySecrets`. */
export function dropSecrets(file: string, path: string, keptAt?: string): void {
  const all = readContent(file);
  if (all === 'damaged' || !all[path]) return;
  if (keptAt !== undefined && all[keptAt]?.id !== all[path].id) return;
  const { [path]: _, ...others } = all;
  writePrivate(file, JSON.stringify({ projects: others }));
}

function attempt(work: () => unknown): void {
  try {
    work();
  } catch {
    // told by `trouble`, or by the next use
  }
}

function readContent(file: string): Content | 'damaged' {
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const projects = isRecord(content) && content.projects;
    return isRecord(projects) && Object.values(projects).every(isEntry) ? (projects as Content) : 'damaged';
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return {};
    if (thrown instanceof SyntaxError) return 'damaged';
    throw secretsError(file, toAppError(thrown).said);
  }
}

/** Gives a damaged file a name of its own; answers it. Throws `STATE_STORE` when it cannot. */
function moveAside(file: string): string {
  let target = `${file}.damaged`;
  for (let copy = 2; existsSync(target); copy++) target = `${file}.damaged-${copy}`;
  try {
    renameSync(file, target);
    return target;
  } catch (thrown) {
    throw secretsError(file, say('store.secrets_damaged', { code: errorCode(thrown) }));
  }
}

function isEntry(entry: unknown): boolean {
  if (!isRecord(entry) || typeof entry.id !== 'string' || !isRecord(entry.channels)) return false;
  return Object.values(entry.channels).every(
    (values) => isRecord(values) && Object.values(values).every((value) => typeof value === 'string'),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function writePrivate(file: string, text: string): void {
  try {
    writeWhole(file, text);
  } catch (thrown) {
    throw secretsError(file, toAppError(thrown).said);
  }
}

function secretsError(file: string, what: Message): AppError {
  return new AppError('STATE_STORE', say('store.secrets', { file, what }));
}
