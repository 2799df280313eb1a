import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inRoot } from './paths.ts';

const ROOT = inRoot('src-renderer');
const SHEET = /^import (\w+) from '(\.[^']*\.module\.css)';$/gm;

/** Classes of a style sheet, by name. */
function classesOf(sheet: string): Set<string> {
  const rules = readFileSync(sheet, 'utf8').replace(/\/\*.*?\*\//gs, '');
  return new Set([...rules.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name));
}

/** Names that a page takes from its style sheet and that stand in none of its rules. */
function missingIn(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const body = text.replace(/^import .*$/gm, '');
  return [...text.matchAll(SHEET)].flatMap(([, variable = '', sheet = '']) => {
    const known = classesOf(join(ROOT, dirname(page), sheet));
    const named = [...body.matchAll(new RegExp(`(?<![\\w.])${variable}\\.(\\w+)`, 'g'))].map(([, name = '']) => name);
    return [...new Set(named)].filter((name) => !known.has(name)).map((name) => `${page}: ${name}`);
  });
}

describe('classes of the pages', () => {
  it('stand in the style sheets that they are taken from', () => {
    const pages = globSync('**/*.tsx', { cwd: ROOT });
    expect(pages.length).toBeGreaterThan(100);
    expect(pages.flatMap(missingIn)).toEqual([]);
  });
});
