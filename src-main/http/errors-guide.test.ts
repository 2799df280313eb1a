import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ERROR_CODES } from '#shared/domain/errors.ts';

it.each(['errors.md', 'errors.zh.md'])('%s has each code once, with its status, cause and next step', (name) => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/guide', name), 'utf8');
  // code, status, raised by, cause, next step
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (\d+) \| (.+) \| (.+) \| (.+) \|$/gm)];
  const listed = rows.map((row) => [row[1], Number(row[2])]);
  const expected = Object.entries(ERROR_CODES).map(([code, { status }]) => [code, status]);
  expect(listed.toSorted()).toEqual(expected.toSorted());
  for (const row of rows) for (const cell of row.slice(3)) expect(cell.trim().length, row[1]).toBeGreaterThan(1);
});
