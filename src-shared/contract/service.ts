import { z } from 'zod';
import { SERVICE_WARNINGS } from '../domain/service-warnings.ts';
import { MessageParamsSchema, Nothing, Timestamp } from './common.ts';
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
} as const;
