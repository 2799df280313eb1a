import { expect, it } from 'vitest';
import { buildDocsPage } from './docs-page.ts';
import { root } from './paths.ts';

interface Emitted {
  readonly fileName: string;
  readonly source: string | Uint8Array;
}

async function emitted(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const { generateBundle } = buildDocsPage(root);
  if (typeof generateBundle !== 'function') throw new Error('The plugin has no such hook.');
  const context = { emitFile: ({ fileName, source }: Emitted) => void files.set(fileName, Buffer.from(source as string).toString('utf8')) };
  await (generateBundle as unknown as (this: typeof context) => Promise<void>).call(context);
  return files;
}

it('writes each file that the page at /docs names, and its description', async () => {
  const files = await emitted();
  const page = files.get('docs/index.html') ?? '';
  const named = [...page.matchAll(/(?:src|href)="\/([^"]+)"/g)].map((match) => match[1] ?? '');
  expect(named.length).toBeGreaterThan(3);
  for (const name of named) expect(files.has(name), name).toBe(true);
  expect(JSON.parse(files.get('docs/openapi.json') ?? '')).toMatchObject({ openapi: '3.1.0', info: { title: 'Loopcheck' } });
});

it('asks no other place for anything, and has no script in the page itself: its policy allows none', async () => {
  const page = (await emitted()).get('docs/index.html') ?? '';
  expect(page).not.toMatch(/(src|href)="(https?:)?\/\//);
  expect(page).not.toMatch(/<script(?![^>]*src=)[^>]*>/);
});
