import { z } from 'zod';
import { CHECK_FINDINGS, CHECK_RECORD_TYPE, CHECK_STATES, CHECK_VERDICTS, CHECK_WAYS, MOST_CHECK_ITEMS } from '../domain/check.ts';
import { say } from '../messages/index.ts';
import { mustBe } from '../messages/schema-words.ts';
import { FrameTypeSchema, Id, lineOfText, linesOfText, MessageSchema, Nothing, queryInt, Timestamp } from './common.ts';
import { FrameEntry } from './frames.ts';
import { operation } from './operation.ts';

/** Octets a record that comes back may have: 20,000 items with their frames. */
const LARGEST_RECORD = 256 * 1024 * 1024;

const line = (max: number) =>
  z
    .string()
    .max(max)
    .regex(...lineOfText);
const tolerance = {
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
  channel_id: Id,
  point_id: Id,
  code: z.string(),
  value: z.number().nullable().describe('null: no number'),
  value_text: z.string(),
  unit: z.string(),
  raw_hex: z.string(),
  quality: z.string(),
  flags: z.array(z.string()),
  source_time: Timestamp.nullable().describe('time tag of the device'),
  received_at: Timestamp.nullable().describe('when it was received; null: never'),
});
export type CheckSeen = z.infer<typeof CheckSeen>;

/** One entry of a part: who said what of an item when, and what it rests on. It is the text that the digest is made of. */
export const CheckEntry = z.object({
  seq: z.int().min(1).describe('number in its part'),
  at: Timestamp,
  running_ms: z.number().describe('milliseconds since the program began: it goes on when a clock is set'),
  item: z.uuid(),
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

const Moved = z.object({ item: z.uuid(), code: z.string(), before: z.number(), after: z.number() });

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
  item: z
    .object({
      item: z.uuid(),
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
      now: CheckSeen.nullable(),
      wanted: z.array(z.object({ value: z.number(), is_seen: z.boolean() })).describe('references or states, and which were seen'),
      changes: z.int().describe('changes since the item is shown'),
      is_moving: z.boolean().describe('a change has not settled yet'),
      others: z.array(Moved).describe('items that changed meanwhile, the latest first: crossed wires show here'),
      hint: z.array(CheckFinding).describe('what the program suspects already'),
      waiting_ms: z.int().describe('since the item is shown'),
    })
    .nullable()
    .describe('null: the run has ended'),
  results: z.array(CheckResult).describe('the last results of the run, the newest first'),
  error: z
    .object({ said: MessageSchema, text: z.string() })
    .nullable()
    .describe('why the last result could not be appended; the item is shown again'),
});
export type CheckRun = z.infer<typeof CheckRun>;

const Counts = z.record(z.enum(CHECK_STATES), z.int());
const Cover = z.record(line(60), z.string().max(500)).describe('fields of the first page: project, site, customer …');

/** A session with where it stands. */
export const CheckSession = z.object({
  id: Id,
  uuid: z.uuid().describe('the same in every copy of the project'),
  name: z.string(),
  created_at: Timestamp,
  cover: z.record(z.string(), z.string()),
  items: z.int(),
  results: z.int().describe('entries of all parts, remarks among them'),
  counts: Counts.describe('items by state'),
});
export type CheckSession = z.infer<typeof CheckSession>;

/** An item with its state. */
export const CheckItem = z.object({
  item: z.uuid(),
  channel_id: z.int().min(0).describe('0: this project has no such channel'),
  channel: z.string().describe('its name; of one that is gone as it was when the item was made'),
  point_id: z.int().min(0),
  frame_type: FrameTypeSchema,
  code: z.string(),
  name: z.string(),
  group: z.string().describe('bay, panel, page of the cable list'),
  expectation: Expectation,
  state: z.enum(CHECK_STATES),
  changed: z.array(z.string()).describe('settings that are otherwise than when it passed or was accepted'),
  is_there: z.boolean().describe('false: the point or its channel is gone'),
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
  heads: z.array(z.string()).describe('digests that the parts end with: they have to be those beside the signatures'),
  fault: z.object({ said: MessageSchema, text: z.string() }).nullable().describe('the first place that does not fit; null: none'),
});
export type CheckVerification = z.infer<typeof CheckVerification>;

