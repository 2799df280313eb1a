/** What a foreign list is read as, for a person who has to say whether that is right. */
import type { ListMapping } from '#shared/contract/list-mapping.ts';
import { type ListAnalysis, type ListProfile, type ListQuestion, MOST_COMPARED } from '#shared/contract/list-operations.ts';
import type { NewPoint } from '#shared/contract/points.ts';
import { FrameType } from '#shared/domain/enums.ts';
import type { DriverChannelSettings, ListDialect, ProtocolDriver } from '../../../drivers/spi/index.ts';
import { plainText } from '../cells.ts';
import { ColumnSet } from '../columns.ts';
import { IssueList } from '../issues.ts';
import type { TableRow } from '../read-rows.ts';
import { draftOfRow } from '../row-draft.ts';
import { type RuleParams, TableFileFault } from '../table-file.ts';
import { columnLetters } from '../workbook.ts';
import { codedRows } from './coded-rows.ts';
import { findTables } from './find-tables.ts';
import { type ListFile, readListFile } from './list-file.ts';
import { readableCells } from './list-tables.ts';
import type { OpenRow } from './open-rows.ts';
import { type FittingProfile, fittingProfiles, usedProfile } from './profiles.ts';
import { type ReadList, type ReadTableAt, readList } from './read-list.ts';
import type { AskedQuestion } from './row-placer.ts';
import { factsOf, pointsOf } from './row-points.ts';
import { TexterOfTable } from './row-texts.ts';

/** A list as it was uploaded, and how it is to be read. */
export interface UploadedList {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mapping: ListMapping;
  /** All profiles there are. */
  readonly profiles: readonly ListProfile[];
}

type Driver = Pick<ProtocolDriver, 'descriptor' | 'lists'>;

/** A list that was read for one channel; `file` is null for what is no list, and the findings say why. */
export interface OpenedList {
  readonly file: ListFile | null;
  readonly profile: ListProfile | null;
  readonly fitting: readonly FittingProfile[];
  readonly read: ReadList;
}

/** Reads a list for a channel. It never throws for a bad file. */
export async function openList(list: UploadedList, driver: Driver, settings: DriverChannelSettings): Promise<OpenedList> {
  const { mapping, profiles } = list;
  const dialect = driver.lists;
  if (!dialect) return unread('list_no_dialect', {});
  try {
    const file = await readListFile(list.bytes, list.name);
    const columns = new ColumnSet(driver.descriptor);
    const headers = headersOf(file, dialect);
    const fitting = fittingProfiles(headers, file.format, profiles);
    const profile = profileOf(mapping, profiles, fitting);
    return { file, profile, fitting, read: readList({ file, mapping, profile, dialect, columns, settings }) };
  } catch (error) {
    if (!(error instanceof TableFileFault)) throw error;
    return unread(error.rule, error.params);
  }
}

/** All headers of a list. What was a tree has them in its first rows. */
function headersOf({ format, sheets }: ListFile, dialect: ListDialect): string[] {
  if (format === 'json' || format === 'yaml') return sheets.flatMap(({ rows }) => (rows[0] ?? []).map(plainText));
  return sheets.flatMap((sheet) => findTables(sheet, dialect)).flatMap((table) => [...table.headers.values()]);
}

function profileOf({ profile }: ListMapping, profiles: readonly ListProfile[], fitting: readonly FittingProfile[]): ListProfile | null {
  if (profile === undefined) return usedProfile(fitting);
  return profile === null ? null : (profiles.find(({ id }) => id === profile) ?? null);
}

function unread(rule: TableFileFault['rule'], params: RuleParams): OpenedList {
  const errors = new IssueList();
  errors.add(rule, params);
  const findings = { errors, leftOut: new IssueList(), told: new IssueList() };
  const context = {
    headers: [],
    prose: [],
    answers: {},
    words: [],
    add: 0,
    settings: { addressBase: 0, protocol: {} },
    makesCommands: false,
  };
  const counts = { rows: 0, understood: 0, open: 0, writable: 0 };
  return { file: null, profile: null, fitting: [], read: { tables: [], questions: [], findings, rows: [], counts, context, factors: [] } };
}

const LINES_SHOWN = 30;
const CELLS_SHOWN = 40;
const POINTS_SHOWN = 200;
const LONGEST_SHOWN = 60;

/** The answer to `analyseList`. */
export async function analyseList(list: UploadedList, driver: Driver, settings: DriverChannelSettings): Promise<ListAnalysis> {
  return analysisOf(list, await openList(list, driver, settings), driver);
}

/** The answer for a list that could not be read at all. */
export function unreadList(list: UploadedList, rule: TableFileFault['rule'], params: RuleParams): ListAnalysis {
  return analysisOf(list, unread(rule, params), null);
}

