import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ProtocolType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { DocumentSummary, DriverDocument } from '../drivers/spi/model.ts';
import { unpackDocument } from '../persistence/document-repository.ts';
import type { PackedDocument } from '../persistence/repositories.ts';
import { serially } from '../platform/serially.ts';
import { runThread, ThreadLimitError, type ThreadLimits, type ThreadPlace, threadEntry } from '../platform/thread.ts';
import type { Threads } from '../platform/threads.ts';
import type { DocumentDeviceMaker, DocumentReader } from '../services/ports.ts';

/** A file that needs more was made to; the largest stations need a few seconds. */
const LIMITS: ThreadLimits = { ms: 60_000, megabytes: 1_536 };

/** Octets of documents that are read sooner than a thread comes up: unpacked, as most of a station file is the same again and again, and packed, as that is only said. */
const SMALL = { unpacked: 64 * 1024, packed: 16 * 1024 };

/** What the thread is started with: a document to look at, or one whose device a channel needs. */
export type DocumentJob =
  | { readonly kind: 'summary'; readonly protocol: ProtocolType; readonly document: DriverDocument }
  | {
      readonly kind: 'device';
      readonly protocol: ProtocolType;
      readonly document: PackedDocument;
      readonly settings: Readonly<Record<string, unknown>>;
    };

/**
 * Looks at documents in a thread, one after the other: the file of a whole station takes seconds, and no line may wait that long; and a file
 * made to eat time or memory ends that thread, not the service. Where no thread can be had the same work is done in place. What was said of the last
 * document is said again of the same one.
 */
export function createDocumentThread(
  threads: Threads,
  entry: string | null = threadEntry('document-worker', import.meta.url),
  bounds: Partial<ThreadLimits> = {},
): DocumentReader {
  const place: ThreadPlace = { threads, entry, limits: { ...LIMITS, ...bounds } };
  const inTurn = serially();
  let last: { readonly of: string; readonly summary: DocumentSummary } | null = null;
  return (protocol, kind, document) =>
    inTurn(async () => {
      const of = contentOf(protocol, document);
      if (last?.of === of) return last.summary;
      // handing a large one to the thread takes as long as looking what is in it
      await nextTurn();
      const summary = (await inThread<DocumentSummary>(place, { kind: 'summary', protocol, document })) ?? kind.read(document);
      last = { of, summary };
      return summary;
    });
}

/** What a summary is made of, short: a file is looked at before it is stored, and often stored with several channels. */
function contentOf(protocol: ProtocolType, { name, text }: DriverDocument): string {
  return createHash('sha256')
    .update(JSON.stringify([protocol, name]))
    .update(text)
    .digest('base64');
}

/** Makes what channels need of large documents in a thread, one after the other; of small ones, and where none can be had, in place. */
export function createDeviceThread(
  threads: Threads,
  entry: string | null = threadEntry('document-worker', import.meta.url),
  small = SMALL,
): DocumentDeviceMaker {
  const place: ThreadPlace = { threads, entry, limits: LIMITS };
  const inTurn = serially();
  return async (protocol, device, document, settings) => {
    const job: DocumentJob = { kind: 'device', protocol, document, settings };
    const parts: unknown[] = [];
    const make = () => inThread<true>(place, job, (part) => void parts.push(part));
    if (isLarge(document, small) && (await inTurn(make))) return parts;
    return [...device.make({ name: document.name, text: unpackDocument(document.packed) }, settings)];
  };
}

function isLarge({ packed }: PackedDocument, small: typeof SMALL): boolean {
  if (packed.length > small.packed) return true;
  // gzip ends with the length of what it holds (RFC 1952, 2.3.1)
  const end = packed.length - 4;
  return end >= 0 && new DataView(packed.buffer, packed.byteOffset + end, 4).getUint32(0, true) > small.unpacked;
}

/** The answer for one document; null when no thread came up. Throws what it was refused with, `CONFIG_TOO_LARGE`, `INTERNAL`. */
async function inThread<Answer>(
  place: ThreadPlace,
  job: DocumentJob,
  onPart: (part: unknown) => void = () => undefined,
): Promise<Answer | null> {
  try {
    return await runThread<DocumentJob, unknown, Answer>(place, { job, onPart });
  } catch (error) {
    if (!(error instanceof ThreadLimitError)) throw error;
    throw new AppError('CONFIG_TOO_LARGE', tooMuch(error.what, job.document.name, place.limits));
  }
}

function tooMuch(what: ThreadLimitError['what'], name: string, { ms, megabytes }: ThreadLimits): Message {
  return what === 'time'
    ? say('app.document_needs_time', { name, seconds: ms / 1000 })
    : say('app.document_needs_memory', { name, megabytes });
}
