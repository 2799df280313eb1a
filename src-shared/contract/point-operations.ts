import { z } from 'zod';
import { CHECK_STATES } from '../domain/check.ts';
import { COMMAND_STEPS, QUALITIES } from '../domain/enums.ts';
import { say } from '../messages/index.ts';
import { schemaWords } from '../messages/schema-words.ts';
import { Id, Nothing, queryInt } from './common.ts';
import { operation } from './operation.ts';
import {
  CommandResult,
  CommandState,
  EnteredPoint,
  NewPoint,
  POINT_SORTS,
  Point,
  PointHint,
  PointItem,
  PointReadings,
  pointKey,
  StepId,
  WriteExpectation,
} from './points.ts';

const TableQuery = z.object({
  channel_id: queryInt(1, Number.MAX_SAFE_INTEGER),
  page: queryInt(1, 1_000_000_000),
  page_size: queryInt(1, 10_000),
  frame_type: queryInt(0, 3).optional(),
  slave_id: queryInt(0, 999_999_999_999).optional(),
  search: z.string().max(200).optional().describe('part of name or code, letter case ignored'),
  quality: z.enum(QUALITIES).optional(),
  category: z.string().optional(),
  item: z.string().optional(),
  check_session_id: queryInt(1, Number.MAX_SAFE_INTEGER).optional().describe('check session that `check_state` is of'),
  check_state: z.enum(CHECK_STATES).optional().describe('points that are items of the session in this state'),
  sort: z.enum(POINT_SORTS).optional().describe('default id'),
  order: z.enum(['asc', 'desc']).optional().describe('default asc'),
  since: z
    .string()
    .max(200)
    .optional()
    .describe(
      'the `revision` of an earlier answer, or a place in the stream of events: `items` are only rows of the page that changed behind it. An unknown one, `0` as well, gives all',
    ),
});

/** What stands in a page beside its rows when `since` was given. */
const TableDifferences = {
  revision: z.string().optional().describe('with `since`: what to give as `since` next time; means nothing else'),
  deleted: z
    .array(Id)
    .optional()
    .describe(
      'with `since`: points that are not among the matching ones any more, and some that never were: deleted, or changed so that the filter leaves them out',
    ),
  complete: z
    .boolean()
    .optional()
    .describe('with `since`: true where it was not known, and `items` are all rows of the page: forget those of before'),
};

const expected = {
  expect: WriteExpectation.optional().describe(
    'what the point is by the knowledge of the caller: a point that is otherwise now is refused (409), and nothing is sent',
  ),
};

