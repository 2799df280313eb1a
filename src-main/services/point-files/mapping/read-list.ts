/** From a foreign list to rows of points: tables, columns, what is asked, rows. */
import type { ListMapping } from '#shared/contract/list-mapping.ts';
import type { ListProfile } from '#shared/contract/list-operations.ts';
import { MOST_TABLE_ROWS } from '#shared/contract/point-files.ts';
import { say } from '#shared/messages/index.ts';
import type { DriverChannelSettings, ListContext, ListDialect } from '../../../drivers/spi/index.ts';
import type { ColumnSet } from '../columns.ts';
import { IssueList } from '../issues.ts';
import type { TableRow } from '../read-rows.ts';
import { codedRows } from './coded-rows.ts';
import { findFactors, type TableFactors } from './factors.ts';
import type { ListFile } from './list-file.ts';
import { proseOutside } from './list-prose.ts';
import { type ListTableAt, listTables } from './list-tables.ts';
import { tellCodes, tellPlaced, tellTables } from './list-told.ts';
import { type OpenTable, openTable } from './open-rows.ts';
import { type AskedQuestion, RowPlacer } from './row-placer.ts';
import type { ListFindings } from './table-rows.ts';

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

/** Reads a list. What is wrong, left out or concluded stands in the findings; it never throws for a bad list. */
export function readList(source: ListSource): ReadList {
  const findings: ListFindings = { errors: new IssueList(), leftOut: new IssueList(), told: new IssueList() };
  const { mapping, profile, dialect, file } = source;
  const isTree = file.format === 'json' || file.format === 'yaml';
  const tables = listTables(file.sheets, { mapping, profile, dialect, isTree });
  tellTables(source, tables, findings);
  const prose = proseOutside(file.sheets, tables);
  const options = { mapping, dialect, joinsLines: file.format === 'text' };
  const opened = tables.filter(({ taken }) => taken).map((table, at) => openTable(table, at, options, prose, findings));
  const context = contextOf(source, opened, prose);
  const factors = opened.map(({ rows, texter }) => {
    const texts = rows.map((row) => row.texts);
    return findFactors(texts, texter.headers, context.answers);
  });
  const survey = dialect.survey(
    opened.flatMap(({ rows }) => rows.map(({ row }) => row)),
    context,
  );
  if (profile) findings.told.add('list_profile', { name: profile.name });
  for (const { rule, params } of survey.told) findings.told.add(rule, params);
  const placer = new RowPlacer(survey, factors, findings);
  for (const { rows, texter } of opened) for (const row of rows) placer.place(row, texter);
  tellPlaced(opened, factors, placer, dialect, findings);
  const coded = codedRows(placer.placed, source.columns, mapping.slave_id);
  tellCodes(coded, findings);
  const asked = [...survey.questions, ...factors.flatMap((table) => table.questions)];
  return {
    tables: tables.map((table) => withCounts(table, opened, placer)),
    questions: questionsOf(placer.questions(asked), placer, context, findings),
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

/** What is known of the list as a whole. */
function contextOf({ mapping, profile, settings }: ListSource, opened: readonly OpenTable[], prose: readonly string[]): ListContext {
  return {
    headers: opened.map(({ texter }) => texter.headers),
    prose,
    answers: { ...profile?.mapping.answers, ...mapping.answers },
    words: mapping.words ?? profile?.mapping.words ?? [],
    add: mapping.add ?? profile?.mapping.add ?? 0,
    settings,
    makesCommands: (mapping.commands ?? profile?.mapping.commands) === 'make',
  };
}

function withCounts(table: ListTableAt, opened: readonly OpenTable[], placer: RowPlacer): ReadTableAt {
  const filled = opened.find((item) => item.table === table)?.filled ?? 0;
  return { ...table, filled, understood: placer.understood(table) };
}

/** What is asked; a question that rows wait for is an error, and so are too many rows. */
function questionsOf(
  asked: readonly AskedQuestion[],
  placer: RowPlacer,
  { answers }: ListContext,
  { errors }: ListFindings,
): AskedQuestion[] {
  for (const { kind, params, rows } of asked.filter((item) => item.rows > 0))
    errors.add('list_question', { question: say(`list.q_${kind}`, params as { word: string }), rows });
  if (placer.placed.length > MOST_TABLE_ROWS) errors.add('rows_too_many', { max: MOST_TABLE_ROWS });
  // what no row waits for and nobody answered is no question
  return asked.filter(({ id, rows }) => rows > 0 || answers[id] !== undefined);
}
