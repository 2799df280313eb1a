import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ProtocolType } from '#shared/domain/enums.ts';
import { AppError, type ErrorCode } from '#shared/domain/errors.ts';
import type { DocumentSummary, DriverDocument } from '../drivers/spi-model.ts';
import type { DocumentReader } from '../services/ports.ts';

/** A file that needs more was made to; the largest stations need a few seconds. */
const LIMITS = { ms: 60_000, megabytes: 1_536 };

/** What the thread is started with. */
export interface DocumentJob {
  readonly protocol: ProtocolType;
  readonly document: DriverDocument;
}

/** What the thread says: that it is up, then its one answer. */
export type DocumentAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'summary'; readonly summary: DocumentSummary }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string; readonly data: unknown };

/** The thread's own file: beside this one as source, at the top of the built program otherwise. */
function findEntry(): string | null {
  const places = ['./document-worker.ts', './document-worker.js', '../document-worker.js'].map((name) =>
    fileURLToPath(new URL(name, import.meta.url)),
  );
  return places.find((place) => existsSync(place)) ?? null;
}

/**
 * Looks at documents in a thread, one after the other: the file of a whole station takes seconds, and no line may wait that long; and a file
 * made to eat time or memory ends that thread, not the service. Where no thread can be had the same work is done in place.
 */
export function createDocumentThread(entry: string | null = findEntry(), bounds: Partial<typeof LIMITS> = {}): DocumentReader {
  const limits = { ...LIMITS, ...bounds };
  let last: Promise<unknown> = Promise.resolve();
  return (protocol, kind, document) => {
    const work = async () => (await runThread(entry, limits, { protocol, document })) ?? kind.read(document);
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}

/** The summary of one document; null when no thread came up. Throws what it was refused with, `CONFIG_TOO_LARGE`, `INTERNAL`. */
async function runThread(entry: string | null, limits: typeof LIMITS, job: DocumentJob): Promise<DocumentSummary | null> {
  if (entry === null) return null;
  const worker = new Worker(entry, { workerData: job, resourceLimits: { maxOldGenerationSizeMb: limits.megabytes }, execArgv: [] });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<DocumentSummary | null>((resolve, reject) => {
      let isUp = false;
      const end = (error: AppError) => (isUp ? reject(error) : resolve(null));
      timer = setTimeout(() => reject(tooMuch(job, `${limits.ms / 1000} s`)), limits.ms);
      worker.on('message', (answer: DocumentAnswer) => {
        if (answer.kind === 'ready') isUp = true;
        else if (answer.kind === 'summary') resolve(answer.summary);
        else reject(new AppError(answer.code, answer.message, { data: answer.data }));
      });
      worker.on('error', (error: Error & { code?: string }) => {
        const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        end(isFull ? tooMuch(job, `${limits.megabytes} MB of memory`) : new AppError('INTERNAL', error.message, { cause: error }));
      });
      worker.on('exit', () => end(new AppError('INTERNAL', 'The thread that looks at a file ended.')));
    });
  } finally {
    clearTimeout(timer);
    void worker.terminate();
  }
}

function tooMuch({ document }: DocumentJob, bound: string): AppError {
  return new AppError('CONFIG_TOO_LARGE', `${document.name} needs more than ${bound} to be looked at; a file of fewer devices is needed.`);
}
