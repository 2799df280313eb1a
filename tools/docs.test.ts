import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { inRoot } from './lib/paths.ts';

const pages = [
  'README.md',
  'README.zh.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(inRoot('docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** Files of the sources by their names. */
const sources = new Set(
  ['src-main', 'src-shared', 'src-renderer', 'src-preload', 'tools', 'bench', 'e2e'].flatMap((room) =>
    readdirSync(inRoot(room), { recursive: true, encoding: 'utf8' }).map((name) => name.split(/[\\/]/).at(-1) ?? ''),
  ),
);

const textOf = (page: string) => readFileSync(inRoot(page), 'utf8');

it.each(pages)('%s links to what is there', (page) => {
  const links = [...textOf(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link]) => link ?? '');
  const dead = links.filter((link) => !/^[a-z]+:/.test(link) && !existsSync(join(dirname(inRoot(page)), link)));
  expect(dead).toEqual([]);
});

it.each(pages.filter((page) => page.includes('maintainers')))('%s names files that are there', (page) => {
  const named = [...textOf(page).matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, path]) => path ?? '');
  const gone = named.filter((path) => (path.startsWith('src-') ? !existsSync(inRoot(path)) : !sources.has(path.split('/').at(-1) ?? '')));
  expect(gone).toEqual([]);
});
