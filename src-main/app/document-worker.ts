/** Entry of the thread that looks at documents; it talks with document-thread.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { ProtocolType } from '#shared/domain/enums.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { sclDocuments } from '../drivers/iec61850/model/documents.ts';
import type { DocumentKind } from '../drivers/spi-model.ts';
import type { DocumentAnswer, DocumentJob } from './document-thread.ts';

/** Kinds by the number of their protocol; not by its driver, which takes long to load. */
const KINDS: Readonly<Record<number, DocumentKind>> = { [ProtocolType.iec61850]: sclDocuments };

if (parentPort) {
  const port = parentPort;
  const say = (answer: DocumentAnswer) => port.postMessage(answer);
  const { protocol, document } = workerData as DocumentJob;
  const kind = KINDS[protocol];
  if (kind) {
    say({ kind: 'ready' });
    try {
      say({ kind: 'summary', summary: kind.read(document) });
    } catch (thrown) {
      const { code, message, data } = toAppError(thrown);
      say({ kind: 'refused', code, message, data });
    }
  }
  port.close();
}
