import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const PAGES = join(import.meta.dirname, '..', 'src-renderer');
const sources = globSync('**/*.{ts,tsx}', { cwd: PAGES }).filter((file) => !/\.test\.tsx?$|\btesting\b|test-/.test(file));

/** Source files of the pages in which something stands outside of comments. */
function filesWith(pattern: RegExp): string[] {
  const found = sources.filter((file) =>
    pattern.test(readFileSync(join(PAGES, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')),
  );
  return found.map((file) => file.replaceAll('\\', '/')).sort();
}

it('nothing leaves the pages but through the one client: what goes beside it could be neither copied nor held back', () => {
  expect(sources.length).toBeGreaterThan(300);
  expect(filesWith(/\bfetch\(|XMLHttpRequest|\bEventSource\b|\bWebSocket\b|sendBeacon|\.api\(|\bcreateClient\(/)).toEqual([
    'api/client.ts',
  ]);
  expect(filesWith(/["'`]\/api\//)).toEqual(['api/service-place.ts']);
  expect(filesWith(/<form[^>]*\saction=|\bformAction\b|\bdownload=/)).toEqual([]);
  expect(filesWith(/\bcommandDoor\b/)).toEqual(['api/client.ts', 'features/write/send-command.ts']);
});