function analysisOf(list: UploadedList, opened: OpenedList, driver: Driver | null): ListAnalysis {
  const { file, profile, fitting, read } = opened;
  const dialect = driver?.lists;
  const { findings, rows, counts } = read;
  const ofType = (type: FrameType) => rows.filter((row) => row.frameType === type).length;
  const answers = { ...profile?.mapping.answers, ...list.mapping.answers };
  const questions = read.questions.map((question) => questionOf(question, answers[question.id] ?? null, { read, driver }));
  return {
    file: { name: list.name, format: file?.format ?? null, encoding: file?.encoding ?? '', delimiter: file?.delimiter ?? '' },
    sheets: (file?.sheets ?? []).map(({ name, rows: lines, isHidden }) => ({
      name,
      rows: lines.length,
      hidden: isHidden,
      lines: lines.slice(0, LINES_SHOWN).map((line) => line.slice(0, CELLS_SHOWN).map((cell) => shown(plainText(cell)))),
    })),
    tables: dialect ? read.tables.map((table) => tableOf(table, dialect)) : [],
    profile: profile && { id: profile.id, name: profile.name },
    fitting: fitting.map(({ profile: { id, name }, share }) => ({ id, name, share })),
    questions: [...questions.filter(({ answer }) => answer === null), ...questions.filter(({ answer }) => answer !== null)],
    counts: {
      ...counts,
      left_out: findings.leftOut.count,
      points: rows.length,
      yc: ofType(FrameType.yc),
      yx: ofType(FrameType.yx),
      yk: ofType(FrameType.yk),
      yt: ofType(FrameType.yt),
    },
    errors: [...findings.errors.listed],
    left_out: [...findings.leftOut.listed],
    told: [...findings.told.listed],
    points: rows.slice(0, POINTS_SHOWN).map((row) => ({ sheet: row.layout.sheet.name, row: row.row, point: newPointOf(row) })),
    headers: [...new Set(read.tables.filter(({ taken }) => taken).flatMap(({ table }) => [...table.headers.values()]))],
  };
}

const shown = (text: string): string => (text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text);

/** The point of a row as `add_points` takes it. */
function newPointOf(row: TableRow): NewPoint {
  return Object.fromEntries(Object.entries(draftOfRow(row, undefined)).filter(([, value]) => value !== undefined)) as unknown as NewPoint;
}

const SAMPLES = 4;

function tableOf(
  { sheet, table, taken, columns, roles, filled, understood }: ReadTableAt,
  dialect: ListDialect,
): ListAnalysis['tables'][number] {
  return {
    sheet: sheet.name,
    header_row: table.headerRow + 1,
    header_rows: Math.max(1, table.headerRows),
    first_row: table.firstRow + 1,
    last_row: table.endRow,
    left: table.left,
    taken,
    rows: filled,
    points: understood,
    columns: columns.map((column) => {
      const { role, source } = roles.find(({ index }) => index === column.index) ?? { role: 'ignore' as const, source: 'none' as const };
      const samples = [...new Set(column.cells.filter((text) => text !== ''))].slice(0, SAMPLES).map(shown);
      return {
        index: column.index,
        letter: columnLetters(column.index),
        header: column.header,
        role,
        source,
        samples,
        ...readableCells(column, role, dialect),
      };
    }),
  };
}

interface Reading {
  readonly read: ReadList;
  readonly driver: Driver | null;
}

function questionOf({ rows, samples, isTold, ...question }: AskedQuestion, answer: string | null, reading: Reading): ListQuestion {
  return {
    ...question,
    choices: [...question.choices],
    answer,
    rows,
    samples: samples.slice(0, SAMPLES).map(({ table, data, texts }) => ({
      sheet: table.sheet.name,
      row: data.index + 1,
      text: [texts.address, texts.name ?? texts.code, texts.type, texts.function, texts.factor]
        .filter((text) => text !== undefined && text !== '')
        .map(String)
        .join(' · '),
    })),
    candidates:
      isTold && samples.length > 0
        ? question.choices.map((choice) => ({ choice, points: candidatesOf(question.id, choice, samples, reading) }))
        : [],
  };
}

/** Some rows under one answer; what else is open for them is taken as it was proposed. */
function candidatesOf(id: string, choice: string, samples: readonly OpenRow[], { read, driver }: Reading): NewPoint[] {
  const proposed = Object.fromEntries(
    read.questions.flatMap((question) => (question.proposed === null ? [] : [[question.id, question.proposed]])),
  );
  const answers = { ...proposed, ...read.context.answers, [id]: choice };
  const survey = driver?.lists?.survey(
    samples.map(({ row }) => row),
    { ...read.context, answers },
  );
  if (!survey || !driver) return [];
  const placed = samples.flatMap(({ table, data, texts, row }) => {
    const placing = survey.place(row);
    const scale = read.factors[row.table]?.of(texts);
    if (placing.kind !== 'points') return [];
    const asValue = scale?.kind === 'scale' ? scale : ({ kind: 'scale', factor: 1, offset: 0, unit: '' } as const);
    const facts = factsOf(data, texts, new TexterOfTable(table).kept, asValue, placing.range);
    const readable = placing.points.filter(({ frame_type }) => frame_type === FrameType.yc || frame_type === FrameType.yx);
    return readable.length === 0 ? [] : [{ table, index: data.index, points: pointsOf(facts, readable, []) }];
  });
  return codedRows(placed, new ColumnSet(driver.descriptor), undefined).rows.slice(0, MOST_COMPARED).map(newPointOf);
}
