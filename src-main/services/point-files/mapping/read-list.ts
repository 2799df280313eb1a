/** From a foreign list to rows of points: tables, columns, what is asked, rows. */
import type { ListMapping } from '#shared/contract/list-mapping.ts';
import type { ListProfile } from '#shared/contract/list-operations.ts';
import { MOST_TABLE_ROWS } from '#shared/contract/point-files.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import type { ValueTexts } from '#shared/domain/value-texts.ts';
import { say } from '#shared/messages/index.ts';
import type {
  DriverChannelSettings,
  ListContext,
  ListDialect,
  ListPlacing,
  ListRow,
  ListSurvey,
  OpenListQuestion,
} from '../../../drivers/spi/index.ts';
import { plainText } from '../cells.ts';
import { type ColumnSet, SHEETS, typeOf } from '../columns.ts';
import { IssueList } from '../issues.ts';
import { isEmptyRow } from '../layout.ts';
import type { TableRow } from '../read-rows.ts';
import type { SheetTable } from '../table-file.ts';
import { parseAccess } from './access.ts';
import { codedRows, type PlacedRow } from './coded-rows.ts';
import { fitsRole, isNothing } from './content-fit.ts';
import { findFactors, type TableFactors } from './factors.ts';
import type { ListFile } from './list-file.ts';
import { columnOf, type ListTableAt, listTables } from './list-tables.ts';
import { factsOf, pointsOf, type RowFacts } from './row-points.ts';
import { type RoleTexts, TexterOfTable } from './row-texts.ts';
import { type DataRow, errorIn, type ListFindings, readTableRows } from './table-rows.ts';

export interface ListSource {
  readonly file: ListFile;
  readonly mapping: ListMapping;
  /** The profile that is used; null for none. */
  readonly profile: ListProfile | null;
  readonly dialect: ListDialect;
  readonly columns: ColumnSet;
  readonly settings: DriverChannelSettings;
}

/** A table with how much of it was understood. */
export interface ReadTableAt extends ListTableAt {
  readonly filled: number;
  readonly understood: number;
}

/** A question with how many rows wait for it, and some of them. */
export interface AskedQuestion extends OpenListQuestion {
  readonly rows: number;
  readonly samples: readonly OpenRow[];
}

/** A row of a list on its way. */
export interface OpenRow {
  readonly table: ListTableAt;
  readonly data: DataRow;
  readonly texts: RoleTexts;
  readonly row: ListRow;
}

export interface ReadList {
  readonly tables: readonly ReadTableAt[];
  /** All that were asked, in the order in which they came up. */
  readonly questions: readonly AskedQuestion[];
  readonly findings: ListFindings;
  readonly rows: readonly TableRow[];
  readonly counts: { readonly rows: number; readonly understood: number; readonly open: number; readonly writable: number };
  /** Rows with their points, and what was known of the list, so that some can be read once more under another answer. */
  readonly context: ListContext;
  readonly factors: readonly TableFactors[];
}

/** Samples of a question. */
const SAMPLES = 24;

