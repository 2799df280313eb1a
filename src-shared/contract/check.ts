import { z } from 'zod';
import {
  CHECK_FILE_TYPES,
  CHECK_FINDINGS,
  CHECK_STATES,
  CHECK_VERDICTS,
  CHECK_WAYS,
  LARGEST_CHECK_FILE,
  MOST_CHECK_ITEMS,
} from '../domain/check.ts';
import { FrameTypeSchema, Id, lineOfText, linesOfText, MessageSchema, Timestamp } from './common.ts';
import { FrameEntry } from './frames.ts';

const line = (max: number) =>
  z
    .string()
    .max(max)
    .regex(...lineOfText);

/** How far a value may be from its reference. */
export const tolerance = {
  tolerance: z.number().min(0).default(0).describe('absolute, in the unit of the point'),
  percent: z.number().min(0).max(100).default(0).describe('of the reference; the larger of both counts'),
};

/** A value that has to be seen. */
export const CheckReference = z.object({ value: z.number(), ...tolerance });
export type CheckReference = z.infer<typeof CheckReference>;

/** What has to be seen of a point. `docs/guide/check.md` says when each passes. */
export const Expectation = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('values'),
    references: z.array(CheckReference).max(10).describe('each has to be seen, in any order; none: a person decides'),
  }),
  z.object({ kind: z.literal('states'), states: z.array(z.number()).min(1).max(16).describe('each has to be entered, in any order') }),
  z.object({ kind: z.literal('text'), text: z.string().max(500) }),
  z.object({
    kind: z.literal('command'),
    value: z.number(),
    feedback: z.number().nullable().describe('state that the related point has to take; null: the acceptance alone counts'),
    within_ms: z.int().min(100).max(600_000).default(5000),
  }),
  z.object({
    kind: z.literal('setpoint'),
    value: z.number().nullable().describe('null: a person gives it when it is sent'),
    ...tolerance,
    restore: z.boolean().default(true).describe('write the value from before back'),
  }),
  z.object({ kind: z.literal('pulse'), count: z.number().min(0), tolerance: tolerance.tolerance }),
]);
export type Expectation = z.infer<typeof Expectation>;

/** What is wrong with a point. */
export const CheckFinding = z.object({
  name: z.enum(CHECK_FINDINGS),
  said: MessageSchema.describe('the sentence with its figures'),
  text: z.string().describe('the same in English'),
});
export type CheckFinding = z.infer<typeof CheckFinding>;

/** A value as it was seen. */
export const CheckSeen = z.object({
  service: z.string().optional().describe('other service that it was seen through, by its name; left out: this one'),
  channel_id: Id.describe('of that service'),
  point_id: Id,
  code: z.string(),
  value: z.number().nullable().describe('null: no number'),
  value_text: z.string(),
  unit: z.string(),
  raw_hex: z.string(),
  quality: z.string(),
  flags: z.array(z.string()),
  source_time: Timestamp.nullable().describe('time tag of the device'),
  received_at: Timestamp.nullable().describe('when it was received, by the clock of the service that received it; null: never'),
  arrived_at: Timestamp.optional().describe('of another service: when it arrived here, by our clock'),
  is_reference: z.literal(true).optional().describe('what the others were compared with'),
});
export type CheckSeen = z.infer<typeof CheckSeen>;

/** A file that a session keeps: an attachment of a result, or the logo. */
export const CheckFile = z.object({
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('of its octets, by which it is asked for'),
  name: line(200).min(1),
  media_type: z.enum(CHECK_FILE_TYPES).describe('by its content'),
  size: z.int().min(1).max(LARGEST_CHECK_FILE),
});
export type CheckFile = z.infer<typeof CheckFile>;

