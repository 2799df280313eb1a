import { z } from 'zod';
import { CHECK_RECORD_LANGUAGES, CHECK_RECORD_TYPES, CHECK_STATES, CHECK_VERDICTS, MOST_CHECK_ITEMS } from '../domain/check.ts';
import { say } from '../messages/index.ts';
import { mustBe } from '../messages/schema-words.ts';
import { CheckCounts, CheckItem, CheckResult, CheckSession, CheckVerification, checkFields, Expectation, tolerance } from './check.ts';
import { FrameTypeSchema, Id, Nothing, queryInt } from './common.ts';
import { operation } from './operation.ts';

/** Octets a record that comes back may have: 20,000 items with their frames. */
const LARGEST_RECORD = 256 * 1024 * 1024;

/** What items are sorted by; texts in their natural order. */
const CHECK_SORTS = ['code', 'name', 'channel', 'group', 'state', 'last'] as const;

const recordFile = z.file({ error: mustBe(say('field.check_record')) }).describe('a record as JSON or HTML, 256 MiB at most');
const session = { session_id: checkFields.session_id };
const sessionQuery = { session_id: queryInt(1, Number.MAX_SAFE_INTEGER) };
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
    description: 'Counts by state are in `GET /api/check/summary`.',
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
    description:
      'It has no items yet: `POST /api/check/add_items` makes them from points. The cover is printed on the first page of the record.',
    tag: 'check',
    effect: 'repeatable',
    example: { name: 'Site acceptance' },
    role: 'operate',
    query: Nothing,
    body: z.object({ name: checkFields.name, cover: checkFields.cover.default({}) }),
    data: CheckSession,
    errors: [507],
  }),
  editCheck: operation({
    method: 'PUT',
    path: '/api/check/edit',
    summary: 'Change name or cover of a session',
    description: 'Only what is given changes. Results stay, and the chain over them.',
    tag: 'check',
    effect: 'repeatable',
    example: { name: 'Site acceptance' },
    role: 'operate',
    query: Nothing,
    body: z.object({ ...session, name: checkFields.name.optional(), cover: checkFields.cover.optional() }),
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
    description: `In the order of the table, behind those that are there; points that the session has already are left. At most ${MOST_CHECK_ITEMS} items a session (409). Of another service the table is asked for; its points are kept by the names of service, channel and code.`,
    tag: 'check',
    effect: 'repeatable',
    role: 'operate',
    query: Nothing,
    body: z.object({
      ...session,
      channel_id: Id.describe('of this project, or of the service that is named'),
      service_id: Id.optional().describe(
        'number of another service, of GET /api/remotes/list: the channel is one of its; left out: of this project',
      ),
      point_ids: z.array(Id).min(1).max(MOST_CHECK_ITEMS).optional().describe('left out: all'),
      frame_types: z.array(FrameTypeSchema).min(1).max(4).optional().describe('left out: all types'),
      group: checkFields.group.default('').describe('empty: the category of the point'),
      ...rules,
    }),
    data: z.object({ added: z.int(), already: z.int() }),
    errors: [404, 409, 502, 503, 504, 507],
  }),
  checkItems: operation({
    method: 'GET',
    path: '/api/check/items',
    summary: 'Items of a session with their state, in its order',
    description:
      'State, expectation, and the last result of each. A point that was changed since it passed is to be checked again, with what changed.',
    tag: 'check',
    effect: 'query',
    query: z.object({
      ...sessionQuery,
      page: queryInt(1, 1_000_000).optional(),
      page_size: queryInt(1, 1000).optional().describe('default 100'),
      state: z
        .enum([...CHECK_STATES, 'open'])
        .optional()
        .describe('open: all that have neither passed nor were accepted, the list for tomorrow'),
      channel_id: queryInt(1, Number.MAX_SAFE_INTEGER).optional().describe('of this project, or of `service`'),
      service: z.string().max(40).optional().describe('items of this other service, by its name; empty: those of this project'),
      frame_type: queryInt(0, 3).optional(),
      search: z.string().max(200).optional().describe('part of code, name, group or service'),
      sort: z
        .enum(CHECK_SORTS)
        .optional()
        .describe('left out: the order of the session, which decides between equal ones too; last: time of the deciding result'),
      order: z.enum(['asc', 'desc']).optional().describe('default asc'),
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
    role: 'operate',
    query: Nothing,
    body: z.object({
      ...session,
      items: checkFields.items,
      expectation: Expectation.optional(),
      group: checkFields.group.optional(),
      before: z.uuid().nullable().optional().describe('item in front of which they are put, in their present order; null: behind all'),
    }),
    data: z.object({ changed: z.int() }),
    errors: [404, 507],
  }),
  removeCheckItems: operation({
    method: 'POST',
    path: '/api/check/remove_items',
    summary: 'Take items without results out of a session',
    description: 'Where one has results none goes (409). They go in slices: a kill in between leaves the rest.',
    tag: 'check',
    effect: 'repeatable',
    role: 'operate',
    query: Nothing,
    body: z.object({ ...session, items: checkFields.items }),
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
    role: 'operate',
    query: Nothing,
    body: z.object({
      ...session,
      item: z.uuid(),
      verdict: z.enum(CHECK_VERDICTS),
      operator: checkFields.operator,
      remark: checkFields.remark,
      took_ms: z.number().min(0).nullable().default(null),
    }),
    data: CheckResult,
    errors: [404, 409, 507],
  }),
  checkHistory: operation({
    method: 'GET',
    path: '/api/check/history',
    summary: 'Results of one item, the newest first',
    description: 'Results are appended and never changed: an item that was checked twice has both, each with its evidence.',
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
    description:
      'For progress bars and for the list of what is open. `heads` are the digests at the ends of the chain of results, as the record prints them beside the signatures.',
    tag: 'check',
    effect: 'query',
    query: z.object(sessionQuery),
    body: Nothing,
    data: z.object({
      counts: CheckCounts,
      channels: z.array(
        z.object({
          channel_id: z.int().min(0),
          channel: z.string(),
          service: z.string().optional().describe('other service whose channel it is; left out: of this project'),
          counts: CheckCounts,
        }),
      ),
      types: z.array(z.object({ frame_type: FrameTypeSchema, counts: CheckCounts })),
      groups: z.array(z.object({ group: z.string(), counts: CheckCounts })),
      heads: z.array(z.string()).describe('digests that the parts end with'),
    }),
    errors: [404],
  }),
  checkPoints: operation({
    method: 'POST',
    path: '/api/check/points',
    summary: 'Where points of a table stand in a session',
    description: 'Points that are no items of it are left out. For the rows of a screen: `GET /api/check/history` has the results of one.',
    tag: 'check',
    effect: 'query',
    query: Nothing,
    body: z.object({ ...session, channel_id: Id, point_ids: z.array(Id).max(1000) }),
    data: z.object({ items: z.array(z.object({ point_id: Id, item: z.uuid(), state: z.enum(CHECK_STATES) })) }),
    errors: [404],
  }),
  checkRecord: operation({
    method: 'GET',
    path: '/api/check/record',
    summary: 'The record of a session as one file',
    description:
      'As HTML it needs nothing else, shows itself in both languages and is printed by any browser. `loopcheck verify FILE` and `POST /api/check/verify` tell of JSON and HTML whether they are ' +
      'as they were written; an xlsx names the sha256 of the JSON.',
    tag: 'check',
    effect: 'query',
    query: z.object({
      ...sessionQuery,
      format: z.enum(['json', 'html', 'xlsx']).default('json'),
      lang: z.enum(CHECK_RECORD_LANGUAGES).default('en').describe('of an xlsx; of an HTML the one it begins with'),
    }),
    body: Nothing,
    data: z.unknown(),
    download: { mediaTypes: Object.values(CHECK_RECORD_TYPES) },
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
    role: 'operate',
    query: Nothing,
    body: z.object({ file: recordFile }),
    upload: { largestFile: LARGEST_RECORD, toDisk: true },
    data: z.object({
      session: CheckSession,
      items: z.int().describe('items that were added'),
      files: z.int().describe('attachments and a logo that were not here'),
      parts: z.int(),
      entries: z.int(),
      conflicts: z
        .array(
          z.object({
            item: z.uuid(),
            code: z.string(),
            what: z.enum(['expectation', 'verdict', 'point_missing', 'service_missing', 'twice']),
          }),
        )
        .describe('what both have otherwise: ours stays; of a verdict the later one counts'),
    }),
    errors: [409, 429, 507],
  }),
} as const;
