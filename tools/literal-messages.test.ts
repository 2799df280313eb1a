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

describe('an error', () => {
  it('is made of a message, never of a literal sentence: it could be said in one language only', () => {
    const found = sources(join(ROOT, 'src-main')).flatMap((path) => {
      const text = readFileSync(path, 'utf8');
      return [...text.matchAll(LITERAL)].map(({ index }) => `${relative(ROOT, path)}:${text.slice(0, index).split('\n').length}`);
    });
    expect(found).toEqual([]);
  });
});