export const pointOperations = {
  pointReadings: operation({
    method: 'GET',
    path: '/api/device/point_readings',
    summary: 'What the last octets of a point mean when they are read otherwise',
    description:
      'From memory, never causes protocol I/O. With `known`, what the display of the device shows, it finds decode code, octet order, power of ten, ' +
      'sign and address (one beside, with the octets of its neighbours in the table) that give this value.',
    tag: 'points',
    effect: 'query',
    query: z.object({
      channel_id: queryInt(1, Number.MAX_SAFE_INTEGER),
      point_id: queryInt(1, Number.MAX_SAFE_INTEGER),
      frame_type: queryInt(0, 3),
      known: z
        .string()
        .trim()
        .regex(/^[+-]?\d{1,15}(?:\.\d{1,9})?$/, { error: schemaWords(say('field.decimal_text')) })
        .optional()
        .describe('the value as it is read on the device, `-312.3`: its last digit says how exactly'),
    }),
    body: Nothing,
    data: PointReadings,
    errors: [404],
  }),
  pointHint: operation({
    method: 'GET',
    path: '/api/channel/point_hint',
    summary: 'What a protocol knows of an address: name, format, unit (DL/T 645: its data identifiers)',
    description: 'From the dictionary of this version, never causes protocol I/O. Protocols without a dictionary answer 422.',
    tag: 'points',
    effect: 'query',
    query: z.object({
      protocol_type: queryInt(1, 5),
      address: z
        .string()
        .trim()
        .regex(/^(?:0x[0-9a-f]{1,8}|\d{1,10})$/i, { error: schemaWords(say('field.number_text')) })
        .describe('decimal, or hexadecimal with 0x'),
      edition: queryInt(1900, 2100).optional().describe('DL/T 645: 2007 (default) or 1997'),
    }),
    body: Nothing,
    data: PointHint,
  }),
  pointItems: operation({
    method: 'GET',
    path: '/api/channel/point_items',
    summary: 'Addresses that a protocol knows, found by words of their names (DL/T 645: its data identifiers)',
    description:
      'Every word of `search` has to begin the address, or to be in the Chinese or English name or the unit. From the dictionary of this version, never causes protocol ' +
      'I/O. Of a family (rates, settlement days) the first ones are listed. Protocols without a dictionary answer 422.',
    tag: 'points',
    effect: 'query',
    query: z.object({
      protocol_type: queryInt(1, 5),
      search: z.string().max(100).default('').describe('words, e.g. 正向有功 or "reverse total"; empty: from the beginning'),
      edition: queryInt(1900, 2100).optional().describe('DL/T 645: 2007 (default) or 1997'),
      limit: queryInt(1, 200).default(50),
    }),
    body: Nothing,
    data: z.array(PointItem),
  }),
  pointTable: operation({
    method: 'GET',
    path: '/api/device/table',
    summary: 'One page of the point table, from memory',
    description:
      'Never causes protocol I/O. A page past the end has no items and the right total. With `since` only rows that changed: page and total are as always, so of several pages all have to be asked with one `since`. ' +
      'A row that was read again and is the same is no changed one, though its updated_at is.',
    tag: 'points',
    effect: 'query',
    query: TableQuery,
    body: Nothing,
    data: z.object({ total: z.int(), items: z.array(Point), ...TableDifferences }),
    errors: [404],
  }),
  addPoints: operation({
    method: 'POST',
    path: '/api/device/add_points',
    summary: 'Add points, all or none; answers with them in request order',
    description:
      'At most 100,000 in one request. Codes are of one channel and have to differ, also from those that are there. 422 names the place of each point that does not fit, `points.3.address`. The change is one step that can be undone (`POST /api/points/undo`).',
    tag: 'points',
    effect: 'repeatable',
    query: Nothing,
    body: z.object({ channel_id: Id, points: z.array(NewPoint).min(1).max(100_000) }),
    data: z.object({ step_id: StepId, items: z.array(Point) }),
    errors: [404, 409, 507],
  }),
  editPoint: operation({
    method: 'PUT',
    path: '/api/device/edit_point',
    summary: 'Change settings of a point; never writes to a device',
    description:
      'Only what is given changes. A served point goes on serving its value. 409: another point has this code. One step that can be undone.',
    tag: 'points',
    effect: 'repeatable',
    query: Nothing,
    body: z.object({ ...pointKey, ...EnteredPoint.shape }),
    data: Point,
    errors: [404, 409, 507],
  }),
  editPoints: operation({
    method: 'PUT',
    path: '/api/device/edit_points',
    summary: 'Change settings of many points of a channel, all or none; answers with them in request order',
    description:
      'Each entry names its point and says what changes; the rest stays. Codes may go from one point of the request to another. Never writes to a device.',
    tag: 'points',
    effect: 'repeatable',
    query: Nothing,
    body: z.object({
      channel_id: Id,
      points: z
        .array(z.object({ ...pointKey, ...EnteredPoint.shape }))
        .min(1)
        .max(100_000),
    }),
    data: z.object({ step_id: StepId, items: z.array(Point) }),
    errors: [404, 409, 507],
  }),
  deletePoints: operation({
    method: 'POST',
    path: '/api/device/delete_points',
    summary: 'Delete points of a channel, all or none',
    description:
      '404 names those that are not there; then nothing is deleted. One step that can be undone, values and all settings come back.',
    tag: 'points',
    effect: 'repeatable',
    query: Nothing,
    body: z.object({ channel_id: Id, point_ids: z.array(Id).min(1).max(100_000) }),
    data: z.object({ deleted: z.int(), step_id: StepId }),
    errors: [404, 507],
  }),
  updatePoint: operation({
    method: 'PUT',
    path: '/api/device/update_point',
    summary: 'Set the value of a point',
    description:
      'On a server or slave channel: the value that we serve. On a client or master channel YK and YT go to the device as a complete command and ' +
      'the answer is the point after the device confirmed; YC and YX answer 422. A value outside the raw range is refused before anything is sent.',
    tag: 'points',
    effect: 'command',
    example: { frame_type: 3, value: 50 },
    query: Nothing,
    body: z.object({ ...pointKey, value: z.number(), ...expected }),
    data: Point,
    errors: [404, 409, 502, 503, 504],
  }),
  readSinglePoint: operation({
    method: 'POST',
    path: '/api/device/read_single_point',
    summary: 'Read one point from the device now',
    description:
      'Sent between the requests of a running task, on a connection that stands: 409 where the channel is not started, or only listens. A device that refuses or does not answer is 502 or 504, and the point has failed then.',
    tag: 'points',
    effect: 'repeatable',
    role: 'operate',
    line: true,
    query: Nothing,
    body: z.object({ channel_id: Id, ...pointKey }),
    data: Point,
    errors: [404, 409, 502, 503, 504],
  }),
  command: operation({
    method: 'POST',
    path: '/api/device/command',
    summary: 'Send one command step to the device',
    description: '`rejected` is a 200: the answer is the news. A command is sent once; a caller that hangs up cancels nothing.',
    tag: 'points',
    effect: 'command',
    example: { frame_type: 2, value: 1 },
    query: Nothing,
    body: z.object({
      channel_id: Id,
      ...pointKey,
      step: z.enum(COMMAND_STEPS),
      value: z.number().optional().describe('needed, except for cancel'),
      options: z.record(z.string(), z.unknown()).default({}),
      ...expected,
    }),
    data: CommandResult,
    errors: [404, 409, 503],
  }),
  commandState: operation({
    method: 'POST',
    path: '/api/device/command_state',
    summary: 'Ask the device what stands before a command of a point; commands nothing',
    description:
      'For protocols whose descriptor has `command_state`; others answer 422. Control model, mode, behaviour, local and remote, health, blocking and ' +
      'selection, each with what it means for a command with the same `options`.',
    tag: 'points',
    effect: 'repeatable',
    example: { frame_type: 2 },
    role: 'operate',
    line: true,
    query: Nothing,
    body: z.object({ channel_id: Id, ...pointKey, options: z.record(z.string(), z.unknown()).default({}) }),
    data: CommandState,
    errors: [404, 409, 502, 503, 504],
  }),
} as const;
