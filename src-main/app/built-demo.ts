import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { discard, moveIntoPlace, unfinishedName } from '../persistence/into-place.ts';
import type { DemoMarks } from './demo/kept-demo.ts';

/** Files of the built demo in its folder (tools/make-demo.ts). */
export const BUILT_DEMO = { project: 'demo.loopcheck.gz', marks: 'marks.json' };

/** The demo as the build made it: a project in which its channels stand with their points, as `fillDemo` adds them, and what these are known by. */
export interface BuiltDemo {
  /** Makes the project where there is no file. Never throws: what is in the way is told by the opening of the project. */
  place(path: string): void;
  marks(): DemoMarks;
}

/** Null where there is no folder, or nothing in it. */
export function builtDemo(dir: string | null): BuiltDemo | null {
  if (dir === null || !existsSync(join(dir, BUILT_DEMO.marks))) return null;
  return {
    place(path) {
      if (existsSync(path)) return;
      const unfinished = unfinishedName(path);
      try {
        writeFileSync(unfinished, gunzipSync(readFileSync(join(dir, BUILT_DEMO.project))), { mode: 0o600 });
        moveIntoPlace(unfinished, path);
      } catch {
        // The start makes an empty project then, and fills it.
        discard(unfinished);
      }
    },
    marks: () => JSON.parse(readFileSync(join(dir, BUILT_DEMO.marks), 'utf8')),
  };
}
