import { z } from 'zod';
import type { Message } from '../messages/message.ts';
import { FrameTypeSchema, Id, MessageSchema, Nothing, queryInt, Timestamp } from './common.ts';
import { type DownloadedFile, operation } from './operation.ts';

export const FRAME_KINDS = ['tx', 'rx', 'noise', 'late', 'opened', 'closed', 'note'] as const;

/** One entry of the frame log: true octets with their time, or an event of the connection. */
export const FrameEntry = z.object({
  seq: z.int().describe('rises by one an entry; gaps mean that older entries were dropped'),
  at: Timestamp,
  monotonic_ms: z.number(),
  kind: z
    .enum(FRAME_KINDS)
    .describe('tx and rx are frames; noise is octets that were no frame; late is an answer nobody waited for any more'),
  hex: z.string().describe('octets, upper case, a space between; secret ranges masked with **'),
  length: z.int(),
  link: z.int().nullable().describe('seq of the request this answers'),
  answer: z.int().nullable().optional().describe('seq of the answer to this; null: none is there. Told by list and explain'),
  latency_ms: z
    .number()
    .nullable()
    .optional()
    .describe('time between request and answer, told at both; null where one of them is not there'),
  since_ms: z.number().nullable().optional().describe('time since the entry before this one'),
  connection: z.int().describe('number of the connection in this channel'),
  peer: z.string().describe('connection end points or serial settings'),
  text: z.string().describe('one-line explanation, or what happened, in English'),
  text_message: MessageSchema.nullable().describe(
    'the same as data; null where the text is the same in every language, or was kept as text',
  ),
});
export type FrameEntry = z.infer<typeof FrameEntry>;

/**
 * A node of the explanation tree: octets start to end (end excluded) mean `name` = `value`. Both are English; the messages say the same as
 * data, null where the text is the same in every language: octets, numbers, what a device calls itself.
 */
export interface ExplainNode {
  readonly name: string;
  readonly name_message: Message | null;
  readonly value: string;
  readonly value_message: Message | null;
  readonly start: number;
  readonly end: number;
  readonly severity: 'info' | 'warning' | 'error';
  readonly children: readonly ExplainNode[];
}
export const ExplainNodeSchema: z.ZodType<ExplainNode> = z
  .object({
    name: z.string(),
    name_message: MessageSchema.nullable(),
    value: z.string(),
    value_message: MessageSchema.nullable(),
    start: z.int(),
    end: z.int(),
    severity: z.enum(['info', 'warning', 'error']),
    get children() {
      return z.array(ExplainNodeSchema);
    },
  })
  .meta({ id: 'ExplainNode' });

/** Media types of the frame log as a file, by its format. */
export const FRAME_FILE_TYPES = {
  text: 'text/plain; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  pcapng: 'application/x-pcapng',
} as const;
export type FrameFileFormat = keyof typeof FRAME_FILE_TYPES;
export const FRAME_FILE_FORMATS = Object.keys(FRAME_FILE_TYPES) as [FrameFileFormat, ...FrameFileFormat[]];

/** Frames of a log by slave and function. */
export const FrameStatisticsRow = z.object({
  slave: z.union([z.int(), z.string()]).nullable().describe('unit, station or meter; null: a frame that names none'),
  function: z.int().nullable().describe('function code, type identification, function of a control code; null: none'),
  name: z.string().nullable().describe('of the function, in English'),
  name_message: MessageSchema.nullable().describe('the same as data; null where the name is one for every language'),
  frames: z.int(),
  octets: z.int(),
  errors: z.int().describe('refused or negative'),
  requests: z.int().describe('those that were answered, and those that wanted an answer'),
  unanswered: z.int(),
  latency_ms: z
    .object({ least: z.number(), mean: z.number(), p95: z.number().describe('within 4.5 %'), most: z.number() })
    .nullable()
    .describe('from request to answer; null: none was answered'),
});
export type FrameStatisticsRow = z.infer<typeof FrameStatisticsRow>;

/** Text of a filter; `src-shared/domain/frame-filter` reads it. */
export const FrameFilterText = z
  .string()
  .max(1000)
  .describe('only frames that pass, e.g. `slave == 3 and error`; docs/guide/frames.md has the fields');

const channelQuery = { channel_id: queryInt(1, Number.MAX_SAFE_INTEGER) };

