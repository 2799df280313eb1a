import type { ListAnalysis } from '#shared/contract/list-operations.ts';
import type { ImportReport } from '#shared/contract/point-files.ts';
import type { ProtocolType } from '#shared/domain/enums.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { DriverChannelSettings, NormalPoint, PointConfig, ProtocolDriver } from '../drivers/spi/index.ts';
import { serially } from '../platform/serially.ts';
import { runInTurns } from '../platform/steps.ts';
import { runThread, ThreadLimitError, type ThreadLimits, type ThreadPlace, threadEntry } from '../platform/thread.ts';
import type { Threads } from '../platform/threads.ts';
import { Turns } from '../platform/turns.ts';
import { readCableList } from '../services/check/cable-list.ts';
import { readReferences } from '../services/check/reference-file.ts';
import { readSheets, type SheetReader, type UploadedTable } from '../services/point-files/import-table.ts';
import { analyseList, type UploadedList, unreadList } from '../services/point-files/mapping/analyse.ts';
import type { PresentTable } from '../services/point-files/mode-plan.ts';
import { type Cell, type SheetTable, type TableFile, TableFileFault, type TableFormat } from '../services/point-files/table-file.ts';
import {
  comparisonFile,
  exportTable,
  findingsOf,
  type ImportMode,
  type ImportResult,
  importTable,
  type TableWork,
  type TurnRounds,
  unreadableFile,
} from '../services/point-files/table-work.ts';
import { readSeries } from '../services/series/series-file.ts';
import type { TableFindings } from '../services/table-check/check-points.ts';
import type { RuleFinding } from '../services/table-check/finding.ts';
import {
  type ComparedRow,
  type CompareOutcome,
  type CompareTable,
  compareTables,
  type SideInput,
} from '../services/table-compare/compare-tables.ts';
import type { ComparisonFacts } from '../services/table-compare/comparison-sheets.ts';

/** A file that needs more is no point table. */
const LIMITS: ThreadLimits = { ms: 120_000, megabytes: 1_536 };

/** Points that cross between the threads at once. */
export const POINTS_A_PART = 1_000;

/** Octets of a file that is read sooner than a thread comes up. */
const SMALL_FILE = 65_536;

/** Points of a table that is looked at sooner than a thread comes up. */
const SMALL_TABLE = 2_000;

/** What the thread is started with; the points of the present table follow in parts. */
export type TableJob =
  | (UploadedTable & {
      readonly kind: 'import';
      readonly protocol: ProtocolType;
      readonly mode: ImportMode;
      readonly settings: DriverChannelSettings;
    })
  | ListJob
  | (Pick<UploadedTable, 'bytes' | 'pasted'> & { readonly kind: 'sheets' })
  | {
      readonly kind: 'compare';
      readonly protocol: ProtocolType;
      readonly settings: DriverChannelSettings;
      /** The points of a side that has no file follow in parts. */
      readonly before: UploadedTable | null;
      readonly after: UploadedTable | null;
    }
  | { readonly kind: 'comparison'; readonly protocol: ProtocolType; readonly format: TableFormat; readonly about: ComparisonFacts }
  | {
      readonly kind: 'findings';
      readonly protocol: ProtocolType;
      readonly settings: DriverChannelSettings;
      readonly turnRounds: TurnRounds;
    }
  | (UploadedList & { readonly kind: 'analyse'; readonly protocol: ProtocolType; readonly settings: DriverChannelSettings })
  | { readonly kind: 'export'; readonly protocol: ProtocolType; readonly format: TableFormat };

/** A list whose rows come back in parts. */
interface ListJob {
  readonly kind: 'list';
  readonly list: 'cables' | 'references' | 'series';
  readonly bytes: Uint8Array;
}

/** A part of the change that an import asks for. */
export type ChangePart =
  | { readonly kind: 'added'; readonly points: readonly NormalPoint[] }
  | { readonly kind: 'changed'; readonly points: readonly PointConfig[] }
  | { readonly kind: 'removed'; readonly ids: readonly number[] };

export type ImportAnswer = { readonly report: ImportReport; readonly hasChange: boolean };

/** A part of the sheets of a file: one of them without its rows, or rows of the last one. */
export type SheetPart =
  | { readonly kind: 'sheet'; readonly sheet: Omit<SheetTable, 'rows'> }
  | { readonly kind: 'rows'; readonly rows: readonly Cell[][] };

/** What is said of a file beside its sheets, or why it is none. */
export type SheetsAnswer = Omit<TableFile, 'sheets'> | { readonly fault: Pick<TableFileFault, 'rule' | 'params'> };

/**
 * Works table files in a thread: reading, checking and comparing 100,000 rows takes seconds, and no line may wait that long; and a file
 * made to eat time or memory ends that thread, not the service. Where no thread can be had, the same work is done in place. The points of a channel whose device has a
 * model are checked in turns beside that model, which lives in this thread; their file is read in the other one.
 */
