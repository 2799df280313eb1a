import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '#shared/domain/errors.ts';
import { syncFolder } from './into-place.ts';
import type { ProjectSecrets, ProjectStore, SecretValues } from './repositories.ts';
import { errorCode } from './store-error.ts';

/** Name of the setting by which a project knows that secrets are its own. */
const PROJECT_ID = 'project_id';

/** Secrets of one project: the file that they belong to, and its id, so that another file of the same name does not get them. */
interface ProjectEntry {
  readonly id: string;
  readonly channels: Readonly<Record<string, SecretValues>>;
}

type Content = Readonly<Record<string, ProjectEntry>>;

/**
 * Secrets of the channels of a project, in `file` outside it (mode 0600, replaced as a whole). They are found by the path of the project, its id
 * and the channel: a copy of the project, one that was moved, and a new one of the same name have none. Every call reads the file, so that two
 * services with one data folder see each other's changes. Throws `STATE_STORE` when the file cannot be read or written; a damaged one
 * is left as it is.
 */
export function projectSecrets(file: string, project: Pick<ProjectStore, 'path' | 'settings'>, newId: () => string): ProjectSecrets {
  const readId = () => {
    const id = project.settings.read(PROJECT_ID);
    return typeof id === 'string' ? id : null;
  };
  const channelsIn = (content: Content) => {
    const entry = content[project.path];
    return entry !== undefined && entry.id === readId() ? entry.channels : {};
  };
  const save = (content: Content, channels: ProjectEntry['channels']) => {
    const id = readId() ?? newId();
    if (readId() === null) project.settings.write(PROJECT_ID, id);
    const { [project.path]: _, ...others } = content;
    const isEmpty = Object.keys(channels).length === 0;
    writePrivate(file, JSON.stringify({ projects: isEmpty ? others : { ...others, [project.path]: { id, channels } } }));
  };
  return {
    read: (channelId) => channelsIn(readContent(file))[channelId] ?? {},
    write(channelId, changes) {
      const content = readContent(file);
      const { [channelId]: before = {}, ...others } = channelsIn(content);
      const values = Object.entries({ ...before, ...changes }).filter((pair): pair is [string, string] => pair[1] !== null);
      save(content, values.length === 0 ? others : { ...others, [channelId]: Object.fromEntries(values) });
    },
    remove(channelId) {
      const content = readContent(file);
      const { [channelId]: before, ...others } = channelsIn(content);
      if (before !== undefined) save(content, others);
    },
  };
}

function readContent(file: string): Content {
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const projects = isRecord(content) && content.projects;
    if (!isRecord(projects) || !Object.values(projects).every(isEntry))
      throw secretsError(file, 'it is damaged; remove it, and set secrets again');
    return projects as Content;
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return {};
    if (thrown instanceof AppError) throw thrown;
    // The words of a JSON parser quote what it read.
    if (thrown instanceof SyntaxError) throw secretsError(file, 'it is damaged; remove it, and set secrets again');
    throw secretsError(file, thrown instanceof Error ? thrown.message : String(thrown));
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
  const draft = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    const handle = openSync(draft, 'wx', 0o600);
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, file);
    syncFolder(dirname(file));
  } catch (thrown) {
    throw secretsError(file, thrown instanceof Error ? thrown.message : String(thrown));
  } finally {
    rmSync(draft, { force: true });
  }
}

function secretsError(file: string, what: string): AppError {
  return new AppError('STATE_STORE', `File of secrets ${file}: ${what}.`);
}
