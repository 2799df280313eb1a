import { rmSync } from 'node:fs';
import { copyFile, mkdir, open, readdir, stat, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '#shared/domain/errors.ts';
import { moveFile } from './into-place.ts';
import type { CaptureFolder, KeptCapture } from './repositories.ts';
import { errorCode, guarded, toStoreError } from './store-error.ts';
import { draftOf, removeDrafts } from './whole-file.ts';

/** The folder of captures beside a project. */
export const capturesPath = (project: string) => `${project}.captures`;

const ENDING = '.pcapng';
/** Name that drafts begin with. */
const DRAFT = 'capture';

/** The captures beside a project: the files of its folder, and nothing else, say what is kept. */
export function captureFolder(project: string): CaptureFolder {
  const folder = capturesPath(project);
  const pathOf = (name: string) => join(folder, name + ENDING);
  const failing = (thrown: unknown) => toStoreError(folder, thrown);
  return {
    folder,
    async list(octetsAtEnd) {
      try {
        const names = (await readdir(folder)).filter((name) => name.endsWith(ENDING) && !name.startsWith('.'));
        const found = await Promise.all(names.map((name) => lookAt(join(folder, name), octetsAtEnd)));
        return found.filter((each) => each !== null).sort((a, b) => a.keptMs - b.keptMs || (a.name < b.name ? -1 : 1));
      } catch (thrown) {
        if (errorCode(thrown) === 'ENOENT') return [];
        throw failing(thrown);
      }
    },
    async newDraft() {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const draft = join(folder, DRAFT);
        removeDrafts(draft);
        return draftOf(draft);
      } catch (thrown) {
        throw failing(thrown);
      }
    },
    async keep(draft, name, keptMs) {
      try {
        await utimes(draft, keptMs / 1000, keptMs / 1000);
        return place(draft, name, pathOf);
      } catch (thrown) {
        throw failing(thrown);
      }
    },
    async copy(name, target) {
      try {
        await copyFile(pathOf(name), target);
      } catch (thrown) {
        throw failing(thrown);
      }
    },
    pathOf,
    remove: (name) => guarded(folder, () => rmSync(pathOf(name), { force: true })),
  };
}

/** Gives it this name, or one behind it that is free. */
function place(draft: string, name: string, pathOf: (name: string) => string): string {
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name} ${number}`;
    try {
      moveFile(draft, pathOf(free));
      return free;
    } catch (thrown) {
      if (!(thrown instanceof AppError && thrown.code === 'STATE_CONFLICT')) throw thrown;
    }
  }
}

/** Null for what is no file, or went meanwhile. */
async function lookAt(path: string, octetsAtEnd: number): Promise<KeptCapture | null> {
  const about = await stat(path).catch(() => null);
  if (!about?.isFile()) return null;
  const end = await endOf(path, about.size, octetsAtEnd).catch(() => new Uint8Array(0));
  return { name: basename(path, ENDING), octets: about.size, keptMs: about.mtimeMs, end };
}

async function endOf(path: string, size: number, most: number): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const octets = Math.min(size, most);
    const { buffer, bytesRead } = await file.read(new Uint8Array(octets), 0, octets, size - octets);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
