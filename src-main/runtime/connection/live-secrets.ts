import type { z } from 'zod';
import type { DriverSecrets } from '../../drivers/spi/index.ts';

/**
 * The secrets that a driver declares, each read when it is used. They do not show when the object is listed, copied or printed.
 */
export function liveSecrets(declared: z.ZodObject | undefined, read: () => Readonly<Record<string, string>>): DriverSecrets {
  const names = Object.keys(declared?.shape ?? {});
  const secrets: DriverSecrets = {};
  for (const name of names) Object.defineProperty(secrets, name, { get: () => read()[name], enumerable: false });
  return Object.freeze(secrets);
}
