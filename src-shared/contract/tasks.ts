import { z } from 'zod';
import { READ_MODES, TASK_STATES } from '../domain/enums.ts';
import { FrameTypeSchema, Id, MessageSchema, Nothing, Timestamp } from './common.ts';
import { operation } from './operation.ts';

const octet = z.int().min(0).max(255).nullable();

const fields = {
  mode: z.enum(READ_MODES).default('batch'),
  cycle_interval_ms: z.int().min(100).max(3_600_000).default(1000).describe('between the starts of two rounds'),
  request_interval_ms: z
    .int()
    .min(0)
    .max(3_600_000)
    .default(0)
    .describe('pause between points (single) or requests (batch), not after the last'),
  slave_id: z.int().min(0).max(999_999_999_999).nullable().default(null).describe("the point's slave_id"),
  channel_id: Id.nullable().default(null).describe("must be this device's channel"),
  category: z.string().default('').describe('equal to the category of the point; empty means all'),
  item: z.string().default('').describe('equal to the item of the point, or the one data set of mode dataset; empty means all'),
  point_types: z.array(FrameTypeSchema).default([]).describe('frame types; empty means all that can be read'),
  dlt645_prefix: octet.default(null).describe('highest byte (DI3) of the data identifier'),
  dlt645_settlement: octet.default(null).describe('lowest byte (DI0) of the data identifier'),
};

const points = z
  .array(z.object({ frame_type: FrameTypeSchema, id: Id }))
  .min(1)
  .max(100_000)
  .optional()
  .describe('manual reads only: of the points that pass the other filters, these; an unknown one is a 404. Left out: all');

/** Configuration of a read task (service document 2.3) after defaults. An immutable snapshot while the task runs. */
export const ReadTaskConfig = z.object({ ...fields, points });
export type ReadTaskConfig = z.output<typeof ReadTaskConfig>;

/** Status of a read task (service document 2.4); atomic: success + fail = current, except while a group is under way. */
export const TaskSnapshot = z.object({
  state: z.enum(TASK_STATES),
  task_id: z.guid().describe('nil UUID before a first task'),
  mode: z.enum(READ_MODES),
  config: ReadTaskConfig,
  started_at: Timestamp.nullable(),
  last_cycle_at: Timestamp.nullable().describe('end of the last completed round'),
  cycle_count: z.int().describe('completed rounds'),
  current: z.int().describe('items done in the current round: points, or data sets in mode dataset'),
  total: z.int(),
  success: z.int(),
  fail: z.int(),
  last_error: z.string().nullable(),
  last_error_info: MessageSchema.optional(),
  predicted_cycle_ms: z
    .number()
    .optional()
    .describe('time a round needs on the line by the numbers of the line, where it is slow enough to matter; known before the first round'),
  last_cycle_ms: z.number().optional().describe('time the last completed round took, from its first request to its end'),
});
export type TaskSnapshot = z.output<typeof TaskSnapshot>;

const device = z.object({ device_name: z.string().min(1).describe("the channel's name") });
const startBody = device.extend(fields);

function taskOperation(path: string, summary: string, errors: readonly (404 | 409)[], description: string) {
  return { method: 'POST' as const, path, summary, description, tag: 'tasks' as const, query: Nothing, data: TaskSnapshot, errors };
}

/** A task in an overview: without the points that a manual read names, of which there may be many. */
export const TaskSummary = TaskSnapshot.extend({ config: ReadTaskConfig.omit({ points: true }) });
export type TaskSummary = z.output<typeof TaskSummary>;

/** Both read tasks of one channel, as they stand. */
export const ChannelTasks = z.object({ channel_id: Id, auto: TaskSummary, manual: TaskSummary });
export type ChannelTasks = z.output<typeof ChannelTasks>;

export const taskOperations = {
  listTasks: operation({
    method: 'GET',
    path: '/api/devices/tasks',
    summary: 'Both read tasks of every channel',
    description: 'From memory, no protocol I/O. For an overview of all that is read; one device is followed by its own status.',
    tag: 'tasks',
    effect: 'query',
    query: Nothing,
    body: Nothing,
    data: z.array(ChannelTasks),
  }),
  startAutoRead: operation({
    effect: 'repeatable',
    role: 'operate',
    line: true,
    ...taskOperation(
      '/api/devices/start-auto-read',
      'Start the automatic read task of a device',
      [404, 409],
      'Answers at once; reading runs in the background. The same configuration as the running task answers its status; another one is a 409.',
    ),
    body: startBody,
  }),
  autoReadStatus: operation({
    effect: 'query',
    ...taskOperation('/api/devices/auto-read-status', 'Status of the automatic read task', [404], 'From memory, no protocol I/O.'),
    body: device,
  }),
  stopAutoRead: operation({
    effect: 'repeatable',
    role: 'operate',
    ...taskOperation(
      '/api/devices/stop-auto-read',
      'Stop the automatic read task',
      [404],
      'Waits up to 1 s for the task to exit, then answers its state.',
    ),
    body: device,
  }),
  manualRead: operation({
    effect: 'repeatable',
    role: 'operate',
    line: true,
    ...taskOperation(
      '/api/devices/manual-read',
      'Read one round in the background',
      [404, 409],
      'Takes the fields of start-auto-read, where cycle_interval_ms is checked and not used, and `points`. Refused while an automatic task runs.',
    ),
    body: startBody.extend({ points }),
  }),
  manualReadStatus: operation({
    effect: 'query',
    ...taskOperation('/api/devices/manual-read-status', 'Progress of the manual read', [404], 'From memory; poll about every 200 ms.'),
    body: device,
  }),
  stopManualRead: operation({
    effect: 'repeatable',
    role: 'operate',
    ...taskOperation(
      '/api/devices/stop-manual-read',
      'Cancel the manual read',
      [404],
      'The state stays `stopping` until a request under way has ended.',
    ),
    body: device,
  }),
} as const;
