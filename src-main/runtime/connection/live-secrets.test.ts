import { expect, it } from 'vitest';
import { z } from 'zod';
import { liveSecrets } from './live-secrets.ts';

it('secrets are read when they are used, and show in no listing', () => {
  let stored: Record<string, string> = {};
  const secrets = liveSecrets(z.object({ password: z.string().optional(), code: z.string().optional() }), () => stored);
  expect(secrets.password).toBeUndefined();
  stored = { password: 'a', other: 'b' };
  expect([secrets.password, secrets.code, secrets.other]).toEqual(['a', undefined, undefined]);
  stored = { password: 'c' };
  expect(secrets.password).toBe('c');
  expect(JSON.stringify({ ...secrets })).toBe('{}');
});
