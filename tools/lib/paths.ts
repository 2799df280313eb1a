import { resolve } from 'node:path';

/** Root of the repository, wherever the command was started. */
export const root = resolve(import.meta.dirname, '../..');

/** Path below the root of the repository. */
export function inRoot(...parts: string[]): string {
  return resolve(root, ...parts);
}
