import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * The path of a project file without links: secrets and the list of recent projects know it by that one. A file that is not there yet gets the one it will
 * have, as far as its folder is there.
 */
export function realPath(path: string): string {
  const given = resolve(path);
  if (existsSync(given)) return realpathSync(given);
  const folder = dirname(given);
  return existsSync(folder) ? join(realpathSync(folder), basename(given)) : given;
}
