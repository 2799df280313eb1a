import type { ImpossibleBits } from '#shared/contract/point-files.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import { ColumnSet } from './columns.ts';
import { exportKeys } from './export-table.ts';
import { type Findings, newFindings } from './issues.ts';
import { findLayouts } from './layout.ts';
import { type ModePlan, type PresentTable, planMode } from './mode-plan.ts';
import { pastedLayouts } from './pasted-layout.ts';
import { readRows, type TableRow } from './read-rows.ts';
import { type TableFile, TableFileFault } from './table-file.ts';
import { readPasted, readTable } from './table-formats.ts';

/** A file as it was uploaded. */
export interface UploadedTable {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** It is text from the clipboard, of rows of this type where they name none; null: they name their types. Left out: it is a file. */
  readonly pasted?: FrameType | null;
  /** What becomes of a bit where none is possible; left out: it is an error. */
  readonly impossibleBits?: ImpossibleBits;
}

/** What a file says, before it is compared with a table. */
export interface ReadTable {
  /** Null when it is no table. */
  readonly file: Omit<TableFile, 'sheets'> | null;
  /** Names of its sheets, in order. */
  readonly sheets: readonly string[];
  /** Rows that hold a point, right or wrong. */
  readonly seen: number;
  readonly rows: readonly TableRow[];
  /** Those with something wrong in them, as far as they could be read. */
  readonly broken: readonly TableRow[];
  readonly findings: Findings;
}

/** Reads a file for one protocol. What is wrong with it stands in the findings; it never throws for a bad file. `read` makes sheets of its octets. */
export async function readTableFile(
  upload: UploadedTable,
  table: Pick<PresentTable, 'driver'> & Partial<Pick<PresentTable, 'points'>>,
  read = readTable,
): Promise<ReadTable> {
  const findings = newFindings();
  const { descriptor } = table.driver;
  const columns = new ColumnSet(descriptor);
  const { pasted } = upload;
  try {
    const { sheets, ...file } = pasted === undefined ? await read(upload.bytes) : readPasted(upload.bytes);
    const layouts =
      pasted === undefined
        ? findLayouts({ ...file, sheets }, upload.name, columns, findings)
        : pastedLayouts(sheets, { pasted, keys: exportKeys(table.points ?? [], descriptor, pasted) }, columns, findings);
    const taken =
      layouts.length === 0
        ? { seen: 0, rows: [], broken: [] }
        : await readRows(layouts, { hasDecimalComma: file.delimiter === ';' }, findings);
    return { file, sheets: sheets.map((sheet) => sheet.name), ...taken, findings };
  } catch (error) {
    if (!(error instanceof TableFileFault)) throw error;
    findings.errors.add(error.rule, error.params);
    return { file: null, sheets: [], seen: 0, rows: [], broken: [], findings };
  }
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
