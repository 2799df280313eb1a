import { z } from 'zod';
import { QUALITIES } from '../domain/enums.ts';
import { LONGEST_FORMULA } from '../domain/formula/formula.ts';
import { say } from '../messages/index.ts';
import { schemaWords } from '../messages/schema-words.ts';
import { FrameTypeSchema, Id, MessageSchema, Nothing, queryInt, Timestamp } from './common.ts';
import { operation } from './operation.ts';

/** Points that one question may name. */
export const MOST_HISTORY_POINTS = 20;
/** Samples or buckets of one point in an answer. */
export const MOST_HISTORY_SAMPLES = 10_000;

/** Points of a channel with a dead band of their own. */
const MOST_DEAD_BANDS = 10_000;

const RECORDING_MODES = ['off', 'all', 'changed', 'trigger'] as const;

/** The dead band of one point, in place of that of its channel. */
export const PointDeadBand = z.object({
  code: z.string().min(1).max(500).describe('code of the point'),
  dead_band: z.number().min(0).max(1e300),
  kind: z
    .enum(['absolute', 'percent'])
    .describe('absolute: in the unit of the point; percent: of the last recorded value, so that behind a 0 each change counts'),
});
export type PointDeadBand = z.infer<typeof PointDeadBand>;

/** What is recorded of a channel. */
export const RecordingSettings = z.object({
  mode: z
    .enum(RECORDING_MODES)
    .describe(
      'off: nothing; all: each value that is read or comes; changed: those that differ from the last recorded one; trigger: each value around the times at which `trigger` is met',
    ),
  dead_band: z
    .number()
    .min(0)
    .max(1e300)
    .describe(
      'with changed: a value of the same quality counts as another one when it differs by more than this, in the unit of the point',
    ),
  dead_bands: z
    .array(PointDeadBand)
    .max(MOST_DEAD_BANDS)
    .describe('with changed: dead bands of single points, in place of `dead_band`, each code once; the whole list is replaced'),
  trigger: z
    .string()
    .trim()
    .max(LONGEST_FORMULA)
    .describe(
      'with trigger: a formula as simulated points have it (`U < 200 && CB == 1`, points of other channels as `point("channel", "code")`); it is met while it is not 0. A value that is not good meets nothing',
    ),
  before_s: z.int().min(0).max(600).describe('with trigger: recorded from so many seconds before it is met; of at most 200,000 samples'),
  after_s: z
    .int()
    .min(0)
    .max(86_400)
    .describe('with trigger: and until so many seconds after it is met no more; met again meanwhile, it goes on'),
  retention_days: z
    .int()
    .min(1)
    .max(3650)
    .describe(
      'samples that are older are removed; a stretch without recording, or by which the clock was set forward, counts as a day at most',
    ),
  max_mb: z.int().min(1).max(1_000_000).describe('the oldest samples of the channel give way when they take more, in 2^20 octets'),
});
export type RecordingSettings = z.infer<typeof RecordingSettings>;

const ChannelRecording = z.object({
  channel_id: Id,
  device_name: z.string(),
  ...RecordingSettings.shape,
  samples: z.int().describe('kept now'),
  bytes: z.int().describe('octets they take; what came in the last minutes is not yet among them'),
  oldest: Timestamp.nullable(),
  lost: z.int().describe('samples that could not be written since the project was opened'),
});

export const RecordingStatus = z.object({
  file: z.string().describe('it lies beside the project; there is none before something is recorded'),
  file_bytes: z.int(),
  suspended: z.string().nullable().describe('why nothing is recorded now although something is to be; null: all is well'),
  suspended_message: MessageSchema.optional(),
  channels: z.array(ChannelRecording),
});
export type RecordingStatus = z.infer<typeof RecordingStatus>;

const finite = z.number().nullable();

/** Samples as they are. All lists are of one length. */
export const HistoryRaw = z.object({
  kind: z.literal('raw'),
  at: z.array(Timestamp),
  value: z.array(finite).describe('null: no number that JSON could say'),
  quality: z.array(z.enum(QUALITIES)),
});

/** Samples put together by stretches of equal length. All lists are of one length. */
export const HistoryBuckets = z.object({
  kind: z.literal('buckets'),
  width_ms: z.number(),
  at: z.array(Timestamp).describe('begin of each stretch'),
  first: z
    .array(finite)
    .describe('good values only, as with last, min, max and mean; a value holds until the next one. Null: there was none'),
  last: z.array(finite),
  min: z.array(finite),
  max: z.array(finite),
  mean: z.array(finite).describe('weighted by time'),
  count: z.array(z.int()).describe('samples in it'),
  not_good: z.array(finite).describe('share of the recorded time in which the value was not good, 0 to 1; null: nothing was recorded'),
});

