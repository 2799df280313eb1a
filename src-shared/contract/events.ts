import { z } from 'zod';
import { COMMAND_OUTCOMES, COMMAND_STEPS, QUALITY_FLAGS } from '../domain/enums.ts';
import { FrameTypeSchema, Id, MessageSchema, Nothing, queryInt, Timestamp } from './common.ts';
import { operation } from './operation.ts';
import { ReadingDetailFields } from './reading-detail.ts';

/** An entry of the sequence of events: a change with its time, kept even when the value has changed again since. */
export const EventEntry = z.object({
  seq: z.int(),
  channel_id: Id.nullable().describe('null: of no channel but of the service itself (kind `system`)'),
  kind: z
    .enum(['change', 'channel', 'task', 'system'])
    .describe('change of a point, status of a channel, task that ended, what the service has to say of itself, such as of a publisher'),
  point_id: Id.nullable(),
  frame_type: FrameTypeSchema.nullable(),
  code: z.string(),
  name: z.string().optional().describe('of the point, as the table has it now; left out where there is none'),
  unit: z.string().optional().describe('of the point, as the table has it now; left out where there is none'),
  value: z.number().nullable(),
  flags: z.array(z.enum(QUALITY_FLAGS)),
  device_time: Timestamp.nullable(),
  received_at: Timestamp,
  text: z.string(),
  text_message: MessageSchema.optional(),
  no_value: z.literal(true).optional().describe('it became no value of its point: test data, or an answer that says no'),
  invalid: z.literal(true).optional().describe('the device marked the value as invalid, or it is no number'),
  raw_hex: z.string().optional().describe('octets that the value came from; told by GET /api/events/list, left out where none are known'),
  ...ReadingDetailFields,
});
export type EventEntry = z.infer<typeof EventEntry>;

/**
 * Audit of one write, of a point or by an operation of the protocol: entered before it is sent, closed with its outcome. Lasts in the project
 * file.
 */
export const AuditEntry = z.object({
  id: z.int(),
  at: Timestamp,
  closed_at: Timestamp.nullable(),
  channel_id: z.int(),
  channel_name: z.string(),
  point_id: z.int().nullable().describe('null for an operation'),
  frame_type: FrameTypeSchema.nullable().describe('null for an operation'),
  code: z.string().describe('empty for an operation'),
  operation: z
    .object({ name: z.string(), params: z.record(z.string(), z.unknown()) })
    .nullable()
    .describe('operation of the protocol with the parameters it ran with; null for a write of a point'),
  step: z.enum(COMMAND_STEPS),
  value: z.number().nullable(),
  source: z.string().describe('api or window; channel: by a setting of the channel'),
  caller: z.string().optional().describe('name of the access whose token came with it; left out: none had a name'),
  outcome: z
    .enum([...COMMAND_OUTCOMES, 'open', 'failed'])
    .describe('open: under way or interrupted by the end of the program; failed: never sent'),
  detail: z.string(),
  detail_message: MessageSchema.optional(),
  check_session: z.uuid().optional().describe('check session that it was sent in; left out: none'),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const eventOperations = {
  listEvents: operation({
    method: 'GET',
    path: '/api/events/list',
    summary: 'Sequence of events, oldest first, from memory',
    description:
      'At most `limit` entries behind `after_seq`, of one channel or of all and the service itself. `dropped` counts what gave way to newer ones since the service started; `last_seq` is where to go on. For a stream that waits use `GET /api/events/stream`.',
    tag: 'events',
    effect: 'query',
    query: z.object({
      channel_id: queryInt(1, Number.MAX_SAFE_INTEGER).optional().describe('entries of this channel; left out: all'),
      system: z
        .enum(['true', 'false'])
        .optional()
        .describe(
          'true: beside those of the channel also entries of the service itself; default false. Without `channel_id` they are always there',
        ),
      after_seq: queryInt(0, Number.MAX_SAFE_INTEGER).optional(),
      limit: queryInt(1, 2000).optional().describe('default 200'),
    }),
    body: Nothing,
    data: z.object({ items: z.array(EventEntry), last_seq: z.int(), dropped: z.int() }),
    errors: [404],
  }),
  listAudit: operation({
    method: 'GET',
    path: '/api/audit/list',
    summary: 'Audit of writes, newest first',
    description:
      'What was written, by whom, step by step, with its outcome; entered before anything was sent, so that also what a crash interrupted is there, as `open`. It lasts in the project file.',
    tag: 'events',
    effect: 'query',
    query: z.object({
      channel_id: queryInt(1, Number.MAX_SAFE_INTEGER).optional(),
      page: queryInt(1, 1_000_000_000).optional().describe('default 1'),
      page_size: queryInt(1, 1000).optional().describe('default 100'),
    }),
    body: Nothing,
    data: z.object({ total: z.int(), items: z.array(AuditEntry) }),
  }),
} as const;
