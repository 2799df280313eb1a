import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** Places that still say something in a literal English sentence, by room. A room goes from the list with its last one; no number rises. */
const LITERALS: Readonly<Record<string, number>> = {
  'src-main/drivers/iec61850': 40,
};

/** An error made of a literal, or of a template. */
const LITERAL = /new AppError\(\s*(?:'[A-Z_]+'|\w+(?:\.\w+)*),\s*['"`]/g;

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : sources(path);
    return entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

/** `src-main/runtime`, `src-main/drivers/modbus`. */
function roomOf(path: string): string {
  const parts = relative(ROOT, path).split(/[\\/]/);
  return parts.slice(0, parts[1] === 'drivers' ? 3 : 2).join('/');
}

describe('errors made of literal sentences', () => {
  it('are those that are listed, room by room', () => {
    const found: Record<string, number> = {};
    for (const path of sources(join(ROOT, 'src-main'))) {
      const count = [...readFileSync(path, 'utf8').matchAll(LITERAL)].length;
      if (count > 0) found[roomOf(path)] = (found[roomOf(path)] ?? 0) + count;
    }
    expect(found).toEqual(LITERALS);
  });
});
