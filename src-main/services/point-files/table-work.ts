/** What is done with table files, wherever it runs: in a thread, or in place where no thread can be had. */

import type { ListAnalysis } from '#shared/contract/list-operations.ts';
import type { ImportReport, TableRule } from '#shared/contract/point-files.ts';
import type { DriverChannelSettings, NormalPoint, PointConfig, ProtocolDriver } from '../../drivers/spi/index.ts';
import type { Steps } from '../../platform/steps.ts';
import type { CableRow } from '../check/cable-list.ts';
import type { ReferenceLine } from '../check/reference-file.ts';
import type { SeriesLine } from '../series/series-file.ts';
import { checkPoints, type TableFindings } from '../table-check/check-points.ts';
import type { CompareOutcome, CompareTable, SideInput } from '../table-compare/compare-tables.ts';
import { type ComparisonFacts, comparisonSheets, type ExportedRow } from '../table-compare/comparison-sheets.ts';
import { tableSheets } from './export-table.ts';
import { importReport } from './import-report.ts';
import { planTable, readTableFile, type SheetReader, type UploadedTable } from './import-table.ts';
import { newFindings } from './issues.ts';
import type { UploadedList } from './mapping/analyse.ts';
import type { ModePlan, PresentTable } from './mode-plan.ts';
import type { RuleParams, TableFormat } from './table-file.ts';
import { writeTable } from './table-formats.ts';

export type ImportMode = ImportReport['mode'];

/** What an import does to a table, ready to be carried out. */
export interface TableChangeSet {
  readonly added: readonly NormalPoint[];
  readonly changed: readonly PointConfig[];
  /** Ids of points that the file does not have. */
  readonly removed: readonly number[];
}

export interface ImportResult {
  readonly report: ImportReport;
  /** Null when nothing is to be changed: a preview, or a file with errors. */
  readonly change: TableChangeSet | null;
}

/**
 * Reads a file, checks it against the table and plans what the mode asks for. A bad file is told in the report; nothing is thrown for it. `sheets` reads
 * its sheets; left out: it is done in place.
 */
export async function importTable(
  upload: UploadedTable,
  mode: ImportMode,
  table: PresentTable,
  sheets?: SheetReader,
): Promise<ImportResult> {
  const read = await readTableFile(upload, table, sheets);
  const plans = await planTable(read, mode, table, upload.impossibleBits);
  const plan = mode === 'preview' ? null : plans[mode];
  const isApplied = plan !== null && plans.findings.errors.count === 0;
  return { report: importReport(mode, isApplied, upload.name, read, plans), change: isApplied ? changeOf(plan) : null };
}

/** A comparison as a file. */
export function comparisonFile(
  format: TableFormat,
  driver: Pick<ProtocolDriver, 'descriptor'>,
  about: ComparisonFacts,
  rows: readonly ExportedRow[],
): Promise<Uint8Array> {
  return writeTable(format, comparisonSheets(rows, about, driver.descriptor, format));
}

/** What slaves were measured to take to begin their answers, in milliseconds. */
export type TurnRounds = ReadonlyMap<number, number>;

/** What the rules of a point table find in it, in steps. */
export function findingsOf(table: PresentTable, turnRounds: TurnRounds): Steps<TableFindings> {
  const { model = null } = table;
  return checkPoints({ ...table, model, isOwn: () => true, turnRoundMs: (slaveId) => turnRounds.get(slaveId) ?? null });
}

/** The table of a channel as a file. */
export function exportTable(format: TableFormat, driver: Pick<ProtocolDriver, 'descriptor'>, points: readonly PointConfig[]) {
  return writeTable(format, tableSheets(points, driver.descriptor, format));
}

function changeOf(plan: ModePlan): TableChangeSet {
  return {
    added: plan.added.map(({ point }) => point),
    changed: plan.changed.flatMap(({ point, before }) => (before ? [{ ...point, id: before.id, channel_id: before.channel_id }] : [])),
    removed: plan.removed.map((point) => point.id),
  };
}

/** The report of a file that could not be read at all. */
export function unreadableFile(upload: UploadedTable, mode: ImportMode, rule: TableRule, params: RuleParams): ImportResult {
  const findings = newFindings();
  findings.errors.add(rule, params);
  const read = { file: null, isForeign: false, sheets: [], seen: 0, rows: [], broken: [], findings };
  return { report: importReport(mode, false, upload.name, read, { merge: null, replace: null, findings }), change: null };
}

/** Where table files are worked: a thread of its own, so that the lines do not wait. */
export interface TableWork {
  /** As `importTable`. */
  import(upload: UploadedTable, mode: ImportMode, table: PresentTable): Promise<ImportResult>;
  /** As `analyseList`. */
  analyse(list: UploadedList, driver: ProtocolDriver, settings: DriverChannelSettings): Promise<ListAnalysis>;
  /** As `readCableList`. */
  cableList(bytes: Uint8Array): Promise<CableRow[]>;
  /** As `readReferences`. */
  references(bytes: Uint8Array): Promise<ReferenceLine[]>;
  /** As `readSeries`. */
  series(bytes: Uint8Array): Promise<SeriesLine[]>;
  /** What the rules of a point table find in it, as `findingsOf`. */
  findings(table: PresentTable, turnRounds: TurnRounds): Promise<TableFindings>;
  /** As `compareTables`. */
  compare(before: SideInput, after: SideInput, table: CompareTable): Promise<CompareOutcome>;
  /** A comparison as a file, as `comparisonFile`. */
  comparisonFile(format: TableFormat, driver: ProtocolDriver, about: ComparisonFacts, rows: readonly ExportedRow[]): Promise<Uint8Array>;
  /** As `exportTable`. */
  export(format: TableFormat, driver: ProtocolDriver, points: readonly PointConfig[]): Promise<Uint8Array>;
}
