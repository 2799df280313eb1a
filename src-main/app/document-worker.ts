/** Entry of the thread that looks at documents; it talks with document-thread.ts. */
import { workerData } from 'node:worker_threads';
import { ProtocolType } from '#shared/domain/enums.ts';
import { sclDocuments } from '../drivers/iec61850/model/documents.ts';
import type { DocumentKind } from '../drivers/spi/model.ts';
import { unpackDocument } from '../persistence/document-repository.ts';
import { serveThread } from '../platform/thread.ts';
import type { DocumentJob } from './document-thread.ts';

/** Kinds by the number of their protocol; not by its driver, which takes long to load. */
const KINDS: Readonly<Record<number, DocumentKind>> = { [ProtocolType.iec61850]: sclDocuments };

const kind = KINDS[(workerData as DocumentJob).protocol];
// Of another protocol nothing is said: the work is done in place.
if (kind) {
  await serveThread<DocumentJob>(async ({ job, say }) => {
    if (job.kind === 'summary') return kind.read(job.document);
    const { name, packed } = job.document;
    for (const part of kind.device?.make({ name, text: unpackDocument(packed) }, job.settings) ?? []) await say(part);
    return true;
  });
}
