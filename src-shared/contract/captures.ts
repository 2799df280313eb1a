import { z } from 'zod';
import { Id, lineOfText, Nothing, ProtocolTypeSchema, Timestamp } from './common.ts';
import { FRAME_FILE_TYPES, FrameFilterText } from './frames.ts';
import { type DownloadedFile, operation } from './operation.ts';
import { LookedCapture, SeriesName, TAKE_INTO, TakenCapture } from './simulation.ts';

/** Captures that a project keeps, and their octets together. */
export const MOST_KEPT_CAPTURES = 20;
export const MOST_KEPT_OCTETS = 256 * 1024 * 1024;

/** A capture that the project keeps. */
export const KeptCapture = z.object({
  name: z.string().describe('its own; also that of its file, without `.pcapng`'),
  at: Timestamp.describe('when it was kept'),
  octets: z.int(),
  frames: z.int().nullable().describe('null: the file does not tell, as one that another program put there'),
});
export type KeptCapture = z.infer<typeof KeptCapture>;

const captureName = z.string().min(1).max(300).describe('as `GET /api/captures/list` answers it');

export const captureOperations = {
  listCaptures: operation({
    method: 'GET',
    path: '/api/captures/list',
    summary: 'Captures that the project keeps, the newest first',
    description:
      'They are files of a folder beside the project (`<project>.captures`), which is renamed with it and not part of its copies. A pcapng file that another program puts there is one of them.',
    tag: 'frames',
    effect: 'query',
    query: Nothing,
    body: Nothing,
    data: z.object({
      items: z.array(KeptCapture),
      octets: z.int().describe('of all of them'),
      most: z.int().describe('captures that may be kept'),
      most_octets: z.int().describe('octets that all of them may have'),
      folder: z.string(),
    }),
  }),
  keepCapture: operation({
    method: 'POST',
    path: '/api/captures/keep',
    summary: 'Keep what the frame log of a channel has now as a capture of the project',
    description:
      `The file is that of \`GET /api/frames/file?format=pcapng\`, secrets masked. At most ${MOST_KEPT_CAPTURES} captures and ${MOST_KEPT_OCTETS / 1024 / 1024} MiB are kept. ` +
      'Where others would have to go for it, it is refused (409): the message and `data.drop` name the oldest ones. Those of `drop` go, as far as they have to, and no others. 409 as well for a log without frames. From the frame log, never causes protocol I/O.',
    tag: 'frames',
    effect: 'repeatable',
    role: 'operate',
    query: Nothing,
    body: z.object({
      channel_id: Id,
      filter: FrameFilterText.optional(),
      name: z
        .string()
        .trim()
        .min(1)
        .max(100)
        .regex(...lineOfText)
        .optional()
        .describe('what it is of; the time follows it, letters that no file name has become `_`. Left out: the name of the channel'),
      drop: z
        .array(captureName)
        .max(1000)
        .optional()
        .describe('names of captures that may go for it, the oldest of them first; left out: none'),
    }),
    data: z.object({ capture: KeptCapture, dropped: z.array(z.string()).describe('names of those that went for it') }),
    errors: [404, 409, 507],
  }),
  captureFile: operation({
    method: 'GET',
    path: '/api/captures/file',
    summary: 'A capture that the project keeps, as a file',
    description: 'pcapng, as it lies beside the project. 404: there is none of this name.',
    tag: 'frames',
    effect: 'query',
    query: z.object({ name: captureName }),
    body: Nothing,
    download: { mediaTypes: [FRAME_FILE_TYPES.pcapng] },
    data: z.custom<DownloadedFile>(),
    errors: [404, 507],
  }),
  removeCapture: operation({
    method: 'DELETE',
    path: '/api/captures/remove',
    summary: 'Remove a capture that the project keeps',
    description: 'What was taken from it stays. 404: there is none of this name.',
    tag: 'frames',
    effect: 'repeatable',
    role: 'operate',
    query: z.object({ name: captureName }),
    body: Nothing,
    data: z.object({ removed: z.literal(true) }),
    errors: [404],
  }),
  lookKept: operation({
    method: 'GET',
    path: '/api/captures/look',
    summary: 'The conversations in a capture that the project keeps, and what can be taken of each',
    description: 'As `POST /api/simulation/capture/look` of its file, whatever its size.',
    tag: 'channels',
    effect: 'query',
    query: z.object({ name: captureName }),
    body: Nothing,
    data: LookedCapture,
    errors: [404],
  }),
  takeKept: operation({
    method: 'POST',
    path: '/api/captures/take',
    summary: 'Make recorded values of a capture that the project keeps',
    description: 'As `POST /api/simulation/capture/take` of its file.',
    tag: 'channels',
    effect: 'repeatable',
    query: Nothing,
    body: z.object({
      capture: captureName,
      conversation: z.int().min(0).max(10_000).optional().describe('default 0'),
      name: SeriesName.optional().describe('left out: that of the capture'),
      protocol_type: ProtocolTypeSchema.optional().describe('of the conversation; left out: the one that finds most in it'),
      once: z.boolean().optional().describe('true: the last values stay; default false: it begins anew'),
      channel_id: Id.optional().describe(TAKE_INTO),
    }),
    data: TakenCapture,
    errors: [404, 409],
  }),
} as const;