const recordFile = z.file({ error: mustBe(say('field.check_record')) }).describe('a record as JSON, 256 MiB at most');
const session = { session_id: Id };
const sessionQuery = { session_id: queryInt(1, Number.MAX_SAFE_INTEGER) };
const items = z.array(z.uuid()).min(1).max(MOST_CHECK_ITEMS);
const operator = line(100);
const rules = {
  references: z
    .enum(['none', 'limits', 'zero_and_upper'])
    .default('none')
    .describe('of YC: a person decides; both limits of the point; zero and its upper limit'),
  ...tolerance,
  within_ms: z.int().min(100).max(600_000).default(5000).describe('time of the feedback of commands'),
};

export const checkOperations = {
  listChecks: operation({
    method: 'GET',
    path: '/api/check/sessions',
    summary: 'Check sessions of the project with where they stand',
    tag: 'check',
    effect: 'query',
    query: Nothing,
    body: Nothing,
    data: z.object({ items: z.array(CheckSession) }),
  }),
  addCheck: operation({
    method: 'POST',
    path: '/api/check/add',
    summary: 'Begin a check session',
    tag: 'check',
    effect: 'repeatable',
    query: Nothing,
    body: z.object({ name: line(200).min(1), cover: Cover.default({}) }),
    data: CheckSession,
    errors: [507],
  }),
  editCheck: operation({
    method: 'PUT',
    path: '/api/check/edit',
    summary: 'Change name or cover of a session',
    tag: 'check',
    effect: 'repeatable',
    query: Nothing,
    body: z.object({ ...session, name: line(200).min(1).optional(), cover: Cover.optional() }),
    data: CheckSession,
    errors: [404, 507],
  }),
  deleteCheck: operation({
    method: 'POST',
    path: '/api/check/delete',
    summary: 'Delete a session without results',
    description: 'One with results stays (409): results are never deleted.',
    tag: 'check',
    effect: 'repeatable',
    query: Nothing,
    body: z.object(session),
    data: z.object({ deleted: z.literal(true) }),
    errors: [404, 409, 507],
  }),
  addCheckItems: operation({
    method: 'POST',
    path: '/api/check/add_items',
    summary: 'Take points of a channel into a session, each with an expectation made from the table',
    description: `In the order of the table, behind those that are there; points that the session has already are left. At most ${MOST_CHECK_ITEMS} items a session (409).`,
    tag: 'check',
    effect: 'repeatable',
    query: Nothing,
    body: z.object({
      ...session,
      channel_id: Id,
      point_ids: z.array(Id).min(1).max(MOST_CHECK_ITEMS).optional().describe('left out: all'),
      frame_types: z.array(FrameTypeSchema).min(1).max(4).optional().describe('left out: all types'),
      group: line(100).default('').describe('empty: the category of the point'),
      ...rules,
    }),
    data: z.object({ added: z.int(), already: z.int() }),
    errors: [404, 409, 507],
  }),
  checkItems: operation({
    method: 'GET',
    path: '/api/check/items',
    summary: 'Items of a session with their state, in its order',
    tag: 'check',
    effect: 'query',
    query: z.object({
      ...sessionQuery,
      page: queryInt(1, 1_000_000).optional(),
      page_size: queryInt(1, 1000).optional().describe('default 100'),
      state: z.enum(CHECK_STATES).optional(),
      channel_id: queryInt(1, Number.MAX_SAFE_INTEGER).optional(),
      frame_type: queryInt(0, 3).optional(),
      search: z.string().max(200).optional().describe('part of code, name or group'),
    }),
    body: Nothing,
    data: z.object({ total: z.int(), items: z.array(CheckItem) }),
    errors: [404],
  }),
  editCheckItems: operation({
    method: 'PUT',
    path: '/api/check/edit_items',
    summary: 'Change expectation, group or place of items',
    description: 'Results keep the expectation they were made with.',
    tag: 'check',
    effect: 'repeatable',
    query: Nothing,
    body: z.object({
      ...session,
      items,
      expectation: Expectation.optional(),
      group: line(100).optional(),
      before: z.uuid().nullable().optional().describe('item in front of which they are put, in their present order; null: behind all'),
    }),
    data: z.object({ changed: z.int() }),
    errors: [404, 507],
  }),
  removeCheckItems: operation({
    method: 'POST',
    path: '/api/check/remove_items',
    summary: 'Take items without results out of a session',
    description: 'All or none; an item with results stays (409).',
    tag: 'check',
    effect: 'repeatable',
    query: Nothing,
    body: z.object({ ...session, items }),
    data: z.object({ removed: z.int() }),
    errors: [404, 409, 507],
  }),
  enterCheckResult: operation({
    method: 'POST',
    path: '/api/check/result',
    summary: 'Append what a person says of an item, with what is known of the point now',
    description:
      'Reads nothing: the evidence is the value of the table as it stands, with its age and the frames that carried it. `passed` needs a good value where the ' +
      'expectation is one (409); `accepted` needs a remark (422).',
    tag: 'check',
    effect: 'repeatable',
    query: Nothing,
    body: z.object({
      ...session,
      item: z.uuid(),
      verdict: z.enum(CHECK_VERDICTS),
      operator: operator.min(1),
      remark: z
        .string()
        .max(2000)
        .regex(...linesOfText)
        .default(''),
      took_ms: z.number().min(0).nullable().default(null),
    }),
    data: CheckResult,
    errors: [404, 409, 507],
  }),
  startCheck: operation({
    method: 'POST',
    path: '/api/check/start',
    summary: 'Begin the guided check of a session, or listening',
    description:
      'Guided, one item at a time: the program waits for the change, lets it settle, decides, appends the result and goes on. It looks at what tasks and devices bring into the ' +
      'table and reads nothing itself, so a task has to run. Listening (`way`) looks at all items at once, in whatever order they move: one that passed is done, one that failed is watched anew; nothing is sent and nobody decides. Commands and setpoints wait for `POST /api/check/send`; values without a reference for ' +
      '`POST /api/check/step`. One check a project at a time (409).',
    tag: 'check',
    effect: 'repeatable',
    query: Nothing,
    body: z.object({
      ...session,
      operator: operator.min(1),
      items: items.optional().describe('left out: all that have not passed and were not accepted, in the order of the session'),
      way: z.enum(['guided', 'listen']).default('guided'),
      commands: z
        .boolean()
        .default(false)
        .describe('true: commands and setpoints may be sent by `POST /api/check/send`, each when a person asks for it'),
      settle_ms: z.int().min(100).max(60_000).default(1500).describe('time without a change after which a value counts as steady'),
    }),
    data: CheckRun,
    errors: [404, 409],
  }),
  compareCheck: operation({
    method: 'POST',
    path: '/api/check/compare',
    summary: 'Check all readable items of a session unattended, against references',
    description:
      'Each value that is received after the start is compared: with the point of the same code of `reference_channel_id` as its table has it then, else with the reference of its own ' +
      'expectation (one; items with more are left to the guided way). A channel that an automatic task reads is waited for; on every other one this starts one manual read of the items. Sends no ' +
      'command. What is not received in time fails as `dead`; a channel that is not started blocks its items. A value that is the reference of another item alone is named `crossed`.',
    tag: 'check',
    effect: 'repeatable',
    line: true,
    query: Nothing,
    body: z.object({
      ...session,
      operator: operator.min(1),
      items: items.optional().describe('left out: all that have not passed and were not accepted'),
      reference_channel_id: Id.optional(),
      ...tolerance,
      timeout_ms: z.int().min(1000).max(3_600_000).default(60_000),
    }),
    data: CheckRun,
    errors: [404, 409],
  }),
  checkRun: operation({
    method: 'GET',
    path: '/api/check/run',
    summary: 'The check that is under way, or ended last',
    tag: 'check',
    effect: 'query',
    query: Nothing,
    body: Nothing,
    data: z.object({ run: CheckRun.nullable().describe('null: none was begun since the project was opened') }),
  }),
  checkStep: operation({
    method: 'POST',
    path: '/api/check/step',
    summary: 'What a person says of the present item of a check',
    description:
      '`item` is the one that was shown: when the check went on meanwhile nothing is appended (409). `pass` needs a good value (409). `repeat` begins the item anew, `back` the one before it.',
    tag: 'check',
    effect: 'repeatable',
    query: Nothing,
    body: z.object({
      item: z.uuid(),
      action: z.enum(['pass', 'fail', 'block', 'skip', 'repeat', 'back']),
      remark: z
        .string()
        .max(2000)
        .regex(...linesOfText)
        .default(''),
    }),
    data: CheckRun,
    errors: [409, 507],
  }),
  sendCheckCommand: operation({
    method: 'POST',
    path: '/api/check/send',
    summary: 'Send the command or setpoint of the present item, and judge what follows',
    description:
      'Only in a check that was started with `commands`, for the item that was shown (409). A command is sent once; its feedback is watched for three times as long as it may take, so that ' +
      'a late one is told from none. A setpoint is sent and read back, and with `restore` the value from before is written back; when that is not known nothing is sent (409). Each is audited ' +
      'with the session. Then the result is appended and the check goes on.',
    tag: 'check',
    effect: 'command',
    query: Nothing,
    body: z.object({
      item: z.uuid(),
      value: z.number().optional().describe('of a setpoint whose expectation names none'),
    }),
    data: CheckRun,
    errors: [404, 409, 503],
  }),
  stopCheck: operation({
    method: 'POST',
    path: '/api/check/stop',
    summary: 'End the check that is under way',
    description: 'Results stay. No error where none runs.',
    tag: 'check',
    effect: 'repeatable',
    query: Nothing,
    body: Nothing,
    data: z.object({ run: CheckRun.nullable() }),
  }),
  checkHistory: operation({
    method: 'GET',
    path: '/api/check/history',
    summary: 'Results of one item, the newest first',
    tag: 'check',
    effect: 'query',
    query: z.object({
      ...sessionQuery,
      item: z.uuid(),
      page: queryInt(1, 1_000_000).optional(),
      page_size: queryInt(1, 100).optional().describe('default 20'),
    }),
    body: Nothing,
    data: z.object({ total: z.int(), items: z.array(CheckResult) }),
    errors: [404],
  }),
  checkSummary: operation({
    method: 'GET',
    path: '/api/check/summary',
    summary: 'Items of a session by state: in all, by channel, type and group',
    tag: 'check',
    effect: 'query',
    query: z.object(sessionQuery),
    body: Nothing,
    data: z.object({
      counts: Counts,
      channels: z.array(z.object({ channel_id: z.int().min(0), channel: z.string(), counts: Counts })),
      types: z.array(z.object({ frame_type: FrameTypeSchema, counts: Counts })),
      groups: z.array(z.object({ group: z.string(), counts: Counts })),
      heads: z.array(z.string()).describe('digests that the parts end with'),
    }),
    errors: [404],
  }),
  checkRecord: operation({
    method: 'GET',
    path: '/api/check/record',
    summary: 'The record of a session as one file',
    description: '`loopcheck verify FILE` and `POST /api/check/verify` tell whether it is as it was written.',
    tag: 'check',
    effect: 'query',
    query: z.object(sessionQuery),
    body: Nothing,
    data: z.unknown(),
    download: { mediaTypes: [CHECK_RECORD_TYPE] },
    errors: [404, 507],
  }),
  verifyRecord: operation({
    method: 'POST',
    path: '/api/check/verify',
    summary: 'Look whether a record is as it was written',
    description: 'Names the first place that does not fit. A file that is no record, or of a newer version, is refused (422).',
    tag: 'check',
    effect: 'query',
    query: Nothing,
    body: z.object({ file: recordFile }),
    upload: { largestFile: LARGEST_RECORD, toDisk: true },
    data: CheckVerification,
  }),
  mergeCheck: operation({
    method: 'POST',
    path: '/api/check/merge',
    summary: 'Take over what the record of another copy of a session has',
    description:
      'A session that is not there is added. Nothing that is here changes. Refused (422) when the record does not verify, or has another entry under the number of one that is here.',
    tag: 'check',
    effect: 'repeatable',
    query: Nothing,
    body: z.object({ file: recordFile }),
    upload: { largestFile: LARGEST_RECORD, toDisk: true },
    data: z.object({
      session: CheckSession,
      items: z.int().describe('items that were added'),
      parts: z.int(),
      entries: z.int(),
      conflicts: z
        .array(z.object({ item: z.uuid(), code: z.string(), what: z.enum(['expectation', 'verdict', 'point_missing']) }))
        .describe('what both have otherwise: ours stays; of a verdict the later one counts'),
    }),
    errors: [429, 507],
  }),
} as const;
