import { mkdirSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { say } from '#shared/messages/index.ts';
import { lookAtProject, placeProject, recentProjects } from '../persistence/index.ts';
import { removeDrafts } from '../persistence/whole-file.ts';
import type { Clock } from '../platform/clock.ts';
import { driveOf } from '../platform/drives.ts';
import type { DataPaths } from '../platform/paths.ts';
import type { ProjectFiles } from '../services/ports.ts';
import { Looks } from './looks.ts';
import type { CopyCheck } from './project-thread.ts';

const UNSEEN = { silent: 'service.drive_silent', unseen: 'service.drive_unseen' } as const;
/** Name that drafts begin with; behind it stand process and a number by chance. */
const DRAFT = 'file';

/** The project files of a data folder beside the open one. Drafts that killed processes left are removed. */
export function createProjectFiles(
  { projectsDir, draftsDir, recentFile }: DataPaths,
  { clock, newId, isSound }: { readonly clock: Clock; newId(): string; readonly isSound: CopyCheck },
): ProjectFiles {
  const looks = new Looks(clock, driveOf, projectsDir);
  const folder = resolve(projectsDir);
  removeDrafts(join(draftsDir, DRAFT));
  return {
    folder,
    recent: recentProjects(recentFile),
    look: (path) => looks.look(path, lookAtProject, (state) => ({ state, reason: say(UNSEEN[state]) })),
    isThere: (path) =>
      looks.look(
        path,
        (file) =>
          access(file).then(
            () => true,
            () => false,
          ),
        () => null,
      ),
    newDraft() {
      mkdirSync(draftsDir, { recursive: true, mode: 0o700 });
      return join(draftsDir, `${DRAFT}.${process.pid}-${newId().replaceAll('-', '').slice(-8)}.tmp`);
    },
    place(draft, name) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return placeProject(draft, folder, basename(name), isSound);
    },
    prepare(path) {
      if (dirname(resolve(path)) === folder) mkdirSync(folder, { recursive: true, mode: 0o700 });
    },
  };
}
