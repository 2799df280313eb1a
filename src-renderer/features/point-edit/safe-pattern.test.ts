import { describe, expect, it } from 'vitest';
import { patternProblem } from './safe-pattern.ts';

describe('a regular expression for the table', () => {
  it.each([
    'BAY(\\d+)_',
    '^x',
    'U$',
    '[A-Z]+\\d{1,3}',
    '(?:ab)+',
    'a|b',
    '(a|b)c',
    '\\(\\d+\\)',
    '[*+(]+',
    '(?<n>\\d+)',
    'x{2,}',
    '.*_.*',
    '\\\\1',
    '(.*)_(.*)_(.*)',
    '^(\\w+)\\.(\\w+)\\.(\\w+)$',
    '^(BAY|FEEDER|LINE)\\d{1,2}_(\\w+)$',
    'U?I?_[A-C]{0,2}(_MAX|_MIN)?',
    'a|b|c|d|e|f|g|h',
  ])('takes %s', (pattern) => expect(patternProblem(pattern)).toBeNull());

  it.each([
    ['(a+)+', 'nested'],
    ['(a*)*$', 'nested'],
    ['(a|aa)+$', 'nested'],
    ['((a+)b)*', 'nested'],
    ['((a|b)c){2,}', 'nested'],
    ['(\\d?){30}', 'nested'],
    ['.*.*.*.*=', 'many'],
    ['.{0,99}.{0,99}.{0,99}.{0,99}=', 'many'],
    [`${'\\w?'.repeat(20)}!`, 'many'],
    [`${'(a|a)'.repeat(20)}b`, 'many'],
    [`${'(?:|a)'.repeat(20)}b`, 'many'],
    [`${'(?:\\w)?'.repeat(20)}!`, 'many'],
    [`${'(?:a?)?'.repeat(12)}b`, 'many'],
    [`${'a{1,2}'.repeat(20)}b`, 'many'],
    [`${'.{0,20}'.repeat(4)}=`, 'many'],
    ['.*.*.*[a-z]{40}=', 'many'],
    [`.*.*.*${'\\w'.repeat(40)}=`, 'many'],
    ['(a)\\1', 'back'],
    ['(?<n>a)\\k<n>', 'back'],
    ['(', 'syntax'],
    ['[b-a]', 'syntax'],
    ['a'.repeat(201), 'long'],
  ])('refuses %s', (pattern, problem) => expect(patternProblem(pattern)).toBe(problem));

  // measured: at most 42 ms each; the limit of a test is for what hangs, on a busy computer as well
  it('leaves nothing that takes long: the work of the worst that is taken is bounded', { timeout: 20_000 }, () => {
    const text = `${'a'.repeat(99)}!`;
    const worst = ['.*.*.*=', '.*.*.*a?=', `${'\\w?'.repeat(16)}=`, `${'(a|a)'.repeat(16)}=`, '.{0,20}.{0,20}.{0,20}=', '.*.*[a-z]{50}='];
    for (const pattern of worst) {
      expect(patternProblem(pattern), pattern).toBeNull();
      expect(text.replace(new RegExp(pattern, 'giu'), '')).toBe(text);
    }
  });
});
