import { z } from 'zod';
import { type Notation, PLAIN_NOTATION } from '#shared/domain/notation.ts';
import { ON_SERVER } from '#shared/domain/setting-meta.ts';
import { startValue } from '../kit/start-value.ts';
import type { Identity } from './server/server-answers.ts';

/** An identification object is ASCII text, and all three have to fit into one answer. */
const identityText = z
  .string()
  .min(1)
  .max(60)
  .regex(/^[\x20-\x7e]*$/, 'Printable ASCII characters only.');

/** Settings of the channel's `protocol` object; they mean something on a server channel. */
export const channelSettings = z.object({
  unknown_unit: z
    .enum(['silent', 'exception'])
    .default('silent')
    .describe('a request to a unit id without a point gets no answer, or exception 11')
    .meta(ON_SERVER),
  vendor_name: identityText.default('Loopcheck').describe('vendor name in the device identification (function 43/14)').meta(ON_SERVER),
  product_code: identityText.default('Modbus server').describe('product code in the device identification').meta(ON_SERVER),
  revision: identityText.default('1.0').describe('revision in the device identification').meta(ON_SERVER),
});
export type ServerSettings = z.output<typeof channelSettings>;

/** The basic identification objects: 0 vendor name, 1 product code, 2 revision (V1.1b3, 6.21). */
export function serverIdentity(settings: ServerSettings): Identity {
  const encoder = new TextEncoder();
  return [settings.vendor_name, settings.product_code, settings.revision].map((text, id) => ({ id, value: encoder.encode(text) }));
}

/** Registers by their number; files have them in hexadecimal. */
export const modbusNotation: Notation = { ...PLAIN_NOTATION, address: { ...PLAIN_NOTATION.address, files: 'hexadecimal' } };

/** Settings of a point's `protocol` object. */
export const pointSettings = z.object({
  ...startValue,
  enum_texts: z
    .record(z.string().regex(/^-?\d+$/, 'The name of each text has to be a whole number.'), z.string().max(100))
    .optional()
    .describe('texts of single values, shown in place of the number: {"0": "open", "1": "closed"}'),
});
