import { z } from 'zod';
import { QUALITY_FLAGS } from '../domain/enums.ts';
import { FrameTypeSchema, Id, MessageSchema, Nothing, queryInt, Timestamp } from './common.ts';
import { operation } from './operation.ts';

/** How an operation that was asked for by name has ended. */
export const OperationReport = z.object({
  outcome: z.enum(['accepted', 'rejected', 'unknown']).describe('unknown: sent, and the device did not say'),
  stages: z.array(z.object({ name: z.string(), at: Timestamp, detail: z.string(), detail_message: MessageSchema.optional() })),
  result: z.record(z.string(), z.unknown()).describe('what came of it; the page of the protocol describes it'),
  audit_id: z.int().optional().describe('entry of the audit; only of operations that change something in the device'),
});
export type OperationReport = z.infer<typeof OperationReport>;

/** An object that a device sends, or a master asks of ours, and the table does not have, ready to be added. */
export const UnknownObject = z.object({
  slave_id: z.int(),
  address: z.int(),
  type: z.string().describe('type as the protocol names it'),
  frame_type: FrameTypeSchema.nullable().describe('point type that suits it; null: it cannot be a point'),
  func_code: z.int().nullable().describe('function of the point; null: its protocol has none'),
  decode: z.string().describe('decode code of the point; empty: its protocol has none'),
  protocol: z.record(z.string(), z.unknown()).describe('settings of the point that suit it'),
  count: z.int().describe('messages so far'),
  value: z.number(),
  value_text: z.string().describe('what the number cannot say, e.g. NaN; else empty'),
  flags: z.array(z.enum(QUALITY_FLAGS)),
  source_time: Timestamp.nullable(),
  first_seen: Timestamp,
  last_seen: Timestamp,
});
export type UnknownObject = z.infer<typeof UnknownObject>;

export const deviceOperations = {
  deviceOperation: operation({
    method: 'POST',
    path: '/api/device/operation',
    summary: 'Run an operation of the protocol by its name, once',
    description:
      'GET /api/channel/protocols lists the operations of each protocol with their parameters. `rejected` is a 200: the answer is the news. ' +
      'Operations that change something in the device are refused while channel or service is read-only, and are entered into the audit.',
    tag: 'points',
    effect: 'command',
    query: Nothing,
    body: z.object({ channel_id: Id, operation: z.string().min(1).max(100), params: z.record(z.string(), z.unknown()).default({}) }),
    data: OperationReport,
    errors: [404, 409, 502, 503, 504],
  }),
  unknownObjects: operation({
    method: 'GET',
    path: '/api/channel/unknown_objects',
    summary: 'Objects that the device sent, or masters asked of ours, since the last start, and the table does not have',
    description:
      'From memory, never causes protocol I/O. A served Modbus channel lists each address that a master asked for in vain. Ordered by slave and address; the list is bounded, `dropped` counts messages about further objects.',
    tag: 'channels',
    effect: 'query',
    query: z.object({
      channel_id: queryInt(1, Number.MAX_SAFE_INTEGER),
      page: queryInt(1, 1_000_000_000).optional().describe('default 1'),
      page_size: queryInt(1, 10_000).optional().describe('default 100'),
    }),
    body: Nothing,
    data: z.object({ total: z.int(), items: z.array(UnknownObject), dropped: z.int() }),
    errors: [404],
  }),
} as const;
