import { basename, extname, isAbsolute } from 'node:path';
import type { ProjectInfo, RecentProject } from '#shared/contract/projects.ts';
import { PROJECT_MEDIA_TYPE } from '#shared/contract/projects.ts';
import { fieldIssue, invalidField, invalidInput } from '#shared/domain/errors.ts';
import { PROJECT_ENDING } from '#shared/domain/projects.ts';
import { english, say } from '#shared/messages/index.ts';
import { FileOnDisk } from './file-on-disk.ts';
import { FileAnswer, type Handlers } from './handlers.ts';
import type { ProjectFiles, ProjectSession, ServiceDeps } from './ports.ts';

type ProjectHandlers = Pick<
  Handlers,
  | 'projectInfo'
  | 'openProject'
  | 'backupProject'
  | 'renameProject'
  | 'recentProjects'
  | 'forgetProject'
  | 'downloadProject'
  | 'uploadProject'
  | 'openDemo'
>;

/** Most drives take 255 octets; write-ahead log, lock and drafts add theirs to the name. */
const LONGEST_NAME = 200;

/** The project file: which one is open, other ones, copies, its name, its way over HTTP. */
export function projectHandlers(deps: ServiceDeps): ProjectHandlers {
  const { projects, projectFiles } = deps;
  return {
    projectInfo: () => describe(projects.current()),
    async openProject({ path, create }) {
      requireProjectPath(path);
      if (create) projectFiles.prepare(path);
      return describe(await projects.open(path, { create }));
    },
    async backupProject({ path }) {
      requireProjectPath(path);
      const { store } = projects.current();
      projectFiles.prepare(path);
      return { path, size_bytes: await store.backup(path) };
    },
    async renameProject({ path }) {
      requireProjectPath(path);
      projectFiles.prepare(path);
      return describe(await projects.rename(path));
    },
    async recentProjects() {
      const open = projects.current().store.path;
      const items: RecentProject[] = [];
      for (const { path, openedAt } of projectFiles.recent.list()) {
        items.push({ path, name: nameOf(path), opened_at: openedAt, ...(await stateOf(path, path === open, projectFiles)) });
      }
      return { folder: projectFiles.folder, items };
    },
    forgetProject: ({ path }) => ({ forgotten: projectFiles.recent.forget(path) }),
    async downloadProject() {
      const { store } = projects.current();
      const draft = projectFiles.newDraft();
      await store.backup(draft);
      return new FileAnswer(basename(store.path), PROJECT_MEDIA_TYPE, draft);
    },
    async openDemo() {
      await deps.openDemo();
      return describe(projects.current());
    },
    async uploadProject({ file }) {
      if (!(file instanceof FileOnDisk)) throw invalidField('file', say('field.must_be', { expected: say('field.project_file') }));
      const { path, sizeBytes } = await projectFiles.place(file.path, fileNameOf(file.name));
      return { path, name: nameOf(path), size_bytes: sizeBytes };
    },
  };
}

async function stateOf(
  path: string,
  isOpen: boolean,
  files: ProjectFiles,
): Promise<Pick<RecentProject, 'state' | 'reason' | 'reason_message'>> {
  if (isOpen) return { state: 'open', reason: null, reason_message: null };
  const { state, reason } = await files.look(path);
  return { state, reason: reason && english(reason), reason_message: reason };
}

/** What is wrong with the path of a project file; all of it. Throws `CONFIG_INVALID`. */
export function requireProjectPath(path: string): void {
  const issues = [
    ...(isAbsolute(path) ? [] : [fieldIssue('path', say('service.path_absolute'))]),
    ...(Buffer.byteLength(basename(path)) <= LONGEST_NAME ? [] : [fieldIssue('path', say('service.path_long', { most: LONGEST_NAME }))]),
    ...(hasEnding(path) ? [] : [fieldIssue('path', say('service.path_ending', { ending: PROJECT_ENDING }))]),
  ];
  if (issues.length > 0) throw invalidInput(issues);
}

function hasEnding(path: string): boolean {
  return extname(path).toLowerCase() === PROJECT_ENDING;
}

/** The name that a sent file gets here: what systems do not take in one is left out. */
function fileNameOf(given: string): string {
  const last = given.split(/[\\/]/).at(-1) ?? '';
  const plain = (hasEnding(last) ? last.slice(0, -PROJECT_ENDING.length) : last)
    .replace(/[^\p{L}\p{N} ._-]+/gu, '_')
    .replace(/^[. ]+|[. ]+$/g, '');
  const clipped = Buffer.from(plain)
    .subarray(0, LONGEST_NAME - 20)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
  return `${clipped || 'project'}${PROJECT_ENDING}`;
}

function nameOf(path: string): string {
  return basename(path, extname(path));
}

/** What is said of the open project. */
export function describe({ store, channels }: ProjectSession): ProjectInfo {
  const list = channels.list();
  return {
    path: store.path,
    name: nameOf(store.path),
    schema_version: store.schemaVersion,
    size_bytes: store.sizeBytes(),
    channels: list.length,
    points: list.reduce((sum, channel) => sum + channel.points.size, 0),
  };
}
