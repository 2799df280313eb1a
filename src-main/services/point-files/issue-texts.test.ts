import { expect, it } from 'vitest';
import { say } from '#shared/messages/index.ts';
import { issueText } from './issue-texts.ts';

it('fills the parameters of a rule in, and says which of our codes an old one is', () => {
  expect(issueText('limits_inverted', { min: 2, max: 1 })).toBe('The lower limit 2 is above the upper limit 1.');
  const old = { code: '0x45', type: 'float32', order: 'CDAB', old: 'BADC', count: 3 };
  expect(issueText('decode_old', { ...old, same: say('table.same_as', { code: '0xD3' }) })).toContain(
    'computed as BADC, which is 0xD3: compare',
  );
  expect(issueText('decode_old', { ...old, same: '' })).toContain('computed as BADC: compare');
});
