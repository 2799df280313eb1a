import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { readMarkdown } from './lib/markdown.ts';
import { inRoot } from './lib/paths.ts';

const pages = [
  ...readdirSync(inRoot()).filter((name) => name.endsWith('.md')),
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

/** Places of a page that links can name. */
const placesOf = (page: string) => new Set(readMarkdown(textOf(page)).headings.map(({ place }) => place));

/** What is wrong with a link of a page; null when it leads to a file, and to a place of it that is there. */
function wrongWith(page: string, target: string): string | null {
  if (/^[a-z]+:/.test(target)) return null;
  const [file = '', place] = target.split('#', 2);
  const meant = file === '' ? page : normalize(join(dirname(page), file));
  if (!existsSync(inRoot(meant))) return `${target}: no such file`;
  if (place === undefined || !meant.endsWith('.md')) return null;
  return placesOf(meant).has(decodeURIComponent(place)) ? null : `${target}: no such heading`;
}

it.each(pages)('%s links to what is there', (page) => {
  const { links } = readMarkdown(textOf(page));
  expect(links.map(({ target }) => wrongWith(page, target)).filter((wrong) => wrong !== null)).toEqual([]);
});

const guides = readdirSync(inRoot('docs/guide')).filter((name) => name.endsWith('.md'));
const twinOf = (name: string) => (name.endsWith('.zh.md') ? name.replace('.zh.md', '.md') : name.replace('.md', '.zh.md'));

const protocols = readdirSync(inRoot('docs/protocols')).filter((name) => name.endsWith('.md'));

it.each([
  'README.md',
  'README.zh.md',
  ...guides.map((name) => join('docs/guide', name)),
  ...protocols.map((name) => join('docs/protocols', name)),
])('%s has its twin in the other language, and leads to it', (page) => {
  const twin = twinOf(page);
  expect(existsSync(inRoot(twin))).toBe(true);
  const { links } = readMarkdown(textOf(page).split('\n').slice(0, 6).join('\n'));
  expect(links.map(({ target }) => normalize(join(dirname(page), target)))).toContain(twin);
});

const inChinese = pages.filter((page) => page.endsWith('.zh.md') && /^docs.(?:guide|protocols)./.test(page));

it.each(inChinese)('%s has the sections of the English page, and leads to Chinese pages', (page) => {
  const twin = twinOf(page);
  const [zh, en] = [readMarkdown(textOf(page)), readMarkdown(textOf(twin))];
  expect(zh.headings.map(({ level }) => level)).toEqual(en.headings.map(({ level }) => level));
  const led = zh.links.map(({ target }) => normalize(join(dirname(page), target.split('#', 1)[0] ?? '')));
  expect(led.filter((target) => target !== twin && inChinese.includes(twinOf(target)))).toEqual([]);
});

it.each(pages.filter((page) => /^docs.protocols.[^.]+\.zh\.md$/.test(page)))(
  '%s has the tables and the codes of the English page',
  (page) => {
    const facts = (text: string) => ({
      rows: text.split('\n').filter((line) => line.startsWith('|')).length,
      codes: [...new Set([...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code ?? ''))].sort(),
      links: readMarkdown(text).links.length,
    });
    const [zh, en] = [facts(textOf(page)), facts(textOf(twinOf(page)))];
    expect(zh).toEqual({ ...en, codes: expect.any(Array) });
    // a field, a code or an operation that one page has and the other has not
    expect(zh.codes.filter((code) => !en.codes.includes(code))).toEqual([]);
    expect(en.codes.filter((code) => !zh.codes.includes(code))).toEqual([]);
  },
);

it.each(['README.md', 'README.zh.md'])('%s leads to every page of the guide', (readme) => {
  const isZh = readme.endsWith('.zh.md');
  const linked = new Set(readMarkdown(textOf(readme)).links.map(({ target }) => target.split('#', 1)[0]));
  const missing = guides.filter((name) => name.endsWith('.zh.md') === isZh).filter((name) => !linked.has(`docs/guide/${name}`));
  expect(missing).toEqual([]);
});

it.each(pages.filter((page) => page.includes('maintainers')))('%s names files that are there', (page) => {
  const named = [...textOf(page).matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, path]) => path ?? '');
  const gone = named.filter((path) => (path.startsWith('src-') ? !existsSync(inRoot(path)) : !sources.has(path.split('/').at(-1) ?? '')));
  expect(gone).toEqual([]);
});
