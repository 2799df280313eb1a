import type { CheckSeen } from '#shared/contract/check.ts';
import { CHECK_STATES, type CheckRecordLanguage } from '#shared/domain/check.ts';
import { channelPlace } from '#shared/domain/check-place.ts';
import type { CheckRecord } from '#shared/domain/check-record.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import { type CountLine, comesFirst, isOpen, modelOf, type PlacedEntry, type RecordedPoint, type RecordModel } from './model.ts';
import { filled, octetsText, RecordWords, TYPE_LETTERS, zoneText } from './words.ts';

type Cell = string | number | null;

/** A sheet of a workbook: the header row, then the rows. Texts stay texts, whatever they begin with. */
export interface RecordSheet {
  readonly name: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly choices: Readonly<Record<number, readonly string[]>>;
  /** Columns of texts, from 0. */
  readonly textColumns: readonly number[];
  readonly isTable: boolean;
}

/** A column with what stands in it. */
interface Column<Row> {
  readonly name: string;
  readonly is: 'text' | 'number';
  of(row: Row): Cell;
}

/** Characters that a workbook cannot hold, and what a cell cannot hold of a text. */
const FORBIDDEN = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const LONGEST = 32_767;

function cellText(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd').slice(0, LONGEST);
}

function sheetOf<Row>(name: string, columns: readonly Column<Row>[], rows: readonly Row[]): RecordSheet {
  return {
    name,
    header: columns.map((column) => column.name),
    rows: rows.map((row) => columns.map((column) => safe(column.of(row)))),
    choices: {},
    textColumns: columns.flatMap(({ is }, at) => (is === 'text' ? [at] : [])),
    isTable: true,
  };
}

const safe = (cell: Cell): Cell => (typeof cell === 'string' ? cellText(cell) : cell);

/** The record as sheets: cover and statistics, failures, all results, history, open points. It names the digest that stands in the last line of the JSON. */
export function recordSheets(record: CheckRecord, language: CheckRecordLanguage): RecordSheet[] {
  const model = modelOf(record);
  const words = new RecordWords(language, record.utc_offset_min);
  const names = words.record.sheets;
  const points = pointColumns(words, zoneText(record.utc_offset_min));
  return [
    coverSheet(model, words),
    sheetOf(names.failures, points, model.points.filter(comesFirst)),
    sheetOf(names.results, points, model.points),
    historySheet(model, words),
    sheetOf(names.open, points, model.points.filter(isOpen)),
  ];
}

const text = <Row>(name: string, of: (row: Row) => Cell): Column<Row> => ({ name, is: 'text', of });
const number = <Row>(name: string, of: (row: Row) => Cell): Column<Row> => ({ name, is: 'number', of });

/** The value of the point itself, which stands first. */
const seenOf = ({ entry }: PlacedEntry): CheckSeen | undefined => entry.seen[0];

function pointColumns(words: RecordWords, zone: string): Column<RecordedPoint>[] {
  const { column, state } = words.check;
  const seen = ({ deciding }: RecordedPoint) => deciding && seenOf(deciding);
  return [
    number(words.record.number, (point) => point.number),
    text(column.state, (point) => state[point.state]),
    text(column.code, ({ item }) => item.code),
    text(column.name, ({ item }) => item.name),
    text(column.group, ({ item }) => item.group),
    text(column.channel, ({ item }) => channelPlace(item)),
    text(column.type, ({ item }) => TYPE_LETTERS[item.frameType]),
    text(column.expectation, ({ item }) => words.expectation(item.expectation)),
    number(column.value, (point) => seen(point)?.value ?? null),
    text(words.record.seen, (point) => valueText(words, seen(point))),
    text(words.setting('unit'), (point) => seen(point)?.unit ?? null),
    text(column.what, ({ deciding, item }) => whatOf(words, deciding, item.changed)),
    text(column.operator, ({ deciding }) => deciding?.entry.operator ?? null),
    text(column.at, ({ deciding }) => (deciding ? `${words.time(deciding.entry.at)} ${zone}` : null)),
    number(column.results, ({ entries }) => entries.length),
  ];
}

function valueText(words: RecordWords, seen: CheckSeen | undefined): string | null {
  return seen ? words.value(seen) : null;
}

