/** Settings of the channel's `protocol` object, and its secret. */

import { z } from 'zod';
import { QUALITY_FLAGS } from '#shared/domain/enums.ts';
import { forTypes, ON_CLIENT, ON_SERVER, TELLS_DEVICE } from '#shared/domain/setting-meta.ts';
import { say } from '#shared/messages/index.ts';
import { schemaWords } from '#shared/messages/schema-words.ts';
import { pointFieldsOf } from '../kit/point-fields.ts';
import { servedValue } from '../kit/served-value.ts';
import type { DriverChannelSettings } from '../spi/index.ts';
import { tlsFields } from '../spi/tls.ts';
import type { AssociationSettings } from './association/negotiation.ts';
import { CONTROL_OPTIONS } from './control/control-values.ts';
import type { OsiEndPoint } from './osi/establishment.ts';
import { SERVED_TYPES } from './server/served-types.ts';

/** From the standing line to the standing association. */
const ASSOCIATE_MS = 10_000;
const FRAGMENT_MS = 10_000;
const RELEASE_MS = 1000;

/** Functional constraints that clients of a served device write to; the values of setting groups are written as SE. */
export const WRITABLE_CONSTRAINTS = ['SP', 'SE', 'SV', 'CF', 'DC', 'BL'] as const;

/** What a form may keep out of the way: most devices take the defaults. */
const ASSOCIATION = { section: 'association' } as const;

/** Octets in hexadecimal: `0001` and `01` are two selectors. */
const selector = (most: number, fallback: string, text: string) =>
  z
    .string()
    .regex(/^(?:[0-9A-Fa-f]{2})*$/, { error: schemaWords(say('field.octets')) })
    .max(most * 2, { error: schemaWords(say('field.octets_most', { most })) })
    .default(fallback)
    .describe(`${text}, octets in hexadecimal; empty: left out`)
    .meta(ON_CLIENT)
    .meta(ASSOCIATION);

const apTitle = (fallback: string, text: string) =>
  z
    .string()
    .max(100)
    .regex(/^(?:[0-2](?:\.\d{1,9}){1,20})?$/, { error: schemaWords(say('field.object_identifier')) })
    .default(fallback)
    .describe(`${text}; empty: left out`)
    .meta(ON_CLIENT)
    .meta(ASSOCIATION);

const aeQualifier = (text: string) =>
  z.int().min(0).max(65_535).nullable().default(12).describe(`${text}; null: left out`).meta(ON_CLIENT).meta(ASSOCIATION);

const device = {
  ied_name: z.string().max(140).default('').describe('device of the SCL file; with several servers as IED/access point').meta(TELLS_DEVICE),
  learn_model: z
    .boolean()
    .default(true)
    .describe('learn the information model after each start, behind the running channel')
    .meta(ON_CLIENT),
  keep_alive_s: z
    .int()
    .min(0)
    .max(3600)
    .default(30)
    .describe('seconds without a request, then Status is asked; without an answer the connection is opened anew; 0: never')
    .meta(ON_CLIENT),
  command_termination_s: z
    .int()
    .min(1)
    .max(600)
    .default(30)
    .describe('seconds for the end of a command with enhanced security (CommandTermination)')
    .meta(ON_CLIENT),
  reports_at_start: z
    .array(
      z
        .string()
        .max(220)
        .regex(/^[^/\s]+\/(?:.+\[(?:RP|BR)\]|[^.$]+[.$](?:RP|BR)[.$].+)$/, {
          error: schemaWords(say('report.block_name')),
        }),
    )
    .max(200)
    .default([])
    .describe('report control blocks that are enabled as the device has them when the channel starts; a read-only channel enables none')
    .meta(ON_CLIENT),
  report_check_s: z
    .int()
    .min(0)
    .max(86_400)
    .default(0)
    .describe('seconds between two reads that reported values are compared with; the value of the read wins; 0: never')
    .meta(ON_CLIENT),
  request_timeout_s: z.int().min(1).max(600).default(20).describe('seconds for answers of many names, types and files').meta(ON_CLIENT),
};

const association = {
  max_pdu_size: z
    .int()
    .min(200)
    .max(1_000_000)
    .default(65_000)
    .describe('largest PDU that is offered, in octets; a smaller one can be faster')
    .meta(ASSOCIATION),
  max_outstanding: z.int().min(1).max(100).default(5).describe('requests that may wait for their answers at once').meta(ASSOCIATION),
  tpdu_size: z
    .literal([0, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536])
    .default(8192)
    .describe('size of the segments of the transport, in octets; 0: left out')
    .meta(ASSOCIATION),
};

const addresses = {
  remote_transport_selector: selector(32, '0001', 'transport selector (TSEL) of the device').meta(TELLS_DEVICE),
  remote_session_selector: selector(16, '0001', 'session selector (SSEL) of the device').meta(TELLS_DEVICE),
  remote_presentation_selector: selector(16, '00000001', 'presentation selector (PSEL) of the device').meta(TELLS_DEVICE),
  remote_ap_title: apTitle('1.1.1.999.1', 'AP title of the device'),
  remote_ae_qualifier: aeQualifier('AE qualifier of the device'),
  local_transport_selector: selector(32, '0001', 'own transport selector (TSEL)'),
  local_session_selector: selector(16, '0001', 'own session selector (SSEL)'),
  local_presentation_selector: selector(16, '00000001', 'own presentation selector (PSEL)'),
  local_ap_title: apTitle('1.1.1.999', 'own AP title'),
  local_ae_qualifier: aeQualifier('own AE qualifier'),
};

