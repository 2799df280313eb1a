import { z } from 'zod';
import { ON_SERIAL } from './setting-meta.ts';

/** Format of a character on a serial line. */
export interface CharacterFormat {
  readonly dataBits: 7 | 8;
  readonly stopBits: 1 | 2;
  readonly parity: 'N' | 'E' | 'O';
}

/** Bits that an octet takes on a serial line, start bit included: 10 for 8N1, 11 for 8E1. */
export function bitsPerOctet({ dataBits, stopBits, parity }: CharacterFormat): number {
  return 1 + dataBits + (parity === 'N' ? 0 : 1) + stopBits;
}

/**
 * Settings in the `protocol` object of every channel on a serial port: the control lines, which some adapters take their power or the
 * direction of the line from.
 */
export const serialControlShape = {
  dtr_at_open: z.enum(['on', 'off']).default('on').describe('state of the DTR line while the port is open').meta(ON_SERIAL),
  rts_at_open: z.enum(['on', 'off']).default('on').describe('state of the RTS line while the port is open').meta(ON_SERIAL),
  rts_direction: z
    .enum(['none', 'high_to_send', 'low_to_send'])
    .default('none')
    .describe('RTS switches the RS-485 driver of the adapter; none for adapters that do it by themselves, as most do')
    .meta(ON_SERIAL),
};

const serialControl = z.object(serialControlShape);
export type SerialControlSettings = z.output<typeof serialControl>;

/** The control line settings out of a `protocol` object; what is missing or not valid is the default. */
export function serialControlOf(protocol: Readonly<Record<string, unknown>>): SerialControlSettings {
  const parsed = serialControl.safeParse(protocol);
  return parsed.success ? parsed.data : serialControl.parse({});
}
