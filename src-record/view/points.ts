import { channelPlace } from '#shared/domain/check-place.ts';
import { comesFirst, isOpen, type PlacedEntry, type RecordedPoint } from '../model.ts';
import { filled, NONE, octetsText, TYPE_LETTERS } from '../words.ts';
import type { Context } from './context.ts';
import { type Child, el, table } from './dom.ts';
import { evidence } from './evidence.ts';

/** Columns behind the number. */
const WIDTH = 5;

/** A point in a table, with what it is found by. */
export interface PointBlock {
  readonly body: HTMLElement;
  readonly point: RecordedPoint;
  /** In small letters. */
  readonly text: string;
  /** Shows or hides the evidence. */
  setOpen(isOpen: boolean): void;
  readonly isOpen: boolean;
}

/** Points of one table: a long list is drawn table by table as it comes into sight. */
const POINTS_A_TABLE = 50;
/** About what a point takes, in pixels, until it is drawn. */
const ABOUT_PX = 84;

/** Points with all their results, in several tables; on paper they are one, whose head is repeated. */
export interface PointTables {
  readonly element: HTMLElement;
  /** Makes one table of them; what it answers makes several again. */
  join(): () => void;
}

export function pointTables({ words }: Context, blocks: readonly PointBlock[]): PointTables {
  const text = words.record;
  const heads = [text.number, text.verdict, text.seen, text.qualityOctets, text.times, text.decidedBy];
  const element = el('div.tables');
  const tables: { readonly box: HTMLElement; readonly table: HTMLElement; readonly bodies: readonly HTMLElement[] }[] = [];
  for (let from = 0; from < blocks.length; from += POINTS_A_TABLE) {
    const bodies = blocks.slice(from, from + POINTS_A_TABLE).map(({ body }) => body);
    const own = table('points', heads, ...bodies);
    const box = el('div.sight', {}, own);
    box.style.containIntrinsicSize = `auto ${bodies.length * ABOUT_PX}px`;
    tables.push({ box, table: own, bodies });
    element.append(box);
  }
  return {
    element,
    join() {
      const [first, ...others] = tables;
      for (const { box, bodies } of others) {
        first?.table.append(...bodies);
        box.remove();
      }
      return () => {
        for (const { box, table: own, bodies } of others) {
          own.append(...bodies);
          element.append(box);
        }
      };
    },
  };
}

export function pointBlock(context: Context, point: RecordedPoint): PointBlock {
  const { words } = context;
  const { item, state, entries, number } = point;
  const body = el('tbody.point', { 'data-state': state, 'data-code': item.code });
  const toggle = el(
    'button.toggle',
    { type: 'button', 'aria-expanded': 'false', 'aria-label': filled(words.record.evidence, { code: item.code }) },
    '▸',
  );
  const line = el(
    'div.pointLine',
    {},
    entries.length > 0 ? toggle : null,
    el('b', {}, item.code),
    el('span.name', {}, item.name),
    el('span.of', {}, [item.group, channelPlace(item), TYPE_LETTERS[item.frameType]].filter(Boolean).join(' · ')),
    el('span.wanted', {}, words.expectation(item.expectation)),
    el('span.state', { 'data-state': state }, words.check.state[state]),
  );
  body.append(el('tr.head', {}, el('td.number', {}, String(number)), el('td', { colspan: WIDTH }, line)));
  for (const each of entries) body.append(...resultRows(context, each, point));
  const notes = [
    ...(item.changed.length > 0
      ? [filled(words.record.changed, { settings: item.changed.map((name) => words.setting(name)).join(', ') })]
      : []),
    ...(item.isThere ? [] : [words.record.gone]),
    ...(item.isUnknown ? [filled(words.record.unknown, { service: item.service ?? '' })] : []),
  ];
  if (notes.length > 0) body.append(el('tr.words', {}, el('td'), el('td', { colspan: WIDTH }, ...notes.map((note) => el('p', {}, note)))));
  let opened: HTMLElement | null = null;
  const block: PointBlock = {
    body,
    point,
    text: [item.code, item.name, item.group, channelPlace(item), ...entries.map(({ entry }) => entry.remark)].join('\n').toLowerCase(),
    get isOpen() {
      return opened !== null;
    },
    setOpen(isWanted) {
      if (isWanted === (opened !== null) || entries.length === 0) return;
      if (opened) opened.remove();
      opened = isWanted ? el('tr.evidenceRow', {}, el('td', { colspan: WIDTH + 1 }, evidence(context, point))) : null;
      if (opened) body.append(opened);
      toggle.setAttribute('aria-expanded', String(isWanted));
      toggle.textContent = isWanted ? '▾' : '▸';
    },
  };
  toggle.addEventListener('click', () => block.setOpen(!block.isOpen));
  return block;
}

function lines(texts: readonly (string | null)[]): HTMLElement[] {
  return texts.filter((text) => text).map((text) => el('div', {}, text));
}

function resultRows({ words }: Context, { entry }: PlacedEntry, { item }: RecordedPoint): HTMLElement[] {
  const of = (code: string) => (code === item.code ? '' : `${code}: `);
  const expectation = words.expectation(entry.expectation);
  const cells: Child[][] = [
    [
      el('span.verdict', { 'data-state': entry.verdict }, words.check.verdict[entry.verdict]),
      ...lines([[words.check.way[entry.way], words.took(entry.took_ms)].filter(Boolean).join(' · ')]),
    ],
    lines(entry.seen.map((seen) => `${of(seen.code)}${words.value(seen)} ${seen.unit}`.trim())),
    entry.seen.flatMap((seen) => [el('div.octets', {}, octetsText(seen.raw_hex)), el('div', {}, words.quality(seen))]),
    entry.seen.flatMap(({ source_time, received_at, arrived_at }) =>
      lines([
        source_time === null ? NONE : words.time(source_time),
        words.time(received_at),
        ...(arrived_at === undefined ? [] : [filled(words.check.history.arrived, { time: words.time(arrived_at) })]),
      ]),
    ),
    lines([words.time(entry.at), entry.operator]),
  ];
  const rows = [el('tr.result', {}, el('td'), ...cells.map((cell) => el('td', {}, ...cell)))];
  const said = [
    ...entry.findings.map((finding) => el('p.finding', {}, words.finding(finding))),
    ...(entry.remark === '' ? [] : [el('p', {}, filled(words.record.remark, { text: entry.remark }))]),
    ...(expectation === words.expectation(item.expectation) ? [] : [el('p', {}, `${words.check.history.expectation}: ${expectation}`)]),
  ];
  if (said.length > 0) rows.push(el('tr.words', {}, el('td'), el('td', { colspan: WIDTH }, ...said)));
  return rows;
}

export const SHOWN = ['all', 'failed', 'passed', 'open'] as const;
export type Shown = (typeof SHOWN)[number];

/** Whether a point is among those that are asked for. `search`: in small letters. */
export function fits({ point, text }: PointBlock, shown: Shown, search: string): boolean {
  const { state } = point;
  const isRight =
    shown === 'all' ||
    (shown === 'open'
      ? isOpen(point)
      : shown === 'failed'
        ? comesFirst(point) && state !== 'check_again'
        : state === 'passed' || state === 'accepted');
  return isRight && (search === '' || text.includes(search));
}
