import { z } from 'zod';
import { MessageSchema, Nothing, Timestamp } from './common.ts';
import { operation } from './operation.ts';

/** Name of the notice in the folder, or below the address, that the settings name. */
export const UPDATE_FILE = 'loopcheck-update.json';

export const UPDATE_STATES = ['off', 'unsigned', 'current', 'newer', 'failed'] as const;

export const UpdateNotice = z.object({
  state: z
    .enum(UPDATE_STATES)
    .describe(
      '`off`: no place is set, so nobody is asked. `unsigned`: this build has no key to check a notice with, so nobody is asked. `current`: the notice names no newer version. `newer`: it does. `failed`: `trouble` says why there is no notice that can be trusted',
    ),
  place: z.string().describe('the folder, file or address that the settings name; empty: none'),
  file: z.string().nullable().describe('the notice itself; null where nobody was asked'),
  version: z.string().nullable().describe('version that the notice names; null without a notice that can be trusted, as what follows'),
  date: z.string().nullable().describe('day of that version, `YYYY-MM-DD`'),
  notes: z.string().nullable().describe('what is new in it; plain text'),
  files: z
    .array(
      z.object({
        name: z.string(),
        place: z.string().describe('where it lies when it was put beside the notice'),
        octets: z.int(),
        sha256: z.string(),
      }),
    )
    .describe('what was made of that version, to be compared with by hand: nothing of it is fetched, looked at or run'),
  looked_at: Timestamp.nullable().describe('when the place was asked'),
  trouble: MessageSchema.nullable(),
});
export type UpdateNotice = z.infer<typeof UpdateNotice>;

export const updateOperations = {
  updateNotice: operation({
    method: 'GET',
    path: '/api/service/update',
    summary: 'Whether a newer version lies where the settings say',
    description: `Reads \`${UPDATE_FILE}\` at \`update_place\` of the settings, and checks its signature. It is asked anew after six hours, after ten minutes when that failed, and when the setting changes; never while the setting is empty. The page asks this for as long as it is open. Nothing is fetched but the notice, and nothing is run. docs/guide/installation.md describes the file.`,
    tag: 'service',
    effect: 'query',
    query: Nothing,
    body: Nothing,
    data: UpdateNotice,
  }),
  lookForUpdate: operation({
    method: 'POST',
    path: '/api/service/update/look',
    summary: 'Ask the place of the settings for a newer version now',
    description: 'The same answer, always from the place itself. 15 seconds at most. What goes wrong there is `trouble` of the answer.',
    tag: 'service',
    effect: 'repeatable',
    query: Nothing,
    body: Nothing,
    data: UpdateNotice,
  }),
} as const;
