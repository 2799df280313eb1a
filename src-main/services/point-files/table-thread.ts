import { existsSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { TableRule } from '#shared/contract/point-files.ts';
import { AppError } from '#shared/domain/errors.ts';
import {
  type Cell,
  type RuleParams,
  type SheetDraft,
  type SheetTable,
  type TableFile,
  TableFileFault,
  type TableFormat,
} from './table-file.ts';
import { readTable, writeTable } from './table-formats.ts';

/** Rows that cross to or from the thread at once; between them the lines of the channels get their turn. */
export const ROWS_A_MESSAGE = 2_000;

/** A file that needs longer is no point table. */
const LIMITS = { ms: 120_000, megabytes: 1_536 };

/** What a thread is started with. */
export type TableJob =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly kind: 'write'; readonly format: TableFormat; readonly sheets: readonly SheetDraft[] };

/** Rows of a sheet to be written, sent after the job; null ends them. */
export interface WrittenRows {
  readonly sheet: number;
  readonly rows: readonly (readonly Cell[])[];
}

export type TableAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'sheet'; readonly sheet: Omit<SheetTable, 'rows'> }
  | { readonly kind: 'rows'; readonly rows: Cell[][] }
  | { readonly kind: 'read'; readonly file: Omit<TableFile, 'sheets'> }
  | { readonly kind: 'written'; readonly bytes: Uint8Array }
  | { readonly kind: 'fault'; readonly rule: TableRule; readonly params: RuleParams };

/** Reads and writes table files. */
export interface TableThread {
  /** Throws `TableFileFault` for a file that is no table. */
  read(bytes: Uint8Array): Promise<TableFile>;
  write(format: TableFormat, sheets: readonly SheetDraft[]): Promise<Uint8Array>;
}

/** The thread's own file: beside this one as source, at the top of the built program otherwise. */
function findEntry(): string | null {
  const places = ['./table-worker.ts', './table-worker.js', '../table-worker.js'].map((name) =>
    fileURLToPath(new URL(name, import.meta.url)),
  );
  return places.find((place) => existsSync(place)) ?? null;
}

/**
 * Reads and writes in a thread of its own: a workbook of 100,000 rows takes seconds, and no line may wait that long; and a file made
 * to eat memory ends that thread, not the service. One file at a time, as each may take a gigabyte. Where no thread can be had the same work is done in place.
 */
export function createTableThread(entry: string | null = findEntry(), bounds: Partial<typeof LIMITS> = {}): TableThread {
  const limits = { ...LIMITS, ...bounds };
  const inTurn = createTurns();
  return {
    read: (bytes) =>
      inTurn(async () => {
        const sheets: SheetTable[] = [];
        const end = await runThread(entry, limits, { kind: 'read', bytes }, (answer) => {
          if (answer.kind === 'sheet') sheets.push({ ...answer.sheet, rows: [] });
          else if (answer.kind === 'rows') sheets.at(-1)?.rows.push(...answer.rows);
        });
        return end?.kind === 'read' ? { ...end.file, sheets } : readTable(bytes);
      }),
    write: (format, sheets) =>
      inTurn(async () => {
        const job: TableJob = { kind: 'write', format, sheets: sheets.map((sheet) => ({ ...sheet, rows: [] })) };
        const end = await runThread(
          entry,
          limits,
          job,
          () => {},
          (worker) => sendRows(worker, sheets),
        );
        return end?.kind === 'written' ? end.bytes : writeTable(format, sheets);
      }),
  };
}

/** Runs pieces of work one after the other, in the order in which they come. */
function createTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}

async function sendRows(worker: Worker, sheets: readonly SheetDraft[]): Promise<void> {
  for (const [sheet, { rows }] of sheets.entries()) {
    for (let from = 0; from < rows.length; from += ROWS_A_MESSAGE) {
      worker.postMessage({ sheet, rows: rows.slice(from, from + ROWS_A_MESSAGE) } satisfies WrittenRows);
      await nextTurn();
    }
  }
  worker.postMessage(null);
}

/** Runs one job to its last answer; null when no thread came up. Throws `TableFileFault`, and `INTERNAL` for a fault of our own. */
async function runThread(
  entry: string | null,
  limits: typeof LIMITS,
  job: TableJob,
  onAnswer: (answer: TableAnswer) => void,
  feed?: (worker: Worker) => Promise<void>,
): Promise<TableAnswer | null> {
  if (entry === null) return null;
  const worker = new Worker(entry, { workerData: job, resourceLimits: { maxOldGenerationSizeMb: limits.megabytes }, execArgv: [] });
  try {
    return await new Promise<TableAnswer | null>((resolve, reject) => {
      let isUp = false;
      const timer = setTimeout(() => reject(new TableFileFault('file_too_slow', { seconds: limits.ms / 1000 })), limits.ms);
      const end = (settle: () => void) => {
        clearTimeout(timer);
        settle();
      };
      worker.on('message', (answer: TableAnswer) => {
        if (answer.kind === 'ready') {
          isUp = true;
          feed?.(worker).catch((error: unknown) => end(() => reject(error)));
        } else if (answer.kind === 'fault') end(() => reject(new TableFileFault(answer.rule, answer.params)));
        else if (answer.kind === 'read' || answer.kind === 'written') end(() => resolve(answer));
        else onAnswer(answer);
      });
      worker.on('error', (error: Error & { code?: string }) =>
        end(() => (isUp ? reject(threadFault(error, limits.megabytes)) : resolve(null))),
      );
      worker.on('exit', () => end(() => (isUp ? reject(new AppError('INTERNAL', 'The thread of a table file ended.')) : resolve(null))));
    });
  } finally {
    void worker.terminate();
  }
}

function threadFault(error: Error & { code?: string }, megabytes: number): Error {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return new TableFileFault('file_too_large', { megabytes });
  return new AppError('INTERNAL', error.message, { cause: error });
}
