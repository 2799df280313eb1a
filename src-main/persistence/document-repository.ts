import { promisify } from 'node:util';
import { gunzipSync, gzip, gzipSync } from 'node:zlib';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { DocumentSummary } from '../drivers/spi/model.ts';
import type { DocumentRepository } from './repositories.ts';
import { isForeignKeyViolation, storedObject, storeError } from './store-error.ts';
import type { StoreFile } from './store-file.ts';

/** Most octets a document may have unpacked: what somebody wrote into the file must not fill the memory. */
const LARGEST_TEXT = 64 * 1024 * 1024;

interface InfoRow {
  readonly name: string;
  readonly stored_at: string;
  readonly octets: number;
  readonly summary: string;
}

/** The documents table: one for each channel at most, packed. */
export function documentRepository(file: StoreFile): DocumentRepository {
  const info = file.db.prepare<[number], InfoRow>('SELECT name, stored_at, octets, summary FROM documents WHERE channel_id = ?');
  const read = file.db.prepare<[number], { name: string; packed: Buffer }>('SELECT name, packed FROM documents WHERE channel_id = ?');
  const write = file.db.prepare<[number, string, string, number, string, Buffer]>(
    'INSERT OR REPLACE INTO documents (channel_id, name, stored_at, octets, summary, packed) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const remove = file.db.prepare<[number]>('DELETE FROM documents WHERE channel_id = ?');
  return {
    info: (channelId) =>
      file.read(() => {
        const row = info.get(channelId);
        if (!row) return null;
        return { name: row.name, storedAt: row.stored_at, octets: row.octets, summary: storedObject<DocumentSummary>(row.summary) };
      }),
    read: (channelId) =>
      file.read(() => {
        const row = read.get(channelId);
        return row ? { name: row.name, text: unpack(file.path, channelId, row.packed) } : null;
      }),
    pack: (text) => promisify(gzip)(text),
    packed: (channelId) => file.read(() => read.get(channelId) ?? null),
    write: (channelId, document, { storedAt, summary, packed }) =>
      file.change(() => {
        const octets = Buffer.byteLength(document.text);
        if (octets > LARGEST_TEXT) throw tooLarge(octets);
        const stored = packed ?? gzipSync(document.text);
        inChannel(channelId, () => write.run(channelId, document.name, storedAt, octets, JSON.stringify(summary), Buffer.from(stored)));
      }),
    remove: (channelId) => file.change(() => remove.run(channelId).changes > 0),
  };
}

/** The text of a packed document. Throws what zlib says of one that is none, or too large. */
export function unpackDocument(packed: Uint8Array): string {
  return gunzipSync(packed, { maxOutputLength: LARGEST_TEXT }).toString('utf8');
}

function unpack(path: string, channelId: number, packed: Buffer): string {
  try {
    return unpackDocument(packed);
  } catch (thrown) {
    throw storeError(path, say('store.document_damaged', { channel: channelId }), thrown);
  }
}

function tooLarge(octets: number): AppError {
  return new AppError('CONFIG_TOO_LARGE', say('store.document_large', { count: octets, most: LARGEST_TEXT }));
}

function inChannel(channelId: number, operation: () => void): void {
  try {
    operation();
  } catch (thrown) {
    throw isForeignKeyViolation(thrown) ? new AppError('CONFIG_NOT_FOUND', say('store.no_channel', { id: channelId })) : thrown;
  }
}
