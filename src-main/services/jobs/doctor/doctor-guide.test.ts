import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DOCTOR_CODES, DOCTOR_MESSAGES } from '#shared/domain/doctor.ts';

const guide = readFileSync(join(import.meta.dirname, '../../../../docs/guide/doctor.md'), 'utf8');

it.each(DOCTOR_CODES)('the guide has %s with its sentence and next step', (code) => {
  const message: { readonly text: string; readonly next?: string } = DOCTOR_MESSAGES[code];
  expect(guide.split('\n')).toContain(`| \`${code}\` | ${message.text} | ${message.next ?? '–'} |`);
});

it('the guide has no code that is not there', () => {
  const named = [...guide.matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1]);
  expect(named.sort()).toEqual([...DOCTOR_CODES].sort());
});
