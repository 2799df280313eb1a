import type { ListMapping } from '#shared/contract/list-mapping.ts';
import type { ListProfile } from '#shared/contract/list-operations.ts';
import type { ImpossibleBits } from '#shared/contract/point-files.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import { runInTurns } from '../../platform/steps.ts';
import { Turns } from '../../platform/turns.ts';
import { ColumnSet } from './columns.ts';
import { exportKeys } from './export-table.ts';
import { type Findings, newFindings } from './issues.ts';
import { findLayouts } from './layout.ts';
import { openList } from './mapping/analyse.ts';
import { isHeaderRow } from './mapping/find-tables.ts';
import type { ListFormat } from './mapping/list-file.ts';
import { type ModePlan, type PresentTable, planMode } from './mode-plan.ts';
import { pastedLayouts } from './pasted-layout.ts';
import { readRows, type TableRow } from './read-rows.ts';
import { type SheetTable, type TableFile, TableFileFault } from './table-file.ts';
import { readPasted, readTable } from './table-formats.ts';

/** A file as it was uploaded. */
export interface UploadedTable {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** It is text from the clipboard, of rows of this type where they name none; null: they name their types. Left out: it is a file. */
  readonly pasted?: FrameType | null;
  /** What becomes of a bit where none is possible; left out: it is an error. */
  readonly impossibleBits?: ImpossibleBits;
  /** How a foreign list is read; left out: it is a table of ours. */
  readonly list?: { readonly mapping: ListMapping; readonly profiles: readonly ListProfile[] };
}

/** What a file says, before it is compared with a table. */
export interface ReadTable {
  /** Null when it is no table. */
  readonly file: (Omit<TableFile, 'sheets' | 'format'> & { readonly format: ListFormat }) | null;
  /** It is no table of ours, and may be a list of somebody else's. */
  readonly isForeign: boolean;
  /** Names of its sheets, in order. */
  readonly sheets: readonly string[];
  /** Rows that hold a point, right or wrong. */
  readonly seen: number;
  readonly rows: readonly TableRow[];
  /** Those with something wrong in them, as far as they could be read. */
  readonly broken: readonly TableRow[];
  readonly findings: Findings;
}

/** What makes sheets of an upload; throws `TableFileFault` for what is no table. */
export type SheetReader = (upload: Pick<UploadedTable, 'bytes' | 'pasted'>) => Promise<TableFile>;

/** Reads the sheets of an upload in place. */
export const readSheets: SheetReader = async ({ bytes, pasted }) => (pasted === undefined ? readTable(bytes) : readPasted(bytes));

/** Reads a file for one protocol. What is wrong with it stands in the findings; it never throws for a bad file. `read` reads its sheets. */
export async function readTableFile(
  upload: UploadedTable,
  table: Pick<PresentTable, 'driver' | 'settings'> & Partial<Pick<PresentTable, 'points'>>,
  read = readSheets,
): Promise<ReadTable> {
  if (upload.list) return readForeignList({ ...upload, ...upload.list }, table);
  const findings = newFindings();
  const { descriptor } = table.driver;
  const columns = new ColumnSet(descriptor);
  const { pasted } = upload;
  try {
    const { sheets, ...file } = await read(upload);
    const layouts =
      pasted === undefined
        ? await runInTurns(findLayouts({ ...file, sheets }, upload.name, columns, findings), new Turns().breathe)
        : pastedLayouts(sheets, { pasted, keys: exportKeys(table.points ?? [], descriptor, pasted) }, columns, findings);
    const taken =
      layouts.length === 0
        ? { seen: 0, rows: [], broken: [] }
        : await readRows(layouts, { hasDecimalComma: file.delimiter === ';' }, findings);
    const isForeign = layouts.length === 0 || (pasted !== undefined && isForeignText(sheets));
    return { file, isForeign, sheets: sheets.map((sheet) => sheet.name), ...taken, findings };
  } catch (error) {
    if (!(error instanceof TableFileFault)) throw error;
    findings.errors.add(error.rule, error.params);
    // text that is no csv may be a list of another form
    return { file: null, isForeign: error.rule === 'csv_broken', sheets: [], seen: 0, rows: [], broken: [], findings };
  }
}

/** Rows from the clipboard whose headers are not ours, or that no tab divides. */
function isForeignText(sheets: readonly SheetTable[]): boolean {
  const rows = sheets.flatMap((sheet) => sheet.rows.slice(0, LINES_LOOKED_AT));
  return (
    rows.some((row) => isHeaderRow(row, true)) ||
    rows.every((row) => row.length < 2 && !/\S {2,}\S.* {2,}\S/.test(String(row[0] ?? 'x  x  x')))
  );
}

const LINES_LOOKED_AT = 10;

/** Reads a list by a mapping. What was concluded and what was left out are its warnings. */
async function readForeignList(
  upload: UploadedTable & { readonly mapping: ListMapping; readonly profiles: readonly ListProfile[] },
  { driver, settings }: Pick<PresentTable, 'driver' | 'settings'>,
): Promise<ReadTable> {
  const { file, read } = await openList(upload, driver, settings);
  const findings = newFindings();
  findings.errors.append(read.findings.errors);
  findings.warnings.append(read.findings.told);
  findings.warnings.append(read.findings.leftOut);
  if (read.rows.length === 0 && findings.errors.count === 0) findings.errors.add('rows_none', {});
  const facts = file && { format: file.format, encoding: file.encoding, delimiter: file.delimiter };
  return {
    file: facts,
    isForeign: true,
    sheets: (file?.sheets ?? []).map(({ name }) => name),
    seen: read.counts.understood,
    rows: read.rows,
    broken: [],
    findings,
  };
}

/** Plans of the modes that were asked for, and everything there is to say about them and the file. */
export interface TablePlans {
  readonly merge: ModePlan | null;
  readonly replace: ModePlan | null;
  readonly findings: Findings;
}

/** Compares a file with the present table: for one mode, or for both in a preview. */
export async function planTable(
  read: ReadTable,
  mode: 'preview' | 'merge' | 'replace',
  table: PresentTable,
  bits: ImpossibleBits = 'refuse',
): Promise<TablePlans> {
  const merge = mode === 'replace' ? null : await planMode('merge', read.rows, table, bits);
  const replace = mode === 'merge' ? null : await planMode('replace', read.rows, table, bits);
  const findings = newFindings();
  for (const list of ['errors', 'warnings'] as const) {
    findings[list].append(read.findings[list]);
    findings[list].appendModes(merge?.findings[list] ?? null, replace?.findings[list] ?? null);
  }
  return { merge, replace, findings };
}
