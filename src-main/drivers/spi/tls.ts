/** Settings of an encrypted connection, for drivers whose protocol has one. */

import { z } from 'zod';
import { ON_CLIENT } from '#shared/domain/setting-meta.ts';
import { say } from '#shared/messages/index.ts';
import { schemaWords } from '#shared/messages/schema-words.ts';
import type { TlsSettings } from '../../transport/types.ts';

const MAX_PATH = 4096;
const MAX_PEM = 65_536;

/** A key in a project file would travel with it; a path stays where the key is. */
const hasNoKey = (text: string) => !text.includes('PRIVATE KEY-----');
const certificates = z
  .string()
  .max(MAX_PEM)
  .refine(hasNoKey, { error: schemaWords(say('field.no_key')) });

/** What a form may keep out of the way. */
const SECTION = { section: 'tls' } as const;

/** Fields of a channel's `protocol` object, to be spread into the schema of a driver. Each end has the same ones. */
export const tlsFields = {
  tls: z.boolean().default(false).describe('encrypt the connection (IEC 62351-3)').meta(SECTION),
  tls_certificate: certificates.default('').describe('own certificate with its chain: path of a PEM file, or the PEM text').meta(SECTION),
  tls_key: z
    .string()
    .max(MAX_PATH)
    .refine((text) => !text.includes('-----BEGIN'), { error: schemaWords(say('field.key_path')) })
    .default('')
    .describe('key of the own certificate: path of a PEM file without a password')
    .meta(SECTION),
  tls_ca: certificates
    .default('')
    .describe('certificates that are trusted: path of a PEM file, or the PEM text; empty: those of the system')
    .meta(SECTION),
  tls_verify: z.boolean().default(true).describe('refuse a peer whose certificate is not trusted; a server asks for one').meta(SECTION),
  tls_server_name: z
    .string()
    .max(255)
    .default('')
    .describe('name the certificate of the station must have; empty: its address')
    .meta(ON_CLIENT)
    .meta(SECTION),
};

/** The fields as the line takes them; null where TLS is off. */
export function tlsOf(fields: z.output<z.ZodObject<typeof tlsFields>>): TlsSettings | null {
  if (!fields.tls) return null;
  return {
    certificate: fields.tls_certificate,
    key: fields.tls_key,
    ca: fields.tls_ca,
    isVerified: fields.tls_verify,
    serverName: fields.tls_server_name,
  };
}
