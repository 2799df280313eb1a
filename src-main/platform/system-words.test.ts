import { expect, it } from 'vitest';
import { english } from '#shared/messages/index.ts';
import { systemSaid } from './system-words.ts';

const failed = (code: string) => Object.assign(new Error(`${code}: whatever the system writes`), { code });

it.each([
  ['ENOSPC', 'the disk is full (ENOSPC)'],
  ['EACCES', 'permission is missing (EACCES)'],
  ['ENOTDIR', 'its folder is not there, or a file lies in the place of it (ENOTDIR)'],
  ['ELOOP', 'the system refused it (ELOOP)'],
])('%s is said in words, with its code', (code, words) => {
  expect(english(systemSaid(failed(code)))).toBe(words);
});

it('says what has no code without the words of the system', () => {
  expect(english(systemSaid(new Error('boom')))).toBe('the system refused it');
  expect(english(systemSaid('boom'))).toBe('the system refused it');
});