/** Reads a list. What is wrong, left out or concluded stands in the findings; it never throws for a bad list. */
export function readList(source: ListSource): ReadList {
  const findings: ListFindings = { errors: new IssueList(), leftOut: new IssueList(), told: new IssueList() };
  const { mapping, profile, dialect, file } = source;
  const tables = listTables(file.sheets, { mapping, profile, dialect, isTree: file.format === 'json' || file.format === 'yaml' });
  const taken = tables.filter((table) => table.taken);
  tellTables(source, tables, findings);
  const prose: string[] = proseOutside(file.sheets, tables);
  const opened = taken.map((table, at) => openTable(table, at, { mapping, dialect, joinsLines: file.format === 'text' }, prose, findings));
  const answers = { ...profile?.mapping.answers, ...mapping.answers };
  const factors = opened.map(({ rows, texter }) =>
    findFactors(
      rows.map(({ texts }) => texts),
      texter.headers,
      answers,
    ),
  );
  const context: ListContext = {
    headers: opened.map(({ texter }) => texter.headers),
    prose,
    answers,
    words: mapping.words ?? profile?.mapping.words ?? [],
    add: mapping.add ?? profile?.mapping.add ?? 0,
    settings: source.settings,
    makesCommands: (mapping.commands ?? profile?.mapping.commands) === 'make',
  };
  const survey = dialect.survey(
    opened.flatMap(({ rows }) => rows.map(({ row }) => row)),
    context,
  );
  if (profile) findings.told.add('list_profile', { name: profile.name });
  for (const { rule, params } of survey.told) findings.told.add(rule, params);
  const placer = new Placer(survey, factors, findings);
  for (const { rows, texter } of opened) for (const row of rows) placer.place(row, texter);
  const asked = [...survey.questions, ...factors.flatMap(({ questions }) => questions)];
  // what no row waits for and nobody answered is no question
  const questions = placer.questions(asked).filter(({ id, rows }) => rows > 0 || answers[id] !== undefined);
  tellPlaced(opened, factors, placer, dialect, findings);
  const coded = codedRows(placer.placed, source.columns, mapping.slave_id);
  tellCodes(coded, findings);
  for (const question of questions.filter((item) => item.rows > 0)) {
    findings.errors.add('list_question', {
      question: say(`list.q_${question.kind}`, question.params as { word: string }),
      rows: question.rows,
    });
  }
  if (placer.placed.length > MOST_TABLE_ROWS) findings.errors.add('rows_too_many', { max: MOST_TABLE_ROWS });
  const understood = new Map(taken.map((table) => [table, placer.understood(table)]));
  return {
    tables: tables.map((table) => ({
      ...table,
      filled: opened.find((item) => item.table === table)?.filled ?? 0,
      understood: understood.get(table) ?? 0,
    })),
    questions,
    findings,
    rows: coded.rows,
    counts: {
      rows: opened.reduce((sum, { filled }) => sum + filled, 0),
      understood: placer.placed.length,
      open: placer.open,
      writable: placer.writable,
    },
    context,
    factors,
  };
}

interface OpenTable {
  readonly table: ListTableAt;
  readonly texter: TexterOfTable;
  readonly rows: readonly OpenRow[];
  readonly filled: number;
}

interface OpenOptions {
  readonly mapping: ListMapping;
  readonly dialect: ListDialect;
  readonly joinsLines: boolean;
}

function openTable(
  table: ListTableAt,
  at: number,
  { mapping, dialect, joinsLines }: OpenOptions,
  prose: string[],
  findings: ListFindings,
): OpenTable {
  const texter = new TexterOfTable(table);
  const options = {
    address: columnOf(table, 'address'),
    bit: columnOf(table, 'bit'),
    wordy: table.roles.filter(({ role }) => role === 'name' || role === 'note' || role === 'texts').map(({ index }) => index),
    leavesHidden: mapping.hidden_rows === 'leave',
    joinsLines,
  };
  const read = readTableRows(table.sheet, table.table, options, dialect, findings);
  prose.push(...read.prose);
  const titles = titlesOf(table);
  const used = table.roles.filter(({ role }) => role !== 'note' && role !== 'ignore').map(({ index }) => index);
  const rows = read.rows.flatMap((data): OpenRow[] => {
    const error = errorIn(table.sheet, data.index, used);
    if (error !== null) {
      findings.leftOut.add('row_error', { value: error }, { sheet: table.sheet.name, row: data.index + 1 });
      return [];
    }
    const texts = texter.texts(data);
    if (isReserved(texts, data)) {
      findings.leftOut.add('row_reserved', {}, { sheet: table.sheet.name, row: data.index + 1 });
      return [];
    }
    return [{ table, data, texts, row: listRow(at, texts, [...data.groups, ...titles], texter.headers.access ?? '') }];
  });
  return { table, texter, rows, filled: read.filled };
}

