import { z } from 'zod';

const password = (level: number) =>
  z
    .string()
    .regex(/^[\dA-Fa-f]{6}$/)
    .optional()
    .describe(`6 digits: password of level 0${level}`);

/** Secrets of a channel: passwords by their level, the smaller the more it may, and the code that meters log with a write. */
export const secretSettings = z.object({
  password_00: password(0),
  password_01: password(1),
  password_02: password(2),
  password_03: password(3),
  password_04: password(4),
  password_05: password(5),
  password_06: password(6),
  password_07: password(7),
  password_08: password(8),
  password_09: password(9),
  operator_code: z
    .string()
    .regex(/^[\dA-Fa-f]{8}$/)
    .optional()
    .describe('8 digits: operator code, which meters log with every write (2007)'),
  new_password: z
    .string()
    .regex(/^[\dA-Fa-f]{6}$/)
    .optional()
    .describe('6 digits: password that a change of password sets'),
});
export type SecretName = keyof typeof secretSettings.shape;
