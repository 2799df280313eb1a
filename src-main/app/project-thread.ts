import { statSync } from 'node:fs';
import { isSoundCopy, openProject } from '../persistence/index.ts';
import { runThread, ThreadLimitError, type ThreadLimits, threadEntry } from '../platform/thread.ts';
import type { Threads } from '../platform/threads.ts';
import type { OpenProject } from '../services/ports.ts';

/** Files up to here are looked at in some milliseconds, in octets. */
const SMALL = 2 * 1024 * 1024;
/** A project of a gigabyte on a slow drive. */
const LIMITS: ThreadLimits = { ms: 120_000, megabytes: 512 };

/** What the thread is started with; it answers whether the file is sound, or throws what refuses it. */
export type ProjectJob =
  | { readonly kind: 'examine'; readonly path: string; readonly holder: string; readonly wallMs: number }
  | { readonly kind: 'copy'; readonly path: string };

/**
 * Opens project files for `holder`. Where lines run beside it, a large file is checked, copied and brought to the present version in a thread: each of
 * these reads it as a whole, which takes a second. Where no thread can be had, or it takes too long, the same is done in place.
 */
export function createProjectOpener(
  threads: Threads,
  holder: string,
  wallMs: () => number,
  entry: string | null = threadEntry('project-worker', import.meta.url),
): OpenProject {
  return async (path, { create, beside }) => {
    const isExamined =
      beside && isLarge(path) && (await inThread(threads, entry, { kind: 'examine', path, holder, wallMs: wallMs() })) === true;
    return openProject(path, { create, holder, wallMs, isExamined, isSound: createCopyCheck(threads, entry) });
  };
}

/** True for a project file whose pages are all there and right. */
export type CopyCheck = (copy: string) => Promise<boolean>;

/** Looks at copies of projects as `isSoundCopy` does; at large ones in a thread. */
export function createCopyCheck(threads: Threads, entry: string | null = threadEntry('project-worker', import.meta.url)): CopyCheck {
  return async (copy) => (isLarge(copy) ? await inThread(threads, entry, { kind: 'copy', path: copy }) : null) ?? isSoundCopy(copy);
}

function isLarge(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > SMALL;
}

/** The answer of the thread; null where it did not do the work. Throws what refuses the file. */
async function inThread(threads: Threads, entry: string | null, job: ProjectJob): Promise<boolean | null> {
  try {
    return await runThread<ProjectJob, never, boolean>({ threads, entry, limits: LIMITS }, { job });
  } catch (error) {
    if (error instanceof ThreadLimitError) return null;
    throw error;
  }
}
