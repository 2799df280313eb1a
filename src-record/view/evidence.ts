import type { CompactNode } from '#shared/domain/check-explained.ts';
import type { PlacedEntry, RecordedPoint } from '../model.ts';
import { filled, givenSettings, octetsText } from '../words.ts';
import type { Context } from './context.ts';
import { el, pairs, row, table } from './dom.ts';
import { attachments } from './files.ts';

/** What the results of a point rest on: settings, channel, frames with their meaning, attachments; the newest result first. */
export function evidence(context: Context, { item, entries }: RecordedPoint): HTMLElement {
  const { words } = context;
  return el(
    'div.evidence',
    { 'data-testid': 'evidence' },
    el('h4', {}, filled(words.record.evidence, { code: item.code })),
    ...[...entries].reverse().map((entry) => ofResult(context, entry)),
  );
}

function ofResult(context: Context, placed: PlacedEntry): HTMLElement {
  const { words } = context;
  const { entry, part, seq, digest } = placed;
  const text = words.record;
  return el(
    'article',
    {},
    el(
      'h5',
      {},
      `${words.check.verdict[entry.verdict]} · ${filled(text.evidenceOf, { seq, part: part.slice(0, 8), at: words.time(entry.at) })}`,
    ),
    settings(context, text.settings, entry.point),
    settings(context, text.channel, entry.channel),
    frames(context, placed),
    attachments(context, placed),
    el('p.digest', {}, `${words.check.history.digest}: ${digest}`),
  );
}

function settings({ words }: Context, title: string, all: Readonly<Record<string, unknown>>): HTMLElement | null {
  const { protocol, ...own } = all;
  const given = [...givenSettings(own), ...(typeof protocol === 'object' && protocol ? givenSettings({ ...protocol }) : [])];
  if (given.length === 0) return null;
  return el(
    'div',
    {},
    el('h6', {}, title),
    pairs(
      'settings',
      given.map(([name, value]) => [words.setting(name), words.settingValue(name, value)]),
    ),
  );
}

function frames(context: Context, { entry, part, seq }: PlacedEntry): HTMLElement | null {
  if (entry.frames.length === 0) return null;
  const { words, explained } = context;
  const blocks = entry.frames.map((frame, at) => {
    const nodes = explained.nodes(part, seq, at);
    const head = `${words.frames.kind[frame.kind]} · ${words.time(frame.at)} · ${frame.peer}`;
    return el(
      'div.frame',
      { 'data-testid': 'frame' },
      el('p.frameHead', {}, head, ' · ', el('span', {}, words.said(frame.text_message, frame.text))),
      frame.hex === '' ? null : el('p.octets', {}, octetsText(frame.hex)),
      nodes.length > 0 ? tree(context, nodes) : frame.hex === '' ? null : el('p.note', {}, words.record.notExplained),
    );
  });
  return el('div', {}, el('h6', {}, words.record.frames), ...blocks);
}

function tree({ words }: Context, nodes: readonly CompactNode[]): HTMLElement {
  const body = el('tbody');
  const add = (all: readonly CompactNode[], depth: number) => {
    for (const [name, value, start, end, severity, children] of all) {
      const line = row(end > start ? rangeOf(start, end) : '', words.said(name), words.said(value));
      line.dataset.severity = severity;
      const place = line.children[1];
      if (place instanceof HTMLElement) place.style.paddingLeft = `${4 + 10 * depth}px`;
      body.append(line);
      if (children) add(children, depth + 1);
    }
  };
  add(nodes, 0);
  return table('tree', [words.check.column.octets, words.frames.explain.tree, words.check.column.value], body);
}

function rangeOf(start: number, end: number): string {
  return end - start === 1 ? String(start) : `${start}–${end - 1}`;
}
