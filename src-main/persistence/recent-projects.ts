import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { RecentProjects, RememberedProject } from './repositories.ts';
import { guarded } from './store-error.ts';
import { removeDrafts, writeWhole } from './whole-file.ts';

/** Projects that are remembered; the one that was not opened for the longest time goes. */
const MOST = 20;

const Remembered = z.object({ path: z.string().min(1), opened_at: z.iso.datetime() });
const Content = z.object({ projects: z.array(z.unknown()) });

/**
 * Remembers projects in `file`, which is replaced as a whole. Every call reads it: services with one data folder share it. What of it is damaged counts
 * as not there; nothing but the list is lost then.
 */
export function recentProjects(file: string): RecentProjects {
  removeDrafts(file);
  const write = (projects: readonly RememberedProject[]) => {
    const content = projects.slice(0, MOST).map(({ path, openedAt }) => ({ path, opened_at: openedAt }));
    guarded(file, () => writeWhole(file, `${JSON.stringify({ projects: content }, null, 2)}\n`));
  };
  const list = () => read(file);
  return {
    list,
    note: (path, openedAt) => write([{ path, openedAt }, ...list().filter((each) => each.path !== path)]),
    forget(path) {
      const all = list();
      const left = all.filter((each) => each.path !== path);
      if (left.length < all.length) write(left);
      return left.length < all.length;
    },
  };
}

function read(file: string): RememberedProject[] {
  try {
    const { projects } = Content.parse(JSON.parse(readFileSync(file, 'utf8')));
    return projects.slice(0, MOST).flatMap((entry) => {
      const { data } = Remembered.safeParse(entry);
      return data ? [{ path: data.path, openedAt: new Date(data.opened_at).toISOString() }] : [];
    });
  } catch {
    return [];
  }
}
