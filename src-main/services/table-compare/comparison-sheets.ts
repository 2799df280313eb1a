import type { DifferenceKind } from '#shared/contract/table-compare.ts';
import { isPointField, pointField } from '#shared/domain/point-fields.ts';
import type { DriverDescriptor, NormalPoint } from '../../drivers/spi/index.ts';
import type { TableColumn } from '../point-files/columns.ts';
import { TableWriter } from '../point-files/export-table.ts';
import type { Cell, SheetDraft, TableFormat } from '../point-files/table-file.ts';

/** A row of a comparison with its points. */
export interface ExportedRow {
  readonly kind: DifferenceKind;
  readonly before: NormalPoint | null;
  readonly after: NormalPoint | null;
  /** Fields that differ, as far as both tables say them. */
  readonly fields: readonly string[];
  readonly faults: readonly string[];
}

/** What a comparison is about. */
export interface ComparisonFacts {
  readonly before: string;
  readonly after: string;
  /** UTC, ISO 8601. */
  readonly madeAt: string;
  readonly counts: Readonly<Record<DifferenceKind | 'same', number>>;
  readonly language: 'zh' | 'en';
}

const WORDS = {
  en: {
    kind: 'Difference',
    codeAfter: 'Code after',
    faults: 'Errors of the row',
    sheet: 'Differences',
    about: 'Comparison',
    before: 'Before',
    after: 'After',
    madeAt: 'Made at (UTC)',
    removed: 'removed',
    changed: 'changed',
    renamed: 'renamed',
    added: 'added',
    faulty: 'row with errors',
    same: 'the same',
  },
  zh: {
    kind: '差异',
    codeAfter: '新编码',
    faults: '该行的错误',
    sheet: '差异',
    about: '对比',
    before: '对比前',
    after: '对比后',
    madeAt: '对比时间 (UTC)',
    removed: '删除',
    changed: '修改',
    renamed: '改名',
    added: '新增',
    faulty: '行有错误',
    same: '相同',
  },
} as const;

/** Columns that every comparison has. */
const ALWAYS = ['frame_type', 'code', 'name', 'slave_id'] as const;
/** Columns that files have twice, by the type of the related point. */
const TWICE: ReadonlySet<string> = new Set(['related_yx', 'related_yc']);

/** A comparison as sheets: a line a point; what differs as `before → after`, and in a workbook what it is about. */
export function comparisonSheets(
  rows: readonly ExportedRow[],
  about: ComparisonFacts,
  descriptor: Pick<DriverDescriptor, 'pointSettings' | 'pointFields' | 'notation'>,
  format: TableFormat,
): SheetDraft[] {
  const words = WORDS[about.language];
  const writer = new TableWriter(descriptor);
  const isNamed = rows.some(({ before, after }) => (before ?? after)?.reference !== '');
  const points = rows.flatMap(({ before, after }) => [before ?? [], after ?? []].flat());
  const columns = writer
    .columns([...ALWAYS, isNamed ? 'reference' : 'address'], points)
    .filter(({ key }) => !TWICE.has(key) || key === 'related_code');
  const hasRelated = points.some(({ related_code }) => related_code !== '');
  const shown = hasRelated && !columns.some(({ key }) => key === 'related_code') ? [...columns, RELATED] : columns;
  const sheet: SheetDraft = {
    name: words.sheet,
    header: [words.kind, words.codeAfter, ...shown.map((column) => headerOf(column, about.language)), words.faults],
    rows: rows.map((row) => [
      words[row.kind],
      row.kind === 'renamed' ? (row.after?.code ?? null) : null,
      ...shown.map((column) => cellOf(row, column, writer)),
      row.faults.join(' ') || null,
    ]),
    choices: {},
    textColumns: Array.from({ length: shown.length + 3 }, (_, at) => at),
    isTable: true,
  };
  return format === 'csv' ? [sheet] : [sheet, aboutSheet(about)];
}

const RELATED: TableColumn = {
  key: 'related_code',
  header: pointField('related_code').column.zh,
  also: [],
  kind: { is: 'text', max: 100, isProse: false },
};

function headerOf({ key, header }: TableColumn, language: ComparisonFacts['language']): string {
  if (language === 'zh') return header;
  return isPointField(key) ? pointField(key).column.en : key.replace(/^protocol\./, '');
}

function cellOf({ before, after, fields }: ExportedRow, column: TableColumn, writer: TableWriter): Cell {
  const { key } = column;
  const one = before ?? after;
  if (!one) return null;
  const textOf = (point: NormalPoint) => (key === 'related_code' ? point.related_code || null : writer.cell(point, column));
  const isOther =
    before !== null && after !== null && key !== 'code' && (fields.includes(key) || (key === 'protocol' && hasSettings(fields)));
  return isOther ? `${textOf(before) ?? ''} → ${textOf(after) ?? ''}` : textOf(one);
}

function hasSettings(fields: readonly string[]): boolean {
  return fields.some((field) => field.startsWith('protocol.'));
}

function aboutSheet({ before, after, madeAt, counts, language }: ComparisonFacts): SheetDraft {
  const words = WORDS[language];
  const kinds = ['added', 'removed', 'changed', 'renamed', 'faulty', 'same'] as const;
  return {
    name: words.about,
    header: [words.before, before],
    rows: [[words.after, after], [words.madeAt, madeAt], ...kinds.map((kind) => [words[kind], counts[kind]])],
    choices: {},
    textColumns: [],
    isTable: false,
  };
}
