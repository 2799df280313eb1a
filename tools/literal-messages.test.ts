import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** An error made of a literal, or of a template. */
const LITERAL = /new AppError\(\s*(?:'[A-Z_]+'|\w+(?:\.\w+)*),\s*['"`]/g;

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : sources(path);
    return entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

/** What a schema says of its own accord, an issue, or the words of a stage, as a literal or a template. */
const LITERAL_WORDS = /(?:\berror: (?:\([^)]*\) => )?|\bpath: [^,\n]+, message: |\bdetail: |\bcontext\.warn\([^,\n]+, )['"`](?!['"`])/g;

/** Everything that speaks to the pages; the desktop window has texts of its own. */
const ROOMS = [
  'src-shared',
  ...['app', 'drivers', 'http', 'persistence', 'runtime', 'services', 'transport'].map((room) => `src-main/${room}`),
];

function placesOf(pattern: RegExp, folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    sources(join(ROOT, folder)).flatMap((path) => {
      const text = readFileSync(path, 'utf8');
      return [...text.matchAll(pattern)].map(({ index }) => `${relative(ROOT, path)}:${text.slice(0, index).split('\n').length}`);
    }),
  );
}

describe('an error', () => {
  it('is made of a message, never of a literal sentence: it could be said in one language only', () => {
    expect(placesOf(LITERAL, ['src-main'])).toEqual([]);
  });

  it('of a schema, of a field, in a warning or a stage is none either', () => {
    expect(placesOf(LITERAL_WORDS, ROOMS)).toEqual([]);
  });
});
