import { z } from 'zod';
import { type Notation, PLAIN_NOTATION } from '#shared/domain/notation.ts';
import { KIND_NAMES, MOST_REGISTERS } from '#shared/domain/registers.ts';
import { forTypes, ON_CLIENT, ON_SERVER, onlyWith } from '#shared/domain/setting-meta.ts';
import { servedValue } from '../kit/served-value.ts';
import type { DriverChannelSettings } from '../spi/index.ts';
import { TEXT_ENCODINGS } from './registers/words.ts';
import type { Identity } from './server/identity.ts';

/** An identification object is ASCII text, and all three have to fit into one answer. */
const identityText = z
  .string()
  .min(1)
  .max(60)
  .regex(/^[\x20-\x7e]*$/, 'Printable ASCII characters only.');

/** Settings of the channel's `protocol` object on a server channel, whatever its framing. */
export const channelSettings = z.object({
  unknown_unit: z
    .enum(['silent', 'exception'])
    .default('silent')
    .describe('a request to a unit id without a point gets no answer, or exception 11')
    .meta(ON_SERVER),
  vendor_name: identityText.default('Loopcheck').describe('vendor name in the device identification (function 43/14)').meta(ON_SERVER),
  product_code: identityText.default('Modbus server').describe('product code in the device identification').meta(ON_SERVER),
  revision: identityText.default('1.0').describe('revision in the device identification').meta(ON_SERVER),
  files: z
    .int()
    .min(0)
    .max(16)
    .default(4)
    .describe('files of 10000 records each that functions 20 and 21 find, numbered from 1')
    .meta(ON_SERVER),
});
export type ServerSettings = z.output<typeof channelSettings>;

/** Settings of a channel of Modbus TCP. */
export const tcpChannelSettings = z.object({
  transport: z
    .enum(['tcp', 'udp'])
    .default('tcp')
    .describe('what carries the frames: a TCP connection, or UDP, where each datagram is one frame and nothing tells that one was lost'),
  outstanding: z
    .int()
    .min(1)
    .max(16)
    .default(1)
    .describe('requests that are sent before the answer to the first one is there; gateways to serial lines seldom bear more than 1')
    .meta(ON_CLIENT),
  ...channelSettings.shape,
});

/** Requests that a connection keeps outstanding: a pause between requests leaves one. */
export function windowOf({ requestGapMs, protocol }: Pick<DriverChannelSettings, 'requestGapMs' | 'protocol'>): number {
  return requestGapMs ? 1 : tcpChannelSettings.parse(protocol).outstanding;
}

/** True where the `protocol` object of a channel of Modbus TCP says that frames go in datagrams. */
export function isDatagram({ transport }: Readonly<Record<string, unknown>>): boolean {
  return transport === 'udp';
}

/** The basic identification objects: 0 vendor name, 1 product code, 2 revision (V1.1b3, 6.21). */
export function serverIdentity(settings: ServerSettings): Identity {
  const encoder = new TextEncoder();
  return [settings.vendor_name, settings.product_code, settings.revision].map((text, id) => ({ id, value: encoder.encode(text) }));
}

/** Registers by their number; files have them in hexadecimal. */
export const modbusNotation: Notation = {
  ...PLAIN_NOTATION,
  address: { ...PLAIN_NOTATION.address, files: 'hexadecimal' },
  // six digits at most: the room is for the names
  columns: { address: 70 },
};

const texts = (about: string) =>
  z
    .record(z.string().regex(/^-?\d+$/, 'The name of each text has to be a whole number.'), z.string().max(100))
    .optional()
    .describe(about);

/** Settings of a point's `protocol` object. */
export const pointSettings = z.object({
  ...servedValue,
  kind: z
    .enum(KIND_NAMES)
    .optional()
    .describe('what the registers hold, in the order of the octets that decode says; left out: the number of the decode code')
    .meta(forTypes('yc', 'yt')),
  registers: z
    .int()
    .min(1)
    .max(MOST_REGISTERS)
    .optional()
    .describe('registers of the value; left out: those of the decode code or of the kind. 3 with an integer: 48 bits'),
  encoding: z
    .enum(TEXT_ENCODINGS)
    .optional()
    .describe('characters of a text: ascii (default), gb18030 with GBK and GB 2312 in it, or utf8')
    .meta({ ...forTypes('yc'), ...onlyWith('kind', 'text') }),
  width: z.int().min(2).max(32).optional().describe('a field of so many bits, from the bit of the point on; left out: one bit'),
  scale_address: z
    .int()
    .min(0)
    .max(131_070)
    .optional()
    .describe('address of the register with the power of ten of the value, -10 to 10 (SunSpec sunssf), of the same slave and function')
    .meta(forTypes('yc', 'yt')),
  absent: z
    .string()
    .regex(/^0x(?:[0-9A-Fa-f]{2}){1,16}$/, 'Octets of the value in hexadecimal, the highest first: 0x8000.')
    .optional()
    .describe('the value that stands for "not implemented", its octets in hexadecimal, the highest first: 0x8000; of a text 0x00')
    .meta(forTypes('yc', 'yt')),
  enum_texts: texts('texts of single values, shown in place of the number: {"0": "open", "1": "closed"}'),
  bit_texts: texts('texts of the bits of the value, of which those are shown that are 1: {"0": "ground fault", "3": "fan"}'),
});
export type RegisterSettings = z.output<typeof pointSettings>;
