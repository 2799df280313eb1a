import { mkdirSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { lookAtProject, placeProject, recentProjects } from '../persistence/index.ts';
import { removeDrafts } from '../persistence/whole-file.ts';
import type { Clock } from '../platform/clock.ts';
import type { DataPaths } from '../platform/paths.ts';
import type { ProjectFiles } from '../services/ports.ts';
import type { CopyCheck } from './project-thread.ts';
import { within } from './within.ts';

/** A drive that does not answer for so long is given up for now, in milliseconds. */
const LOOK_MS = 1000;
/** Looks that may wait for drives which do not answer: each of them holds one of the few threads for files. */
const MOST_SILENT = 2;
/** Name that drafts begin with; behind it stand process and a number by chance. */
const DRAFT = 'file';

/** The project files of a data folder beside the open one. Drafts that killed processes left are removed. */
export function createProjectFiles(
  { projectsDir, draftsDir, recentFile }: DataPaths,
  { clock, newId, isSound }: { readonly clock: Clock; newId(): string; readonly isSound: CopyCheck },
): ProjectFiles {
  const looks = new Looks(clock);
  const folder = resolve(projectsDir);
  removeDrafts(join(draftsDir, DRAFT));
  return {
    folder,
    recent: recentProjects(recentFile),
    look: (path) => looks.look(path, lookAtProject),
    isThere: (path) =>
      looks.look(path, (file) =>
        access(file).then(
          () => true,
          () => false,
        ),
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

/** Looks at files of drives that may not answer: no request waits for one, and they never take all threads. */
class Looks {
  readonly #clock: Clock;
  readonly #silent = new Map<string, Promise<unknown>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async look<Found>(path: string, find: (path: string) => Promise<Found>): Promise<Found | null> {
    if (this.#silent.has(path) || this.#silent.size >= MOST_SILENT) return null;
    const looking = find(path);
    if (await within(this.#clock, LOOK_MS, looking)) return looking;
    this.#silent.set(path, looking);
    void looking.finally(() => this.#silent.delete(path));
    return null;
  }
}
