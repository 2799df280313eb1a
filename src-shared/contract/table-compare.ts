import { z } from 'zod';
import { say } from '../messages/index.ts';
import { mustBe } from '../messages/schema-words.ts';
import { FrameTypeSchema, Id, Nothing, ProtocolTypeSchema, queryInt, Timestamp } from './common.ts';
import { FieldChange } from './field-change.ts';
import { type DownloadedFile, operation } from './operation.ts';
import { LARGEST_TABLE_FILE, TABLE_MEDIA_TYPES, TableIssue } from './point-files.ts';
import { StepId } from './points.ts';

/** What a row of a comparison says of a point. */
export const DIFFERENCE_KINDS = ['removed', 'changed', 'renamed', 'added', 'faulty'] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** What becomes of a check result when a difference is taken over. */
export const CHECK_TURNS = ['check_again', 'passed_again', 'point_gone'] as const;

/** One of the two tables. */
export const ComparedSide = z.discriminatedUnion('of', [
  z.object({ of: z.literal('channel'), channel_id: Id }).describe('the table of a channel as it is now'),
  z
    .object({ of: z.literal('step'), channel_id: Id, step_id: Id })
    .describe('the table of a channel as it was before this step of its history'),
  z.object({ of: z.literal('file'), file_id: z.guid() }).describe('a file that was given in with compare_file'),
]);
export type ComparedSide = z.infer<typeof ComparedSide>;

const SideFacts = z.object({
  of: z.enum(['channel', 'step', 'file']),
  channel_id: Id.nullable(),
  step_id: Id.nullable(),
  name: z.string().describe('of the channel, or of the file'),
  points: z.int(),
  counts: z.object({ errors: z.int(), warnings: z.int() }).describe('of a file'),
  errors: z
    .array(TableIssue)
    .describe('what could not be read or would be refused; the first 2000. Rows with an error are compared as far as they can be'),
  warnings: z.array(TableIssue),
});
export type SideFacts = z.infer<typeof SideFacts>;

const TaskTouch = z.object({
  kind: z.enum(['automatic', 'manual']),
  restarts: z.boolean().describe('false: what is taken over counts from the next round; the task goes on'),
  read_otherwise: z.int().describe('points it goes on to read, from another place or in another way'),
  enters: z.int().describe('points it reads from then on'),
  leaves: z.int().describe('points it reads no more'),
});

/** What taking over all differences would touch in the channel that they are taken into. */
export const Touches = z.object({
  values_lost: z.int().describe('points whose value is forgotten until they are read anew'),
  tasks: z.array(TaskTouch).describe('tasks that run'),
  related: z.int().describe('points that name one by a code that would be gone'),
  checks: z.object({ check_again: z.int(), passed_again: z.int(), point_gone: z.int() }).describe('items of check sessions'),
  setpoints: z.int().describe('written setpoints that could not be brought back any more'),
});
export type Touches = z.infer<typeof Touches>;

export const Comparison = z.object({
  comparison_id: z.guid(),
  made_at: Timestamp,
  protocol_type: ProtocolTypeSchema,
  before: SideFacts,
  after: SideFacts,
  counts: z.object({
    added: z.int(),
    removed: z.int(),
    changed: z.int(),
    renamed: z.int(),
    faulty: z.int().describe('rows of a file with an error; they cannot be taken over'),
    same: z.int(),
  }),
  is_current: z.boolean().describe('false: one of the channels was changed meanwhile; compare anew'),
  can_take: z.boolean().describe('`before` is a channel as it is now: differences can be taken over into it'),
  touches: Touches.nullable().describe('null where nothing can be taken over'),
});
export type Comparison = z.infer<typeof Comparison>;

const ComparedPoint = z.object({
  point_id: Id.nullable().describe('null for a point of a file'),
  frame_type: FrameTypeSchema,
  code: z.string(),
  name: z.string(),
  slave_id: z.int(),
  address: z.int(),
  reference: z.string(),
  func_code: z.int().nullable(),
  decode: z.string(),
  bit: z.int().nullable(),
  sheet: z.string().describe('of a point of a file'),
  row: z.int().nullable(),
});
export type ComparedPoint = z.infer<typeof ComparedPoint>;

const RowTouches = z.object({
  value_lost: z.boolean(),
  tasks: z.array(z.object({ kind: z.enum(['automatic', 'manual']), effect: z.enum(['read_otherwise', 'enters', 'leaves']) })),
  related: z.array(z.string()).describe('codes of the points that name this one; the first 5'),
  related_count: z.int(),
  related_lost: z.boolean().describe('true: its code would be gone, and they lead nowhere'),
  checks: z.array(z.object({ session_id: Id, session: z.string(), becomes: z.enum(CHECK_TURNS) })),
  setpoint_lost: z.boolean().describe('true: it was written, and its value from before could not be brought back any more'),
});
export type RowTouches = z.infer<typeof RowTouches>;

