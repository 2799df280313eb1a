import { z } from 'zod';
import { SERVICE_WARNINGS } from '../domain/service-warnings.ts';
import { RoleSchema } from './access.ts';
import { lineOfText, MessageParamsSchema, Nothing, Timestamp } from './common.ts';
import { type DownloadedFile, operation } from './operation.ts';

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
  project_session: z.string().describe('another one each time a project is opened; ids of channels and points hold within it only'),
  host: z.string(),
  port: z.int().nullable(),
  fingerprint: z.string().nullable().describe('SHA-256 of the certificate that HTTPS is answered with; null: HTTP'),
  read_only: z.boolean().describe('true by setting or by --read-only, and for who may only view'),
  caller: z
    .object({
      name: z.string().nullable().describe('of the access; null: the token of the start, the window, or this computer without a token'),
      role: RoleSchema,
    })
    .describe('who asks this'),
  timer_lateness_ms: z
    .number()
    .describe(
      'how late plain timers fire on this computer; precise waits (silent gaps, starts of rounds) turn the event loop for as long, see docs/guide/line.md',
    ),
  load: z.number().min(0).describe('processor time this service used since it was asked last, as a share of one core: 0.04 is 4 %'),
  warnings: z.array(ServiceWarning).describe('what is wrong with the files of the service now; empty when all is well'),
});
export type ServiceInfo = z.infer<typeof ServiceInfo>;

/** Settings that a project brings along. */
export const ProjectSettings = z.object({
  read_only: z.boolean().describe('refuse every write to a device; cannot be switched off while --read-only is set'),
  frame_log_bytes: z.int().min(65_536).max(268_435_456).describe('octets of frames kept a channel'),
  events_kept: z.int().min(1000).max(200_000).describe('events kept in memory, over all channels; the oldest give way'),
  audit_kept: z
    .int()
    .min(1000)
    .max(10_000_000)
    .describe('entries of the audit kept in the project file; the oldest give way, a smaller number deletes them'),
});
export type ProjectSettings = z.infer<typeof ProjectSettings>;

/** What can be set: what the project brings along, and what the data folder keeps for the next start. */
export const ServiceSettings = ProjectSettings.extend({
  port: z.int().min(1).max(65_535).describe('port of the next start, unless its command line names one; kept in the data folder'),
  update_place: z
    .string()
    .max(1000)
    .regex(...lineOfText)
    .describe(
      'where newer versions are looked for: the absolute path of a folder or of a notice, or an address (http, https); empty: nowhere, and nobody is asked; kept in the data folder',
    ),
});
export type ServiceSettings = z.infer<typeof ServiceSettings>;

/** The settings with what is told of the token and never given away. */
export const KnownSettings = ServiceSettings.extend({
  token_end: z
    .string()
    .nullable()
    .describe('last characters of the stored token that the next start asks for, unless its command line names one; null: none is stored'),
});
export type KnownSettings = z.infer<typeof KnownSettings>;

export const serviceOperations = {
  metrics: operation({
    method: 'GET',
    path: '/api/metrics',
    summary: 'Numbers of the service and its channels, for Prometheus',
    description:
      'Text format 0.0.4, from memory. Counters of a channel begin anew when it is started, those of the service when its project is opened. Where a token is set, Prometheus sends it by `authorization`. docs/guide/scripts.md lists the names.',
    tag: 'service',
    effect: 'query',
    query: Nothing,
    body: Nothing,
    data: z.custom<DownloadedFile>(),
    download: { mediaTypes: ['text/plain; version=0.0.4; charset=utf-8'], isShown: true },
  }),
  serviceInfo: operation({
    method: 'GET',
    path: '/api/service/info',
    summary: 'Name, version and address of this service',
    description:
      'The first thing a script asks. `project_session` changes with each project that is opened: sent as `x-project-session` it keeps a request from meeting another project. `warnings` are what somebody should see to.',
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
    description:
      'Answered first, done behind it: devices are left in order, what was recorded is written, the project is closed. The desktop program ends with it.',
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
    description: 'Those of the project file, and port and token of the next start. Of the token only its last characters.',
    tag: 'service',
    effect: 'query',
    query: Nothing,
    body: Nothing,
    data: KnownSettings,
  }),
  updateSettings: operation({
    method: 'PUT',
    path: '/api/service/settings',
    summary: 'Change settings of the service',
    description: 'All hold at once but `port`, which takes effect with the next start.',
    tag: 'service',
    effect: 'repeatable',
    example: { read_only: true },
    query: Nothing,
    body: ServiceSettings.partial(),
    data: KnownSettings,
    errors: [409, 507],
  }),
  makeToken: operation({
    method: 'POST',
    path: '/api/service/token',
    summary: 'Make a new access token for the next start; this answer is the only one that shows it',
    description:
      'It is kept in the data folder, readable by its owner only, in place of the one before. The service that runs goes on as it was started; a token ' +
      'of the command line or of LOOPCHECK_TOKEN comes first.',
    tag: 'service',
    effect: 'repeatable',
    query: Nothing,
    body: Nothing,
    data: z.object({ token: z.string() }),
    errors: [507],
  }),
  removeToken: operation({
    method: 'DELETE',
    path: '/api/service/token',
    summary: 'Forget the stored access token; the next start asks for none, unless its command line names one',
    description: 'Now nothing changes: this start goes on asking for the token that it began with.',
    tag: 'service',
    effect: 'repeatable',
    query: Nothing,
    body: Nothing,
    data: KnownSettings,
    errors: [507],
  }),
} as const;
