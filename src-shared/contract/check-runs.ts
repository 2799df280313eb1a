import { z } from 'zod';
import { say } from '../messages/index.ts';
import { mustBe } from '../messages/schema-words.ts';
import { CheckRun, checkFields, tolerance } from './check.ts';
import { Id, Nothing, queryInt, queryNumber } from './common.ts';
import { operation } from './operation.ts';
import { LARGEST_TABLE_FILE } from './point-files.ts';

/** A check under way: guided, listening, unattended. */
export const checkRunOperations = {
  startCheck: operation({
    method: 'POST',
    path: '/api/check/start',
    summary: 'Begin the guided check of a session, or listening',
    description:
      'Guided, one item at a time: the program waits for the change, lets it settle, decides, appends the result and goes on. It looks at what tasks and devices bring into the ' +
      'table and reads nothing itself, so a task has to run. Listening (`way`) looks at all items at once, in whatever order they move: one that passed is done, one that failed is watched anew; nothing is sent and nobody decides, but `POST /api/check/announce` says what is moved now. Commands and setpoints wait for `POST /api/check/send`; values without a reference for ' +
      '`POST /api/check/step`. One check a project at a time (409).',
    tag: 'check',
    effect: 'repeatable',
    role: 'operate',
    query: Nothing,
    body: z.object({
      session_id: checkFields.session_id,
      operator: checkFields.operator,
      items: checkFields.items.optional().describe('left out: all that have not passed and were not accepted, in the order of the session'),
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
    example: { reference_channel_id: 2 },
    role: 'operate',
    line: true,
    query: Nothing,
    body: z.object({
      session_id: checkFields.session_id,
      operator: checkFields.operator,
      items: checkFields.items.optional().describe('left out: all that have not passed and were not accepted'),
      reference_channel_id: Id.optional(),
      ...tolerance,
      timeout_ms: z.int().min(1000).max(3_600_000).default(60_000),
    }),
    data: CheckRun,
    errors: [404, 409],
  }),
  checkReferences: operation({
    method: 'POST',
    path: '/api/check/references',
    summary: 'What the items of a session can be compared with unattended',
    description: 'Of the same items as `POST /api/check/compare` would take. Codes and types are compared, no values.',
    tag: 'check',
    effect: 'query',
    query: Nothing,
    body: z.object({
      session_id: checkFields.session_id,
      items: checkFields.items.optional().describe('left out: all that have not passed and were not accepted'),
    }),
    data: z.object({
      items: z.int().describe('items that were looked at'),
      own: z.int().describe('of them: with one reference of their own'),
      channels: z
        .array(z.object({ channel_id: Id, channel: z.string(), matches: z.int().min(1).describe('items that it has a point for') }))
        .describe('channels that hold none of the items, the most matches first'),
    }),
    errors: [404],
  }),
  compareCheckFile: operation({
    method: 'POST',
    path: '/api/check/compare_file',
    summary: 'Check items of a session unattended, against references from an xlsx or csv file',
    description:
      'A header with the columns `code` and `value`, and where they are needed `tolerance` (else that of the request) and `channel` (its name). Exactly the items that the file names are checked, measurements and signals. ' +
      'A file with anything that does not fit is refused (422) before anything is read: every row with what is wrong and what would be right. Otherwise as `POST /api/check/compare`.',
    tag: 'check',
    effect: 'repeatable',
    role: 'operate',
    line: true,
    query: z.object({
      session_id: queryInt(1, Number.MAX_SAFE_INTEGER),
      operator: checkFields.operator,
      tolerance: queryNumber(0, Number.MAX_VALUE).optional().describe('absolute, of rows that name none; default 0'),
      percent: queryNumber(0, 100).optional().describe('of the reference; the larger of both counts; default 0'),
      timeout_ms: queryInt(1000, 3_600_000).optional().describe('default 60,000'),
    }),
    body: z.object({
      file: z.file({ error: mustBe(say('field.table_file')) }).describe('xlsx or csv, 32 MiB at most'),
    }),
    upload: { largestFile: LARGEST_TABLE_FILE },
    data: CheckRun,
    errors: [404, 409],
  }),
  traceCheck: operation({
    method: 'POST',
    path: '/api/check/trace',
    summary: 'Test a gateway: set unique values into the simulated device below it, and look for them above',
    description:
      '`reference_channel_id` is a channel of this program that serves (409 for any other): the device below the gateway; items are read above it and matched by code and type. Each measurement gets a value that no ' +
      'other one has; signals are told apart by the sequence of their states, in as many rounds as that needs, each 0 and 1 at least once. Each round waits until every value is above, `within_ms` at most, and for ' +
      '`settle_ms` behind it. Crossed and missing ones are named, both sides stand in the evidence, and the values below are put back, also when it is stopped, unless somebody else changed them meanwhile. A channel above that no automatic task reads is read by ' +
      'manual reads. No command is sent to a device; a served channel that is read-only is refused (409).',
    tag: 'check',
    effect: 'repeatable',
    example: { reference_channel_id: 2 },
    role: 'operate',
    line: true,
    query: Nothing,
    body: z.object({
      session_id: checkFields.session_id,
      operator: checkFields.operator,
      items: checkFields.items.optional().describe('left out: all that have not passed and were not accepted'),
      reference_channel_id: Id,
      ...tolerance,
      within_ms: z.int().min(1000).max(600_000).default(10_000).describe('how long a value may take from below to above'),
      settle_ms: z.int().min(100).max(60_000).default(1500).describe('take more than a read cycle'),
    }),
    data: CheckRun,
    errors: [404, 409],
  }),
  checkRun: operation({
    method: 'GET',
    path: '/api/check/run',
    summary: 'The check that is under way, or ended last',
    description:
      'Guided, listening, unattended or gateway: what is waited for, what was seen, what was decided. Null: none since the project was opened.',
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
      '`item` is the one that was shown: when the check went on meanwhile nothing is appended (409). `pass` needs a good value (409). `repeat` begins the item anew, `back` the one before it. A result that has no room is ' +
      'kept and appended as soon as there is: `error` and `waiting` tell it.',
    tag: 'check',
    effect: 'repeatable',
    role: 'operate',
    query: Nothing,
    body: z.object({
      item: z.uuid(),
      action: z.enum(['pass', 'fail', 'block', 'skip', 'repeat', 'back']),
      remark: checkFields.remark,
    }),
    data: CheckRun,
    errors: [409],
  }),
  announceCheck: operation({
    method: 'POST',
    path: '/api/check/announce',
    summary: 'Say which item is moved now, while the program listens',
    description:
      'When the item moves it is judged as any other. When another item moves in its place it fails as `crossed`, with what moved; when nothing moves within `within_ms` it fails as `dead`. ' +
      'It is listened for again afterwards. Another announcement takes its place. An item that is not listened for is refused (409).',
    tag: 'check',
    effect: 'repeatable',
    role: 'operate',
    query: Nothing,
    body: z.object({
      item: z.uuid(),
      within_ms: z.int().min(1000).max(3_600_000).default(30_000),
    }),
    data: CheckRun,
    errors: [409],
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
    description:
      'Results stay. No error where none runs. What was listened for and did not move is listed (`not_moved`): that alone is no failure.',
    tag: 'check',
    effect: 'repeatable',
    example: { fail_unmoved: true },
    role: 'operate',
    query: Nothing,
    body: z.object({
      fail_unmoved: z
        .boolean()
        .default(false)
        .describe('while listening: items that did not move fail as `dead`; those that nobody could see are `blocked`'),
    }),
    data: z.object({ run: CheckRun.nullable() }),
  }),
} as const;
