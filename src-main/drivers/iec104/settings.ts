/** Settings of the channel's `protocol` object. */

import { z } from 'zod';
import { type FieldIssue, fieldIssue } from '#shared/domain/errors.ts';
import { ON_CLIENT, ON_SERVER, type SettingMeta, TELLS_DEVICE } from '#shared/domain/setting-meta.ts';
import { say } from '#shared/messages/index.ts';
import { schemaWords } from '#shared/messages/schema-words.ts';
import { tlsFields } from '../spi/tls.ts';
import { type AsduSizes, STANDARD_SIZES } from './codec/sizes.ts';
import type { LinkLimits } from './link/link-types.ts';
import type { TimeRules } from './time.ts';
import { type TimeZone, timeZone } from './time-zone.ts';

const MAX_K = 32_767;
/** Longest period that can be set: a day. */
const MAX_PERIOD_S = 86_400;

const LINK = { section: 'link' } as const satisfies SettingMeta;
const SIZES = { section: 'sizes', ...TELLS_DEVICE } as const satisfies SettingMeta;
const TIME = { section: 'time' } as const satisfies SettingMeta;

const window = (fallback: number, text: string) => z.int().min(1).max(MAX_K).default(fallback).describe(text).meta(LINK);
const seconds = (fallback: number, most: number, text: string) => z.int().min(1).max(most).default(fallback).describe(text);
const period = (text: string) => z.int().min(0).max(MAX_PERIOD_S).default(0).describe(`${text}; 0: never`);

const link = {
  k: window(12, 'most I frames sent and not acknowledged'),
  w: window(8, 'received I frames after which an acknowledgement is sent at the latest; at most two thirds of the k of the other side'),
  t0_s: seconds(30, 255, 'seconds for the connection request').meta({ ...ON_CLIENT, ...LINK }),
  t1_s: seconds(15, 255, 'seconds to an acknowledgement or confirmation; then the connection is closed').meta(LINK),
  t2_s: seconds(10, 255, 'seconds after which received I frames are acknowledged; less than t1 of both sides').meta(LINK),
  t3_s: seconds(20, 172_800, 'seconds of silence after which a test frame is sent').meta(LINK),
};

const sizes = {
  cause_size: z.literal([1, 2]).default(2).describe('octets of the cause of transmission; 2 has the originator address').meta(SIZES),
  common_address_size: z.literal([1, 2]).default(2).describe('octets of the common address').meta(SIZES),
  object_address_size: z.literal([1, 2, 3]).default(3).describe('octets of the object address').meta(SIZES),
};

const time = {
  time_zone: z
    .string()
    .default('local')
    .refine(isZone, { error: schemaWords(say('iec104.zone')) })
    .describe('zone of the time tags: local (of this computer), UTC, +08:00, Asia/Shanghai')
    .meta(TIME),
  summer_time: z
    .enum(['zone', 'bit'])
    .default('zone')
    .describe('zone: tags follow the clock of the zone, whatever bit SU says; bit: SU decides between standard and summer time')
    .meta(TIME),
};

const client = {
  originator_address: z.int().min(0).max(255).default(0).describe('originator address of requests; 0: not used').meta(ON_CLIENT),
  general_interrogation: z
    .boolean()
    .default(true)
    .describe('interrogate each common address once after the start and each reconnect')
    .meta(ON_CLIENT),
  clock_synchronization: z
    .boolean()
    .default(false)
    .describe('set the clock of the station after the start and each reconnect')
    .meta(ON_CLIENT),
  counter_interrogation: z
    .boolean()
    .default(false)
    .describe('read the integrated totals after the start, without freezing them')
    .meta(ON_CLIENT),
  general_interrogation_s: period('seconds between two interrogations').meta({ ...ON_CLIENT, proposed: 900 }),
  clock_synchronization_s: period('seconds between two clock synchronizations').meta({ ...ON_CLIENT, proposed: 3600 }),
  counter_interrogation_s: period('seconds between two readings of the integrated totals').meta({ ...ON_CLIENT, proposed: 900 }),
  termination_timeout_s: seconds(10, 3600, 'seconds to the next message of an interrogation, or to the termination of a command').meta(
    ON_CLIENT,
  ),
  double_transmission: z
    .boolean()
    .default(false)
    .describe('the station sends each change without and with time tag; only the one with the time enters the event log')
    .meta(ON_CLIENT),
};

