import type { ProtocolType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import type { DocumentSummary, DriverDocument } from '../drivers/spi-model.ts';
import { serially } from '../platform/serially.ts';
import { runThread, ThreadLimitError, type ThreadLimits, threadEntry } from '../platform/thread.ts';
import type { DocumentReader } from '../services/ports.ts';

/** A file that needs more was made to; the largest stations need a few seconds. */
const LIMITS: ThreadLimits = { ms: 60_000, megabytes: 1_536 };

/** What the thread is started with. */
export interface DocumentJob {
  readonly protocol: ProtocolType;
  readonly document: DriverDocument;
}

/**
 * Looks at documents in a thread, one after the other: the file of a whole station takes seconds, and no line may wait that long; and a file
 * made to eat time or memory ends that thread, not the service. Where no thread can be had the same work is done in place.
 */
export function createDocumentThread(
  entry: string | null = threadEntry('document-worker', import.meta.url),
  bounds: Partial<ThreadLimits> = {},
): DocumentReader {
  const limits = { ...LIMITS, ...bounds };
  const inTurn = serially();
  return (protocol, kind, document) => inTurn(async () => (await summaryOf(entry, limits, { protocol, document })) ?? kind.read(document));
}

/** The summary of one document; null when no thread came up. Throws what it was refused with, `CONFIG_TOO_LARGE`, `INTERNAL`. */
async function summaryOf(entry: string | null, limits: ThreadLimits, job: DocumentJob): Promise<DocumentSummary | null> {
  try {
    return await runThread<DocumentJob, never, DocumentSummary>(entry, limits, { job });
  } catch (error) {
    if (!(error instanceof ThreadLimitError)) throw error;
    throw tooMuch(job, error.what === 'time' ? `${limits.ms / 1000} s` : `${limits.megabytes} MB of memory`);
  }
}

function tooMuch({ document }: DocumentJob, bound: string): AppError {
  return new AppError('CONFIG_TOO_LARGE', `${document.name} needs more than ${bound} to be looked at; a file of fewer devices is needed.`);
}
