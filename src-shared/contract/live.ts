import { z } from 'zod';
import { CHANNEL_STATUSES, QUALITIES, QUALITY_FLAGS } from '../domain/enums.ts';
import { say } from '../messages/index.ts';
import { schemaWords } from '../messages/schema-words.ts';
import { FieldIssueSchema, FrameTypeSchema, Id, MessageSchema, Nothing, Timestamp } from './common.ts';
import { AuditEntry, EventEntry } from './events.ts';
import { TaskSummary } from './tasks.ts';

/**
 * A way to hear what happens: one request whose answer goes on (server-sent events, `text/event-stream`). Not enveloped; a request that is refused is
 * answered in the envelope as any other.
 */
export interface Stream {
  readonly method: 'GET';
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: 'events';
  readonly query: z.ZodObject;
  readonly body: z.ZodObject;
  /** What stands in `data` of each event, by the name of the event. */
  readonly events: Readonly<Record<string, z.ZodType>>;
  /** As of an operation. */
  readonly errors: readonly (404 | 429)[];
}

/** Names in a list of a query: separated by commas, or the parameter again and again. */
const words = z.union([z.array(z.string()), z.string().transform((text) => [text])]);

function numbers(least: number, most: number) {
  const error = schemaWords(say('live.numbers', { min: least, max: most }));
  return words
    .pipe(
      z
        .array(z.string().regex(/^\s*\d{1,16}\s*(,\s*\d{1,16}\s*)*$/, { error }))
        .transform((texts) => texts.flatMap((text) => text.split(',').map(Number))),
    )
    .refine((given) => given.length <= MOST_NAMED && given.every((number) => number >= least && number <= most), { error })
    .meta({ type: 'string' });
}

/** Channels, types or codes that one filter may name. */
const MOST_NAMED = 1000;

/** What a stream tells, beside what it says of itself. */
export const STREAM_KINDS = ['values', 'channel', 'task', 'events', 'command'] as const;
export type StreamKind = (typeof STREAM_KINDS)[number];

/** Where a reader is: what it gives back as `since` or `Last-Event-ID`. */
const Place = z.string().describe('place in the stream, to be given back as `since` or as the header Last-Event-ID; means nothing else');

export const StreamHello = z.object({
  project_session: z.string().describe('project that the ids are of'),
  place: Place,
  warnings: z.array(FieldIssueSchema).optional().describe('parameters that were not known and not used'),
});

/** What changed of a point. What is left out is empty: no text, no flags, no time of the device, no alarm, no error. */
export const StreamValue = z.object({
  id: Id,
  frame_type: FrameTypeSchema,
  code: z.string(),
  value: z.number().nullable(),
  value_text: z.string().optional(),
  quality: z.enum(QUALITIES),
  flags: z.array(z.enum(QUALITY_FLAGS)).optional(),
  source_time: Timestamp.optional(),
  updated_at: Timestamp.nullable(),
  alarm: z.enum(['low', 'high']).optional(),
  error: z.string().optional(),
  error_message: MessageSchema.optional(),
});

export const StreamValues = z.object({
  channel_id: Id,
  device_name: z.string(),
  items: z.array(StreamValue).describe('at most 500, of one channel; of a point that changed several times the last state'),
  deleted: z.array(Id).optional().describe('points that are not in the table any more'),
});

export const StreamChannel = z.object({
  channel_id: Id,
  device_name: z.string().nullable().describe('null: the channel was deleted'),
  status: z.enum(CHANNEL_STATUSES).nullable(),
  last_error: z.string().nullable(),
  last_error_info: MessageSchema.optional(),
  since: Timestamp.nullable(),
});

export const StreamTask = z.object({
  channel_id: Id,
  device_name: z.string(),
  kind: z.enum(['automatic', 'manual']),
  task: TaskSummary,
});

export const StreamEvents = z.object({ items: z.array(EventEntry).describe('at most 500, oldest first') });

export const StreamMissed = z.object({
  reason: z
    .enum(['slow', 'away', 'unknown_place'])
    .describe(
      'slow: this reader did not take what was sent; away: it was not connected; unknown_place: `since` or Last-Event-ID is of another project, another run of the service, or no place at all',
    ),
  from: Place.nullable().describe('what was sent last; null: not known'),
  to: Place.describe('what follows next'),
  changes: z.int().describe('changes of tables that were put together: of each point only the last state is sent'),
  events: z.int().describe('events, of all channels, that are lost: newer ones have pushed them out'),
  commands: z.int().describe('news of commands that are lost; GET /api/audit/list has them'),
  read_again: z
    .array(Id)
    .describe('channels whose table has to be read again, because too many points were deleted; with unknown_place: all of them'),
});

export const StreamEnded = z.object({ reason: z.enum(['project_left', 'service_stops']) });

const TEXT = [
  'One request whose answer goes on; each event has a name and one line of JSON as data. What has changed is told 20 times a second at the most.',
  '`values`: points whose value, quality, flags, octets or time of the device changed, were edited or are new; of each the last state, so a value that was there for less than 50 ms may be left out (`events` has every change that a device reported by itself).',
  '`channel` and `task`: status of a channel and its read tasks; once at the beginning, then at each change. `events`: entries of the sequence of events. `command`: an entry of the audit, when it is made and when it is closed.',
  'The id of an event is a place: a reader that comes back with it (header Last-Event-ID, or `since`) is told what changed meanwhile. `missed` says what cannot be told any more.',
  'A reader that does not read is not waited for: it is told the last state of each point later, with `missed` before it, and is disconnected when it takes nothing for a minute.',
  'Lines that begin with a colon say only that the service is there, every 15 s. At most 100 readers; through the window there is no stream.',
].join(' ');

export const streams = {
  eventStream: {
    method: 'GET',
    path: '/api/events/stream',
    summary: 'What happens, as it happens: values, states, tasks, events, commands (server-sent events)',
    description: TEXT,
    tag: 'events',
    query: z.object({
      kinds: words
        .transform((texts) => texts.flatMap((text) => text.split(',').map((word) => word.trim())))
        .pipe(z.array(z.enum(STREAM_KINDS)).min(1))
        .optional()
        .meta({ type: 'string' })
        .describe(`what is told, separated by commas: ${STREAM_KINDS.join(', ')}; left out: all`),
      channel_id: numbers(1, Number.MAX_SAFE_INTEGER)
        .optional()
        .describe('channels, separated by commas; left out: all, and the events of the service itself'),
      frame_type: numbers(0, 3).optional().describe('types of the points of values and events, separated by commas'),
      code: words
        .refine((given) => given.length <= MOST_NAMED && given.every((text) => text.trim() !== '' && text.length <= 100_000), {
          error: schemaWords(say('live.codes', { max: MOST_NAMED })),
        })
        .optional()
        .meta({ type: 'string' })
        .describe('codes of the points of values and events, separated by commas or as a parameter each; one that no channel has is a 404'),
      since: z
        .string()
        .max(200)
        .optional()
        .describe(
          'a place, or the `revision` of a table: what changed behind it comes first. `all`: all points as they are. Left out: from now on',
        ),
    }),
    body: Nothing,
    events: {
      hello: StreamHello,
      values: StreamValues,
      channel: StreamChannel,
      task: StreamTask,
      events: StreamEvents,
      command: AuditEntry,
      missed: StreamMissed,
      ended: StreamEnded,
    },
    errors: [404, 429],
  },
} as const satisfies Record<string, Stream>;

export type Streams = typeof streams;
