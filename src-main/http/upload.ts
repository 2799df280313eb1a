import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Operation } from '#shared/contract/index.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { FileOnDisk } from '../services/file-on-disk.ts';
import { ReceivedFile } from './received-file.ts';

/** Fields beside the file, which no operation has; they are only told. */
const FIELD_LIMITS = { fields: 20, files: 4, parts: 24, fieldSize: 64 * 1024, headerPairs: 50 } as const;

/** Names for files of forms that are written to the disk. They are removed when the request has ended. */
export class UploadDrafts {
  readonly #newDraft: () => string;
  readonly #paths: string[] = [];

  constructor(newDraft: () => string) {
    this.#newDraft = newDraft;
  }

  next(): string {
    const path = this.#newDraft();
    this.#paths.push(path);
    return path;
  }

  /** Removes what nobody moved. */
  async discard(): Promise<void> {
    for (const path of this.#paths.splice(0)) await rm(path, { force: true }).catch(() => {});
  }
}

/** Lets the routes of this scope, and only these, take a form with a file. */
export async function acceptForms(scope: FastifyInstance): Promise<void> {
  await scope.register(multipart, { limits: FIELD_LIMITS });
}

/**
 * Reads the body of an operation with an upload: the file in `file`, every other field as it was named. An absent body counts as `{}`.
 * Throws `CONFIG_MEDIA_TYPE` for another body, `CONFIG_TOO_LARGE`, `CONFIG_NOT_JSON` for a form that breaks off, `CONFIG_INVALID` for two
 * files.
 */
export async function readUpload(
  request: FastifyRequest,
  { largestFile, toDisk }: NonNullable<Operation['upload']>,
  drafts: UploadDrafts,
): Promise<unknown> {
  if (!request.isMultipart()) {
    if (request.body === undefined) return {};
    throw new AppError('CONFIG_MEDIA_TYPE', say('http.form_wanted'));
  }
  const fields: Record<string, unknown> = {};
  try {
    for await (const part of request.parts({ limits: { fileSize: largestFile } })) {
      if (part.type === 'field') {
        fields[part.fieldname] ??= part.value;
        continue;
      }
      const file = toDisk ? await writeDown(part, drafts) : await receive(part);
      if (part.fieldname === 'file' && fields.file instanceof File) {
        throw invalidField('file', say('http.one_file'));
      }
      fields[part.fieldname] = file;
    }
  } catch (error) {
    if (error instanceof AppError || hasCode(error)) throw error;
    const detail = error instanceof Error ? error.message : String(error);
    throw new AppError('CONFIG_NOT_JSON', say('http.form_unreadable', { detail }), { cause: error });
  }
  return fields;
}

async function receive(part: MultipartFile): Promise<File> {
  const octets = (await part.toBuffer()) as Buffer<ArrayBuffer>;
  // joining a large one takes as long as each of the steps that follow
  await nextTurn();
  return new ReceivedFile(octets, part.filename);
}

async function writeDown(part: MultipartFile, drafts: UploadDrafts): Promise<File> {
  const path = drafts.next();
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  try {
    await pipeline(part.file, file);
  } catch (thrown) {
    const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : '';
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new AppError('STATE_STORE_FULL', say('http.upload_no_space', { code }), { cause: thrown });
    throw thrown;
  }
  if (part.file.truncated) throw new AppError('CONFIG_TOO_LARGE', say('http.file_too_large'));
  return new FileOnDisk(path, part.filename, file.bytesWritten);
}

/** Refusals of the framework carry a code of their own; the parser of the form throws plain errors. */
function hasCode(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && String(error.code).startsWith('FST_');
}
