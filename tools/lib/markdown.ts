import { Marked } from 'marked';

/** A heading of a page: its level (1 is the title), its words without marks, and the place that links name behind `#`. */
export interface Heading {
  readonly level: number;
  readonly words: string;
  readonly place: string;
}

/** What a page links to, as it is written there. `isPicture`: it is shown in place. */
export interface Link {
  readonly target: string;
  readonly isPicture: boolean;
}

/** The place of a heading as the forge writes it: small letters, no punctuation, `-` for each blank. `taken` counts those of the page. */
export function placeOf(words: string, taken: Map<string, number> = new Map()): string {
  const plain = words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
  const count = taken.get(plain) ?? 0;
  taken.set(plain, count + 1);
  return count === 0 ? plain : `${plain}-${count}`;
}

function wordsOf(tokens: readonly { readonly raw: string }[]): string {
  return tokens
    .map((token) => {
      const inner = 'tokens' in token ? (token.tokens as { readonly raw: string }[] | undefined) : undefined;
      return inner ? wordsOf(inner) : 'text' in token ? String(token.text) : token.raw;
    })
    .join('');
}

/** Headings and links of a page; code is left out. */
export function readMarkdown(text: string): { readonly headings: readonly Heading[]; readonly links: readonly Link[] } {
  const [headings, links, taken]: [Heading[], Link[], Map<string, number>] = [[], [], new Map()];
  const marked = new Marked();
  // without asynchronous extensions nothing of it is waited for
  void marked.walkTokens(marked.lexer(text), (token) => {
    if (token.type === 'heading') {
      const words = wordsOf(token.tokens ?? []);
      headings.push({ level: token.depth, words, place: placeOf(words, taken) });
    }
    if (token.type === 'link' || token.type === 'image') links.push({ target: token.href, isPicture: token.type === 'image' });
  });
  return { headings, links };
}

/** Text as it stands in HTML. */
export function escapeHtml(text: string): string {
  const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark);
}

/**
 * A page as HTML, without head and body. HTML inside of it is shown as text. `linkOf` says where a link leads from here; null: its words
 * stand there without a link.
 */
export function renderMarkdown(text: string, linkOf: (link: Link) => string | null): string {
  const taken = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const place = placeOf(wordsOf(tokens), taken);
        return `<h${depth} id="${escapeHtml(place)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      html: ({ text: html }) => escapeHtml(html),
      link({ href, tokens }) {
        const [target, words] = [linkOf({ target: href, isPicture: false }), this.parser.parseInline(tokens)];
        return target === null ? words : `<a href="${escapeHtml(target)}">${words}</a>`;
      },
      image({ href, text: words }) {
        const target = linkOf({ target: href, isPicture: true });
        return target === null ? escapeHtml(words) : `<img src="${escapeHtml(target)}" alt="${escapeHtml(words)}" />`;
      },
    },
  });
  const html = marked.parse(text, { async: false });
  return html.replaceAll('<table>', '<div class="table"><table>').replaceAll('</table>', '</table></div>');
}
