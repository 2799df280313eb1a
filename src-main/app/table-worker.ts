/** Entry of the thread that works table files; it talks with table-thread.ts. */
import type { PointConfig } from '../drivers/spi/index.ts';
import { runSteps } from '../platform/steps.ts';
import { serveThread } from '../platform/thread.ts';
import { readCableList } from '../services/check/cable-list.ts';
import { readReferences } from '../services/check/reference-file.ts';
import { readSheets, type UploadedTable } from '../services/point-files/import-table.ts';
import { analyseList } from '../services/point-files/mapping/analyse.ts';
import { TableFileFault } from '../services/point-files/table-file.ts';
import { comparisonFile, exportTable, findingsOf, importTable } from '../services/point-files/table-work.ts';
import { readSeries } from '../services/series/series-file.ts';
import { compareTables, type SideInput } from '../services/table-compare/compare-tables.ts';
import type { ExportedRow } from '../services/table-compare/comparison-sheets.ts';
import { DRIVER_LOADERS } from './lazy-drivers.ts';
import {
  type ChangePart,
  type ImportAnswer,
  POINTS_A_PART,
  type SheetPart,
  type SheetsAnswer,
  type SidePart,
  type TableJob,
} from './table-thread.ts';

/** Sheets one by one, each without its rows first. */
async function saySheets(upload: Extract<TableJob, { kind: 'sheets' }>, say: (part: SheetPart) => Promise<void>): Promise<SheetsAnswer> {
  try {
    const { sheets, ...file } = await readSheets(upload);
    for (const { rows, ...sheet } of sheets) {
      await say({ kind: 'sheet', sheet });
      for (let from = 0; from < rows.length; from += POINTS_A_PART)
        await say({ kind: 'rows', rows: rows.slice(from, from + POINTS_A_PART) });
    }
    return file;
  } catch (thrown) {
    if (!(thrown instanceof TableFileFault)) throw thrown;
    return { fault: { rule: thrown.rule, params: thrown.params } };
  }
}

const LISTS = { cables: readCableList, references: readReferences, series: readSeries } as const;

await serveThread<TableJob>(async ({ job, parts, say }) => {
  if (job.kind === 'list') {
    const rows: readonly unknown[] = await LISTS[job.list](job.bytes);
    for (let from = 0; from < rows.length; from += POINTS_A_PART) await say(rows.slice(from, from + POINTS_A_PART));
    return true;
  }
  if (job.kind === 'sheets') return saySheets(job, say);
  const arrived = parts();
  const driver = await DRIVER_LOADERS[job.protocol]();
  if (job.kind === 'analyse') return analyseList(job, driver, job.settings);
  if (job.kind === 'compare') {
    const sent = (await arrived) as SidePart[];
    const sideOf = (side: SidePart['side'], upload: UploadedTable | null): SideInput =>
      upload ? { of: 'file', upload } : { of: 'points', points: sent.flatMap((part) => (part.side === side ? part.points : [])) };
    const sides = [sideOf('before', job.before), sideOf('after', job.after)] as const;
    const { rows, ...outcome } = await compareTables(...sides, { driver, settings: job.settings }, async () => {});
    for (let from = 0; from < rows.length; from += POINTS_A_PART) await say(rows.slice(from, from + POINTS_A_PART));
    return outcome;
  }
  if (job.kind === 'comparison') return comparisonFile(job.format, driver, job.about, ((await arrived) as ExportedRow[][]).flat());
  const points = ((await arrived) as PointConfig[][]).flat();
  if (job.kind === 'export') return exportTable(job.format, driver, points);
  if (job.kind === 'findings') {
    const { listed, counts } = runSteps(findingsOf({ driver, settings: job.settings, points }, job.turnRounds));
    for (let from = 0; from < listed.length; from += POINTS_A_PART) await say(listed.slice(from, from + POINTS_A_PART));
    return counts;
  }
  const { report, change } = await importTable(job, job.mode, { driver, settings: job.settings, points });
  if (change) {
    const tell = (part: ChangePart) => say(part);
    for (let from = 0; from < change.added.length; from += POINTS_A_PART) {
      await tell({ kind: 'added', points: change.added.slice(from, from + POINTS_A_PART) });
    }
    for (let from = 0; from < change.changed.length; from += POINTS_A_PART) {
      await tell({ kind: 'changed', points: change.changed.slice(from, from + POINTS_A_PART) });
    }
    await tell({ kind: 'removed', ids: change.removed });
  }
  return { report, hasChange: change !== null } satisfies ImportAnswer;
});