/** One entry of a part: who said what of an item when, and what it rests on. It is the text that the digest is made of. */
export const CheckEntry = z.object({
  seq: z.int().min(1).describe('number in its part'),
  at: Timestamp,
  running_ms: z.number().describe('milliseconds since the program began: it goes on when a clock is set'),
  item: z.uuid().describe('what is said of the session as a whole has the uuid of the session here'),
  verdict: z.enum(CHECK_VERDICTS),
  way: z.enum(CHECK_WAYS),
  operator: z.string(),
  remark: z.string(),
  findings: z.array(CheckFinding),
  expectation: Expectation,
  seen: z.array(CheckSeen),
  frames: z.array(FrameEntry).describe('those that carried the last value, request and answer; secrets masked'),
  point: z.record(z.string(), z.unknown()).describe('settings of the point at that moment'),
  channel: z.record(z.string(), z.unknown()).describe('where its channel led at that moment'),
  mapping: z.record(z.string(), z.unknown()).describe('what decides where the value comes from and how it is made'),
  audit_ids: z.array(z.int()).describe('audit entries of the commands that were sent for it'),
  took_ms: z.number().nullable().describe('from the moment the item was shown; null: not measured'),
  attachments: z.array(CheckFile).min(1).optional().describe('left out where there is none'),
});
export type CheckEntry = z.infer<typeof CheckEntry>;

/** An entry with where it stands in its chain. */
export const CheckResult = CheckEntry.extend({ part: z.uuid(), digest: z.string() });
export type CheckResult = z.infer<typeof CheckResult>;

/** Where a part begins. */
export const CheckPartHead = z.object({
  id: z.uuid(),
  session: z.uuid(),
  parents: z.array(z.string()).describe('digests that the parts known then ended with'),
  computer: z.string(),
  program: z.string().describe('version of Loopcheck'),
  started_at: Timestamp,
  not_before: z
    .union([Timestamp, z.literal('')])
    .describe('latest time that an entry known then is ordered by; none of this part comes before it. Empty: there was none'),
});
export type CheckPartHead = z.infer<typeof CheckPartHead>;

/** Of an item whose channel is one of another service. */
const ofService = {
  service: z.string().optional().describe('other service whose channel it is, by its name here; left out: of this project'),
  trouble: MessageSchema.optional().describe('why nothing is known of the point now: the service does not answer, or is not known here'),
};

const Moved = z.object({ item: z.uuid(), code: z.string(), before: z.number(), after: z.number() });

/** An item of a run as it is now. */
const RunItem = z.object({
  item: z.uuid(),
  ...ofService,
  channel_id: z.int().min(0),
  channel: z.string(),
  point_id: z.int().min(0),
  frame_type: FrameTypeSchema,
  code: z.string(),
  name: z.string(),
  group: z.string(),
  expectation: Expectation,
  is_there: z.boolean(),
  is_watched: z.boolean().describe('true: the program decides when it has seen enough; false: a person does'),
  is_ready: z
    .boolean()
    .describe(
      'where the point stands is known since the item is shown, and the line has stood for 3 s: a movement counts from now on, none before',
    ),
  now: CheckSeen.nullable(),
  wanted: z.array(z.object({ value: z.number(), is_seen: z.boolean() })).describe('references or states, and which were seen'),
  changes: z.int().describe('changes since the item is shown'),
  is_moving: z.boolean().describe('a change has not settled yet'),
  others: z.array(Moved).describe('items that changed meanwhile, the latest first: crossed wires show here'),
  hint: z.array(CheckFinding).describe('what the program suspects already'),
  waiting_ms: z.int().describe('since the item is shown'),
});

/** A check that is under way, or that ended last. */
export const CheckRun = z.object({
  session_id: Id,
  way: z.enum(CHECK_WAYS),
  operator: z.string(),
  state: z.enum(['running', 'ended']),
  started_at: Timestamp,
  total: z.int().describe('items of the run'),
  position: z.int().describe('0-based place of the present item among them'),
  done: z.int().describe('results that the run appended'),
  item: RunItem.nullable().describe('null: the run has ended, or is of several items at once; while listening: the one that was announced'),
  latest: RunItem.nullable().describe('listening: the item that moved last; null before, and in the other ways'),
  moved: z.array(Moved).describe('while listening: the points that changed last, the latest first'),
  not_moved: z
    .object({
      total: z.int(),
      items: z.array(z.object({ item: z.uuid(), code: z.string(), name: z.string(), channel: z.string() })).describe('the first of them'),
    })
    .nullable()
    .describe('items that have not moved since the program began to listen; null: it does not listen'),
  not_ready: z
    .int()
    .nullable()
    .describe(
      'while listening: items of which nothing was received since the program began to listen: what they do now is not seen; null: it does not listen',
    ),
  left_ms: z.int().min(0).nullable().describe('unattended: until what was not received fails; null in the other ways'),
  waiting: z.int().describe('results that could not be appended yet: they are kept and tried again, see `error`'),
  results: z.array(CheckResult).describe('the last results of the run, the newest first'),
  error: z
    .object({ said: MessageSchema, text: z.string() })
    .nullable()
    .describe('why results could not be appended yet, or what else went wrong'),
});
export type CheckRun = z.infer<typeof CheckRun>;

