import { basename, extname, isAbsolute } from 'node:path';
import type { ProjectInfo } from '#shared/contract/service.ts';
import { fieldIssue, invalidInput } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Handlers } from './handlers.ts';
import type { ProjectSession, ServiceDeps } from './ports.ts';

type ProjectHandlers = Pick<Handlers, 'projectInfo' | 'openProject' | 'backupProject'>;

const EXTENSION = '.loopcheck';
/** Most drives take 255 octets; write-ahead log, lock and drafts add theirs to the name. */
const LONGEST_NAME = 200;

/** The project file: which one is open, another one, a copy. */
export function projectHandlers(deps: ServiceDeps): ProjectHandlers {
  return {
    projectInfo: () => describe(deps.projects.current()),
    async openProject({ path, create }) {
      requireProjectPath(path);
      return describe(await deps.projects.open(path, { create }));
    },
    async backupProject({ path }) {
      requireProjectPath(path);
      const { store } = deps.projects.current();
      return { path, size_bytes: await store.backup(path) };
    },
  };
}

function requireProjectPath(path: string): void {
  const issues = [
    ...(isAbsolute(path) ? [] : [fieldIssue('path', say('service.path_absolute'))]),
    ...(Buffer.byteLength(basename(path)) <= LONGEST_NAME ? [] : [fieldIssue('path', say('service.path_long', { most: LONGEST_NAME }))]),
    ...(extname(path).toLowerCase() === EXTENSION ? [] : [fieldIssue('path', say('service.path_ending', { ending: EXTENSION }))]),
  ];
  if (issues.length > 0) throw invalidInput(issues);
}

function describe({ store, channels }: ProjectSession): ProjectInfo {
  const list = channels.list();
  return {
    path: store.path,
    name: basename(store.path, extname(store.path)),
    schema_version: store.schemaVersion,
    size_bytes: store.sizeBytes(),
    channels: list.length,
    points: list.reduce((sum, channel) => sum + channel.points.size, 0),
  };
}
