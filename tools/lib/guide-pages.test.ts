import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GUIDE_PAGES, guidePath, isGuidePath } from '../../src-shared/domain/guide-pages.ts';
import { guideFiles } from './guide-pages.ts';
import { placeOf, readMarkdown, renderMarkdown } from './markdown.ts';
import { inRoot } from './paths.ts';

const files = new Map(guideFiles(inRoot()).map(({ fileName, source }) => [fileName, source]));
const textOf = (path: string) => String(files.get(path.slice(1)));

describe('Markdown', () => {
  it('has the places of headings that the forge has, also of Chinese ones and of two alike', () => {
    const text = '# A `b` & C\n## 1. 先看接线\n## tls\n## tls\n```sh\n# no heading [no](link.md)\n```\n[to](x.md#y) ![seen](z.png)';
    expect(readMarkdown(text).headings.map(({ place }) => place)).toEqual(['a-b--c', '1-先看接线', 'tls', 'tls-1']);
    expect(readMarkdown(text).links).toEqual([
      { target: 'x.md#y', isPicture: false },
      { target: 'z.png', isPicture: true },
    ]);
    expect(placeOf('Late answers')).toBe('late-answers');
  });

  it('shows HTML as text, and words without a link where it leads nowhere', () => {
    const html = renderMarkdown('# T\n\n<script>alert(1)</script>\n\nan <b>x</b> [gone](../src.ts) [there](a.md)', ({ target }) =>
      target === 'a.md' ? '/a.html?"' : null,
    );
    expect(html).not.toContain('<script>');
    expect(html).not.toContain('<b>');
    expect(html).toContain('gone <a href="/a.html?&quot;">there</a>');
    expect(html).toContain('<h1 id="t">T</h1>');
  });
});

describe('the guide in the program', () => {
  it('has every page of docs/guide, in both languages, and its contents', () => {
    const written = readdirSync(inRoot('docs/guide')).filter((name) => name.endsWith('.md'));
    const expected = GUIDE_PAGES.flatMap((page) => [`${page}.md`, `${page}.zh.md`]);
    expect(written.toSorted()).toEqual(expected.toSorted());
    for (const language of ['en', 'zh'] as const) {
      const contents = textOf(guidePath(language, null));
      for (const page of GUIDE_PAGES) {
        expect(contents).toContain(`href="${guidePath(language, page)}"`);
        expect(isGuidePath(guidePath(language, page))).toBe(true);
      }
    }
  });

  it('leads nowhere but to files it has, and asks no other place for anything', () => {
    const dead: string[] = [];
    for (const [name, source] of files) {
      if (!name.endsWith('.html')) continue;
      const html = String(source);
      const places = new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id));
      for (const [, target = ''] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
        if (/^(?:https?|mailto):/.test(target)) continue;
        const [path = '', place] = target.split('#', 2);
        if (path === '/docs/icon.svg') continue;
        if (path !== '' && !files.has(path.slice(1))) dead.push(`${name}: ${target}`);
        else if (place !== undefined && path === '' && !places.has(decodeURIComponent(place))) dead.push(`${name}: ${target}`);
        else if (place !== undefined && path !== '' && !textOf(path).includes(` id="${decodeURIComponent(place)}"`))
          dead.push(`${name}: ${target}`);
      }
      expect(html).not.toMatch(/<script|<iframe|\son\w+=| src="https?:/);
    }
    expect(dead).toEqual([]);
  });

  it('has the pictures, in the language of the page, and marks the page one is on', () => {
    expect(textOf('/guide/zh/first-steps.html')).toContain('src="/guide/images/first-steps-points-zh.png"');
    expect(files.has('guide/images/first-steps-points-zh.png')).toBe(true);
    expect(textOf('/guide/zh/line.html')).toContain('<a href="/guide/zh/line.html" aria-current="page">');
    expect(textOf('/guide/zh/line.html')).toContain('<a href="/guide/en/line.html" lang="en">English</a>');
    expect(existsSync(inRoot('docs/guide/images/first-steps-points-zh.png'))).toBe(true);
  });

  it.each(['/guide/en/../../etc.html', '/guide/fr/line.html', '/guide/en/line.js', '/guide/en/', '/guide/en/a.html/b'])(
    'has no page %s',
    (path) => expect(isGuidePath(path)).toBe(false),
  );
});