/** Items by state. */
export const CheckCounts = z.record(z.enum(CHECK_STATES), z.int());

/** What requests about checks have in common. */
export const checkFields = {
  session_id: Id,
  items: z.array(z.uuid()).min(1).max(MOST_CHECK_ITEMS),
  operator: line(100).min(1),
  name: line(200).min(1),
  group: line(100),
  remark: z
    .string()
    .max(2000)
    .regex(...linesOfText)
    .default(''),
  cover: z.record(line(60), z.string().max(500)).describe('fields of the first page: project, site, customer …'),
};

/** A session with where it stands. */
export const CheckSession = z.object({
  id: Id,
  uuid: z.uuid().describe('the same in every copy of the project'),
  name: z.string(),
  created_at: Timestamp,
  cover: z.record(z.string(), z.string()),
  logo: CheckFile.nullable().describe('image for the first page of the record; null: none'),
  items: z.int(),
  results: z.int().describe('entries of all parts, remarks among them'),
  counts: CheckCounts.describe('items by state'),
});
export type CheckSession = z.infer<typeof CheckSession>;

/** An item with its state. */
export const CheckItem = z.object({
  item: z.uuid(),
  ...ofService,
  channel_id: z
    .int()
    .min(0)
    .describe('0: this project has no such channel; of another service its number there, 0 while that is not known'),
  channel: z.string().describe('its name; of one that is gone as it was when the item was made'),
  point_id: z.int().min(0),
  frame_type: FrameTypeSchema,
  code: z.string(),
  name: z.string(),
  group: z.string().describe('bay, panel, page of the cable list'),
  expectation: Expectation,
  state: z.enum(CHECK_STATES),
  changed: z.array(z.string()).describe('settings that are otherwise than when it passed or was accepted'),
  is_there: z.boolean().describe('false: the point or its channel is gone; true with `trouble`: nobody can tell'),
  last: z
    .object({
      at: Timestamp,
      verdict: z.enum(CHECK_VERDICTS),
      way: z.enum(CHECK_WAYS),
      operator: z.string(),
      remark: z.string(),
      findings: z.array(CheckFinding),
    })
    .nullable()
    .describe('the result that the state follows from'),
});
export type CheckItem = z.infer<typeof CheckItem>;

/** What a look at a record finds. */
export const CheckVerification = z.object({
  is_whole: z.boolean().describe('every octet is as it was written'),
  parts: z.int(),
  entries: z.int(),
  files: z.int().describe('attachments and the logo'),
  heads: z.array(z.string()).describe('digests that the parts end with: they have to be those beside the signatures'),
  viewer: z
    .enum(['own', 'other'])
    .nullable()
    .describe('of a whole HTML: whether this program wrote what shows it, or another version, or somebody else; null: no HTML'),
  explained: z
    .enum(['own', 'other'])
    .nullable()
    .describe(
      'of a whole HTML: whether what it says of the frames is what this program says of them; `other` only where another version, or somebody else, wrote what shows it: then nothing proves it. null: no HTML',
    ),
  sha256: z
    .string()
    .nullable()
    .describe(
      'of every octet before the last line, which says it: beside the signatures it holds names, expectations and the first page; null: it is not whole',
    ),
  fault: z.object({ said: MessageSchema, text: z.string() }).nullable().describe('the first place that does not fit; null: none'),
});
export type CheckVerification = z.infer<typeof CheckVerification>;
