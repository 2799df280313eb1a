import { setImmediate as nextTurn } from 'node:timers/promises';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Operation } from '#shared/contract/index.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { ReceivedFile } from './received-file.ts';

/** Fields beside the file, which no operation has; they are only told. */
const FIELD_LIMITS = { fields: 20, files: 4, parts: 24, fieldSize: 64 * 1024, headerPairs: 50 } as const;

/** Lets the routes of this scope, and only these, take a form with a file. */
export async function acceptForms(scope: FastifyInstance): Promise<void> {
  await scope.register(multipart, { limits: FIELD_LIMITS });
}

/**
 * Reads the body of an operation with an upload: the file in `file`, every other field as it was named. An absent body counts as `{}`.
 * Throws `CONFIG_MEDIA_TYPE` for another body, `CONFIG_TOO_LARGE`, `CONFIG_NOT_JSON` for a form that breaks off, `CONFIG_INVALID` for two
 * files.
 */
export async function readUpload(request: FastifyRequest, { largestFile }: NonNullable<Operation['upload']>): Promise<unknown> {
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
      const octets = (await part.toBuffer()) as Buffer<ArrayBuffer>;
      // joining a large one takes as long as each of the steps that follow
      await nextTurn();
      if (part.fieldname === 'file' && fields.file instanceof File) {
        throw invalidField('file', say('http.one_file'));
      }
      fields[part.fieldname] = new ReceivedFile(octets, part.filename);
    }
  } catch (error) {
    if (error instanceof AppError || hasCode(error)) throw error;
    const detail = error instanceof Error ? error.message : String(error);
    throw new AppError('CONFIG_NOT_JSON', say('http.form_unreadable', { detail }), { cause: error });
  }
  return fields;
}

/** Refusals of the framework carry a code of their own; the parser of the form throws plain errors. */
function hasCode(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && String(error.code).startsWith('FST_');
}
