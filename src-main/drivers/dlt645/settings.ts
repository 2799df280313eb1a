import { z } from 'zod';
import { serialControlShape } from '#shared/domain/serial.ts';
import { forTypes, ON_CLIENT, ON_SERVER } from '#shared/domain/setting-meta.ts';
import { servedValue } from '../kit/served-value.ts';
import { listenSettings, tellingRequests } from '../kit/settings.ts';
import { RELAY_KINDS } from './client/relay.ts';

/** Settings of the channel's `protocol` object. */
export const channelSettings = z.object({
  ...listenSettings,
  ...serialControlShape,
  preambles: z.int().min(0).max(4).default(4).describe('FE octets in front of every frame that is sent; they wake the receiver of a meter'),
  telling_requests: tellingRequests,
  use_blocks: z
    .boolean()
    .default(true)
    .describe('several items of a meter are read with the block identifier (FF) where the meter has it')
    .meta(ON_CLIENT),
  response_delay_ms: z.int().min(0).max(10_000).default(20).describe('time from a request to its answer, in milliseconds').meta(ON_SERVER),
  follow_up_octets: z
    .int()
    .min(20)
    .max(195)
    .default(195)
    .describe('data octets of one frame; longer answers go out in follow-up frames')
    .meta(ON_SERVER),
  utc_offset_min: z.int().min(-720).max(840).default(480).describe('local time of the meters, in minutes from UTC'),
});
export type ChannelSettings = z.output<typeof channelSettings>;

/** Options of a command beside those of the service. */
export const commandOptions = z.object({
  level: z
    .int()
    .min(0)
    .max(9)
    .optional()
    .describe('level of the password; left out: 04 for parameters, 02 for the relay, or the next smaller one that is set'),
  valid_minutes: z
    .int()
    .min(1)
    .max(1440)
    .optional()
    .describe('how long the command may be carried out, from now; 5 where left out')
    .meta(forTypes('yk')),
});

/** Settings of a point's `protocol` object. */
export const pointSettings = z.object({
  ...servedValue,
  edition: z.literal([2007, 1997]).optional().describe('edition of the standard the meter speaks: 2007 (default) or 1997'),
  format: z
    .string()
    .trim()
    .max(100)
    .optional()
    .describe(
      'format of the item where the dictionary has none or another: XXXXXX.XX, -XX.XXXX with a sign, XX.XXXX+YYMMDDhhmm, BIT16, ASCII, record',
    )
    .meta(forTypes('yc', 'yx', 'yt')),
  meter_address: z
    .string()
    .trim()
    .max(20)
    .optional()
    .describe(
      'meter number as text of 12 digits, the same as slave_id; AA from the high end leaves pairs open: AAAAAAAAAAAA is the only meter',
    ),
  record_blocks: z
    .int()
    .min(1)
    .max(9)
    .optional()
    .describe('load records (06xxxxxx), how many blocks are asked for; left out: the request does not say')
    .meta(forTypes('yc', 'yx')),
  record_time: z
    .string()
    .trim()
    .max(20)
    .optional()
    .describe('load records at a given time (06xx0001), local time of the meter, 2026-03-05T14:30')
    .meta(forTypes('yc', 'yx')),
  element: z
    .int()
    .min(1)
    .max(255)
    .optional()
    .describe('which element of a block or a table of several, from 1 (default)')
    .meta(forTypes('yc', 'yx', 'yt')),
  relay: z
    .enum(RELAY_KINDS)
    .optional()
    .describe('what 1 and 0 are, close and trip (switch, default), permit to close and trip, alarm on and off, keep the power on and not')
    .meta(forTypes('yk')),
});
