import { z } from 'zod';
import { Id, MessageSchema, Nothing, queryInt, Timestamp } from './common.ts';
import { operation } from './operation.ts';
import { EnteredPoint, NewPoint, Point, pointKey, StepId } from './points.ts';

/** Who asks: a script or a browser over HTTP, or the desktop window. */
const CALL_SOURCES = ['api', 'window'] as const;
export type CallSource = (typeof CALL_SOURCES)[number];

/** What the changes of one request are together, as the history names them. */
const BULK_KINDS = ['bulk', 'fill', 'duplicate', 'move', 'replace_text'] as const;
export type BulkKind = (typeof BULK_KINDS)[number];

export const PointStep = z.object({
  id: Id.describe('rises from step to step'),
  channel_ids: z.array(Id).describe('channels whose points it changed; more than one where points were moved'),
  name: z.string().describe('what was done, in English'),
  name_message: MessageSchema,
  at: Timestamp,
  source: z.enum(CALL_SOURCES),
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
  undone: z.boolean(),
  kept: z.boolean().describe('false: it was too large for the journal, and cannot be undone'),
});
export type PointStep = z.infer<typeof PointStep>;

export const PointHistory = z.object({
  items: z.array(PointStep).describe('the latest first'),
  undo: PointStep.nullable().describe('the step that is undone next; null: there is none'),
  redo: PointStep.nullable().describe('the step that is done again next; null: there is none'),
  limits: z.object({
    steps: z.int().describe('steps of all channels that are kept'),
    octets: z.int().describe('octets that they may have together, packed'),
  }),
});
export type PointHistory = z.infer<typeof PointHistory>;

const StepRequest = z.object({
  channel_id: Id,
  step_id: Id.optional().describe(
    'the step that is meant: another one is refused (409), so that nobody takes back what somebody else did meanwhile',
  ),
});

/** One change of a bulk request. */
export const BulkChange = z.discriminatedUnion('op', [
  z.object({ op: z.literal('add'), point: NewPoint }),
  z.object({ op: z.literal('edit'), ...pointKey, ...EnteredPoint.shape }),
  z.object({ op: z.literal('delete'), ...pointKey }),
  z.object({
    op: z.literal('move'),
    ...pointKey,
    channel_id: Id.describe('another channel of the same protocol; the point gets a new id there'),
    ...EnteredPoint.shape,
  }),
]);
export type BulkChange = z.infer<typeof BulkChange>;

export const pointEditOperations = {
  bulkPoints: operation({
    method: 'POST',
    path: '/api/points/bulk',
    summary: 'Add, edit, delete and move points of a channel in one step, all or none',
    description:
      'Deletions and moves go first, then edits, then additions: a code that becomes free can be taken in the same request. A point stands in one change ' +
      'only. Errors name the change by its place, e.g. `changes.3.address`. Never writes to a device. The whole request is one step of the history.',
    tag: 'points',
    effect: 'repeatable',
    query: Nothing,
    body: z.object({
      channel_id: Id,
      changes: z.array(BulkChange).min(1).max(100_000),
      kind: z.enum(BULK_KINDS).optional().describe('how the history names the step; default bulk'),
    }),
    data: z.object({
      added: z.int(),
      edited: z.int(),
      deleted: z.int(),
      moved: z.int(),
      step_id: StepId,
      items: z.array(Point.nullable()).describe('the points as they are now, in request order; null for a deleted one'),
    }),
    errors: [404, 409, 507],
  }),
  undoPoints: operation({
    method: 'POST',
    path: '/api/points/undo',
    summary: 'Take back the last change of the points of a channel, exactly',
    description:
      'Points come back with the ids they had. A running task takes its new plan as after any edit. A move is taken back in both channels, when it is the ' +
      'last change of both.',
    tag: 'points',
    effect: 'repeatable',
    query: Nothing,
    body: StepRequest,
    data: PointStep,
    errors: [404, 409, 507],
  }),
  redoPoints: operation({
    method: 'POST',
    path: '/api/points/redo',
    summary: 'Do the change again that was undone last',
    description:
      'Only as long as nothing else was changed since. `step_id` names the step that is meant: where it is another one by now, the answer is 409 and nothing is done.',
    tag: 'points',
    effect: 'repeatable',
    query: Nothing,
    body: StepRequest,
    data: PointStep,
    errors: [404, 409, 507],
  }),
  pointHistory: operation({
    method: 'GET',
    path: '/api/points/history',
    summary: 'Changes of the points of a channel that the journal has, the latest first',
    description: 'Kept in the project, also over a restart. A new change forgets the steps of its channel that were undone.',
    tag: 'points',
    effect: 'query',
    query: z.object({ channel_id: queryInt(1, Number.MAX_SAFE_INTEGER) }),
    body: Nothing,
    data: PointHistory,
    errors: [404],
  }),
} as const;
