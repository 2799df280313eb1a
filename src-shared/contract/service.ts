import { z } from 'zod';
import { SERVICE_WARNINGS } from '../domain/service-warnings.ts';
import { lineOfText, MessageParamsSchema, Nothing, Timestamp } from './common.ts';
import { operation } from './operation.ts';

export const ServiceWarning = z.object({
  code: z.enum(SERVICE_WARNINGS).describe('stable word'),
  params: MessageParamsSchema,
  message: z.string().describe('what is wrong, and what to do'),
});
export type ServiceWarning = z.infer<typeof ServiceWarning>;

export const ServiceInfo = z.object({
  name: z.literal('Loopcheck'),
  version: z.string(),
  pid: z.int(),
  started_at: Timestamp,
  host: z.string(),
  port: z.int().nullable(),
  read_only: z.boolean().describe('true by setting or by --read-only'),
  timer_lateness_ms: z
    .number()
    .describe(
      'how late plain timers fire on this computer; precise waits (silent gaps, starts of rounds) turn the event loop for as long, see docs/guide/line.md',
    ),
  warnings: z.array(ServiceWarning).describe('what is wrong with the files of the service now; empty when all is well'),
});
export type ServiceInfo = z.infer<typeof ServiceInfo>;

/** Settings of the service, kept in the project file. */
export const ServiceSettings = z.object({
  read_only: z.boolean().describe('refuse every write to a device; cannot be switched off while --read-only is set'),
  frame_log_bytes: z.int().min(65_536).max(268_435_456).describe('octets of frames kept a channel'),
});
export type ServiceSettings = z.infer<typeof ServiceSettings>;

export const ProjectInfo = z.object({
  path: z.string(),
  name: z.string().describe('file name without its ending'),
  schema_version: z.int(),
  size_bytes: z.int(),
  channels: z.int(),
  points: z.int(),
});
export type ProjectInfo = z.infer<typeof ProjectInfo>;

const projectPath = z
  .string()
  .trim()
  .min(1)
  .max(4096)
  .regex(...lineOfText)
  .describe('absolute path of a .loopcheck file on the computer the service runs on');

export const serviceOperations = {
  serviceInfo: operation({
    method: 'GET',
    path: '/api/service/info',
    summary: 'Name, version and address of this service',
    tag: 'service',
    effect: 'query',
    query: Nothing,
    body: Nothing,
    data: ServiceInfo,
  }),
  stopService: operation({
    method: 'POST',
    path: '/api/service/stop',
    summary: 'Stop the service: tasks, channels, store, listener, in this order',
    tag: 'service',
    effect: 'repeatable',
    line: true,
    query: Nothing,
    body: Nothing,
    data: z.object({ stopping: z.literal(true) }),
  }),
  getSettings: operation({
    method: 'GET',
    path: '/api/service/settings',
    summary: 'Settings of the service',
    tag: 'service',
    effect: 'query',
    query: Nothing,
    body: Nothing,
    data: ServiceSettings,
  }),
  updateSettings: operation({
    method: 'PUT',
    path: '/api/service/settings',
    summary: 'Change settings of the service',
    tag: 'service',
    effect: 'repeatable',
    query: Nothing,
    body: ServiceSettings.partial(),
    data: ServiceSettings,
    errors: [409, 507],
  }),
  projectInfo: operation({
    method: 'GET',
    path: '/api/project/info',
    summary: 'The open project file',
    tag: 'project',
    effect: 'query',
    query: Nothing,
    body: Nothing,
    data: ProjectInfo,
  }),
  openProject: operation({
    method: 'POST',
    path: '/api/project/open',
    summary: 'Stop everything and continue with another project file',
    description:
      'The file is checked and locked before the present project is closed; a refusal (newer, locked, damaged, not a project) changes nothing.',
    tag: 'project',
    effect: 'repeatable',
    line: true,
    query: Nothing,
    body: z.object({ path: projectPath, create: z.boolean().default(false).describe('make a new project when there is no file') }),
    data: ProjectInfo,
    errors: [404, 409, 507],
  }),
  backupProject: operation({
    method: 'POST',
    path: '/api/project/backup',
    summary: 'Write a consistent copy of the open project to a new file',
    description: 'Works also when the open file was deleted, renamed or moved; a copy that would be damaged is refused.',
    tag: 'project',
    effect: 'repeatable',
    query: Nothing,
    body: z.object({ path: projectPath }),
    data: z.object({ path: z.string(), size_bytes: z.int() }),
    errors: [409, 507],
  }),
} as const;
