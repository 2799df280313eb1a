import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Plugin } from 'vite';
import { GUIDE_LANGUAGES, GUIDE_PAGES, type GuideLanguage, guidePath } from '../../src-shared/domain/guide-pages.ts';
import { escapeHtml, type Link, readMarkdown, renderMarkdown } from './markdown.ts';

/** Further pages that those of the guide lead to, by their sources. */
const OTHERS: Readonly<Record<string, string>> = {
  'docs/protocols/modbus.md': 'protocol-modbus',
  'docs/protocols/modbus.zh.md': 'protocol-modbus',
  'docs/protocols/iec104.md': 'protocol-iec104',
  'docs/protocols/iec104.zh.md': 'protocol-iec104',
  'docs/protocols/dlt645.md': 'protocol-dlt645',
  'docs/protocols/dlt645.zh.md': 'protocol-dlt645',
  'docs/protocols/iec61850.md': 'protocol-iec61850',
  'docs/protocols/iec61850.zh.md': 'protocol-iec61850',
  'SECURITY.md': 'reporting',
};

const WORDS = {
  en: { lang: 'en', guide: 'Guide', other: '中文', protocols: 'Protocols in detail' },
  zh: { lang: 'zh-CN', guide: '使用说明', other: 'English', protocols: '规约细节' },
} as const;

/** A file that is written: its name below the pages, and what is in it. */
export interface GuideFile {
  readonly fileName: string;
  readonly source: string | Uint8Array;
}

/** A page before it is written. */
interface Page {
  readonly path: string;
  readonly source: string;
  readonly language: GuideLanguage;
  readonly title: string;
}

const sourceOf = (language: GuideLanguage, page: string) => `docs/guide/${page}${language === 'zh' ? '.zh' : ''}.md`;
const otherPath = (language: GuideLanguage, name: string) => `/guide/${language}/${name}.html`;

/**
 * The guide as files below the pages: a page for each of `GUIDE_PAGES` in both languages, the pages about protocols, contents, and pictures. Everything
 * stands in these files, so it needs no internet. `root`: folder of the project.
 */
export function guideFiles(root: string): GuideFile[] {
  const textOf = (source: string) => readFileSync(join(root, source), 'utf8');
  const titleOf = (source: string) => readMarkdown(textOf(source)).headings[0]?.words ?? source;
  const guide = GUIDE_LANGUAGES.flatMap((language) =>
    GUIDE_PAGES.map((page): Page => {
      const source = sourceOf(language, page);
      return { path: guidePath(language, page), source, language, title: titleOf(source) };
    }),
  );
  const others = Object.entries(OTHERS).map(([source, name]): Page => {
    const language: GuideLanguage = source.endsWith('.zh.md') ? 'zh' : 'en';
    return { path: otherPath(language, name), source, language, title: titleOf(source) };
  });
  const pages = [...guide, ...others];
  const paths = new Set(pages.map(({ path }) => path));
  const bySource = new Map(pages.map(({ source, path }) => [source, path]));
  const contents = Object.fromEntries(GUIDE_LANGUAGES.map((language) => [language, contentsOf(language, guide, others)]));
  const write = (page: Page, body: string): GuideFile => ({
    fileName: page.path.slice(1),
    source: frame(page, contents[page.language] ?? '', body, paths),
  });
  const written = pages.map((page) =>
    write(
      page,
      renderMarkdown(textOf(page.source), (link) => whereTo(link, page.source, bySource)),
    ),
  );
  const indexes = GUIDE_LANGUAGES.map((language) => {
    const title = WORDS[language].guide;
    return write({ path: guidePath(language, null), source: '', language, title }, `<h1>${title}</h1>`);
  });
  const pictures = readdirSync(join(root, 'docs/guide/images')).filter((name) => name.startsWith('first-steps-'));
  return [
    ...written,
    ...indexes,
    ...pictures.map((name) => ({ fileName: `guide/images/${name}`, source: readFileSync(join(root, 'docs/guide/images', name)) })),
    { fileName: 'guide/guide.css', source: textOf('src-renderer/docs/guide.css') },
  ];
}

/** Where a link of a page leads in the program; null: to a file that is not there. */
function whereTo({ target, isPicture }: Link, source: string, bySource: ReadonlyMap<string, string>): string | null {
  if (/^[a-z]+:/.test(target) || target.startsWith('#')) return target;
  const [file = '', place] = target.split('#', 2);
  const meant = posix.join(posix.dirname(source), file);
  if (isPicture) return `/guide/images/${posix.basename(meant)}`;
  const path = bySource.get(meant);
  return path === undefined ? null : `${path}${place === undefined ? '' : `#${place}`}`;
}

function contentsOf(language: GuideLanguage, guide: readonly Page[], others: readonly Page[]): string {
  const list = (pages: readonly Page[]) =>
    `<ul>${pages.map(({ path, title }) => `<li><a href="${path}">${escapeHtml(title)}</a></li>`).join('')}</ul>`;
  const own = guide.filter((page) => page.language === language);
  const protocols = others.filter((page) => page.language === language && page.path.includes('/protocol-'));
  return `${list(own)}<p>${WORDS[language].protocols}</p>${list(protocols)}`;
}

/** The whole page: contents, the way to the other language, and the text. */
function frame(page: Page, contents: string, body: string, paths: ReadonlySet<string>): string {
  const words = WORDS[page.language];
  const other: GuideLanguage = page.language === 'en' ? 'zh' : 'en';
  const twin = page.path.replace(`/guide/${page.language}/`, `/guide/${other}/`);
  const toOther = page.source === '' || paths.has(twin) ? twin : guidePath(other, null);
  const own = `<a href="${page.path}">`;
  return `<!doctype html>
<html lang="${words.lang}">
  <head>
    <meta charset="UTF-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="icon" type="image/svg+xml" href="/docs/icon.svg" />
    <link rel="stylesheet" href="/guide/guide.css" />
    <title>${escapeHtml(page.title)} · Loopcheck</title>
  </head>
  <body>
    <nav aria-label="${words.guide}">
      <p><a href="${guidePath(page.language, null)}">${words.guide}</a> <a href="${toOther}" lang="${WORDS[other].lang}">${words.other}</a></p>
      ${contents.replace(own, own.replace('>', ' aria-current="page">'))}
    </nav>
    <main>
${body}    </main>
  </body>
</html>
`;
}

/** Writes the guide beside the pages. `root`: folder of the project. */
export function buildGuide(root: string): Plugin {
  return {
    name: 'guide',
    apply: 'build',
    generateBundle() {
      for (const file of guideFiles(root)) this.emitFile({ type: 'asset', ...file });
    },
  };
}
