import { z } from 'zod';
import { FrameTypeSchema, Id, MessageSchema, Nothing, queryInt } from './common.ts';
import { DoctorNote, JobId, jobBase, SlaveId } from './job-base.ts';
import { type DownloadedFile, operation } from './operation.ts';

/** What a device said to a point of its table. */
export const TABLE_OUTCOMES = ['answers', 'refused', 'silent', 'missing', 'not_asked'] as const;
export type TableOutcome = (typeof TABLE_OUTCOMES)[number];

const TableCounts = z.object({
  answers: z.int(),
  refused: z.int().describe('the device said no, in its words'),
  silent: z.int().describe('no answer in time, or none that could be read'),
  missing: z.int().describe('the device answered, and this point was not in it'),
  not_asked: z.int().describe('commands that cannot be read, and points that no request can ask for'),
  changed: z.int().describe('points whose value changed while they were watched'),
  constant: z.int().describe('points that answered, and kept one value'),
  hints: z.int(),
});

export const TableJob = z.object({
  ...jobBase,
  kind: z.literal('table'),
  points: z.int(),
  counts: TableCounts,
  requests: z.int(),
  watch_s: z.int().describe('how long points are watched for a change; 0: they are not'),
  watched_ms: z.int().describe('how long they were'),
  notes: z.array(DoctorNote).describe('what the answers look like together: base of the addresses, function'),
});
export type TableJob = z.infer<typeof TableJob>;

export const TableJobRow = z.object({
  point_id: Id,
  frame_type: FrameTypeSchema,
  code: z.string(),
  name: z.string(),
  slave_id: z.int(),
  address: z.int(),
  reference: z.string(),
  outcome: z.enum(TABLE_OUTCOMES).nullable().describe('null: not asked yet'),
  detail: z.string().describe('why there is no value'),
  detail_message: MessageSchema.optional(),
  value: z.number().nullable().describe('the last one that was read here; null: none'),
  value_text: z.string(),
  raw_hex: z.string(),
  changed: z.boolean().nullable().describe('while it was watched; null: it was not'),
  hint: z.string().describe('another type would fit: a supposition, which the device cannot confirm; empty: none'),
  hint_message: MessageSchema.optional(),
});
export type TableJobRow = z.infer<typeof TableJobRow>;

export const TableJobBody = z.object({
  channel_id: Id,
  slave_ids: z.array(SlaveId).max(1000).default([]).describe('empty: all'),
  point_types: z.array(FrameTypeSchema).max(4).default([]).describe('empty: all'),
  watch_s: z.int().min(0).max(3600).default(0).describe('after all were asked once, watch those that answered for so long'),
  interval_ms: z.int().min(200).max(60_000).default(1000).describe('between the starts of two looks while watching'),
});
export type TableJobBody = z.output<typeof TableJobBody>;

const jobQuery = { job_id: JobId };

export const tableJobOperations = {
  startTableJob: operation({
    method: 'POST',
    path: '/api/job/table',
    summary: 'Try the point table of a started channel at its device: what answers, what is refused, what never changes',
    description:
      'Reads only, as a manual round does, and what is read stands in the table as well. Every request takes the device lock for one exchange, behind single reads and ' +
      'commands. A request that stays unanswered is halved where that tells more; a slave that leaves three in a row unanswered (eight once it has ' +
      'answered) is not asked any further. IEC 104: one interrogation for each common address, and what the station sends by itself while it is watched.',
    tag: 'jobs',
    effect: 'repeatable',
    role: 'operate',
    line: true,
    query: Nothing,
    body: TableJobBody,
    data: TableJob,
    errors: [404, 409, 503],
  }),
  tableJobRows: operation({
    method: 'GET',
    path: '/api/job/table_rows',
    summary: 'What a device said to the points of its table, in the order of the table',
    description: 'In pages; `show` narrows to what needs a look.',
    tag: 'jobs',
    effect: 'query',
    query: z.object({
      ...jobQuery,
      show: z.enum([...TABLE_OUTCOMES, 'changed', 'constant', 'hint']).optional(),
      page: queryInt(1, 1_000_000),
      page_size: queryInt(1, 10_000),
    }),
    body: Nothing,
    data: z.object({ total: z.int(), items: z.array(TableJobRow) }),
    errors: [404],
  }),
  tableJobCsv: operation({
    method: 'GET',
    path: '/api/job/table_csv',
    summary: 'The same as a file',
    description: 'UTF-8 with BOM, a line a point.',
    tag: 'jobs',
    effect: 'query',
    query: z.object(jobQuery),
    body: Nothing,
    download: { mediaTypes: ['text/csv'] },
    data: z.custom<DownloadedFile>(),
    errors: [404],
  }),
} as const;