export const frameOperations = {
  pointFrames: operation({
    method: 'GET',
    path: '/api/frames/of_point',
    summary: 'The newest frames that asked for a point, carried its value or operated it, oldest first',
    description: 'From the frame log, never causes protocol I/O. The newest 2,000 entries are looked at.',
    tag: 'frames',
    effect: 'query',
    query: z.object({
      ...channelQuery,
      point_id: queryInt(1, Number.MAX_SAFE_INTEGER),
      frame_type: queryInt(0, 3),
      limit: queryInt(1, 200).optional().describe('default 10'),
    }),
    body: Nothing,
    data: z.object({ items: z.array(FrameEntry) }),
    errors: [404],
  }),
  framePoints: operation({
    method: 'GET',
    path: '/api/frames/points',
    summary: 'Points that a frame asked for, carried the values of or operated',
    description: 'By the table as it is now, from memory; of an answer without addresses the request says which they are.',
    tag: 'frames',
    effect: 'query',
    query: z.object({ ...channelQuery, seq: queryInt(1, Number.MAX_SAFE_INTEGER) }),
    body: Nothing,
    data: z.object({
      total: z.int(),
      items: z
        .array(z.object({ point_id: Id, frame_type: FrameTypeSchema, code: z.string(), name: z.string() }))
        .describe('the first 200, in the order of the table'),
    }),
    errors: [404],
  }),
  listFrames: operation({
    method: 'GET',
    path: '/api/frames/list',
    summary: 'Entries of the frame log of a channel, oldest first',
    description:
      'With after_seq: the entries behind it, as a live view needs them; without it: the newest ones, of those in front of before_seq where it is given. With filter: those that pass; a live view goes on behind looked_to.',
    tag: 'frames',
    effect: 'query',
    query: z.object({
      ...channelQuery,
      after_seq: queryInt(0, Number.MAX_SAFE_INTEGER).optional(),
      before_seq: queryInt(1, Number.MAX_SAFE_INTEGER).optional().describe('only entries in front of this one: to go back in the log'),
      limit: queryInt(1, 2000).optional().describe('default 200'),
      filter: FrameFilterText.optional(),
    }),
    body: Nothing,
    data: z.object({
      items: z.array(FrameEntry),
      looked_to: z.int().describe('last entry that was looked at: behind it the next call goes on'),
      first_seq: z.int().describe('oldest entry still kept'),
      last_seq: z.int(),
      dropped: z.int().describe('entries dropped since the channel was created, because the log is bounded'),
    }),
    errors: [404],
  }),
  framesFile: operation({
    method: 'GET',
    path: '/api/frames/file',
    summary: 'The frame log of a channel as text, CSV or a capture for Wireshark',
    description:
      'Oldest first, secrets masked as in the list. text and csv: UTF-8 with BOM, every entry; pcapng: every entry that has octets, with its explanation and ' +
      'the true end points as comments of the packet. With point_id and frame_type: only frames that asked for the point, carried its value or operated it. ' +
      'From the frame log, never causes protocol I/O.',
    tag: 'frames',
    effect: 'query',
    query: z.object({
      ...channelQuery,
      format: z.enum(FRAME_FILE_FORMATS),
      after_seq: queryInt(0, Number.MAX_SAFE_INTEGER).optional().describe('only entries behind this one'),
      limit: queryInt(1, Number.MAX_SAFE_INTEGER)
        .optional()
        .describe('most entries: with after_seq the first ones behind it, otherwise the newest; left out: all'),
      point_id: queryInt(1, Number.MAX_SAFE_INTEGER).optional().describe('together with frame_type'),
      frame_type: queryInt(0, 3).optional().describe('together with point_id'),
      filter: FrameFilterText.optional(),
      lang: z.enum(['zh', 'en']).optional().describe('of the headers; default en'),
    }),
    body: Nothing,
    download: { mediaTypes: Object.values(FRAME_FILE_TYPES) },
    data: z.custom<DownloadedFile>(),
    errors: [404, 507],
  }),
  frameStatistics: operation({
    method: 'GET',
    path: '/api/frames/statistics',
    summary: 'Frames of the log of a channel counted by slave and function, with the times of their answers',
    description:
      'Over the whole log as it is, or what of it passes the filter; the most frequent first, 1,000 rows at most and one for the rest. Never causes protocol I/O.',
    tag: 'frames',
    effect: 'query',
    query: z.object({ ...channelQuery, filter: FrameFilterText.optional() }),
    body: Nothing,
    data: z.object({ items: z.array(FrameStatisticsRow), first_seq: z.int(), last_seq: z.int() }),
    errors: [404],
  }),
  explainFrame: operation({
    method: 'GET',
    path: '/api/frames/explain',
    summary: 'Explanation tree of one frame, from the codecs that run',
    description:
      'Octets, fields and their meaning, with the names and values of points that the frame carries. Secrets are masked. 404: the entry has given way to newer ones.',
    tag: 'frames',
    effect: 'query',
    query: z.object({ ...channelQuery, seq: queryInt(1, Number.MAX_SAFE_INTEGER) }),
    body: Nothing,
    data: z.object({ entry: FrameEntry, nodes: z.array(ExplainNodeSchema) }),
    errors: [404],
  }),
  clearFrames: operation({
    method: 'POST',
    path: '/api/frames/clear',
    summary: 'Forget the frames kept so far',
    description: 'Numbering goes on. Statistics of the line stay.',
    tag: 'frames',
    effect: 'repeatable',
    role: 'operate',
    query: Nothing,
    body: z.object({ channel_id: Id }),
    data: z.object({ cleared: z.int() }),
    errors: [404],
  }),
} as const;
