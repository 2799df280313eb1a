import { z } from 'zod';
import { isSerial } from '#shared/domain/enums.ts';
import { serialControlShape } from '#shared/domain/serial.ts';
import { ON_CLIENT, ON_SERIAL, ON_SERVER } from '#shared/domain/setting-meta.ts';
import { listenSettings, tellingRequests } from '../../kit/settings.ts';
import type { DriverChannelSettings } from '../../spi/index.ts';
import { channelSettings } from '../settings.ts';
import { asciiFraming } from './ascii.ts';
import { rtuFraming } from './framing.ts';
import type { LineFraming } from './line-framing.ts';
import type { EchoState } from './local-echo.ts';
import { type RtuTiming, serialTiming, socketTiming } from './timing.ts';

/** Settings of the channel's `protocol` object for RTU frames, over a serial port or TCP. */
export const rtuChannelSettings = z.object({
  ...listenSettings,
  ...serialControlShape,
  local_echo: z
    .enum(['auto', 'on', 'off'])
    .default('auto')
    .describe('two-wire adapters return what is sent; auto finds out whether this one does')
    .meta(ON_SERIAL),
  framing: z
    .enum(['rtu', 'ascii'])
    .default('rtu')
    .describe('how frames are written: octets with a CRC, or hexadecimal characters between a colon and CR LF'),
  telling_requests: tellingRequests,
  broadcast: z
    .enum(['off', 'on'])
    .default('off')
    .describe('commands to slave address 0 go to all slaves, none of which answers')
    .meta(ON_CLIENT),
  broadcast_pause_ms: z
    .int()
    .min(0)
    .max(10_000)
    .default(100)
    .describe('pause behind a broadcast, in which the slaves carry it out')
    .meta(ON_CLIENT),
  ...channelSettings.shape,
  unknown_unit: channelSettings.shape.unknown_unit
    .describe('over TCP, a request to a unit id without a point gets no answer, or exception 11; a serial line belongs to others as well')
    .meta(ON_SERVER),
});
export type RtuChannelSettings = z.output<typeof rtuChannelSettings>;

/** The framing that the `protocol` object of a channel names; RTU where it does not. */
export function framingOf({ framing }: Readonly<Record<string, unknown>>): LineFraming {
  return framing === 'ascii' ? asciiFraming : rtuFraming;
}

/** The times of the line a channel has. */
export function timingOf(settings: DriverChannelSettings, framing: LineFraming): RtuTiming {
  return isSerial(settings.connType) ? serialTiming(settings, framing) : socketTiming(settings.timeoutMs);
}

/** What the channel says about the local echo. */
export function echoOf({ local_echo }: Pick<RtuChannelSettings, 'local_echo'>): EchoState {
  return local_echo === 'auto' ? 'unknown' : local_echo === 'on' ? 'yes' : 'no';
}
