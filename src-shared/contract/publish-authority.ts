import { z } from 'zod';
import { say } from '../messages/index.ts';
import { schemaWords } from '../messages/schema-words.ts';

/** Certificates of those who may sign that of a target. */
export const authority = z
  .string()
  .max(65_536)
  .regex(/^\s*(-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+$/, {
    error: schemaWords(say('publish.authority')),
  })
  .optional()
  .describe(
    'certificates (PEM) of the authorities that may sign the certificate of the target, in place of those of the system; only where the connection is encrypted. Left out: those of the system',
  );