const simulation = {
  vendor: z.string().max(64).default('').describe('vendor that Identify answers; empty: as the file says').meta(ON_SERVER),
  model: z.string().max(64).default('').describe('model that Identify answers; empty: as the file says').meta(ON_SERVER),
  revision: z.string().max(64).default('').describe('revision that Identify answers; empty: as the file says').meta(ON_SERVER),
  max_clients: z.int().min(1).max(100).default(5).describe('clients at once; a further one is refused').meta(ON_SERVER),
  writable_constraints: z
    .array(z.enum(WRITABLE_CONSTRAINTS))
    .default([...WRITABLE_CONSTRAINTS])
    .describe('what clients may write beside controls, by functional constraint')
    .meta(ON_SERVER),
  execution_ms: z
    .int()
    .min(0)
    .max(600_000)
    .default(0)
    .describe('time from a command to the new position; a double point is intermediate meanwhile')
    .meta(ON_SERVER),
  select_timeout_s: z
    .int()
    .min(1)
    .max(3600)
    .default(30)
    .describe('seconds after which a selection ends where the model has no sboTimeout')
    .meta(ON_SERVER),
  refuse_reached_position: z
    .boolean()
    .default(true)
    .describe('a switch refuses a command to where it stands (additional cause 5)')
    .meta(ON_SERVER),
};

/** Settings in form order. Names end with their unit: `_s` seconds. */
export const channelSettings = z.object({ ...device, ...association, ...addresses, ...simulation, ...tlsFields });
export type Iec61850Settings = z.output<typeof channelSettings>;

/** Secrets of a channel. */
export const secretSettings = z.object({
  association_password: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('password of the association (ACSE); not set: without authentication'),
});

/** Options of a command beside those of the service. */
export const commandOptions = z.object({
  ...CONTROL_OPTIONS,
  flags: z.array(z.enum(QUALITY_FLAGS)).optional().describe('quality flags that are served with the value').meta(ON_SERVER),
});

/** What a served control does wrong on purpose. */
const CONTROL_FAULTS = ['select_refused', 'operate_refused', 'not_moved', 'not_terminated'] as const;

/** Settings of a point's `protocol` object. */
export const pointSettings = z.object({
  ...servedValue,
  served_type: z
    .enum(SERVED_TYPES)
    .optional()
    .describe(
      'basic type that the simulated device serves the attribute with where no file tells its model; left out: as its name suggests',
    )
    .meta({ ...ON_SERVER, ...forTypes('yc', 'yx') }),
  control_model: z
    .int()
    .min(0)
    .max(4)
    .optional()
    .describe('0 status only, 1 direct, 2 select before operate, 3 and 4 the same with enhanced security; left out: as the device says')
    .meta(forTypes('yk', 'yt')),
  control_fault: z
    .enum(CONTROL_FAULTS)
    .optional()
    .describe('what the served control does wrong: refuses, does not move and says so, never tells its end; left out: nothing')
    .meta({ ...ON_SERVER, ...forTypes('yk', 'yt') }),
  add_cause: z
    .int()
    .min(0)
    .max(27)
    .optional()
    .describe('additional cause (AddCause) of that fault; left out: 9 process, of what does not move 16 time limit')
    .meta({ ...ON_SERVER, ...forTypes('yk', 'yt') }),
  termination_delay_ms: z
    .int()
    .min(0)
    .max(600_000)
    .optional()
    .describe('the end of a command is told so much later than it came')
    .meta({ ...ON_SERVER, ...forTypes('yk', 'yt') }),
});

/** Contract names of the point fields that mean something to IEC 61850, by frame type, in form order. */
export const POINT_FIELDS = pointFieldsOf(['code', 'name', 'reference'], ['reverse']);

/** How a client associates, with the password of the channel's secrets. */
export function associationOf(
  { timeoutMs }: DriverChannelSettings,
  settings: Iec61850Settings,
  password: string | undefined,
): AssociationSettings {
  return {
    local: endPoint(settings, 'local'),
    remote: endPoint(settings, 'remote'),
    tpduSize: settings.tpdu_size === 0 ? null : settings.tpdu_size,
    associateTimeoutMs: Math.max(timeoutMs, ASSOCIATE_MS),
    releaseTimeoutMs: RELEASE_MS,
    fragmentTimeoutMs: FRAGMENT_MS,
    password: password ?? '',
    maxPduOctets: settings.max_pdu_size,
    maxOutstanding: settings.max_outstanding,
    requestTimeoutMs: timeoutMs,
    keepAliveMs: settings.keep_alive_s * 1000,
  };
}

function endPoint(settings: Iec61850Settings, side: 'local' | 'remote'): OsiEndPoint {
  return {
    transportSelector: octets(settings[`${side}_transport_selector`]),
    sessionSelector: octets(settings[`${side}_session_selector`]),
    presentationSelector: octets(settings[`${side}_presentation_selector`]),
    apTitle: settings[`${side}_ap_title`] || null,
    aeQualifier: settings[`${side}_ae_qualifier`],
  };
}

function octets(hex: string): Uint8Array | null {
  return hex === '' ? null : Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
