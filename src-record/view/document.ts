import { comesFirst } from '../model.ts';
import { filled } from '../words.ts';
import type { Context } from './context.ts';
import { cover, statistics } from './cover.ts';
import { el } from './dom.ts';
import { attachments } from './files.ts';
import { fits, type PointBlock, type PointTables, pointBlock, pointTables, SHOWN, type Shown } from './points.ts';
import { signatures } from './signatures.ts';

/** Which evidence goes onto paper. */
const PAPER = ['short', 'failures', 'all', 'none'] as const;
type Paper = (typeof PAPER)[number];

export interface Drawn {
  readonly bar: HTMLElement;
  readonly main: HTMLElement;
  /** Opens the evidence that goes onto paper; what it answers closes it again. */
  prepareForPaper(): () => void;
}

/** The whole document in one language. */
export function drawDocument(context: Context, fileDigest: string, onLanguage: () => void): Drawn {
  const { model, words, explained } = context;
  const text = words.record;
  const failures = model.points.filter(comesFirst).map((point) => pointBlock(context, point));
  const all = model.points.map((point) => pointBlock(context, point));
  const count = el('p.shown', { role: 'status', 'data-testid': 'shown' });
  const failureTables = pointTables(context, failures);
  const allTables = pointTables(context, all);
  let paper: Paper = 'short';
  let shown: Shown = 'all';
  let search = '';
  const look = () => {
    let found = 0;
    for (const block of all) {
      const isShown = fits(block, shown, search);
      block.body.hidden = !isShown;
      if (isShown) found += 1;
    }
    count.textContent = filled(text.shown, { count: found, total: all.length });
    points.dataset.empty = String(found === 0);
  };
  const points = el('section.all', {}, el('h2', {}, text.allPoints), count, allTables.element, el('p.empty', {}, text.noPoints));
  look();
  const main = el(
    'main',
    {},
    cover(context),
    statistics(context),
    ofSession(context),
    el('section.failures', {}, el('h2', {}, text.failures), failures.length === 0 ? el('p', {}, text.noFailures) : failureTables.element),
    points,
    explained.omitted > 0 ? el('p.note', {}, filled(text.omitted, { count: explained.omitted })) : null,
    signatures(context, fileDigest),
  );
  const bar = toolbar(context, {
    onShown: (next) => {
      shown = next;
      look();
    },
    onSearch: (next) => {
      search = next.trim().toLowerCase();
      look();
    },
    onPaper: (next) => {
      paper = next;
    },
    onLanguage,
  });
  return {
    bar,
    main,
    prepareForPaper() {
      const wanted: readonly PointBlock[] = paper === 'none' ? [] : paper === 'all' ? all.filter(({ body }) => !body.hidden) : failures;
      const opened = wanted.filter((block) => !block.isOpen);
      for (const block of opened) block.setOpen(true);
      main.dataset.paper = paper;
      const apart = [failureTables, allTables].map((tables: PointTables) => tables.join());
      return () => {
        for (const part of apart) part();
        for (const block of opened) block.setOpen(false);
      };
    },
  };
}

/** What was said of the session as a whole; null where nothing was. */
function ofSession(context: Context): HTMLElement | null {
  const { model, words } = context;
  if (model.session.length === 0) return null;
  return el(
    'section',
    {},
    el('h2', {}, words.record.ofSession),
    ...model.session.map((placed) => {
      const { verdict, at, operator, remark } = placed.entry;
      const head = `${words.check.verdict[verdict]} · ${words.time(at)} · ${operator}`;
      return el('article', {}, el('h5', {}, head), el('p.said', {}, remark), attachments(context, placed));
    }),
  );
}

interface BarEvents {
  onShown(shown: Shown): void;
  onSearch(text: string): void;
  onPaper(paper: Paper): void;
  onLanguage(): void;
}

function toolbar({ words }: Context, events: BarEvents): HTMLElement {
  const text = words.record;
  const search = el('input', { type: 'search', placeholder: text.search, 'aria-label': text.search }) as HTMLInputElement;
  search.addEventListener('input', () => events.onSearch(search.value));
  const filters = SHOWN.map((shown) => {
    const button = el('button', { type: 'button', 'aria-pressed': String(shown === 'all'), 'data-shown': shown }, text.show[shown]);
    button.addEventListener('click', () => {
      for (const each of filters) each.setAttribute('aria-pressed', String(each === button));
      events.onShown(shown);
    });
    return button;
  });
  const paper = el('select', {}, ...PAPER.map((each) => el('option', { value: each }, text.onPaperOf[each]))) as HTMLSelectElement;
  paper.addEventListener('change', () => events.onPaper(paper.value as Paper));
  const language = el(
    'button',
    { type: 'button', 'data-testid': 'language', lang: words.language === 'zh' ? 'en' : 'zh-CN' },
    text.language,
  );
  language.addEventListener('click', () => events.onLanguage());
  const print = el('button.strong', { type: 'button' }, text.print);
  print.addEventListener('click', () => window.print());
  return el(
    'nav.bar',
    { 'aria-label': text.title },
    el('div.filters', { role: 'group' }, ...filters),
    search,
    el('span.space'),
    el('label', {}, text.onPaper, ' ', paper),
    language,
    print,
  );
}
