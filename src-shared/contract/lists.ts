import { z } from 'zod';
import { COMMAND_OUTCOMES } from '../domain/enums.ts';
import { FrameTypeSchema, Id, MessageSchema, Nothing } from './common.ts';
import { operation } from './operation.ts';
import { Point } from './points.ts';
import { TaskSummary } from './tasks.ts';

/** Whose code it is: by the name of the device, by the channel, or by neither where only one channel has the code. */
const place = {
  device_name: z.string().min(1).max(200).optional().describe("the channel's name"),
  channel_id: Id.optional(),
};
const code = z.string().min(1).max(500).describe('code of the point, exactly');

/** A point by its code. */
export const NamedPoint = z.object({ code, ...place });
const ofAll = {
  device_name: place.device_name.describe('device of the points that name none'),
  channel_id: place.channel_id.describe('channel of the points that name none'),
};

/** How one write of a list ended. */
export const ListedWrite = z.object({
  channel_id: Id,
  point_id: Id,
  frame_type: FrameTypeSchema,
  code: z.string(),
  value: z.number(),
  outcome: z
    .enum([...COMMAND_OUTCOMES, 'failed', 'not_sent'])
    .describe(
      'unknown: sent, and the device did not say; failed: refused by us, nothing was sent; not_sent: one before it was not accepted',
    ),
  detail: z.string(),
  detail_message: MessageSchema.optional(),
  audit_id: z.int().nullable().describe('null: not entered, and nothing was sent'),
  is_equal: z.boolean().nullable().describe('whether a read behind it gave the value; null: it was not read'),
});
export type ListedWrite = z.infer<typeof ListedWrite>;

export const WAIT_CONDITIONS = ['equal', 'not_equal', 'less', 'at_most', 'greater', 'at_least', 'changed', 'good', 'not_good'] as const;
export type WaitCondition = (typeof WAIT_CONDITIONS)[number];
/** Conditions that compare with a number. */
export const COMPARING: ReadonlySet<WaitCondition> = new Set(['equal', 'not_equal', 'less', 'at_most', 'greater', 'at_least']);

const LONGEST_WAIT_MS = 600_000;

export const listOperations = {
  readPoints: operation({
    method: 'POST',
    path: '/api/points/read',
    summary: 'Points by their codes, of one device or of several',
    description:
      'From memory, without `fresh`. With it one manual task reads the points first, all of one device; its rules hold (409 while an automatic task runs). The answer comes when the task has ended, or after ' +
      '`timeout_ms`, with the task as it stands. A code that is not there is a 404 that names it, one that several channels have a 422.',
    tag: 'points',
    effect: 'repeatable',
    example: { device_name: 'PCS 1' },
    role: 'operate',
    line: true,
    query: Nothing,
    body: z.object({
      points: z.array(NamedPoint).min(1).max(10_000),
      ...ofAll,
      fresh: z.boolean().default(false).describe('read them from the device now'),
      timeout_ms: z.int().min(0).max(LONGEST_WAIT_MS).default(30_000).describe('how long the end of the task is waited for'),
    }),
    data: z.object({
      items: z.array(Point).describe('in request order'),
      task: TaskSummary.nullable().describe('the manual task of `fresh`; null without'),
    }),
    errors: [404, 409],
  }),
  writePoints: operation({
    method: 'POST',
    path: '/api/points/write',
    summary: 'Write points by their codes, one after the other',
    description:
      'All are checked before the first is sent: a wrong one refuses the request, and nothing is sent. Then each is sent once, entered in the audit, and read back where it can be read. The first that is not accepted is the ' +
      'last one sent; that is no error of the request (200), the outcomes tell. A client that hangs up cancels nothing.',
    tag: 'points',
    effect: 'command',
    example: { device_name: 'PCS 1' },
    query: Nothing,
    body: z.object({
      points: z
        .array(NamedPoint.extend({ value: z.number() }))
        .min(1)
        .max(1000),
      ...ofAll,
    }),
    data: z.object({
      items: z.array(ListedWrite).describe('in request order'),
      complete: z.boolean().describe('true: all were accepted'),
    }),
    errors: [404, 409],
  }),
  waitForPoint: operation({
    method: 'POST',
    path: '/api/points/wait',
    summary: 'Wait until a point fulfils a condition',
    description:
      'Sends nothing: it looks at the table 20 times a second, so something has to read the point. Answers when the condition holds, or after `timeout_ms` with `met` false (200: that is the news). Only values of quality good ' +
      'fulfil a condition on the value. At most 200 requests wait at a time (429).',
    tag: 'points',
    effect: 'query',
    example: { device_name: 'PCS 1' },
    query: Nothing,
    body: z.object({
      code,
      ...place,
      condition: z
        .enum(WAIT_CONDITIONS)
        .describe('the first six compare with `value`; changed: otherwise than when the request came; good, not_good: the quality'),
      value: z.number().optional(),
      tolerance: z.number().min(0).default(0).describe('of equal and not_equal'),
      hold_ms: z.int().min(0).max(LONGEST_WAIT_MS).default(0).describe('the condition has to hold for so long'),
      timeout_ms: z.int().min(0).max(LONGEST_WAIT_MS).default(10_000),
    }),
    data: z.object({ met: z.boolean(), waited_ms: z.int(), point: Point }),
    errors: [404, 409, 429],
  }),
} as const;
