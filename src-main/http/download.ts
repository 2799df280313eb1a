import { createReadStream, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { FastifyReply } from 'fastify';
import type { DownloadedFile } from '#shared/contract/operation.ts';
import { FileAnswer } from '../services/handlers.ts';

/** Answers with a file that goes under its name, to be saved or shown. One of the disk is removed behind its answer. */
export function sendFile(
  reply: FastifyReply,
  file: DownloadedFile | FileAnswer,
  use: 'attachment' | 'inline' = 'attachment',
): FastifyReply {
  reply
    .header('content-type', file.mediaType)
    .header('content-disposition', disposition(file.name, use))
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff');
  if (!(file instanceof FileAnswer)) return reply.send(Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength));
  const { path } = file;
  const content = createReadStream(path);
  content.once('close', () => void rm(path, { force: true }).catch(() => {}));
  return reply.header('content-length', statSync(path).size).send(content);
}

/** RFC 6266: a plain name for old readers, and the true one in UTF-8 (RFC 8187). */
function disposition(name: string, use: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${use}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** The name in a content-disposition header of ours; null for an answer that is no file. */
export function fileNameOf(header: unknown): string | null {
  const encoded = /^(?:attachment|inline);.*filename\*=UTF-8''([^;]+)/.exec(String(header ?? ''))?.[1];
  return encoded === undefined ? null : decodeURIComponent(encoded);
}