export function createTableThread(
  threads: Threads,
  entry: string | null = threadEntry('table-worker', import.meta.url),
  bounds: Partial<ThreadLimits> = {},
): TableWork {
  const limits = { ...LIMITS, ...bounds };
  const place: ThreadPlace = { threads, entry, limits };
  // each may take a gigabyte
  const inTurn = serially();
  return {
    import: (upload, mode, table) =>
      table.model
        ? importBesideModel(limits, { upload, mode, table }, (given) => inTurn(() => sheetsInThread(place, given)))
        : inTurn(() => importInThread(place, { upload, mode, table })),
    analyse: (list, driver, settings) => inTurn(() => analyseInThread(place, list, driver, settings)),
    cableList: (bytes) =>
      inTurn(() => rowsInThread(place, { kind: 'list', list: 'cables', bytes }, readCableList, say('check.list_no_table'))),
    references: (bytes) =>
      inTurn(() => rowsInThread(place, { kind: 'list', list: 'references', bytes }, readReferences, say('check.ref_no_table'))),
    series: (bytes) =>
      inTurn(() => rowsInThread(place, { kind: 'list', list: 'series', bytes }, readSeries, say('simulation.series_table'))),
    compare: (before, after, table) =>
      table.model || sizeOf(before) + sizeOf(after) <= SMALL_TABLE
        ? compareBesideModel(limits, { before, after, table }, (given) => inTurn(() => sheetsInThread(place, given)))
        : inTurn(() => compareInThread(place, { before, after, table })),
    comparisonFile: (format, driver, about, rows) =>
      inTurn(async () => {
        const job: TableJob = { kind: 'comparison', protocol: driver.descriptor.protocolType, format, about };
        const bytes = await runThread<TableJob, never, Uint8Array>(place, { job, parts: partsOf(rows) });
        return bytes ?? comparisonFile(format, driver, about, rows);
      }),
    findings: (table, turnRounds) =>
      table.model || table.points.length <= SMALL_TABLE
        ? runInTurns(findingsOf(table, turnRounds), new Turns().breathe)
        : inTurn(() => findingsInThread(place, table, turnRounds)),
    export: (format, driver, points) =>
      inTurn(async () => {
        const job: TableJob = { kind: 'export', protocol: driver.descriptor.protocolType, format };
        const bytes = await runThread<TableJob, never, Uint8Array>(place, { job, parts: partsOf(points) });
        return bytes ?? exportTable(format, driver, points);
      }),
  };
}

/** Rows of a list, read in the thread; one that would take more than the thread has is told as no list. */
async function rowsInThread<Row>(
  place: ThreadPlace,
  job: ListJob,
  read: (bytes: Uint8Array) => Promise<Row[]>,
  refused: Message,
): Promise<Row[]> {
  const rows: Row[] = [];
  const onPart = (part: readonly Row[]) => {
    for (const row of part) rows.push(row);
  };
  try {
    return (await runThread<TableJob, readonly Row[], true>(place, { job, onPart })) ? rows : await read(job.bytes);
  } catch (thrown) {
    throw thrown instanceof ThreadLimitError ? invalidField('file', refused) : thrown;
  }
}

async function analyseInThread(
  place: ThreadPlace,
  list: UploadedList,
  driver: ProtocolDriver,
  settings: DriverChannelSettings,
): Promise<ListAnalysis> {
  const job: TableJob = { ...list, kind: 'analyse', protocol: driver.descriptor.protocolType, settings };
  try {
    return (await runThread<TableJob, never, ListAnalysis>(place, { job })) ?? (await analyseList(list, driver, settings));
  } catch (error) {
    if (!(error instanceof ThreadLimitError)) throw error;
    return error.what === 'time'
      ? unreadList(list, 'file_too_slow', { seconds: place.limits.ms / 1000 })
      : unreadList(list, 'file_too_large', { megabytes: place.limits.megabytes });
  }
}

interface Import {
  readonly upload: UploadedTable;
  readonly mode: ImportMode;
  readonly table: PresentTable;
}

async function importInThread(place: ThreadPlace, { upload, mode, table }: Import): Promise<ImportResult> {
  const { driver, settings, points } = table;
  const job: TableJob = { kind: 'import', protocol: driver.descriptor.protocolType, ...upload, mode, settings };
  const added: NormalPoint[] = [];
  const changed: PointConfig[] = [];
  const removed: number[] = [];
  const onPart = (part: ChangePart) => {
    if (part.kind === 'added') added.push(...part.points);
    else if (part.kind === 'changed') changed.push(...part.points);
    else for (const id of part.ids) removed.push(id);
  };
  try {
    const answer = await runThread<TableJob, ChangePart, ImportAnswer>(place, { job, parts: partsOf(points), onPart });
    if (!answer) return await importTable(upload, mode, table);
    return { report: answer.report, change: answer.hasChange ? { added, changed, removed } : null };
  } catch (error) {
    return tooMuch(error, place.limits, upload, mode);
  }
}

