import type { CheckState } from '#shared/domain/check.ts';
import { CHECK_STATES } from '#shared/domain/check.ts';
import { channelPlace } from '#shared/domain/check-place.ts';
import type { RecordDevice } from '#shared/domain/check-record.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import type { CountLine, Counts } from '../model.ts';
import { filled, givenSettings, TYPE_LETTERS, zoneText } from '../words.ts';
import type { Context } from './context.ts';
import { el, pairs, table } from './dom.ts';
import { picture } from './files.ts';

/** First page: what was checked, by whom, when, with what, and how it stands. */
export function cover(context: Context): HTMLElement {
  const { model, words } = context;
  const { record, period } = model;
  const { session, project, program, parts } = record;
  const text = words.record;
  const logo = session.logo ? context.files.get(session.logo) : undefined;
  return el(
    'section.cover',
    { 'aria-label': text.cover },
    el('div.masthead', {}, el('div', {}, el('p.kind', {}, text.title), el('h1', {}, session.name)), logo ? picture(logo, 'logo') : null),
    pairs('facts', [
      ...words.cover(session.cover),
      [text.project, project],
      [text.period, period ? filled(text.periodOf, { from: words.time(period[0]), to: words.time(period[1]) }) : text.noResults],
      [text.operators, model.operators.join(words.language === 'zh' ? '、' : ', ')],
      [text.computers, [...new Set(parts.map(({ head }) => head.computer))].join(', ')],
      [text.program, `Loopcheck ${program}`],
      [text.points, String(model.points.length)],
      [text.results, String(model.results)],
    ]),
    el('p.note', {}, filled(text.zone, { zone: `UTC${zoneText(record.utc_offset_min)}` })),
    summary(context),
    devices(context),
  );
}

function share(counts: Counts): { readonly done: number; readonly total: number; readonly percent: string } {
  const total = CHECK_STATES.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
  const done = (counts.passed ?? 0) + (counts.accepted ?? 0);
  return { done, total, percent: total === 0 ? '–' : `${((100 * done) / total).toFixed(1)} %` };
}

function bar(counts: Counts): HTMLElement {
  const { total } = share(counts);
  const pieces = CHECK_STATES.filter((state) => counts[state]).map((state) => {
    const piece = el('span', { 'data-state': state });
    piece.style.width = `${(100 * (counts[state] ?? 0)) / total}%`;
    return piece;
  });
  return el('div.bar', { 'aria-hidden': 'true' }, ...pieces);
}

function summary({ model, words }: Context): HTMLElement {
  const cell = (state: CheckState) =>
    el('div.count', { 'data-state': state }, el('b', {}, String(model.counts[state] ?? 0)), el('span', {}, words.check.state[state]));
  return el('div.summary', { 'data-testid': 'counts' }, el('div.counts', {}, ...CHECK_STATES.map(cell)), bar(model.counts));
}

function devices({ model, words }: Context): HTMLElement {
  const text = words.record.device;
  const where = ({ settings: { com_port, ip, port } }: RecordDevice) => (com_port ? String(com_port) : `${ip}:${port}`);
  const body = el(
    'tbody',
    {},
    ...model.record.devices.map((device) =>
      el(
        'tr',
        {},
        el('th', { scope: 'row' }, channelPlace({ service: device.service, channel: device.name })),
        el('td', {}, words.settingValue('protocol_type', device.settings.protocol_type)),
        el('td', {}, `${words.settingValue('conn_type', device.settings.conn_type)} ${where(device)}`),
        el('td.small', {}, settingsLine(device, words)),
        el('td.number', {}, String(device.points)),
        el('td.digest', {}, device.table),
      ),
    ),
  );
  const heads = [text.name, text.protocol, text.where, text.settings, text.points, text.table];
  return el('div', {}, el('h2', {}, words.record.devices), table('devices', heads, body));
}

const SHOWN_ELSEWHERE = ['name', 'protocol_type', 'conn_type', 'ip', 'port', 'com_port'];
const SERIAL_ONLY = ['baud_rate', 'data_bits', 'stop_bits', 'parity'];

function settingsLine({ settings }: RecordDevice, words: Context['words']): string {
  const { protocol, ...own } = settings;
  const shown = [...givenSettings(own), ...(typeof protocol === 'object' && protocol ? givenSettings({ ...protocol }) : [])];
  return shown
    .filter(([name]) => !SHOWN_ELSEWHERE.includes(name) && (settings.com_port || !SERIAL_ONLY.includes(name)))
    .map(([name, value]) => `${words.setting(name)} ${words.settingValue(name, value)}`)
    .join(' · ');
}

/** Points by state: in all, by channel, type and group. */
export function statistics({ model, words }: Context): HTMLElement {
  const text = words.record;
  const states = CHECK_STATES.filter((state) => model.counts[state]);
  const line = (name: string, counts: Counts, tag: 'td' | 'th') => {
    const { total, percent } = share(counts);
    const numbers = [...states.map((state) => String(counts[state] ?? 0)), String(total), percent];
    return el('tr', {}, el('th', { scope: 'row' }, name), ...numbers.map((number) => el(`${tag}.number`, {}, number)));
  };
  const block = (title: string, lines: readonly CountLine[], nameOf: (name: string) => string) =>
    table(
      'statistics',
      [title, ...states.map((state) => words.check.state[state]), text.total, text.share],
      el('tbody', {}, ...lines.map(([name, counts]) => line(nameOf(name), counts, 'td'))),
      el('tfoot', {}, line(text.total, model.counts, 'th')),
    );
  return el(
    'section.figures',
    {},
    el('h2', {}, text.statistics),
    block(text.byType, model.types, (type) => TYPE_LETTERS[Number(type) as FrameType] ?? type),
    block(text.byChannel, model.channels, (name) => name),
    block(text.byGroup, model.groups, (name) => name || words.check.noGroup),
  );
}
