import { z } from 'zod';
import { Id, MessageSchema, Nothing, queryInt, Timestamp } from './common.ts';
import { operation } from './operation.ts';

/** Why a setpoint cannot be brought back. */
const OBSTACLES = ['not_known', 'edited', 'other_device', 'deleted'] as const;

/** A setpoint that was written since somebody last said that it is right. */
export const TouchedSetpoint = z.object({
  channel_id: Id,
  point_id: Id,
  code: z.string().describe('as it was at the first write'),
  name: z.string(),
  unit: z.string(),
  before: z.number().nullable().describe('engineering value read from the device before the first of its writes; null: it was not known'),
  before_at: Timestamp.nullable().describe('when that was read'),
  value: z.number().describe('value of the last write that was not refused'),
  sent_at: Timestamp,
  outcome: z.enum(['accepted', 'unknown', 'open']).describe('of that write; open: under way, or interrupted by the end of the program'),
  audit_id: z.int(),
  obstacle: z
    .enum(OBSTACLES)
    .nullable()
    .describe(
      'not_known: the value before was never read; edited: the point reads or writes otherwise since; other_device: the channel leads elsewhere since; deleted: it is gone; null: none',
    ),
});
export type TouchedSetpoint = z.infer<typeof TouchedSetpoint>;

/** How a setpoint was brought back. */
export const RestoredSetpoint = z.object({
  point_id: Id,
  value: z.number(),
  outcome: z.enum(['accepted', 'rejected', 'unknown', 'failed']).describe('failed: never sent'),
  detail: z.string(),
  detail_message: MessageSchema,
  audit_id: z.int().nullable().describe('null: never sent, and not entered'),
  is_equal: z.boolean().nullable().describe('whether a read behind it gave the value; null: it was not read'),
});
export type RestoredSetpoint = z.infer<typeof RestoredSetpoint>;

const chosen = z.object({ channel_id: Id, point_ids: z.array(Id).min(1).max(1000) });

export const setpointOperations = {
  touchedSetpoints: operation({
    method: 'GET',
    path: '/api/device/touched_setpoints',
    summary: 'Setpoints that were written, with their value before',
    description:
      'From the project file, so a kill loses none. A setpoint is in the list from its first write on, until a read behind a write gave the value from ' +
      'before again or `keep_setpoints` took the present one as right. Only setpoints (YT) of devices; values that we serve are not among them.',
    tag: 'points',
    effect: 'query',
    query: z.object({ channel_id: queryInt(1, Number.MAX_SAFE_INTEGER).optional() }),
    body: Nothing,
    data: z.object({ items: z.array(TouchedSetpoint) }),
    errors: [404],
  }),
  restoreSetpoints: operation({
    method: 'POST',
    path: '/api/device/restore_setpoints',
    summary: 'Write the values from before back, in the given order',
    description:
      'Each as a write of its own, sent once, audited and read back; the first that is not accepted, or that the device has another value behind, is the last ' +
      'one sent. Nothing is sent when one of them has an obstacle, or while others of the channel are being written back (409). One that somebody wrote, or began to ' +
      'write, since the request came is `failed` and left to that write.',
    tag: 'points',
    effect: 'command',
    query: Nothing,
    body: chosen,
    data: z.object({ items: z.array(RestoredSetpoint).describe('those that were tried'), left: z.int().describe('those behind them') }),
    errors: [404, 409, 503],
  }),
  keepSetpoints: operation({
    method: 'POST',
    path: '/api/device/keep_setpoints',
    summary: 'Take the present values of touched setpoints as right',
    description: 'Sends nothing; they leave the list. Points that are not in it are passed over.',
    tag: 'points',
    effect: 'repeatable',
    role: 'operate',
    query: Nothing,
    body: chosen,
    data: z.object({ kept: z.int() }),
    errors: [404, 507],
  }),
} as const;