const RESERVED = /^[\s([*-]*(reserved?|unused|not used|保留|预留|未用|未使用)\b|^[\s([]*(保留|预留|未用|未使用)/i;

/** True for registers that a list names only to say that they hold nothing. */
function isReserved({ name, code, type }: RoleTexts, { texts }: DataRow): boolean {
  if (RESERVED.test(name ?? code ?? '')) return true;
  return (type === undefined || isNothing(type)) && [...texts.values()].some((text) => RESERVED.test(text));
}

function listRow(table: number, texts: RoleTexts, titles: readonly string[], accessHeader: string): ListRow {
  const low = Number(texts.min_limit ?? texts.scaled_low ?? Number.NaN);
  return {
    table,
    texts,
    titles,
    access: texts.access === undefined ? null : parseAccess(texts.access, accessHeader),
    frameType: (texts.point_type === undefined ? null : typeOf(texts.point_type)) ?? typeInTitles(titles),
    isNegative: low < 0 || /(^|[\s([])-\d/.test(texts.min_limit ?? ''),
  };
}

/** The type of point that a title or sheet is called by, in the words of the field; other words mean many things. */
function typeInTitles(titles: readonly string[]): FrameType | null {
  for (const title of titles) {
    const text = title.normalize('NFKC').trim();
    const named = SHEETS.filter(({ name, also }) => text.includes(name) || text.toLowerCase() === also[0]);
    if (named.length === 1) return named[0]?.frameType ?? null;
  }
  return null;
}

/** Titles right above the headers, then the name of the sheet. */
function titlesOf({ sheet, table }: ListTableAt): string[] {
  const titles: string[] = [];
  for (let row = table.headerRow - 1; row >= 0 && titles.length < 4; row--) {
    const texts = [...new Set((sheet.rows[row] ?? []).slice(table.left, table.right).map(plainText))].filter((text) => text !== '');
    if (texts.length > 2) break;
    titles.push(...texts);
  }
  return [...titles, ...(/^(sheet|工作表)\s*\d*$/i.test(sheet.name) ? [] : [sheet.name])].filter((title) => title !== '');
}

const MOST_PROSE = 500;

/** Sentences above the tables, and on sheets that have none. */
function proseOutside(sheets: readonly SheetTable[], tables: readonly ListTableAt[]): string[] {
  const prose = sheets.flatMap((sheet) => {
    const own = tables.filter((table) => table.sheet === sheet && table.taken);
    const first = own.length === 0 ? sheet.rows.length : Math.min(...own.map(({ table }) => Math.max(0, table.headerRow)));
    return sheet.rows.slice(0, Math.min(first, MOST_PROSE)).flatMap((row) => row.map(plainText));
  });
  return [...new Set(prose)].filter((text) => text.length > 3).slice(0, MOST_PROSE);
}

function tellTables({ file, mapping, profile }: ListSource, tables: readonly ListTableAt[], { errors, told }: ListFindings): void {
  if (mapping.profile !== undefined && mapping.profile !== null && !profile) errors.add('list_profile_gone', { id: mapping.profile });
  const taken = tables.filter((table) => table.taken);
  if (tables.length === 0) errors.add('list_no_table', {});
  else if (taken.length === 0) errors.add('list_no_address', { sheet: tables[0]?.sheet.name ?? '' });
  const isTree = file.format === 'json' || file.format === 'yaml';
  const left = isTree ? file.sheets.filter((sheet) => !taken.some((table) => table.sheet === sheet)) : [];
  if (left.length > 0 && taken.length > 0)
    told.add('list_parts_left', { names: left.map(({ name }) => name).slice(0, MOST_NAMES), count: left.length });
  for (const sheet of file.sheets) {
    const own = taken.filter((table) => table.sheet === sheet);
    if (own.length > 1) told.add('list_tables', { count: own.length }, { sheet: sheet.name });
    if (own.length === 0 && taken.length > 0 && !isTree && !sheet.rows.every(isEmptyRow))
      told.add(sheet.isHidden ? 'list_sheet_hidden' : 'list_sheet_left', { name: sheet.name }, { sheet: sheet.name });
    for (const table of own)
      if (!table.roles.some(({ role }) => role === 'address' || role === 'address_part'))
        errors.add('list_no_address', { sheet: sheet.name });
  }
}

/** Names of parts that are told. */
const MOST_NAMES = 20;

/** Takes rows to their points, and counts what waits. */
class Placer {
  readonly placed: PlacedRow[] = [];
  open = 0;
  writable = 0;
  rawLimits = 0;
  cut = 0;
  bitRows = 0;
  bitPoints = 0;
  readonly #survey: ListSurvey;
  readonly #factors: readonly TableFactors[];
  readonly #findings: ListFindings;
  readonly #waiting = new Map<string, { rows: number; samples: OpenRow[] }>();
  readonly #understood = new Map<ListTableAt, number>();

  constructor(survey: ListSurvey, factors: readonly TableFactors[], findings: ListFindings) {
    this.#survey = survey;
    this.#factors = factors;
    this.#findings = findings;
  }

  place(open: OpenRow, texter: TexterOfTable): void {
    const { table, data, row, texts } = open;
    const placing = this.#survey.place(row);
    const place = { sheet: table.sheet.name, row: data.index + 1 };
    if (placing.kind === 'out') {
      this.#findings.leftOut.add(placing.rule, placing.params, place);
      return;
    }
    if (row.access?.isWritten) this.writable += 1;
    const scale = this.#factors[row.table]?.of(texts);
    if (scale?.kind === 'left') {
      this.#findings.leftOut.add('row_factor', { value: scale.value }, place);
      return;
    }
    const waits = [...(placing.kind === 'open' ? placing.questions : []), ...(scale?.kind === 'open' ? [scale.question] : [])];
    if (waits.length > 0 || placing.kind === 'open' || scale?.kind !== 'scale') {
      this.#wait(waits, open);
      return;
    }
    const facts = factsOf(data, texts, texter.kept, scale, placing.range);
    if (facts.isRaw) this.rawLimits += 1;
    if (facts.isCut) this.cut += 1;
    const bits = this.#bitsOf(row, facts, placing);
    const points = pointsOf(facts, bits.length > 0 ? placing.points.filter(({ frame_type }) => frame_type === 3) : placing.points, bits);
    this.#understood.set(table, this.understood(table) + 1);
    this.placed.push({ table, index: data.index, points });
  }

  understood(table: ListTableAt): number {
    return this.#understood.get(table) ?? 0;
  }

  /** The questions that were asked with the rows that wait for each. */
  questions(asked: readonly OpenListQuestion[]): AskedQuestion[] {
    const first = new Map(asked.toReversed().map((question) => [question.id, question]));
    return [...new Set(asked.map(({ id }) => id))].flatMap((id) => {
      const question = first.get(id);
      const { rows, samples } = this.#waiting.get(id) ?? { rows: 0, samples: [] };
      return question ? [{ ...question, rows, samples }] : [];
    });
  }

  #wait(questions: readonly string[], row: OpenRow): void {
    this.open += 1;
    for (const id of questions) {
      const entry = this.#waiting.get(id) ?? { rows: 0, samples: [] };
      this.#waiting.set(id, entry);
      entry.rows += 1;
      if (entry.samples.length < SAMPLES) entry.samples.push(row);
    }
  }

  /** Points of the single bits of a row that lists what they mean. */
  #bitsOf(row: ListRow, { list }: RowFacts, { points, isBits }: Extract<ListPlacing, { kind: 'points' }>) {
    if (list === null || points.length === 0 || points[0]?.bit != null) return [];
    const listed = list.kind === 'bits' ? list.bits : isBits === true ? bitsOfValues(list.texts) : [];
    const bits = listed.flatMap(({ bit, text }) => {
      const placing = this.#survey.place({ ...row, bit });
      const point = placing.kind === 'points' ? placing.points[0] : undefined;
      return point && point.bit !== null ? [{ point, bit, text }] : [];
    });
    if (bits.length > 0) {
      this.bitRows += 1;
      this.bitPoints += bits.length;
    }
    return bits;
  }
}

/** Values of a word of bits are numbers of bits. */
function bitsOfValues(texts: ValueTexts): { bit: number; text: string }[] {
  return Object.entries(texts).flatMap(([key, text]) => (Number(key) >= 0 && Number(key) < 64 ? [{ bit: Number(key), text }] : []));
}

/** What is told of rows that became points. */
function tellPlaced(
  opened: readonly OpenTable[],
  factors: readonly TableFactors[],
  placer: Placer,
  dialect: ListDialect,
  { told }: ListFindings,
): void {
  for (const [at, { table, texter, rows }] of opened.entries()) {
    const { ofHeader } = factors[at] ?? { ofHeader: null };
    const place = { sheet: table.sheet.name };
    if (ofHeader) told.add('list_factor_header', { factor: ofHeader.factor, header: ofHeader.header }, place);
    const inUnit = rows.filter(({ texts }) => factors[at]?.isInUnit(texts));
    if (inUnit[0]) told.add('list_factor_unit', { count: inUnit.length, example: inUnit[0].texts.unit ?? '' }, place);
    for (const { texts, data } of rows) {
      const differs = factors[at]?.differs(texts);
      if (differs) told.add('list_factor_differs', differs, { ...place, row: data.index + 1 });
    }
    tellUnused(table, texter, rows, dialect, told);
    tellFormulas(table, told);
  }
  if (placer.rawLimits > 0) told.add('list_limits_raw', { count: placer.rawLimits });
  if (placer.cut > 0) told.add('list_cut', { count: placer.cut });
  if (placer.bitRows > 0) told.add('list_bits', { rows: placer.bitRows, points: placer.bitPoints });
}

const TOLD_ROLES = ['access', 'length', 'bit', 'min_limit', 'max_limit', 'offset', 'decimals', 'order', 'slave_id', 'point_type'] as const;

/** Cells that cannot be read as what their column is, where a row gets on without them. */
function tellUnused(table: ListTableAt, { headers }: TexterOfTable, rows: readonly OpenRow[], dialect: ListDialect, told: IssueList): void {
  for (const role of TOLD_ROLES) {
    const unused = rows.filter(
      ({ texts }) => texts[role] !== undefined && !isNothing(texts[role]) && fitsRole(role, texts[role], dialect) === false,
    );
    const [first] = unused;
    if (!first) continue;
    const params = { count: unused.length, header: headers[role] ?? '', example: (first.texts[role] ?? '').slice(0, 40) };
    told.add('list_cells_unused', params, { sheet: table.sheet.name, row: first.data.index + 1 });
  }
}

function tellFormulas({ sheet, table, roles }: ListTableAt, told: IssueList): void {
  if (sheet.formulas.size === 0) return;
  for (const { index, role } of roles.filter((item) => item.role !== 'ignore')) {
    const places = [...sheet.formulas]
      .map((key) => key.split(' ').map(Number))
      .filter(([row = 0, column]) => column === index && row >= table.firstRow && row < table.endRow);
    const header = table.headers.get(index) ?? role;
    if (places.length > 0) told.add('formula', { header, count: places.length }, { sheet: sheet.name, row: (places[0]?.[0] ?? 0) + 1 });
    const empty = places.filter(([row = 0]) => plainText(sheet.rows[row]?.[index] ?? null) === '');
    if (empty.length > 0) told.add('formula_no_value', {}, { sheet: sheet.name, row: (empty[0]?.[0] ?? 0) + 1, column: { header, index } });
  }
}

function tellCodes({ twice, made }: { readonly twice: readonly string[]; readonly made: number }, { told }: ListFindings): void {
  if (made > 0) told.add('list_codes', { count: made });
  for (const code of twice) told.add('list_code_twice', { code });
}