/** What is known of one point. */
export const PointHistoryItem = z.object({
  channel_id: Id,
  device_name: z.string(),
  id: Id,
  frame_type: FrameTypeSchema,
  code: z.string(),
  name: z.string(),
  unit: z.string(),
  total: z.int().describe('samples in the range'),
  before: z
    .object({ at: Timestamp, value: finite, quality: z.enum(QUALITIES) })
    .nullable()
    .describe('the sample that holds at the begin of the range; null: none is known'),
  samples: z.discriminatedUnion('kind', [HistoryRaw, HistoryBuckets]),
  gaps: z.array(z.object({ from: Timestamp, to: Timestamp })).describe('stretches of the range in which the channel was not recorded'),
  damaged_blocks: z.int().describe('parts of the file that could not be read and are left out'),
  live_since: Timestamp.nullable().describe(
    'the channel is not recorded: since when its changes are kept in memory for those who ask, 10,000 of a point at most; null: it is recorded',
  ),
});
export type PointHistoryItem = z.infer<typeof PointHistoryItem>;

const texts = z.union([z.array(z.string()), z.string().transform((text) => [text])]);

const pointList = texts
  .pipe(
    z
      .array(
        z.string().regex(/^\s*\d{1,15}:[0-3]:\d{1,15}\s*(,\s*\d{1,15}:[0-3]:\d{1,15}\s*)*$/, {
          error: schemaWords(say('history.points', { max: MOST_HISTORY_POINTS })),
        }),
      )
      .transform((given) => given.flatMap((text) => text.split(',').map((point) => point.trim()))),
  )
  .meta({ type: 'string' });

const time = z.iso.datetime({ offset: true, error: schemaWords(say('history.time')) });

export const historyOperations = {
  recordingStatus: operation({
    method: 'GET',
    path: '/api/recording',
    summary: 'What is recorded of each channel, and how much is kept',
    description:
      'Settings of each channel, samples and octets kept, the oldest one, and how many could not be written. `suspended` says why nothing is recorded although something is to be.',
    tag: 'points',
    effect: 'query',
    query: z.object({ channel_id: queryInt(1, Number.MAX_SAFE_INTEGER).optional().describe('left out: all') }),
    body: Nothing,
    data: RecordingStatus,
    errors: [404],
  }),
  setRecording: operation({
    method: 'PUT',
    path: '/api/recording',
    summary: 'Record the values of a channel, or no longer',
    description:
      'What is left out stays as it is. A dead band of a code that the channel does not have is kept, and warned of. Values lie in a file beside the project, which a copy of the project does not contain. A point is looked at 20 times a second; of a value that was there for a shorter time nothing is kept. ' +
      'Switching off keeps what was recorded, as long as the limits allow.',
    tag: 'points',
    effect: 'repeatable',
    example: { mode: 'changed' },
    query: Nothing,
    body: z.object({ channel_id: Id, ...RecordingSettings.partial().shape }),
    data: z.object({ channel_id: Id, ...RecordingSettings.shape }),
    errors: [404, 507],
  }),
  readHistory: operation({
    method: 'GET',
    path: '/api/history',
    summary: 'Recorded values of some points, as they are or put together',
    description:
      'Each point by itself: its samples as they are where there are no more than `max_points` of them, else `max_points` stretches of equal length with first, last, least, greatest and mean value. ' +
      'Times are UTC. A value holds until the next sample, and no longer than the channel was recorded. ' +
      'A point whose channel is not recorded is kept in memory from the first question on until ten minutes after the last one, 100 points at a time: `live_since`. Sends nothing to a device.',
    tag: 'points',
    effect: 'query',
    query: z.object({
      points: pointList.optional().describe('channel:frame_type:id, separated by commas, such as 1:0:5,2:3:7; at most 20'),
      code: texts
        .pipe(z.array(z.string().min(1).max(500)).max(MOST_HISTORY_POINTS))
        .optional()
        .meta({ type: 'string' })
        .describe('code of a point in place of `points`; several as a parameter each'),
      device_name: z.string().min(1).max(200).optional().describe('device of the codes; left out: the only one that has them'),
      channel_id: queryInt(1, Number.MAX_SAFE_INTEGER).optional().describe('channel of the codes'),
      from: time.optional().describe('left out: `seconds` before `to`'),
      seconds: queryInt(1, 600_000_000).optional().describe('length of the range where `from` is left out; default 3600'),
      to: time.optional().describe('not part of the range; left out: now'),
      max_points: queryInt(1, MOST_HISTORY_SAMPLES).optional().describe('default 1000'),
    }),
    body: Nothing,
    data: z.object({
      now: Timestamp.describe('what the clock of the service showed when it answered'),
      from: Timestamp,
      to: Timestamp,
      items: z.array(PointHistoryItem).describe('in request order'),
    }),
    errors: [404, 429],
  }),
} as const;
