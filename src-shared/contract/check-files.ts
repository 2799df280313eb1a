import { z } from 'zod';
import { CHECK_FILE_TYPES, LARGEST_CHECK_FILE } from '../domain/check.ts';
import { say } from '../messages/index.ts';
import { mustBe } from '../messages/schema-words.ts';
import { CheckFile, CheckResult, CheckSession, checkFields } from './check.ts';
import { lineOfText, Nothing, queryInt } from './common.ts';
import { operation } from './operation.ts';

const session = { session_id: queryInt(1, Number.MAX_SAFE_INTEGER) };
const upload = { largestFile: LARGEST_CHECK_FILE };

/** Files of check sessions. */
export const checkFileOperations = {
  attachToCheck: operation({
    method: 'POST',
    path: '/api/check/attach',
    summary: 'Append a remark with a file: a photo, a test report',
    description:
      'PNG, JPEG, WebP, PDF, text, CSV and xlsx, taken by their content whatever the name says; others are refused (422). 5 MiB a file, 200 MiB a session (409). ' +
      'The state of the item stays as it is; like every result the file is never changed and never deleted.',
    tag: 'check',
    effect: 'repeatable',
    role: 'operate',
    query: z.object({
      ...session,
      item: z.uuid().optional().describe('left out: the session as a whole'),
      operator: checkFields.operator,
      remark: z
        .string()
        .max(500)
        .regex(...lineOfText)
        .default(''),
    }),
    body: z.object({ file: z.file({ error: mustBe(say('field.any_file')) }).describe('5 MiB at most') }),
    upload,
    data: CheckResult,
    errors: [404, 409, 507],
  }),
  checkFile: operation({
    method: 'GET',
    path: '/api/check/file',
    summary: 'A file of a session as it was attached',
    description: 'By its SHA-256, as a result names it. Octet for octet what was attached.',
    tag: 'check',
    effect: 'query',
    query: z.object({ ...session, sha256: CheckFile.shape.sha256 }),
    body: Nothing,
    data: z.unknown(),
    download: { mediaTypes: CHECK_FILE_TYPES },
    errors: [404],
  }),
  setCheckLogo: operation({
    method: 'POST',
    path: '/api/check/logo',
    summary: 'Give a session the image for the first page of its record, in place of another one',
    description: 'PNG, JPEG or WebP by its content; others are refused (422).',
    tag: 'check',
    effect: 'repeatable',
    role: 'operate',
    query: z.object(session),
    body: z.object({ file: z.file({ error: mustBe(say('field.any_file')) }).describe('an image of 5 MiB at most') }),
    upload,
    data: CheckSession,
    errors: [404, 409, 507],
  }),
  removeCheckLogo: operation({
    method: 'POST',
    path: '/api/check/remove_logo',
    summary: 'Take the image for the first page of the record away',
    description: 'Records that were made before keep it.',
    tag: 'check',
    effect: 'repeatable',
    role: 'operate',
    query: Nothing,
    body: z.object({ session_id: checkFields.session_id }),
    data: CheckSession,
    errors: [404, 507],
  }),
} as const;
