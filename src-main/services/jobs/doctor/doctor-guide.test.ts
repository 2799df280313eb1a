import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DOCTOR_CODES, DOCTOR_MESSAGES } from '#shared/domain/doctor.ts';
import { FIND_CODES, FIND_MESSAGES } from '#shared/domain/find.ts';

const chinese = readFileSync(join(import.meta.dirname, '../../../../docs/guide/doctor.zh.md'), 'utf8');
const guide = readFileSync(join(import.meta.dirname, '../../../../docs/guide/doctor.md'), 'utf8');

const MESSAGES: Readonly<Record<string, { readonly text: string; readonly next?: string }>> = { ...DOCTOR_MESSAGES, ...FIND_MESSAGES };
const CODES = [...DOCTOR_CODES, ...FIND_CODES];

it.each(CODES)('the guide has %s with its sentence and next step', (code) => {
  const message = MESSAGES[code] ?? { text: '' };
  expect(guide.split('\n')).toContain(`| \`${code}\` | ${message.text} | ${message.next ?? '–'} |`);
});

it.each([guide, chinese])('the guide has no code that is not there, and each once', (page) => {
  const named = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1]);
  expect(named.sort()).toEqual([...CODES].sort());
});