/** The report of a file that ended its thread; anything else is thrown on. */
function tooMuch(error: unknown, limits: ThreadLimits, upload: UploadedTable, mode: ImportMode): ImportResult {
  if (!(error instanceof ThreadLimitError)) throw error;
  return error.what === 'time'
    ? unreadableFile(upload, mode, 'file_too_slow', { seconds: limits.ms / 1000 })
    : unreadableFile(upload, mode, 'file_too_large', { megabytes: limits.megabytes });
}

async function importBesideModel(limits: ThreadLimits, { upload, mode, table }: Import, sheets: SheetReader): Promise<ImportResult> {
  try {
    return await importTable(upload, mode, table, beyondSmall(sheets));
  } catch (error) {
    return tooMuch(error, limits, upload, mode);
  }
}

/** Small files are read in place, where that is sooner. */
function beyondSmall(sheets: SheetReader): SheetReader {
  return (upload) => (upload.bytes.length > SMALL_FILE ? sheets(upload) : readSheets(upload));
}

async function compareBesideModel(limits: ThreadLimits, { before, after, table }: Compared, sheets: SheetReader): Promise<CompareOutcome> {
  try {
    return await compareTables(before, after, table, new Turns().breathe, beyondSmall(sheets));
  } catch (thrown) {
    throw tooLargeToCompare(thrown, limits);
  }
}

async function sheetsInThread(place: ThreadPlace, upload: Pick<UploadedTable, 'bytes' | 'pasted'>): Promise<TableFile> {
  const sheets: SheetTable[] = [];
  const onPart = (part: SheetPart) => {
    if (part.kind === 'sheet') sheets.push({ ...part.sheet, rows: [] });
    else sheets.at(-1)?.rows.push(...part.rows);
  };
  const { bytes, pasted } = upload;
  const job: TableJob = { kind: 'sheets', bytes, ...(pasted === undefined ? {} : { pasted }) };
  const answer = await runThread<TableJob, SheetPart, SheetsAnswer>(place, { job, onPart });
  if (!answer) return readSheets(upload);
  if ('fault' in answer) throw new TableFileFault(answer.fault.rule, answer.fault.params);
  return { ...answer, sheets };
}

async function findingsInThread(place: ThreadPlace, table: PresentTable, turnRounds: TurnRounds): Promise<TableFindings> {
  const { driver, settings, points } = table;
  const job: TableJob = { kind: 'findings', protocol: driver.descriptor.protocolType, settings, turnRounds };
  const listed: RuleFinding[] = [];
  const onPart = (part: readonly RuleFinding[]) => {
    for (const finding of part) listed.push(finding);
  };
  const parts = partsOf(points);
  const counts = await runThread<TableJob, readonly RuleFinding[], TableFindings['counts']>(place, { job, parts, onPart });
  return counts ? { listed, counts } : runInTurns(findingsOf(table, turnRounds), new Turns().breathe);
}

/** Points of one side of a comparison. */
export interface SidePart {
  readonly side: 'before' | 'after';
  readonly points: readonly NormalPoint[];
}

interface Compared {
  readonly before: SideInput;
  readonly after: SideInput;
  readonly table: CompareTable;
}

/** Points that are looked at; those of a file are many until it is read. */
function sizeOf(side: SideInput): number {
  return side.of === 'points' ? side.points.length : Number.POSITIVE_INFINITY;
}

async function compareInThread(place: ThreadPlace, { before, after, table }: Compared): Promise<CompareOutcome> {
  const uploadOf = (side: SideInput) => (side.of === 'file' ? side.upload : null);
  const protocol = table.driver.descriptor.protocolType;
  const job: TableJob = { kind: 'compare', protocol, settings: table.settings, before: uploadOf(before), after: uploadOf(after) };
  const rows: ComparedRow[] = [];
  const onPart = (part: readonly ComparedRow[]) => {
    for (const row of part) rows.push(row);
  };
  const parts = [...sideParts('before', before), ...sideParts('after', after)];
  try {
    const answer = await runThread<TableJob, readonly ComparedRow[], Omit<CompareOutcome, 'rows'>>(place, { job, parts, onPart });
    return answer ? { ...answer, rows } : await compareTables(before, after, table, new Turns().breathe);
  } catch (thrown) {
    throw tooLargeToCompare(thrown, place.limits);
  }
}

/** What is said where a file ended its thread; anything else as it is. */
function tooLargeToCompare(thrown: unknown, { ms, megabytes }: ThreadLimits): unknown {
  if (!(thrown instanceof ThreadLimitError)) return thrown;
  return new AppError('CONFIG_TOO_LARGE', say('table.compare_too_large', { seconds: ms / 1000, megabytes }));
}

function sideParts(side: SidePart['side'], input: SideInput): SidePart[] {
  return input.of === 'points' ? [...partsOf(input.points)].map((points) => ({ side, points })) : [];
}

function* partsOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += POINTS_A_PART) yield items.slice(from, from + POINTS_A_PART);
}