function whatOf(words: RecordWords, deciding: PlacedEntry | undefined, changed: readonly string[]): string {
  const said = deciding ? [...deciding.entry.findings.map((finding) => words.finding(finding)), deciding.entry.remark] : [];
  const since =
    changed.length > 0 ? [filled(words.record.changed, { settings: changed.map((name) => words.setting(name)).join(', ') })] : [];
  return [...said, ...since].filter(Boolean).join('\n');
}

interface Line {
  readonly point: RecordedPoint;
  readonly placed: PlacedEntry;
}

function historySheet({ points, record }: RecordModel, words: RecordWords): RecordSheet {
  const { column, verdict, way } = words.check;
  const zone = zoneText(record.utc_offset_min);
  const time = (iso: string | null | undefined) => (iso ? `${words.time(iso)} ${zone}` : null);
  const entry = ({ placed }: Line) => placed.entry;
  const seen = ({ placed }: Line) => seenOf(placed);
  const columns: Column<Line>[] = [
    number(words.record.number, ({ point }) => point.number),
    text(column.code, ({ point }) => point.item.code),
    text(words.record.verdict, (line) => verdict[entry(line).verdict]),
    number(column.value, (line) => seen(line)?.value ?? null),
    text(words.record.seen, (line) => valueText(words, seen(line))),
    text(words.setting('unit'), (line) => seen(line)?.unit ?? null),
    text(column.raw, (line) => octetsText(seen(line)?.raw_hex ?? '')),
    text(column.quality, (line) => {
      const value = seen(line);
      return value ? words.quality(value) : null;
    }),
    text(column.source, (line) => time(seen(line)?.source_time)),
    text(column.received, (line) => time(seen(line)?.received_at)),
    text(column.expectation, (line) => words.expectation(entry(line).expectation)),
    text(column.what, ({ placed }) => whatOf(words, placed, [])),
    text(column.operator, (line) => entry(line).operator),
    text(column.at, (line) => time(entry(line).at)),
    text(words.record.way, (line) => way[entry(line).way]),
    number(words.record.tookMs, (line) => entry(line).took_ms),
    text(words.record.chain.part, ({ placed }) => placed.part),
    number(words.record.entry, ({ placed }) => placed.seq),
    text(words.check.history.digest, ({ placed }) => placed.digest),
  ];
  const lines = points.flatMap((point) => point.entries.map((placed) => ({ point, placed })));
  return sheetOf(words.record.sheets.history, columns, lines);
}

function coverSheet(model: RecordModel, words: RecordWords): RecordSheet {
  const { record, period } = model;
  const zone = zoneText(record.utc_offset_min);
  const own = words.record;
  const facts: Cell[][] = [
    [own.session, record.session.name],
    ...words.cover(record.session.cover),
    [own.project, record.project],
    [own.period, period ? `${words.time(period[0])} – ${words.time(period[1])} ${zone}` : own.noResults],
    [own.operators, model.operators.join(', ')],
    [own.program, `Loopcheck ${record.program}`],
    [own.points, model.points.length],
    [own.results, model.results],
    [own.jsonDigest.replace('{{digest}}', '').replace(/[:：]\s*$/, ''), record.digest.replace('sha256:', '')],
    ...record.heads.map((head) => [own.chain.end, head]),
    ...record.devices.map(({ name, service, table }) => [`${own.device.table}: ${channelPlace({ service, channel: name })}`, table]),
  ];
  const states = CHECK_STATES.map((state) => words.check.state[state]);
  const line = ([name, counts]: CountLine): Cell[] => [name, ...CHECK_STATES.map((state) => counts[state] ?? 0)];
  const block = (title: string, lines: readonly CountLine[]): Cell[][] => [[], [title, ...states], ...lines.map(line)];
  const rows = [
    ...facts,
    ...block(own.total, [[own.total, model.counts]]),
    ...block(
      own.byType,
      model.types.map(([type, counts]) => [TYPE_LETTERS[Number(type) as FrameType] ?? type, counts]),
    ),
    ...block(own.byChannel, model.channels),
    ...block(
      own.byGroup,
      model.groups.map(([name, counts]) => [name || words.check.noGroup, counts]),
    ),
  ];
  const header = [own.title, '', '', '', '', '', ''];
  return { name: own.sheets.cover, header, rows: rows.map((row) => row.map(safe)), choices: {}, textColumns: [], isTable: false };
}