export const Difference = z.object({
  code: z.string().describe('names the row: the code before, else the code after; each stands once in a comparison'),
  kind: z.enum(DIFFERENCE_KINDS).describe('renamed: another code at the same place; faulty: a row of a file with an error'),
  matched: z.enum(['code', 'place']).nullable().describe('how both points were found to be one; null where there is one alone'),
  before: ComparedPoint.nullable(),
  after: ComparedPoint.nullable(),
  fields: z
    .array(FieldChange)
    .describe('what differs, as far as both tables say it: a field that a file has no column for is no difference'),
  faults: z.array(TableIssue).describe('what is wrong with the row of the file'),
  touches: RowTouches.nullable(),
});
export type Difference = z.infer<typeof Difference>;

const ComparisonId = z.guid();
const Kinds = z.enum(DIFFERENCE_KINDS);

export const tableCompareOperations = {
  giveCompareFile: operation({
    method: 'POST',
    path: '/api/points/compare_file',
    summary: 'Give in a table file to be compared',
    description:
      'Kept in memory, a few of them at a time, as long as the project is open. What is wrong with it is told by the comparison.',
    tag: 'points',
    effect: 'repeatable',
    role: 'operate',
    query: Nothing,
    body: z.object({ file: z.file({ error: mustBe(say('field.table_file')) }).describe('xlsx or csv, 32 MiB at most') }),
    upload: { largestFile: LARGEST_TABLE_FILE },
    data: z.object({ file_id: z.guid(), name: z.string(), octets: z.int() }),
  }),
  comparePoints: operation({
    method: 'POST',
    path: '/api/points/compare',
    summary: 'Compare two point tables: of channels, of files, of an earlier step of the history',
    description:
      'Points are matched by code, then by the place the protocol finds them by (slave, function area, address and bit; common address, direction and object ' +
      'address; meter and data identifier; reference). Changes nothing, and asks no device. Work of a thread of its own. The result is kept, a few of ' +
      'them at a time, as long as the project is open.',
    tag: 'points',
    effect: 'repeatable',
    role: 'operate',
    query: Nothing,
    body: z.object({
      before: ComparedSide.describe('a channel as it is now can take differences over'),
      after: ComparedSide,
      protocol_type: ProtocolTypeSchema.optional().describe('what two files are tables of; with a channel it is that of the channel'),
    }),
    data: Comparison,
    errors: [404, 409],
  }),
  comparison: operation({
    method: 'GET',
    path: '/api/points/comparison',
    summary: 'A comparison that was made, with what taking it over would touch now',
    description:
      '`is_current`: neither side was changed since. `can_take`: the differences can be taken over into a channel. 404: it was made before the service started, or others pushed it out.',
    tag: 'points',
    effect: 'query',
    query: z.object({ comparison_id: ComparisonId }),
    body: Nothing,
    data: Comparison,
    errors: [404],
  }),
  comparisonRows: operation({
    method: 'GET',
    path: '/api/points/comparison_rows',
    summary: 'Rows of a comparison: what differs, and what it touches',
    description:
      'In pages. `search` finds codes, names and fields that differ, `kind` one kind of difference alone. 404 as for `GET /api/points/comparison`.',
    tag: 'points',
    effect: 'query',
    query: z.object({
      comparison_id: ComparisonId,
      kind: Kinds.optional(),
      search: z.string().max(200).optional().describe('in codes, names and fields that differ'),
      page: queryInt(1, 1_000_000).optional().describe('default 1'),
      page_size: queryInt(1, 1_000).optional().describe('default 100'),
    }),
    body: Nothing,
    data: z.object({ total: z.int(), items: z.array(Difference) }),
    errors: [404],
  }),
  exportComparison: operation({
    method: 'GET',
    path: '/api/points/comparison_export',
    summary: 'A comparison as a file: a line a point, what differs as before → after',
    description:
      'csv or xlsx in the language that is asked for. Every row of the comparison is in it, whatever was filtered on the screen.',
    tag: 'points',
    effect: 'query',
    query: z.object({
      comparison_id: ComparisonId,
      format: z.enum(['xlsx', 'csv']).optional().describe('default xlsx'),
      lang: z.enum(['zh', 'en']).optional().describe('of the headers; default en'),
    }),
    body: Nothing,
    download: { mediaTypes: Object.values(TABLE_MEDIA_TYPES) },
    data: z.custom<DownloadedFile>(),
    errors: [404],
  }),
  takeDifferences: operation({
    method: 'POST',
    path: '/api/points/take_over',
    summary: 'Take chosen differences over into the channel that was compared, in one step of its history',
    description:
      'All or none: the table is then at these points as the other one says. A point that another type was chosen for is a new one. Nothing is done when one of the ' +
      'points was changed since the comparison (409, naming them). Never writes to a device.',
    tag: 'points',
    effect: 'repeatable',
    example: { kinds: ['added'] },
    query: Nothing,
    body: z.object({
      comparison_id: ComparisonId,
      codes: z.array(z.string().max(100)).min(1).max(100_000).optional().describe('rows, by their code'),
      kinds: z.array(Kinds).min(1).optional().describe('in place of codes: all rows of these kinds'),
    }),
    data: z.object({ added: z.int(), changed: z.int(), removed: z.int(), step_id: StepId }),
    errors: [404, 409, 507],
  }),
} as const;