const station = {
  clients: z
    .enum(['separate', 'one_group', 'by_address'])
    .default('separate')
    .describe('each connection is a master of its own; all are one redundancy group; a redundancy group for each address')
    .meta(ON_SERVER),
  event_buffer: z.int().min(10).max(1_000_000).default(10_000).describe('events kept for a group while nobody takes them').meta(ON_SERVER),
  buffer_from_start: z
    .boolean()
    .default(false)
    .describe(
      'keep events from the start of the station on, the first value of each object among them; false: a group gets events from its first STARTDT on',
    )
    .meta(ON_SERVER),
  change_time: z
    .enum(['with_time', 'without_time', 'both_times'])
    .default('with_time')
    .describe('a change is sent with time tag, without, or first without and then with')
    .meta(ON_SERVER),
  cyclic_s: period('seconds between two cyclic transmissions of all YC').meta({ ...ON_SERVER, proposed: 10 }),
  background_s: period('seconds between two background scans of all points').meta({ ...ON_SERVER, proposed: 600 }),
  end_of_initialization: z.boolean().default(true).describe('tell each client of the start of the station').meta(ON_SERVER),
  select_timeout_s: seconds(30, 3600, 'seconds after which a selection ends').meta(ON_SERVER),
  execution_ms: z.int().min(0).max(600_000).default(0).describe('time a command takes').meta(ON_SERVER),
  reaction_ms: z.int().min(0).max(600_000).default(500).describe('time after which the related point follows a command').meta(ON_SERVER),
  setpoint_termination: z.boolean().default(true).describe('set points are terminated as well').meta(ON_SERVER),
  command_age_s: z
    .int()
    .min(0)
    .max(3600)
    .default(0)
    .describe('refuse commands with a time tag that is older; 0: accept any')
    .meta(ON_SERVER),
};

/** Settings in form order. Names end with their unit: `_s` seconds, `_ms` milliseconds. */
export const channelSettings = z
  .object({ ...client, ...station, ...time, ...link, ...sizes, ...tlsFields })
  .refine((all) => all.t2_s < all.t1_s, { path: ['t2_s'], error: schemaWords(say('iec104.t2_less')) });
export type Iec104Settings = z.output<typeof channelSettings>;

/** True when this side acknowledges so seldom that the window of the other one, if it is like its own, fills before (IEC 60870-5-104, 5.5: w ≤ 2/3 k). */
export function isWindowWide({ k, w }: Pick<Iec104Settings, 'k' | 'w'>): boolean {
  return w > Math.max(1, Math.floor((k * 2) / 3));
}

/** Warns of a window that is too wide, for settings that passed. */
export function windowWarnings(protocol: Readonly<Record<string, unknown>>): readonly FieldIssue[] {
  const settings = channelSettings.parse(protocol);
  if (!isWindowWide(settings)) return [];
  const { k, w } = settings;
  const most = Math.max(1, Math.floor((k * 2) / 3));
  return [fieldIssue('w', say('iec104.window_wide', { k, w, most }))];
}

/** Window and timers in the units of the link. */
export function linkLimits(settings: Iec104Settings): LinkLimits {
  const { k, w } = settings;
  return { k, w, t1Ms: settings.t1_s * 1000, t2Ms: settings.t2_s * 1000, t3Ms: settings.t3_s * 1000 };
}

/** Sizes in the shape of the codec. */
export function asduSizes(settings: Pick<Iec104Settings, keyof typeof sizes>): AsduSizes {
  return {
    cause: settings.cause_size,
    commonAddress: settings.common_address_size,
    objectAddress: settings.object_address_size,
  };
}

const sizeSettings = z.object(sizes);

/** The same of settings as they are stored; those of the standard where they are not right. Quick enough to be asked for each point and frame. */
export function storedSizes({ protocol }: { readonly protocol: Readonly<Record<string, unknown>> }): AsduSizes {
  const parsed = sizeSettings.safeParse(protocol);
  return parsed.success ? asduSizes(parsed.data) : STANDARD_SIZES;
}

/** How time tags of the channel are read and written. */
export function timeRules(settings: Iec104Settings): TimeRules {
  return { zone: zoneOf(settings.time_zone), summerTime: settings.summer_time };
}

function zoneOf(name: string): TimeZone {
  return timeZone(name === 'local' ? Intl.DateTimeFormat().resolvedOptions().timeZone : name);
}

function isZone(name: string): boolean {
  if (name === 'local') return true;
  try {
    zoneOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Options of a command beside those of the service. */
export const commandOptions = z.object({
  flags: z
    .array(z.enum(['IV', 'NT', 'SB', 'BL', 'OV']))
    .optional()
    .describe('quality letters that are served with the value')
    .meta(ON_SERVER),
  qualifier: z
    .int()
    .min(0)
    .max(127)
    .optional()
    .describe("qualifier of this command instead of the point's: QU 0 to 31, QL 0 to 127")
    .meta(ON_CLIENT),
});
